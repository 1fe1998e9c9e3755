//! The least and the greatest value of a column.

use crate::Kind;

/// The least and the greatest of what it has seen.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Extremes {
    least: i64,
    most: i64,
}

impl Extremes {
    pub(crate) const OF_NOTHING: Self = Self { least: i64::MAX, most: i64::MIN };

    pub(crate) fn look_at(&mut self, values: &[i64]) {
        // Every processor of x86-64 compares 64-bit integers, but only newer ones several at once.
        #[cfg(target_arch = "x86_64")]
        {
            #[target_feature(enable = "avx512f")]
            fn look_avx512(extremes: &mut Extremes, values: &[i64]) {
                extremes.look(values);
            }
            #[target_feature(enable = "avx2")]
            fn look_avx2(extremes: &mut Extremes, values: &[i64]) {
                extremes.look(values);
            }
            if std::arch::is_x86_feature_detected!("avx512f") {
                // SAFETY: the processor has just been asked.
                return unsafe { look_avx512(self, values) };
            }
            if std::arch::is_x86_feature_detected!("avx2") {
                // SAFETY: the processor has just been asked.
                return unsafe { look_avx2(self, values) };
            }
        }
        self.look(values);
    }

    #[inline(always)]
    fn look(&mut self, values: &[i64]) {
        // Nothing but this: the compiler makes vectors of it.
        for &value in values {
            self.least = self.least.min(value);
            self.most = self.most.max(value);
        }
    }

    /// As if it had seen what `others` has seen.
    pub(crate) fn add(&mut self, others: Self) {
        self.least = self.least.min(others.least);
        self.most = self.most.max(others.most);
    }

    /// The least and the greatest; zeros of nothing.
    pub(crate) fn ends(&self) -> (i64, i64) {
        if self.least > self.most { (0, 0) } else { (self.least, self.most) }
    }
}

/// The least and the greatest; zeros of nothing.
pub(crate) fn extremes(values: &[i64]) -> (i64, i64) {
    let mut extremes = Extremes::OF_NOTHING;
    extremes.look_at(values);
    extremes.ends()
}

/// The least and the greatest value in the order of the kind, as integers of the column; the least and the greatest integer are known.
pub(crate) fn extremes_of_kind(kind: Kind, values: &[i64], ends: (i64, i64)) -> (i64, i64) {
    match kind {
        Kind::U64 => {
            let (min, max) = values
                .iter()
                .fold((u64::MAX, 0), |(min, max), &value| (min.min(value as u64), max.max(value as u64)));
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

fn float_extremes(values: &[i64], float: impl Fn(i64) -> f64) -> (i64, i64) {
    let Some(&first) = values.first() else { return (0, 0) };
    let (mut min, mut max) = (first, first);
    for &bits in values {
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
