//! The integers of a column that is being filled, in as few bytes as they take: a block's columns wait for its end beside the
//! search, whose own data they push out of the caches.

use std::ops::Range;

use super::missing;

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
            Narrow::I16($list) => $value,
            Narrow::I32($list) => $value,
            Narrow::I64($list) => $value,
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

    /// Forgets the integers. Those that follow are likely to be as wide.
    pub(crate) fn clear(&mut self) {
        with_list!(self, list => list.clear());
    }

    /// Appends integers of which the least and the greatest are these.
    pub(crate) fn append(&mut self, values: &[i64], ends: (i64, i64)) {
        self.make_wide_enough(ends);
        match self {
            Self::I16(list) => extend(list, values, |value| value as i16),
            Self::I32(list) => extend(list, values, |value| value as i32),
            Self::I64(list) => list.extend_from_slice(values),
        }
    }

    /// Appends zeros until there are so many integers, and sets some.
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
                *self = Self::I32(list.iter().map(|&value| value.into()).collect());
            }
            Self::I32(_) if fits(i32::MIN.into(), i32::MAX.into()) => {}
            Self::I64(_) => {}
            Self::I16(_) | Self::I32(_) => {
                let mut values = Vec::new();
                self.put(0..self.len(), &mut values);
                *self = Self::I64(values);
            }
        }
    }

    /// Appends the integers of these rows to a list.
    pub(crate) fn put(&self, rows: Range<usize>, out: &mut Vec<i64>) {
        match self {
            Self::I16(list) => extend(out, &list[rows], i64::from),
            Self::I32(list) => extend(out, &list[rows], i64::from),
            Self::I64(list) => out.extend_from_slice(&list[rows]),
        }
    }

    /// All integers; `memory` holds them where they are stored in fewer bytes.
    pub(crate) fn wide<'a>(&'a self, memory: &'a mut Vec<i64>) -> &'a [i64] {
        if let Self::I64(list) = self {
            return list;
        }
        memory.clear();
        self.put(0..self.len(), memory);
        memory
    }

    /// Every so many integers from the first on.
    pub(super) fn every(&self, stride: usize) -> Vec<i64> {
        with_list!(self, list => list.iter().step_by(stride).map(|&value| wide(value)).collect())
    }

    /// How many of the integers are this one.
    pub(crate) fn count(&self, wanted: i64) -> usize {
        with_list!(self, list => list.iter().filter(|&&value| wide(value) == wanted).count())
    }

    /// Gives the rows that lack a value those that they are packed with; tells the least and the greatest integer then.
    pub(crate) fn fill_missing(&mut self, words: &[u64]) -> (i64, i64) {
        with_list!(self, list => {
            missing::fill(list, words);
            let first = list.first().copied().unwrap_or_default();
            let (least, most) = list.iter().fold((first, first), |(least, most), &value| (least.min(value), most.max(value)));
            (wide(least), wide(most))
        })
    }
}

/// An integer of a list as one of a column.
#[inline(always)]
pub(super) fn wide(integer: impl Into<i64>) -> i64 {
    integer.into()
}

/// Appends integers of another width.
fn extend<T: Copy, U: Copy>(out: &mut Vec<U>, integers: &[T], convert: impl Fn(T) -> U) {
    // Newer processors change the width of several at once.
    #[cfg(target_arch = "x86_64")]
    {
        #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl")]
        fn extend_avx512<T: Copy, U: Copy>(out: &mut Vec<U>, integers: &[T], convert: impl Fn(T) -> U) {
            out.extend(integers.iter().map(|&integer| convert(integer)));
        }
        if std::arch::is_x86_feature_detected!("avx512bw")
            && std::arch::is_x86_feature_detected!("avx512dq")
            && std::arch::is_x86_feature_detected!("avx512vl")
        {
            // SAFETY: the processor has just been asked; one that has AVX-512BW has AVX-512F.
            return unsafe { extend_avx512(out, integers, convert) };
        }
    }
    out.extend(integers.iter().map(|&integer| convert(integer)));
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
            // The second time the list is as wide as it was at the first one's end.
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
        narrow.append(&[-32_768, 32_767], (-32_768, 32_767));
        assert!(matches!(narrow, Narrow::I16(_)));
        narrow.set_some(4, [(3, 65_535)].into_iter());
        assert!(matches!(narrow, Narrow::I32(_)));
        narrow.append(&[1 << 31], (1 << 31, 1 << 31));
        assert!(matches!(narrow, Narrow::I64(_)));
        assert_eq!(narrow.wide(&mut Vec::new()), [-32_768, 32_767, 0, 65_535, 1 << 31]);
        assert_eq!(narrow.fill_missing(&[0b10001]), (0, 65_535));
        assert_eq!(narrow.wide(&mut Vec::new()), [32_767, 32_767, 0, 65_535, 65_535]);
    }
}
