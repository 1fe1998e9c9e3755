//! The widths to which integers are unpacked: the narrower they are, the faster everything that follows.

use fastlanes::BitPacking;

/// An unsigned integer type that columns are packed from and unpacked to.
pub(super) trait Lane: BitPacking + bytemuck::Pod + Default + Ord {
    const BITS: u32;
    fn narrow(value: u64) -> Self;
    fn widen(self) -> u64;
    fn plus(self, other: Self) -> Self;
    fn or(self, other: Self) -> Self;
    /// Folds and unfolds like [`fold`](crate::wire::fold).
    fn folded(self) -> Self;
    fn unfolded(self) -> Self;
    fn minus(self, other: Self) -> Self;
    fn store(values: Vec<Self>) -> Lanes;
    /// The unused lists of this width.
    fn lists(lists: &mut LaneLists) -> &mut Vec<Vec<Self>>;
}

macro_rules! lane {
    ($type:ty, $variant:ident, $lists:ident) => {
        impl Lane for $type {
            const BITS: u32 = <$type>::BITS;
            #[inline(always)]
            fn narrow(value: u64) -> Self {
                value as $type
            }
            #[inline(always)]
            fn widen(self) -> u64 {
                u64::from(self)
            }
            #[inline(always)]
            fn plus(self, other: Self) -> Self {
                self.wrapping_add(other)
            }
            #[inline(always)]
            fn or(self, other: Self) -> Self {
                self | other
            }
            #[inline(always)]
            fn folded(self) -> Self {
                (self << 1) ^ (self >> (Self::BITS - 1)).wrapping_neg()
            }
            #[inline(always)]
            fn unfolded(self) -> Self {
                (self >> 1) ^ (self & 1).wrapping_neg()
            }
            #[inline(always)]
            fn minus(self, other: Self) -> Self {
                self.wrapping_sub(other)
            }
            fn store(values: Vec<Self>) -> Lanes {
                Lanes::$variant(values)
            }
            fn lists(lists: &mut LaneLists) -> &mut Vec<Vec<Self>> {
                &mut lists.$lists
            }
        }
    };
}

lane!(u8, U8, of_u8);
lane!(u16, U16, of_u16);
lane!(u32, U32, of_u32);
lane!(u64, U64, of_u64);

/// The maximum number of unused lists that are kept for each width.
const LISTS_MAX: usize = 16;

/// Unused lists of integers of each width.
#[derive(Default)]
pub(super) struct LaneLists {
    of_u8: Vec<Vec<u8>>,
    of_u16: Vec<Vec<u16>>,
    of_u32: Vec<Vec<u32>>,
    of_u64: Vec<Vec<u64>>,
}

impl LaneLists {
    /// A list of this many integers; each must be overwritten, because the list has old content.
    pub(super) fn list<T: Lane>(&mut self, length: usize) -> Vec<T> {
        let mut list = T::lists(self).pop().unwrap_or_default();
        list.resize(length, T::default());
        list
    }

    /// Takes back a list that is no longer used.
    pub(super) fn keep<T: Lane>(&mut self, list: Vec<T>) {
        let lists = T::lists(self);
        if lists.len() < LISTS_MAX {
            lists.push(list);
        }
    }
}

/// Unsigned integers, as narrow as their column allows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Lanes {
    /// All fit one byte.
    U8(Vec<u8>),
    /// All fit two bytes.
    U16(Vec<u16>),
    /// All fit four bytes.
    U32(Vec<u32>),
    /// All fit eight bytes.
    U64(Vec<u64>),
}

/// Runs `$body` with `$values` bound to the vector, whatever its width.
macro_rules! each_lane {
    ($lanes:expr, $values:ident => $body:expr) => {
        match $lanes {
            $crate::columns::Lanes::U8($values) => $body,
            $crate::columns::Lanes::U16($values) => $body,
            $crate::columns::Lanes::U32($values) => $body,
            $crate::columns::Lanes::U64($values) => $body,
        }
    };
}
pub(super) use each_lane;

impl Lanes {
    /// The number of integers.
    #[must_use]
    pub fn len(&self) -> usize {
        each_lane!(self, values => values.len())
    }

    /// Whether there are no integers.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The integer at this place, widened.
    ///
    /// # Panics
    /// If there is no such place.
    #[must_use]
    pub fn get(&self, index: usize) -> u64 {
        each_lane!(self, values => values[index].widen())
    }

    /// The number of bytes of an integer: 1, 2, 4 or 8.
    #[must_use]
    pub fn width(&self) -> usize {
        match self {
            Lanes::U8(_) => 1,
            Lanes::U16(_) => 2,
            Lanes::U32(_) => 4,
            Lanes::U64(_) => 8,
        }
    }
}

/// The lane that holds `bits` bits, as its number in the file: 0 to 3 for 1, 2, 4, 8 bytes.
pub(super) fn lane_number(bits: u32) -> u8 {
    match bits {
        0..=8 => 0,
        9..=16 => 1,
        17..=32 => 2,
        _ => 3,
    }
}

/// The number of bits in an integer without its leading zeros.
#[inline(always)]
pub(super) fn bit_length(value: u64) -> u32 {
    u64::BITS - value.leading_zeros()
}

/// Calls a function that is generic over the lane with the lane that has this number; evaluates to `$otherwise` if there is none.
macro_rules! with_lane {
    ($number:expr, $function:ident($($argument:expr),*), $otherwise:expr) => {
        match $number {
            0 => $function::<u8>($($argument),*),
            1 => $function::<u16>($($argument),*),
            2 => $function::<u32>($($argument),*),
            3 => $function::<u64>($($argument),*),
            _ => $otherwise,
        }
    };
}
pub(super) use with_lane;
