//! Sums of floats that do not depend on the order of addition.
//!
//! A sum is kept as a few non-overlapping floats, smallest first (Shewchuk's expansions). Adding to it loses nothing,
//! so sums over parts of a tree can be merged in any order. Only [`ExactSum::value`] rounds, once. Numbers near the
//! largest float are scaled down and added up separately, so that no running total leaves the range of floats.

use std::borrow::Cow;

use crate::wire::{Bytes, Wire};

/// A sum of floats without rounding.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct ExactSum {
    /// Non-overlapping, in increasing size.
    parts: Vec<f64>,
    /// What only few sums need.
    rare: Option<Box<Rare>>,
}

/// What the parts of a sum cannot hold.
#[derive(Clone, Debug, Default, PartialEq)]
struct Rare {
    /// The parts of the sum of the numbers from [`LARGE`] on, times [`DOWN`].
    large: Vec<f64>,
    /// The plain sum of values that are not finite.
    special: f64,
}

/// 2^900. The sum of even 2^64 numbers below it is in the range of floats; so is that of as many others, times
/// [`DOWN`].
const LARGE: f64 = power_of_two(900);
/// 2^-200.
const DOWN: f64 = power_of_two(-200);
/// 2^200.
const UP: f64 = power_of_two(200);
/// Far above the sum of all numbers below [`LARGE`], and far below the largest float.
const NEAR_MAX: f64 = power_of_two(970);

/// 2 to a power between -1022 and 1023.
pub(crate) const fn power_of_two(power: i64) -> f64 {
    f64::from_bits(((1023 + power) as u64) << 52)
}

impl Wire for ExactSum {
    fn put(&self, bytes: &mut Vec<u8>) {
        let rare = self.rare.as_deref().cloned().unwrap_or_default();
        self.parts.put(bytes);
        rare.large.put(bytes);
        rare.special.put(bytes);
    }

    fn read(bytes: &mut Bytes<'_>) -> Option<Self> {
        let is_small = |part: &f64| part.abs() < LARGE;
        let mut sum = Self::default();
        let (parts, large) = (Vec::<f64>::read(bytes)?, Vec::<f64>::read(bytes)?);
        let special = f64::read(bytes).filter(|special| *special == 0.0 || !special.is_finite())?;
        parts.into_iter().for_each(|part| sum.add(part));
        if !large.is_empty() || special != 0.0 {
            let rare = sum.rare.get_or_insert_default();
            rare.special += special;
            large.iter().all(is_small).then_some(())?;
            large.into_iter().for_each(|part| add_to(&mut rare.large, part));
        }
        Some(sum)
    }
}

impl ExactSum {
    /// The sum of nothing.
    pub(crate) const ZERO: Self = Self { parts: Vec::new(), rare: None };

    /// Adds one number.
    pub(crate) fn add(&mut self, value: f64) {
        if value.abs() < LARGE {
            return add_to(&mut self.parts, value);
        }
        let rare = self.rare.get_or_insert_default();
        if value.is_finite() {
            add_to(&mut rare.large, value * DOWN);
        } else {
            rare.special += value;
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
        other.parts.iter().for_each(|part| add_to(&mut self.parts, *part));
        if let Some(more) = &other.rare {
            let rare = self.rare.get_or_insert_default();
            more.large.iter().for_each(|part| add_to(&mut rare.large, *part));
            rare.special += more.special;
        }
    }

    /// Whether the sum is zero.
    #[must_use]
    pub(crate) fn is_zero(&self) -> bool {
        self.value() == 0.0
    }

    /// The sum times a power of two that moves no bit of a part below the smallest float.
    #[must_use]
    pub(crate) fn scaled(&self, power: f64) -> Self {
        let mut scaled = Self::default();
        match (self.plain(), &self.rare) {
            (Some(parts), _) => parts.iter().for_each(|part| scaled.add(part * power)),
            (None, Some(rare)) if rare.special == 0.0 => {
                self.parts.iter().for_each(|part| scaled.add(part * power));
                rare.large.iter().for_each(|part| scaled.add(part * power * UP));
            }
            (None, _) => scaled.add(self.value()),
        }
        scaled
    }

    /// The parts of the sum, if it is far below the largest float.
    fn plain(&self) -> Option<Cow<'_, [f64]>> {
        let Some(rare) = &self.rare else { return Some(Cow::Borrowed(&self.parts)) };
        if rare.special != 0.0 || rounded(&self.down(rare)).abs() >= NEAR_MAX * DOWN {
            return None;
        }
        let mut parts = self.parts.clone();
        rare.large.iter().for_each(|part| add_to(&mut parts, part * UP));
        Some(Cow::Owned(parts))
    }

    /// The parts of the sum times [`DOWN`]; bits below the smallest float are lost.
    fn down(&self, rare: &Rare) -> Vec<f64> {
        let mut down = rare.large.clone();
        self.parts.iter().for_each(|part| add_to(&mut down, part * DOWN));
        down
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
        match (self.plain(), &self.rare) {
            (Some(parts), _) => rounded(&parts),
            (None, Some(rare)) if rare.special == 0.0 => rounded(&self.down(rare)) * UP,
            (None, rare) => rare.as_ref().map_or(0.0, |rare| rare.special),
        }
    }
}

/// Adds a number to the parts of a sum, which stays in the range of floats.
fn add_to(parts: &mut Vec<f64>, value: f64) {
    let mut carry = value;
    let mut kept = 0;
    for i in 0..parts.len() {
        let (sum, rest) = two_sum(carry, parts[i]);
        if rest != 0.0 {
            parts[kept] = rest;
            kept += 1;
        }
        carry = sum;
    }
    parts.truncate(kept);
    parts.push(carry);
}

/// The sum of the parts, rounded.
fn rounded(parts: &[f64]) -> f64 {
    let mut parts = parts.iter().rev();
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
    use proptest::sample::select;

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
        const MAX: f64 = f64::MAX;
        assert_eq!(sum(&[MAX, MAX, 1.0, -MAX, -MAX]), 1.0);
        assert_eq!(sum(&[MAX, 0.5, -MAX / 2.0, -MAX / 2.0]), 0.5);
        assert_eq!(sum(&[MAX, MAX, -MAX]), MAX);
        assert_eq!(sum(&[-MAX, -MAX]), f64::NEG_INFINITY);
        assert_eq!(sum(&[1.0, 1e-16, 1e-32]), 1.0 + f64::EPSILON * 0.0 + sum(&[1e-16, 1e-32]));
    }

    proptest! {
        #[test]
        fn order_and_grouping_do_not_matter(
            values in proptest::collection::vec(-1e12..1e12_f64, 0..40),
            scale in proptest::collection::vec(-60..60_i32, 40),
            shift in select(vec![-900, 0, 840, 870, 923]),
            cut in 0..40_usize,
        ) {
            let values = values.iter().zip(&scale).map(|(v, s)| v * 2.0_f64.powi(*s) * 2.0_f64.powi(shift));
            let values: Vec<f64> = values.map(|value| value.clamp(-f64::MAX, f64::MAX)).collect();
            let (left, right) = values.split_at(cut.min(values.len()));
            let mut merged = ExactSum::default();
            let mut other = ExactSum::default();
            right.iter().for_each(|value| merged.add(*value));
            left.iter().rev().for_each(|value| other.add(*value));
            merged.merge(&other);
            prop_assert_eq!(merged.value().to_bits(), sum(&values).to_bits());
            let mut bytes = Vec::new();
            merged.put(&mut bytes);
            let again = ExactSum::read(&mut Bytes(&bytes)).map(|sum| sum.value().to_bits());
            prop_assert_eq!(again, Some(merged.value().to_bits()));
        }
    }
}
