//! The bits that some floats take.

use crate::engine::bits::Bitmap;
use crate::engine::wide::wide;

/// The power of two, positive or negative, beyond which squares and their sums could be rounded twice or leave the
/// range of floats.
const POWER_MAX: i32 = 400;

/// The lowest and the highest bit of some numbers.
pub(in crate::engine) struct Span {
    lowest: i32,
    highest: i32,
}

impl Default for Span {
    fn default() -> Self {
        Self { lowest: i32::MAX / 2, highest: i32::MIN / 2 }
    }
}

impl Span {
    /// The span of the taken rows.
    pub(in crate::engine) fn of(values: &[f64], take: &Bitmap) -> Self {
        let mut span = Self::default();
        if take.count() == values.len() as u64 {
            let mut extremes = (f64::INFINITY.to_bits().cast_signed(), 0);
            values.chunks(256).for_each(|values| lowest_and_highest(values, &mut extremes));
            if extremes.1 > 0 {
                span.add(f64::from_bits(extremes.0.cast_unsigned()));
                span.add(f64::from_bits(extremes.1.cast_unsigned()));
            }
        } else {
            take.each(|row| span.add(values[row]));
        }
        span
    }

    /// The number of bits that hold them all; 0 if all are 0.
    pub(in crate::engine) fn bits(&self) -> i32 {
        (self.highest - self.lowest + 1).max(0)
    }

    /// The power of two of which all the numbers are multiples.
    pub(in crate::engine) fn power(&self) -> i32 {
        if self.bits() == 0 { 0 } else { self.lowest }
    }

    /// Whether all are finite, and sums of their squares stay in the range of floats.
    pub(in crate::engine) fn is_near_one(&self) -> bool {
        self.bits() == 0 || (self.lowest > -POWER_MAX && self.highest < POWER_MAX)
    }

    #[inline]
    pub(super) fn add(&mut self, value: f64) {
        let (bits, power) = (value.to_bits(), power_of(value));
        // The smallest floats have no leading one, but they are too far from 1 anyway; so are values that are not
        // finite.
        let zeros = (bits & FRACTION | 1 << 52).trailing_zeros().cast_signed();
        if value != 0.0 {
            self.lowest = self.lowest.min(power - 52 + zeros);
            self.highest = self.highest.max(power);
        }
    }
}

const FRACTION: u64 = (1 << 52) - 1;

/// The power of two of a number's highest bit, unless it is one of the smallest floats.
#[inline]
fn power_of(value: f64) -> i32 {
    (value.to_bits() >> 52 & 0x7ff) as i32 - 1023
}

wide! {
    /// The lowest bit of all these numbers, as a number, and the largest of their absolute values: both as the bits of
    /// floats, which are in the same order and compared several at once.
    fn lowest_and_highest(values: &[f64], extremes: &mut (i64, i64)) {
        let (mut lowest, mut highest) = *extremes;
        for value in values {
            let (bits, size) = (value.to_bits(), value.abs());
            // NaN is not finite either.
            let size = if size.is_nan() { f64::INFINITY } else { size };
            // The number without its lowest bit; the difference is that bit.
            let without = f64::from_bits(bits & bits.wrapping_sub(1)).abs();
            let bit = if bits & FRACTION == 0 { size } else { size - without };
            let bit = if size == 0.0 { f64::INFINITY } else { bit };
            lowest = lowest.min(bit.to_bits().cast_signed());
            highest = highest.max(size.to_bits().cast_signed());
        }
        *extremes = (lowest, highest);
    }
}

/// 2 to a power between -1022 and 1023.
pub(in crate::engine) fn power_of_two(power: i32) -> f64 {
    f64::from_bits(((1023 + power) as u64) << 52)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn floats() -> impl Strategy<Value = f64> {
        let any_size = (-(1_i64 << 53)..1 << 53, -1080..1020_i32);
        prop_oneof![
            4 => (-100_000..100_000_i64).prop_map(|hundredths| hundredths as f64 / 100.0),
            2 => any_size.prop_map(|(whole, power)| whole as f64 * 2.0_f64.powi(power)),
            1 => prop_oneof![Just(0.0), Just(1.0), Just(-0.5), Just(f64::INFINITY), Just(f64::MIN_POSITIVE / 8.0)],
        ]
    }

    proptest! {
        #[test]
        fn all_rows_at_once_are_all_rows_one_by_one(values in proptest::collection::vec(floats(), 0..600)) {
            let mut take = Bitmap::default();
            take.fill(values.len(), true);
            let found = Span::of(&values, &take);
            let mut expected = Span::default();
            values.iter().for_each(|value| expected.add(*value));
            prop_assert_eq!(found.is_near_one(), expected.is_near_one());
            if found.is_near_one() {
                prop_assert_eq!((found.bits(), found.power()), (expected.bits(), expected.power()));
            }
        }
    }
}
