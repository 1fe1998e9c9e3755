//! The widths of a column's integers while it is encoded: the narrower they are, the more fit a vector and a cache.

/// A signed integer type. Arithmetic wraps: the caller has chosen a type that holds the results.
pub(crate) trait Integer: Copy + Default + Ord + Into<i64> {
    /// The greatest and the least integer of the type.
    const MOST: Self;
    const LEAST: Self;
    /// The low bits of an integer.
    fn of(value: i64) -> Self;
    fn plus(self, other: Self) -> Self;
    fn minus(self, other: Self) -> Self;
    /// The list of this type.
    fn list(lists: &mut Lists) -> &mut Vec<Self>;
}

macro_rules! integer {
    ($type:ty, $list:ident) => {
        impl Integer for $type {
            const MOST: Self = <$type>::MAX;
            const LEAST: Self = <$type>::MIN;
            #[inline(always)]
            fn of(value: i64) -> Self {
                value as $type
            }
            #[inline(always)]
            fn plus(self, other: Self) -> Self {
                self.wrapping_add(other)
            }
            #[inline(always)]
            fn minus(self, other: Self) -> Self {
                self.wrapping_sub(other)
            }
            fn list(lists: &mut Lists) -> &mut Vec<Self> {
                &mut lists.$list
            }
        }
    };
}

integer!(i16, of_i16);
integer!(i32, of_i32);
integer!(i64, of_i64);

/// An unused list of each type.
#[derive(Default)]
pub(crate) struct Lists {
    of_i16: Vec<i16>,
    of_i32: Vec<i32>,
    of_i64: Vec<i64>,
}

impl Lists {
    /// Takes the list that was kept, with its content.
    pub(super) fn take<T: Integer>(&mut self) -> Vec<T> {
        std::mem::take(T::list(self))
    }

    /// Keeps a list's memory for the next use.
    pub(super) fn keep<T: Integer>(&mut self, list: Vec<T>) {
        *T::list(self) = list;
    }
}

/// The type that holds integers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Width {
    I16,
    I32,
    I64,
}

impl Width {
    /// The narrowest type that holds all integers from the first to the second.
    pub(super) fn of(ends: (i128, i128)) -> Self {
        let fits = |least: i64, most: i64| i128::from(least) <= ends.0 && ends.1 <= i128::from(most);
        if fits(i16::MIN.into(), i16::MAX.into()) {
            Self::I16
        } else if fits(i32::MIN.into(), i32::MAX.into()) {
            Self::I32
        } else {
            Self::I64
        }
    }
}

/// Calls a function that is generic over the integer with the type of this width.
macro_rules! with_width {
    ($width:expr, $type:ident => $value:expr) => {
        match $width {
            $crate::columns::integer::Width::I16 => {
                type $type = i16;
                $value
            }
            $crate::columns::integer::Width::I32 => {
                type $type = i32;
                $value
            }
            $crate::columns::integer::Width::I64 => {
                type $type = i64;
                $value
            }
        }
    };
}
pub(super) use with_width;
