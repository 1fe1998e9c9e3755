//! The widths that integers are unpacked into: the narrower, the faster everything after.

use fastlanes::BitPacking;

/// An unsigned integer type that columns are packed from and unpacked to.
pub(super) trait Lane: BitPacking + bytemuck::Pod + Default + Ord {
    const BITS: u32;
    fn narrow(value: u64) -> Self;
    fn widen(self) -> u64;
    fn plus(self, other: Self) -> Self;
    fn or(self, other: Self) -> Self;
    /// As [`fold`](crate::wire::fold) has it, and back.
    fn folded(self) -> Self;
    fn unfolded(self) -> Self;
    fn minus(self, other: Self) -> Self;
    fn store(values: Vec<Self>) -> Lanes;
    /// The lists of this width among those that nobody uses.
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

/// How many lists of one width are kept for later.
const LISTS_MAX: usize = 16;

/// Lists of integers of each width that nobody uses.
#[derive(Default)]
pub(super) struct LaneLists {
    of_u8: Vec<Vec<u8>>,
    of_u16: Vec<Vec<u16>>,
    of_u32: Vec<Vec<u32>>,
    of_u64: Vec<Vec<u64>>,
}

impl LaneLists {
    /// A list of so many integers, each of which is to be written: they are what someone left there.
    pub(super) fn list<T: Lane>(&mut self, length: usize) -> Vec<T> {
        let mut list = T::lists(self).pop().unwrap_or_default();
        list.resize(length, T::default());
        list
    }

    /// Takes back a list that is no longer needed.
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
    /// Eight bytes.
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
    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        each_lane!(self, values => values.len())
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The one at this place, widened.
    ///
    /// # Panics
    /// If there is none.
    #[must_use]
    pub fn get(&self, index: usize) -> u64 {
        each_lane!(self, values => values[index].widen())
    }

    /// How many bytes one takes: 1, 2, 4 or 8.
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

/// How many bits an integer takes without its leading zeros.
#[inline(always)]
pub(super) fn bit_length(value: u64) -> u32 {
    u64::BITS - value.leading_zeros()
}

/// Calls a function that is generic over the lane with the lane of this number; `$otherwise` if there is none.
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
