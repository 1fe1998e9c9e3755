//! The states of folds: sums, means, moments, and one node chosen among many.
//!
//! Integers wrap: the caller must prove that a sum fits its type, from the extremes of the column and the number of
//! nodes. `i64` is the fastest, `i128` holds every sum of a tree.

use std::hint::select_unpredictable;
use std::marker::PhantomData;

use super::{Difference, State};
use crate::exact_sum::ExactSum;
use crate::mean;

/// Integers that are added up.
pub(in crate::engine) trait Whole: Copy + Default + Into<i128> + From<i64> {
    /// The number of bits beside the sign.
    const BITS: i32;
    fn plus(self, other: Self) -> Self;
    fn minus(self, other: Self) -> Self;
    fn times(self, other: Self) -> Self;
}

macro_rules! whole {
    ($($integer:ident)*) => {$(
        impl Whole for $integer {
            const BITS: i32 = $integer::BITS.cast_signed() - 1;
            #[inline]
            fn plus(self, other: Self) -> Self {
                self.wrapping_add(other)
            }
            #[inline]
            fn minus(self, other: Self) -> Self {
                self.wrapping_sub(other)
            }
            #[inline]
            fn times(self, other: Self) -> Self {
                self.wrapping_mul(other)
            }
        }
    )*};
}
whole!(i64 i128);

/// Declares a state whose fields are integers that are added one by one.
macro_rules! sums {
    ($(#[$meta:meta])* $name:ident { $($field:ident: $type:ty),* }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
        pub(in crate::engine) struct $name<N> {
            $(pub(in crate::engine) $field: $type),*
        }

        impl<N: Whole> State for $name<N> {
            #[inline]
            fn join(self, later: Self) -> Self {
                Self { $($field: self.$field.plus(later.$field)),* }
            }
        }

        impl<N: Whole> Difference for $name<N> {
            #[inline]
            fn without(&self, first: &Self) -> Self {
                Self { $($field: self.$field.minus(first.$field)),* }
            }
        }
    };
}

sums!(
    /// A sum; of ones and zeros, a count.
    Sum { sum: N }
);
sums!(
    /// The parts of a mean.
    Mean { count: i64, sum: N }
);
sums!(
    /// The parts of a standard deviation.
    Moments { count: i64, sum: N, squares: N }
);
sums!(
    /// The parts of a standard deviation of integers of 90 bits; the sum of squares is in digits of 64 bits, in which the
    /// carry remains.
    LongMoments { count: i64, sum: N, low: N, middle: N, high: N }
);
sums!(
    /// The parts of a correlation.
    PairMoments { count: i64, x: N, y: N, xx: N, yy: N, xy: N }
);

#[inline]
fn if_taken<N: Default>(value: N, taken: bool) -> N {
    select_unpredictable(taken, value, N::default())
}

impl<N: Whole> Sum<N> {
    /// The contribution of a row with this value, if it is taken.
    #[inline]
    pub(in crate::engine) fn of(value: N, taken: bool) -> Self {
        Self { sum: if_taken(value, taken) }
    }
}

impl<N: Whole> Mean<N> {
    /// The contribution of a row with this value, if it is taken.
    #[inline]
    pub(in crate::engine) fn of(value: N, taken: bool) -> Self {
        Self { count: taken.into(), sum: if_taken(value, taken) }
    }

    /// The mean, rounded once, and whether there is one.
    #[inline]
    pub(in crate::engine) fn value(&self) -> (f64, bool) {
        (quotient(self.sum.into(), self.count), self.count > 0)
    }
}

impl<N: Whole> Moments<N> {
    /// The contribution of a row with this value, if it is taken.
    #[inline]
    pub(in crate::engine) fn of(value: N, taken: bool) -> Self {
        let value = if_taken(value, taken);
        Self { count: taken.into(), sum: value, squares: value.times(value) }
    }

    /// The standard deviation, and whether there is one. The count times the squares must fit in 128 bits.
    #[inline]
    pub(in crate::engine) fn deviation(&self) -> (f64, bool) {
        let spread = spread(self.count, self.squares, self.sum, self.sum);
        (spread.sqrt() / self.count as f64, self.count > 0)
    }
}

impl LongMoments<i128> {
    /// The largest number of bits of a value.
    pub(in crate::engine) const BITS: i32 = 90;

    /// The contribution of a row with this value, if it is taken.
    #[inline]
    pub(in crate::engine) fn of(value: i128, taken: bool) -> Self {
        let value = if_taken(value, taken);
        let [low, middle, high] = square(value);
        Self { count: taken.into(), sum: value, low, middle, high }
    }

    /// The standard deviation of the values times a power of two, and whether there is one.
    #[inline]
    pub(in crate::engine) fn deviation(&self, power: f64) -> (f64, bool) {
        let spread = self.spread() * power * power;
        (spread.sqrt() / self.count as f64, self.count > 0)
    }

    /// The count times the squares less the square of the sum, rounded once.
    #[inline]
    fn spread(&self) -> f64 {
        const DIGIT: f64 = 18_446_744_073_709_551_616.0;
        let count = i128::from(self.count);
        let [low, middle, high] = square(self.sum);
        // It is never negative; each digit takes the carry of the one before it.
        let first = count * self.low - low;
        let second = count * self.middle - middle + (first >> 64);
        let third = count * self.high - high + (second >> 64);
        let (first, second, third) = (first as u64, second as u64, third as u128);
        // Digits that are too low to count in the rounding only leave a mark that they are not 0.
        if third == 0 {
            (u128::from(second) << 64 | u128::from(first)) as f64
        } else if third >> 64 == 0 {
            (third << 64 | u128::from(second) | u128::from(first != 0)) as f64 * DIGIT
        } else {
            (third | u128::from((first | second) != 0)) as f64 * (DIGIT * DIGIT)
        }
    }
}

/// The square of a number of at most 118 bits in digits of 64 bits, in which the carry remains.
#[inline]
fn square(value: i128) -> [i128; 3] {
    let value = value.unsigned_abs();
    let (upper, lower) = (value >> 64, u128::from(value as u64));
    let (low, middle) = (lower * lower, 2 * lower * upper);
    let digit = |number: u128| i128::from(number as u64);
    [digit(low), digit(low >> 64) + digit(middle), digit(middle >> 64) + (upper * upper) as i128]
}

impl<N: Whole> PairMoments<N> {
    /// The contribution of a row with these values, if it is taken.
    #[inline]
    pub(in crate::engine) fn of(x: N, y: N, taken: bool) -> Self {
        let (x, y) = (if_taken(x, taken), if_taken(y, taken));
        Self { count: taken.into(), x, y, xx: x.times(x), yy: y.times(y), xy: x.times(y) }
    }

    /// Pearson's coefficient, and whether there is one. The count times the squares must fit in 128 bits.
    #[inline]
    pub(in crate::engine) fn correlation(&self) -> (f64, bool) {
        let xx = spread(self.count, self.xx, self.x, self.x);
        let yy = spread(self.count, self.yy, self.y, self.y);
        let xy = spread(self.count, self.xy, self.x, self.y);
        let value = (xy / (xx.sqrt() * yy.sqrt())).clamp(-1.0, 1.0);
        (value, self.count > 1 && xx != 0.0 && yy != 0.0)
    }
}

/// `count * products - left * right`, rounded once.
#[inline]
fn spread<N: Whole>(count: i64, products: N, left: N, right: N) -> f64 {
    let products = products.into().wrapping_mul(count.into());
    rounded(products.wrapping_sub(left.into().wrapping_mul(right.into())))
}

#[inline]
pub(super) fn rounded(sum: i128) -> f64 {
    // Numbers of 64 bits are converted by one instruction, others by a call.
    i64::try_from(sum).map_or(sum as f64, |sum| sum as f64)
}

/// `sum / count`, rounded once; NaN without numbers.
#[inline]
pub(super) fn quotient(sum: i128, count: i64) -> f64 {
    const EXACT: u64 = 1 << 53;
    if sum.unsigned_abs() < EXACT.into() && count.unsigned_abs() < EXACT {
        return sum as i64 as f64 / count as f64;
    }
    let mut mean = mean::Mean::default();
    mean.add_integers(sum, count.unsigned_abs());
    mean.value().unwrap_or(f64::NAN)
}

/// The rule by which a [`Pick`] keeps one of two nodes.
pub(in crate::engine) trait Rule<K>: Clone {
    /// Whether the later node is kept.
    fn keeps_later(earlier: &K, later: &K) -> bool;
}

/// Declares the rules for picking.
macro_rules! rules {
    ($($(#[$meta:meta])* $name:ident: |$earlier:ident, $later:ident| $keeps:expr;)*) => {$(
        $(#[$meta])*
        #[derive(Clone, Debug)]
        pub(in crate::engine) struct $name;

        impl<K: PartialOrd> Rule<K> for $name {
            #[inline]
            fn keeps_later($earlier: &K, $later: &K) -> bool {
                $keeps
            }
        }
    )*};
}
rules! {
    /// The smallest key; the first among equals.
    Least: |earlier, later| later < earlier;
    /// The largest key; the first among equals.
    Greatest: |earlier, later| later > earlier;
    /// The node that was entered first.
    First: |_earlier, _later| false;
    /// The node that was entered last.
    Last: |_earlier, _later| true;
}

/// A node picked by its key, with a carried value: `Pick<Least, i64>` is a minimum, `Pick<First, (), i64>` the first
/// value, `Pick<Greatest, i64, u32>` the index of the node with the largest key.
#[derive(Clone, Copy, Debug)]
pub(in crate::engine) struct Pick<R, K, V = ()> {
    pub(in crate::engine) key: K,
    pub(in crate::engine) carried: V,
    pub(in crate::engine) is_some: bool,
    rule: PhantomData<R>,
}

impl<R, K, V> Pick<R, K, V> {
    /// The contribution of a row with this key, if it is taken.
    #[inline]
    pub(in crate::engine) fn of(key: K, carried: V, taken: bool) -> Self {
        Self { key, carried, is_some: taken, rule: PhantomData }
    }
}

impl<R, K: Default, V: Default> Default for Pick<R, K, V> {
    fn default() -> Self {
        Self::of(K::default(), V::default(), false)
    }
}

impl<R: Rule<K>, K: Copy + Default, V: Copy + Default> State for Pick<R, K, V> {
    #[inline]
    fn join(self, later: Self) -> Self {
        let keeps_later = later.is_some & (!self.is_some | R::keeps_later(&self.key, &later.key));
        let key = select_unpredictable(keeps_later, later.key, self.key);
        let carried = select_unpredictable(keeps_later, later.carried, self.carried);
        Self::of(key, carried, self.is_some | later.is_some)
    }
}

/// Declares a minimum or maximum of numbers that is as wide as one number: the value for no numbers yields to any
/// other.
macro_rules! extremes {
    ($($(#[$meta:meta])* $name:ident($number:ty): $none:expr, $better:path;)*) => {$(
        $(#[$meta])*
        #[derive(Clone, Copy, Debug)]
        pub(in crate::engine) struct $name(pub(in crate::engine) $number);

        impl Default for $name {
            #[inline]
            fn default() -> Self {
                Self($none)
            }
        }

        impl State for $name {
            #[inline]
            fn join(self, later: Self) -> Self {
                Self($better(self.0, later.0))
            }
        }
    )*};
}
extremes! {
    /// The smallest of integers below the largest possible one, which stands for none.
    LeastInteger(i64): i64::MAX, Ord::min;
    /// The largest of integers above the smallest possible one, which stands for none.
    GreatestInteger(i64): i64::MIN, Ord::max;
    /// The smallest float; NaN for none.
    LeastFloat(f64): f64::NAN, f64::min;
    /// The largest float; NaN for none.
    GreatestFloat(f64): f64::NAN, f64::max;
}

/// The exact sum of floats that [`FixedPoint`](super::FixedPoint) does not hold.
impl State for ExactSum {
    fn join(mut self, later: Self) -> Self {
        self.merge(&later);
        self
    }
}

/// The exact mean of floats.
impl State for mean::Mean {
    fn join(mut self, later: Self) -> Self {
        self.merge(&later);
        self
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::value::Value;

    proptest! {
        #[test]
        fn long_deviations_are_those_of_exact_sums(
            values in proptest::collection::vec((-(1_i64 << 53)..=1 << 53, 0..53_u32, 0..=37_u32), 0..20),
            power in -60..60_i32,
        ) {
            let factor = 2.0_f64.powi(power);
            let (mut exact, mut sum) = (crate::moments::Moments::default(), LongMoments::default());
            for (value, less, more) in values {
                let value = i128::from(value >> less) << more;
                exact.add(&Value::Float(value as f64 * factor));
                sum = sum.join(LongMoments::of(value, true)).join(LongMoments::of(7, false));
            }
            let (found, is_known) = sum.deviation(factor);
            prop_assert_eq!(is_known.then_some(found), exact.deviation());
        }
    }
}
