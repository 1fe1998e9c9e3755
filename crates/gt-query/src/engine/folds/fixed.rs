//! Floats as integers times one power of two, so that their sums are exact and fast.
//!
//! ```text
//! 0.5  -3.25  96   =   2  -13  384   times 2^-2
//! ```
//!
//! **Invariant:** the sum of all numbers and all starts fits the integers; a value read from a sum is rounded once.

use super::states::{Whole, quotient, rounded};
use crate::engine::bits::Bitmap;
use crate::exact_sum::ExactSum;

/// The power of two, positive or negative, beyond which squares and their sums could be rounded twice or leave the
/// range of floats.
pub(in crate::engine) const POWER_MAX: i32 = 400;

/// The conversion of a block's floats to integers.
#[derive(Clone, Debug)]
pub(in crate::engine) struct FixedPoint<N> {
    /// The initial states of the segments.
    pub(in crate::engine) starts: Vec<N>,
    power: i32,
}

impl<N: Whole> FixedPoint<N> {
    /// For the taken rows, and the starts of segments; `None` if the integers are too short, or something is not
    /// finite.
    pub(in crate::engine) fn of(values: &[f64], take: &Bitmap, starts: &[ExactSum]) -> Option<Self> {
        let starts: Vec<Vec<f64>> = starts.iter().map(parts).collect();
        let mut span = Span::of(values, take);
        starts.iter().flatten().for_each(|part| span.add(*part));
        let bits = span.bits();
        // A start is a sum of non-overlapping parts, so it counts as one number.
        let terms_bits = (usize::BITS - (values.len() + starts.len()).leading_zeros()) as i32;
        if !span.is_near_one() || bits + terms_bits + 1 >= N::BITS {
            return None;
        }
        let mut fixed = Self { starts: Vec::new(), power: span.power() };
        let whole =
            |parts: &Vec<f64>| parts.iter().fold(N::default(), |sum, part| sum.plus(fixed.whole(*part)));
        fixed.starts = starts.iter().map(whole).collect();
        Some(fixed)
    }

    /// The integer for the value of a taken row; meaningless for others.
    ///
    /// Its high and its low bits are converted by one instruction each, where a cast to 128 bits is a call.
    #[inline]
    pub(in crate::engine) fn whole(&self, value: f64) -> N {
        const HALF: i64 = 1 << 62;
        let value = value * power_of_two(-self.power);
        let high = (value / HALF as f64) as i64;
        let low = (value - high as f64 * HALF as f64) as i64;
        N::from(high).times(N::from(HALF)).plus(N::from(low))
    }

    /// A sum, rounded once.
    #[inline]
    pub(in crate::engine) fn sum(&self, sum: N) -> f64 {
        rounded(sum.into()) * power_of_two(self.power)
    }

    /// The mean of `count` numbers, rounded once, and whether there is one.
    #[inline]
    pub(in crate::engine) fn mean(&self, sum: N, count: i64) -> (f64, bool) {
        (quotient(sum.into(), count) * power_of_two(self.power), count > 0)
    }

    /// A sum in the form that other blocks can read.
    pub(in crate::engine) fn exact(&self, sum: N) -> ExactSum {
        let mut exact = ExactSum::default();
        exact.add_integer(sum.into());
        exact.scaled(power_of_two(self.power))
    }
}

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
    /// That of the taken rows.
    pub(in crate::engine) fn of(values: &[f64], take: &Bitmap) -> Self {
        let mut span = Self::default();
        take.each(|row| span.add(values[row]));
        span
    }

    /// The number of bits that hold them all; 0 if all are 0.
    pub(in crate::engine) fn bits(&self) -> i32 {
        (self.highest - self.lowest + 1).max(0)
    }

    /// The power of two of which all are multiples.
    pub(in crate::engine) fn power(&self) -> i32 {
        if self.bits() == 0 { 0 } else { self.lowest }
    }

    /// Whether all are finite, and sums of their squares stay in the range of floats.
    pub(in crate::engine) fn is_near_one(&self) -> bool {
        self.bits() == 0 || (self.lowest > -POWER_MAX && self.highest < POWER_MAX)
    }

    #[inline]
    fn add(&mut self, value: f64) {
        const FRACTION: u64 = (1 << 52) - 1;
        let bits = value.to_bits();
        let power = (bits >> 52 & 0x7ff) as i32 - 1023;
        // The smallest floats have no leading one, but they are too far from 1 anyway; so are values that are not
        // finite.
        let zeros = (bits & FRACTION | 1 << 52).trailing_zeros().cast_signed();
        if value != 0.0 {
            self.lowest = self.lowest.min(power - 52 + zeros);
            self.highest = self.highest.max(power);
        }
    }
}

/// Non-overlapping floats that add up to a sum; one that is not finite if the sum is not.
fn parts(sum: &ExactSum) -> Vec<f64> {
    let (mut rest, mut parts) = (sum.clone(), Vec::new());
    loop {
        let part = rest.value();
        if part == 0.0 {
            return parts;
        }
        parts.push(part);
        if !part.is_finite() {
            return parts;
        }
        rest.add(-part);
    }
}

/// 2 to a power between -1022 and 1023.
pub(in crate::engine) fn power_of_two(power: i32) -> f64 {
    f64::from_bits(((1023 + power) as u64) << 52)
}
