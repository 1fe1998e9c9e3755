//! Sums of floats that do not depend on the order of addition.
//!
//! A sum is kept as a few non-overlapping floats, smallest first (Shewchuk's expansions). Adding to it loses nothing,
//! so sums over parts of a tree can be merged in any order. Only [`ExactSum::value`] rounds, once. A sum whose
//! running total leaves the range of floats is infinite.

use crate::wire::{Bytes, Wire};

/// A sum of floats without rounding.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct ExactSum {
    /// Non-overlapping, in increasing size.
    parts: Vec<f64>,
    /// The plain sum of values that are not finite.
    special: f64,
}

impl Wire for ExactSum {
    fn put(&self, bytes: &mut Vec<u8>) {
        self.parts.put(bytes);
        self.special.put(bytes);
    }

    fn read(bytes: &mut Bytes<'_>) -> Option<Self> {
        let mut sum = Self::default();
        Vec::<f64>::read(bytes)?.into_iter().for_each(|part| sum.add(part));
        sum.special += f64::read(bytes).filter(|special| *special == 0.0 || !special.is_finite())?;
        Some(sum)
    }
}

impl ExactSum {
    /// The sum of nothing.
    pub(crate) const ZERO: Self = Self { parts: Vec::new(), special: 0.0 };

    /// Adds one number.
    pub(crate) fn add(&mut self, value: f64) {
        if !value.is_finite() {
            self.special += value;
            return;
        }
        let mut carry = value;
        let mut kept = 0;
        for i in 0..self.parts.len() {
            let (sum, rest) = two_sum(carry, self.parts[i]);
            if rest != 0.0 {
                self.parts[kept] = rest;
                kept += 1;
            }
            carry = sum;
        }
        self.parts.truncate(kept);
        if carry.is_finite() {
            self.parts.push(carry);
        } else {
            self.parts.clear();
            self.special += carry;
        }
    }

    /// Adds an integer, whatever its size.
    #[allow(clippy::cast_precision_loss)] // Each piece has 40 bits.
    pub(crate) fn add_integer(&mut self, value: i128) {
        let sign = if value < 0 { -1.0 } else { 1.0 };
        let (mut left, mut place) = (value.unsigned_abs(), 1.0);
        while left > 0 {
            self.add(sign * (left % (1 << 40)) as f64 * place);
            left >>= 40;
            place *= (1_u64 << 40) as f64;
        }
    }

    /// Adds another sum.
    pub(crate) fn merge(&mut self, other: &Self) {
        other.parts.iter().for_each(|part| self.add(*part));
        self.special += other.special;
    }

    /// Whether the sum is zero.
    #[must_use]
    pub(crate) fn is_zero(&self) -> bool {
        self.special == 0.0 && self.parts.iter().all(|part| *part == 0.0)
    }

    /// The sum times a power of two that keeps every part in the range of floats.
    #[must_use]
    pub(crate) fn scaled(&self, power: f64) -> Self {
        Self { parts: self.parts.iter().map(|part| part * power).collect(), special: self.special }
    }

    /// Floats that add up to the sum; equal sums give the same ones.
    pub(crate) fn parts(mut self) -> Vec<f64> {
        let mut parts = Vec::new();
        loop {
            let part = self.value();
            if part == 0.0 || !part.is_finite() {
                parts.extend((part != 0.0).then_some(part));
                return parts;
            }
            parts.push(part);
            self.add(-part);
        }
    }

    /// The sum, rounded to the nearest float, ties to even. NaN if infinities of both signs were added.
    #[must_use]
    pub(crate) fn value(&self) -> f64 {
        if self.special != 0.0 {
            return self.special;
        }
        let mut parts = self.parts.iter().rev();
        let mut total = parts.next().copied().unwrap_or(0.0);
        let mut rest = 0.0;
        for part in parts.by_ref() {
            (total, rest) = two_sum(total, *part);
            if rest != 0.0 {
                break;
            }
        }
        // `total` is rounded by `rest` alone: if that was a tie, the parts below decide it.
        let below = parts.next().copied().unwrap_or(0.0);
        if (rest < 0.0 && below < 0.0) || (rest > 0.0 && below > 0.0) {
            let doubled = rest * 2.0;
            let rounded = total + doubled;
            if rounded - total == doubled {
                total = rounded;
            }
        }
        total
    }
}

/// The rounded product of two numbers, and the rounding error.
pub(crate) fn exact_product(left: f64, right: f64) -> (f64, f64) {
    let product = left * right;
    (product, left.mul_add(right, -product))
}

/// The rounded sum of two numbers, and the rounding error.
fn two_sum(left: f64, right: f64) -> (f64, f64) {
    let sum = left + right;
    let right_part = sum - left;
    let rest = (left - (sum - right_part)) + (right - right_part);
    (sum, rest)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn sum(values: &[f64]) -> f64 {
        let mut sum = ExactSum::default();
        values.iter().for_each(|value| sum.add(*value));
        sum.value()
    }

    #[test]
    fn nothing_is_lost() {
        assert_eq!(sum(&[1e100, 1.0, -1e100]), 1.0);
        assert_eq!(sum(&[0.1; 10]), 1.0);
        assert_eq!(sum(&[]), 0.0);
        assert_eq!(sum(&[1.0, f64::INFINITY]), f64::INFINITY);
        assert!(sum(&[f64::NEG_INFINITY, f64::INFINITY]).is_nan());
        assert_eq!(sum(&[1.0, 1e-16, 1e-32]), 1.0 + f64::EPSILON * 0.0 + sum(&[1e-16, 1e-32]));
    }

    proptest! {
        #[test]
        fn order_and_grouping_do_not_matter(
            values in proptest::collection::vec(-1e12..1e12_f64, 0..40),
            scale in proptest::collection::vec(-60..60_i32, 40),
            cut in 0..40_usize,
        ) {
            let values: Vec<f64> = values.iter().zip(&scale).map(|(v, s)| v * 2.0_f64.powi(*s)).collect();
            let (left, right) = values.split_at(cut.min(values.len()));
            let mut merged = ExactSum::default();
            let mut other = ExactSum::default();
            right.iter().for_each(|value| merged.add(*value));
            left.iter().rev().for_each(|value| other.add(*value));
            merged.merge(&other);
            prop_assert_eq!(merged.value().to_bits(), sum(&values).to_bits());
        }
    }
}
