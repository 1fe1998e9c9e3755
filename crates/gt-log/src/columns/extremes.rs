//! The least and the greatest value of a column.

use super::integer::Integer;
use super::vectors::{Work, with_vectors};
use crate::Kind;

/// The least and the greatest of the integers seen so far.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Extremes {
    least: i64,
    most: i64,
}

impl Extremes {
    pub(crate) const OF_NOTHING: Self = Self { least: i64::MAX, most: i64::MIN };

    pub(crate) fn look_at<T: Integer>(&mut self, values: &[T]) {
        if values.is_empty() {
            return;
        }
        let (least, most) = with_vectors(Look(values));
        self.least = self.least.min(least.into());
        self.most = self.most.max(most.into());
    }

    /// Takes in the extremes of `others`.
    pub(crate) fn add(&mut self, others: Self) {
        self.least = self.least.min(others.least);
        self.most = self.most.max(others.most);
    }

    /// The least and the greatest integer; zeros if there was none.
    pub(crate) fn ends(&self) -> (i64, i64) {
        if self.least > self.most { (0, 0) } else { (self.least, self.most) }
    }
}

/// Finds the least and the greatest of some integers.
struct Look<'a, T>(&'a [T]);

impl<T: Integer> Work for Look<'_, T> {
    type Output = (T, T);

    #[inline(always)]
    fn run(self) -> (T, T) {
        let mut ends = (T::MOST, T::LEAST);
        // The loop does nothing else, so that the compiler uses vectors.
        for &value in self.0 {
            ends = (ends.0.min(value), ends.1.max(value));
        }
        ends
    }
}

/// The least and the greatest of some integers; zeros if there are none.
pub(crate) fn extremes<T: Integer>(values: &[T]) -> (i64, i64) {
    let mut extremes = Extremes::OF_NOTHING;
    extremes.look_at(values);
    extremes.ends()
}

/// The least and the greatest value in the order of the kind, as integers of the column; `ends` are the least and the greatest integer.
pub(crate) fn extremes_of_kind<T: Integer>(kind: Kind, values: &[T], ends: (i64, i64)) -> (i64, i64) {
    match kind {
        Kind::U64 => {
            let unsigned = values.iter().map(|&value| value.into() as u64);
            let (min, max) =
                unsigned.fold((u64::MAX, 0), |(min, max), value| (min.min(value), max.max(value)));
            if values.is_empty() { (0, 0) } else { (min as i64, max as i64) }
        }
        Kind::F32 => float_extremes(values, |bits| f64::from(f32::from_bits(bits as u32))),
        Kind::F64 => float_extremes(values, |bits| f64::from_bits(bits as u64)),
        Kind::I8
        | Kind::I16
        | Kind::I32
        | Kind::I64
        | Kind::U8
        | Kind::U16
        | Kind::U32
        | Kind::Bool
        | Kind::Text => ends,
    }
}

fn float_extremes<T: Integer>(values: &[T], float: impl Fn(i64) -> f64) -> (i64, i64) {
    let Some(first) = values.first().map(|&first| first.into()) else { return (0, 0) };
    let (mut min, mut max) = (first, first);
    for bits in values.iter().map(|&bits| bits.into()) {
        let value = float(bits);
        if value.is_nan() {
            return (bits, bits);
        }
        if value < float(min) {
            min = bits;
        }
        if value > float(max) {
            max = bits;
        }
    }
    (min, max)
}
