//! Standard deviation and correlation, from exact sums.
//!
//! ```text
//! values ──▶ count n, Σx, Σx² (and Σy, Σy², Σxy) ──▶ n·Σx² − (Σx)², rounded once ──▶ √ and a division
//! ```
//!
//! **Invariant:** nothing is rounded before the difference of the two products, so the result does not depend on the
//! order of addition or on how sums were merged, and a column of equal values deviates by exactly 0.

use crate::exact_sum::{ExactSum, exact_product};
use crate::value::Value;
use crate::wire::wire_fields;

/// An exact sum of products; most consist of integers alone.
#[derive(Clone, Debug, Default, PartialEq)]
struct Total {
    integers: i128,
    /// Floats, and the excess that the integers alone could not hold.
    rest: ExactSum,
}

wire_fields!(Total { integers, rest });

impl Total {
    const fn of(integers: i128) -> Self {
        Self { integers, rest: ExactSum::ZERO }
    }

    fn add_integer(&mut self, value: i128) {
        match self.integers.checked_add(value) {
            Some(sum) => self.integers = sum,
            None => {
                self.rest.add_integer(std::mem::take(&mut self.integers));
                self.rest.add_integer(value);
            }
        }
    }

    fn add_product(&mut self, left: &Value, right: &Value) {
        if let (Value::Integer(left), Value::Integer(right)) = (left, right)
            && let Some(product) = left.checked_mul(*right)
        {
            return self.add_integer(product);
        }
        let (left, right) = (parts(left), parts(right));
        add_products(&mut self.rest, &left, &right, 1.0);
    }

    fn merge(&mut self, other: &Self) {
        self.add_integer(other.integers);
        self.rest.merge(&other.rest);
    }

    /// The sum as a few floats; equal sums give the same ones.
    fn parts(&self) -> Vec<f64> {
        let mut sum = self.rest.clone();
        sum.add_integer(self.integers);
        sum.parts()
    }
}

/// A number as floats that add up to it.
fn parts(value: &Value) -> Vec<f64> {
    let mut sum = ExactSum::default();
    match value {
        Value::Integer(value) => sum.add_integer(*value),
        Value::Float(value) => sum.add(*value),
        Value::Boolean(_) | Value::Text(_) | Value::Line(_) => {}
    }
    sum.parts()
}

fn add_products(sum: &mut ExactSum, left: &[f64], right: &[f64], sign: f64) {
    for (left, right) in left.iter().flat_map(|left| right.iter().map(move |right| (left, right))) {
        let (product, rest) = exact_product(sign * left, *right);
        sum.add(product);
        if product.is_finite() {
            sum.add(rest);
        }
    }
}

/// `count * products - left * right`, rounded once.
#[allow(clippy::cast_precision_loss)] // The cast of the difference is the one rounding; counts are below 2^53.
fn difference(count: u64, products: &Total, left: &Total, right: &Total) -> f64 {
    let whole = [products, left, right].into_iter().all(|total| total.rest.is_zero());
    let in_integers = || {
        let scaled = products.integers.checked_mul(count.into())?;
        scaled.checked_sub(left.integers.checked_mul(right.integers)?)
    };
    if let Some(difference) = in_integers().filter(|_| whole) {
        return difference as f64;
    }
    let mut sum = ExactSum::default();
    add_products(&mut sum, &products.parts(), &[count as f64], 1.0);
    add_products(&mut sum, &left.parts(), &right.parts(), -1.0);
    sum.value()
}

/// The sums for the standard deviation of some numbers.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Moments {
    count: u64,
    sum: Total,
    squares: Total,
}

wire_fields!(Moments { count, sum, squares });

impl Moments {
    /// The moments of `count` integers with this sum and this sum of squares.
    pub(crate) const fn from_sums(count: u64, sum: i128, squares: i128) -> Self {
        Self { count, sum: Total::of(sum), squares: Total::of(squares) }
    }

    /// The moments of `count` numbers with this sum and this sum of squares.
    pub(crate) fn of_floats(count: u64, sum: &ExactSum, squares: &ExactSum) -> Self {
        let total = |sum: &ExactSum| Total { integers: 0, rest: sum.clone() };
        Self { count, sum: total(sum), squares: total(squares) }
    }

    pub(crate) fn add(&mut self, value: &Value) {
        self.count += 1;
        self.sum.add_product(value, &Value::Integer(1));
        self.squares.add_product(value, value);
    }

    pub(crate) fn merge(&mut self, other: &Self) {
        self.count += other.count;
        self.sum.merge(&other.sum);
        self.squares.merge(&other.squares);
    }

    /// The count, the sum and the sum of squares, if they are integers.
    pub(crate) fn integers(&self) -> Option<(u64, i128, i128)> {
        let is_whole = self.sum.rest.is_zero() && self.squares.rest.is_zero();
        is_whole.then_some((self.count, self.sum.integers, self.squares.integers))
    }

    /// The square of the deviation times the square of the count.
    fn spread(&self) -> f64 {
        difference(self.count, &self.squares, &self.sum, &self.sum)
    }

    /// The standard deviation of the population; `None` without numbers, and if squares leave the range of floats.
    #[allow(clippy::cast_precision_loss)] // Counts are far below 2^53.
    pub(crate) fn deviation(&self) -> Option<f64> {
        let spread = self.spread();
        (self.count > 0 && spread.is_finite()).then(|| spread.sqrt() / self.count as f64)
    }
}

/// The sums for the correlation of pairs of numbers.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct PairMoments {
    left: Moments,
    right: Moments,
    products: Total,
}

wire_fields!(PairMoments { left, right, products });

impl PairMoments {
    /// Combines the moments of both sides and the sum of the products.
    pub(crate) fn of_floats(left: Moments, right: Moments, products: &ExactSum) -> Self {
        Self { left, right, products: Total { integers: 0, rest: products.clone() } }
    }

    pub(crate) fn add(&mut self, left: &Value, right: &Value) {
        self.left.add(left);
        self.right.add(right);
        self.products.add_product(left, right);
    }

    pub(crate) fn merge(&mut self, other: &Self) {
        self.left.merge(&other.left);
        self.right.merge(&other.right);
        self.products.merge(&other.products);
    }

    /// Pearson's coefficient; `None` for fewer than two pairs, and if one side is constant.
    pub(crate) fn correlation(&self) -> Option<f64> {
        let spreads = [self.left.spread(), self.right.spread()];
        let together = difference(self.left.count, &self.products, &self.left.sum, &self.right.sum);
        let told = self.left.count > 1 && together.is_finite();
        let told = told && spreads.iter().all(|spread| spread.is_finite() && *spread != 0.0);
        told.then(|| (together / (spreads[0].sqrt() * spreads[1].sqrt())).clamp(-1.0, 1.0))
    }
}
