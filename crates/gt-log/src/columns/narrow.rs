//! The integers of a column that is being filled, in as few bytes as possible: a block's columns wait for its end beside the search, whose
//! own data they push out of the caches.

use std::ops::Range;

use super::extremes::extremes_of_kind;
use super::integer::Integer;
use super::missing;
use super::vectors::{Work, with_vectors};
use crate::Kind;

/// A list of integers, as narrow as the widest of them allows.
#[derive(Clone, Debug)]
pub(crate) enum Narrow {
    I16(Vec<i16>),
    I32(Vec<i32>),
    I64(Vec<i64>),
}

/// Evaluates an expression with the list, whatever its width.
macro_rules! with_list {
    ($narrow:expr, $list:ident => $value:expr) => {
        match $narrow {
            $crate::columns::narrow::Narrow::I16($list) => $value,
            $crate::columns::narrow::Narrow::I32($list) => $value,
            $crate::columns::narrow::Narrow::I64($list) => $value,
        }
    };
}
pub(super) use with_list;

impl Default for Narrow {
    fn default() -> Self {
        Self::I16(Vec::new())
    }
}

impl From<Vec<i64>> for Narrow {
    fn from(values: Vec<i64>) -> Self {
        Self::I64(values)
    }
}

impl Narrow {
    pub(crate) fn len(&self) -> usize {
        with_list!(self, list => list.len())
    }

    /// Removes the integers. The next ones are likely to be as wide.
    pub(crate) fn clear(&mut self) {
        with_list!(self, list => list.clear());
    }

    /// Appends integers whose least and greatest are these.
    pub(crate) fn append<T: Integer>(&mut self, values: &[T], ends: (i64, i64)) {
        self.make_wide_enough(ends);
        with_list!(self, list => extend(list, values));
    }

    /// Appends zeros up to this length, and sets some integers.
    pub(crate) fn set_some(&mut self, length: usize, some: impl Iterator<Item = (usize, i64)>) {
        with_list!(self, list => list.resize(length, 0));
        for (row, value) in some {
            self.make_wide_enough((value, value));
            match self {
                Self::I16(list) => list[row] = value as i16,
                Self::I32(list) => list[row] = value as i32,
                Self::I64(list) => list[row] = value,
            }
        }
    }

    fn make_wide_enough(&mut self, ends: (i64, i64)) {
        let fits = |least: i64, most: i64| least <= ends.0 && ends.1 <= most;
        match self {
            Self::I16(_) if fits(i16::MIN.into(), i16::MAX.into()) => {}
            Self::I16(list) if fits(i32::MIN.into(), i32::MAX.into()) => {
                *self = Self::I32(list.iter().copied().map(i32::from).collect());
            }
            Self::I32(_) if fits(i32::MIN.into(), i32::MAX.into()) => {}
            Self::I64(_) => {}
            Self::I16(_) | Self::I32(_) => {
                *self = Self::I64(self.wide(&mut Vec::new()).to_vec());
            }
        }
    }

    /// Copies the integers of some rows into a list whose type they fit.
    pub(super) fn read<'o, T: Integer>(&self, rows: Range<usize>, out: &'o mut [T]) -> &'o [T] {
        let out = &mut out[..rows.len()];
        with_list!(self, list => with_vectors(Convert { from: &list[rows], to: &mut *out }));
        out
    }

    /// Appends the integers of some rows to a list.
    pub(super) fn append_to(&self, rows: Range<usize>, out: &mut Vec<i64>) {
        with_list!(self, list => extend(out, &list[rows]));
    }

    /// All integers; `memory` holds them where they are stored in fewer bytes.
    pub(crate) fn wide<'a>(&'a self, memory: &'a mut Vec<i64>) -> &'a [i64] {
        if let Self::I64(list) = self {
            return list;
        }
        memory.clear();
        with_list!(self, list => extend(memory, list));
        memory
    }

    /// Every `stride`-th integer, starting with the first.
    pub(super) fn every(&self, stride: usize) -> Vec<i64> {
        with_list!(self, list => list.iter().step_by(stride).map(|&value| wide(value)).collect())
    }

    /// The extremes in the order of a kind; `ends` are those of the integers.
    pub(crate) fn extremes_of_kind(&self, kind: Kind, ends: (i64, i64)) -> (i64, i64) {
        with_list!(self, list => extremes_of_kind(kind, list, ends))
    }

    /// The number of integers that equal this one.
    pub(crate) fn count(&self, wanted: i64) -> usize {
        with_list!(self, list => with_vectors(Count { list, wanted }))
    }

    /// Gives rows that lack a value the values with which they are packed; returns the least and the greatest integer then.
    pub(crate) fn fill_missing(&mut self, words: &[u64]) -> (i64, i64) {
        with_list!(self, list => {
            missing::fill(list, words);
            let first = list.first().copied().unwrap_or_default();
            let (least, most) = list.iter().fold((first, first), |(least, most), &value| (least.min(value), most.max(value)));
            (wide(least), wide(most))
        })
    }
}

/// A list's integer as a column's integer.
#[inline(always)]
pub(super) fn wide(integer: impl Into<i64>) -> i64 {
    integer.into()
}

/// Appends integers of another width.
fn extend<T: Integer, U: Integer>(out: &mut Vec<U>, integers: &[T]) {
    let start = out.len();
    out.resize(start + integers.len(), U::default());
    with_vectors(Convert { from: integers, to: &mut out[start..] });
}

/// Converts integers to another width.
struct Convert<'a, T, U> {
    from: &'a [T],
    to: &'a mut [U],
}

impl<T: Integer, U: Integer> Work for Convert<'_, T, U> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        for (to, &from) in self.to.iter_mut().zip(self.from) {
            *to = U::of(from.into());
        }
    }
}

/// Counts the integers that equal the wanted one.
struct Count<'a, T> {
    list: &'a [T],
    wanted: i64,
}

impl<T: Integer> Work for Count<'_, T> {
    type Output = usize;

    #[inline(always)]
    fn run(self) -> usize {
        let mut count = 0;
        for part in self.list.chunks(128) {
            // The part is short enough for its count to fit a byte.
            let mut in_part = 0_u8;
            for &value in part {
                in_part += u8::from(value.into() == self.wanted);
            }
            count += usize::from(in_part);
        }
        count
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::columns::extremes;

    fn part() -> impl Strategy<Value = Vec<i64>> {
        let value = |bits: u32| (any::<i64>()).prop_map(move |value| value >> (64 - bits));
        prop_oneof![
            prop::collection::vec(value(16), 0..40),
            prop::collection::vec(value(17), 0..40),
            prop::collection::vec(value(32), 0..40),
            prop::collection::vec(value(33), 0..3),
            prop::collection::vec(any::<i64>(), 0..3),
        ]
    }

    proptest! {
        #[test]
        fn integers_come_back_whatever_their_widths(parts in prop::collection::vec(part(), 0..6), stride in 1..9_usize) {
            let mut narrow = Narrow::default();
            // The second time, the list is as wide as it was at the end of the first.
            for _ in 0..2 {
                narrow.clear();
                for part in &parts {
                    narrow.append(part, extremes(part));
                }
                let all = parts.concat();
                prop_assert_eq!(narrow.len(), all.len());
                let mut memory = Vec::new();
                prop_assert_eq!(narrow.wide(&mut memory), &all);
                prop_assert_eq!(narrow.every(stride), all.iter().copied().step_by(stride).collect::<Vec<_>>());
                prop_assert_eq!(narrow.count(1), all.iter().filter(|&&value| value == 1).count());
            }
        }
    }

    #[test]
    fn a_list_is_as_narrow_as_its_widest_integer() {
        let mut narrow = Narrow::default();
        narrow.append(&[-32_768_i64, 32_767], (-32_768, 32_767));
        assert!(matches!(narrow, Narrow::I16(_)));
        narrow.set_some(4, [(3, 65_535)].into_iter());
        assert!(matches!(narrow, Narrow::I32(_)));
        narrow.append(&[1_i64 << 31], (1 << 31, 1 << 31));
        assert!(matches!(narrow, Narrow::I64(_)));
        assert_eq!(narrow.wide(&mut Vec::new()), [-32_768, 32_767, 0, 65_535, 1 << 31]);
        assert_eq!(narrow.fill_missing(&[0b10001]), (0, 65_535));
        assert_eq!(narrow.wide(&mut Vec::new()), [32_767, 32_767, 0, 65_535, 65_535]);
    }
}
