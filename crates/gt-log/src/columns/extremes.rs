//! The least and the greatest value of a column.

use crate::Kind;

/// The least and the greatest; zeros of nothing.
pub(crate) fn extremes(values: &[i64]) -> (i64, i64) {
    // Every processor of x86-64 compares 64-bit integers, but only newer ones several at once.
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("avx2") {
        #[target_feature(enable = "avx2")]
        fn extremes_avx2(values: &[i64]) -> (i64, i64) {
            extremes_in_eights(values)
        }
        // SAFETY: the processor has just been asked.
        return unsafe { extremes_avx2(values) };
    }
    extremes_in_eights(values)
}

#[inline(always)]
fn extremes_in_eights(values: &[i64]) -> (i64, i64) {
    let Some(&first) = values.first() else { return (0, 0) };
    // Eight at a time: one comparison need not wait for the one before.
    let (mut least, mut most) = ([first; 8], [first; 8]);
    let (eights, rest) = values.as_chunks::<8>();
    for eight in eights {
        for place in 0..8 {
            least[place] = least[place].min(eight[place]);
            most[place] = most[place].max(eight[place]);
        }
    }
    let all = |ends: [i64; 8]| ends.into_iter().chain(rest.iter().copied());
    (all(least).min().unwrap_or(first), all(most).max().unwrap_or(first))
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
