//! Floats as integers times one power of two, so that their sums are exact and fast.
//!
//! ```text
//! 0.5  -3.25  96   =   2  -13  384   times 2^-2
//! ```
//!
//! **Invariant:** the sum of all numbers and all starts fits the integers; a value read from a sum is rounded once.

use super::span::{Span, power_of_two};
use super::states::{Whole, quotient, rounded};
use crate::engine::bits::Bitmap;
use crate::exact_sum::ExactSum;

/// The conversion of a block's floats to integers.
#[derive(Clone, Debug)]
pub(in crate::engine) struct FixedPoint<N> {
    /// The initial states of the segments.
    pub(in crate::engine) starts: Vec<N>,
    /// The number of bits that every number takes at most.
    pub(in crate::engine) bits: i32,
    power: i32,
}

impl<N: Whole> FixedPoint<N> {
    /// Makes the conversion for the taken rows and the starts of segments; `None` if the integers are too short, or
    /// something is not finite.
    pub(in crate::engine) fn of(values: &[f64], take: &Bitmap, starts: &[ExactSum]) -> Option<Self> {
        let starts: Vec<Vec<f64>> = starts.iter().map(|start| start.clone().parts()).collect();
        let mut span = Span::of(values, take);
        starts.iter().flatten().for_each(|part| span.add(*part));
        let bits = span.bits();
        // A start is a sum of non-overlapping parts, so it counts as one number.
        let terms_bits = (usize::BITS - (values.len() + starts.len()).leading_zeros()) as i32;
        if !span.is_near_one() || bits + terms_bits + 1 >= N::BITS {
            return None;
        }
        let mut fixed = Self { starts: Vec::new(), bits, power: span.power() };
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

    /// The number that the integer 1 stands for.
    pub(in crate::engine) fn unit(&self) -> f64 {
        power_of_two(self.power)
    }

    /// A sum, rounded once.
    #[inline]
    pub(in crate::engine) fn sum(&self, sum: N) -> f64 {
        rounded(sum.into()) * self.unit()
    }

    /// The mean of `count` numbers, rounded once, and whether there is one.
    #[inline]
    pub(in crate::engine) fn mean(&self, sum: N, count: i64) -> (f64, bool) {
        (quotient(sum.into(), count) * self.unit(), count > 0)
    }
}
