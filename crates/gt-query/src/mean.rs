//! The mean of numbers: their exact sum divided by their count, rounded once.
//!
//! ```text
//! integers  ──▶ i128      ──▶ one division with a sticky bit
//! floats    ──▶ ExactSum  ──▶ the float whose distance to sum / count is least, by exact signs
//! ```
//!
//! **Invariant:** the result is the float nearest to the exact mean, ties to even. It does not depend on the order of
//! addition or on how sums were merged.

use crate::exact_sum::{ExactSum, exact_product, power_of_two};
use crate::wire::{Bytes, Wire, read_sum};

/// The sum and the count of a mean.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Mean {
    // The sum of 2^40 nodes with 2^64 each stays far below 128 bits.
    integers: i128,
    floats: ExactSum,
    count: u64,
}

impl Wire for Mean {
    fn put(&self, bytes: &mut Vec<u8>) {
        self.integers.put(bytes);
        self.floats.put(bytes);
        self.count.put(bytes);
    }

    fn read(bytes: &mut Bytes<'_>) -> Option<Self> {
        Some(Self { integers: read_sum(bytes)?, floats: ExactSum::read(bytes)?, count: u64::read(bytes)? })
    }
}

impl Mean {
    /// Adds one integer.
    pub fn add_integer(&mut self, value: i128) {
        self.add_integers(value, 1);
    }

    /// Adds `count` integers with this sum.
    pub fn add_integers(&mut self, sum: i128, count: u64) {
        self.integers += sum;
        self.count += count;
    }

    /// Adds one float.
    pub fn add_float(&mut self, value: f64) {
        self.floats.add(value);
        self.count += 1;
    }

    /// Adds `count` floats with this sum.
    pub(crate) fn add_floats(&mut self, sum: &ExactSum, count: u64) {
        self.floats.merge(sum);
        self.count += count;
    }

    /// The sum of the integers, and the number of numbers.
    pub(crate) fn sums(&self) -> (i128, i64) {
        (self.integers, i64::try_from(self.count).unwrap_or(i64::MAX))
    }

    /// The sum of all numbers.
    pub(crate) fn float_sum(&self) -> ExactSum {
        let mut sum = self.floats.clone();
        sum.add_integer(self.integers);
        sum
    }

    /// Adds another mean's numbers.
    pub fn merge(&mut self, other: &Self) {
        self.integers += other.integers;
        self.floats.merge(&other.floats);
        self.count += other.count;
    }

    /// Returns the mean; `None` without numbers. NaN if infinities of both signs were added.
    #[must_use]
    pub fn value(&self) -> Option<f64> {
        if self.count == 0 {
            return None;
        }
        if self.floats.is_zero() {
            return Some(integer_quotient(self.integers, self.count));
        }
        let mut sum = self.floats.clone();
        sum.add_integer(self.integers);
        Some(float_quotient(&sum, self.count))
    }
}

/// `sum / count`, rounded once.
#[allow(clippy::cast_precision_loss)] // The cast is the one rounding.
fn integer_quotient(sum: i128, count: u64) -> f64 {
    /// Two bits more than a float has: one for rounding, one for everything below it.
    const BITS: u32 = 55;
    let (size, count) = (sum.unsigned_abs(), u128::from(count));
    let (size_bits, count_bits) = (128 - size.leading_zeros(), 128 - count.leading_zeros());
    // At most 55 + 64 bits are in use after the shift.
    let shift = (BITS + count_bits).saturating_sub(size_bits);
    let shifted = if size == 0 { 0 } else { size << shift };
    let quotient = (shifted / count) | u128::from(!shifted.is_multiple_of(count));
    let rounded = quotient as f64 * power_of_two(-i64::from(shift));
    if sum < 0 { -rounded } else { rounded }
}

/// The float nearest to `sum / count`.
#[allow(clippy::cast_precision_loss)] // Counts are far below 2^53.
fn float_quotient(sum: &ExactSum, count: u64) -> f64 {
    let rounded = sum.value();
    if rounded.abs() >= power_of_two(900) {
        // The sum may leave the range of floats where the mean does not.
        let smaller = sum.scaled(power_of_two(-200));
        if smaller.value().is_finite() {
            return float_quotient(&smaller, count) * power_of_two(200);
        }
    }
    let guess = rounded / count as f64;
    if !guess.is_finite() || rounded == 0.0 {
        return guess;
    }
    // Near the smallest floats products are not exact, so everything is compared at a larger scale.
    let scale = if rounded.abs() < power_of_two(-900) { power_of_two(200) } else { 1.0 };
    let scaled = sum.scaled(scale);
    let mut nearest = guess;
    // The guess was rounded twice, so it is at most one float away.
    for neighbour in [guess.next_down(), guess.next_up()] {
        if neighbour.is_finite() && is_nearer(&scaled, count as f64, neighbour, nearest, scale) {
            nearest = neighbour;
        }
    }
    nearest
}

/// Whether `sum / count` is nearer to `candidate` than to `current`, its neighbour; at the same distance, whether the
/// candidate is even.
fn is_nearer(sum: &ExactSum, count: f64, candidate: f64, current: f64, scale: f64) -> bool {
    // The sign of sum / count - (candidate + current) / 2, times the count.
    let mut beyond_middle = sum.clone();
    for side in [candidate, current] {
        let (product, rest) = exact_product(count, side * scale / 2.0);
        beyond_middle.add(-product);
        beyond_middle.add(-rest);
    }
    let sign = beyond_middle.value();
    if sign == 0.0 {
        return candidate.to_bits().is_multiple_of(2);
    }
    (sign > 0.0) == (candidate > current)
}
