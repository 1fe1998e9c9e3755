//! Exact sums of numbers, squares and products, by slot: for deviations and correlations.
//!
//! ```text
//! 0.5  -3.25  96           = 2  -13  384, times 2^-2      numbers of similar size: integers of 62 bits
//! 1.0e-3  2.5  4.0e12      = each m times 2^e             others: a sum for every 16 powers of two
//! ```
//!
//! **Invariant:** nothing is rounded; a block has at most 2^20 rows.

use std::borrow::Cow;

use super::by_slot::by_slot;
use super::slotted::{ExactSums, Slotted};
use crate::accumulator::Accumulator;
use crate::engine::bits::Bitmap;
use crate::engine::folds::{POWER_MAX, Span, power_of_two};
use crate::engine::wide::wide;
use crate::exact_sum::ExactSum;

/// The largest number of sums that are kept for numbers of different sizes.
const SUMS_MAX: usize = 1 << 18;
/// The number of powers of two that share a sum.
const POWERS: i32 = 16;
/// The bits of a number of rows.
const ROWS_BITS: u32 = 21;

/// A number of every row.
#[derive(Clone, Copy)]
pub(super) enum Numbers<'a> {
    /// Integers of at most this many bits.
    Integers(&'a [i64], u32),
    Floats(&'a [f64]),
}

/// The sums of the taken rows by slot: of `x` alone, or of pairs. `None` if something is not finite or the numbers
/// differ too much in size.
pub(super) fn exact_sums(
    slotted: &Slotted<'_>,
    take: &Bitmap,
    x: Numbers<'_>,
    y: Option<Numbers<'_>>,
) -> Option<Vec<ExactSums>> {
    let scaled = (Scaled::of(x, take), y.map(|y| Scaled::of(y, take)));
    match &scaled {
        (Some(x), None) if x.bits.max(1) * 2 + ROWS_BITS < 63 => {
            Some(sums::<i64, false>(slotted, take, x, x))
        }
        (Some(x), None) => Some(sums::<Limbs, false>(slotted, take, x, x)),
        (Some(x), Some(Some(y))) if x.bits.max(y.bits).max(1) * 2 + ROWS_BITS < 63 => {
            Some(sums::<i64, true>(slotted, take, x, y))
        }
        (Some(x), Some(Some(y))) => Some(sums::<Limbs, true>(slotted, take, x, y)),
        (None, _) | (_, Some(None)) => sums_by_power(slotted, take, x, y),
    }
}

/// Adds the sums of the taken floats to each slot; returns `false`, and adds nothing, like [`exact_sums`].
pub(super) fn add_sums(
    slotted: &Slotted<'_>,
    take: &Bitmap,
    lanes: &[f64],
    found: &mut [Accumulator],
) -> bool {
    let mut sums = vec![(0_u64, ExactSum::default()); slotted.count];
    if let Some(scaled) = Scaled::of(Numbers::Floats(lanes), take) {
        let add = |row: u32, times: u32, (count, sum): &mut (u64, Limbs)| {
            if take.get(row as usize) {
                *count += u64::from(times);
                sum.add_one(scaled.lanes[row as usize], times);
            }
        };
        let whole = by_slot(slotted, add, |(count, sum), more| (count + more.0, sum.and(more.1)));
        sums = whole.into_iter().map(|(count, sum)| (count, sum.exact(scaled.power))).collect();
    } else {
        let bins = powers(lanes, take).and_then(|powers| Bins::new(powers, slotted.count));
        let Some(mut bins) = bins else { return false };
        slotted.each(|row, slot, times| {
            if !take.get(row) {
                return;
            }
            let (whole, power) = parts(lanes[row]);
            sums[slot as usize].0 += u64::from(times);
            if lanes[row] != 0.0 {
                bins.add(slot, (whole.into(), power), times);
            }
        });
        sums.iter_mut().enumerate().for_each(|(slot, (_, sum))| *sum = bins.exact(slot));
    }
    found.iter_mut().zip(sums).for_each(|(found, (count, sum))| found.add_floats(&sum, count));
    true
}

/// Numbers as integers times one power of two.
struct Scaled<'a> {
    lanes: Cow<'a, [i64]>,
    power: i32,
    bits: u32,
}

impl<'a> Scaled<'a> {
    /// `None` if they take more than 62 bits, or something is not finite.
    fn of(numbers: Numbers<'a>, take: &Bitmap) -> Option<Self> {
        match numbers {
            Numbers::Integers(lanes, bits) => {
                (bits <= 62).then_some(Self { lanes: Cow::Borrowed(lanes), power: 0, bits })
            }
            Numbers::Floats(lanes) => {
                let span = Span::of(lanes, take);
                let bits = span.bits().cast_unsigned();
                if !span.is_near_one() || bits > 62 {
                    return None;
                }
                let (power, factor) = (span.power(), power_of_two(-span.power()));
                let mut whole = vec![0; lanes.len()];
                whole_lanes(lanes, factor, &mut whole);
                Some(Self { lanes: Cow::Owned(whole), power, bits })
            }
        }
    }
}

wide! {
    /// Numbers times a factor, as integers; those that fit in 62 bits are exact, others meaningless.
    fn whole_lanes(lanes: &[f64], factor: f64, out: &mut [i64]) {
        for (out, lane) in out.iter_mut().zip(lanes) {
            let scaled = lane * factor;
            *out = scaled as i64;
        }
    }
}

/// A sum of numbers or products.
trait Total: Copy + Default {
    fn add_one(&mut self, number: i64, times: u32);
    fn add(&mut self, left: i64, right: i64, times: u32);
    fn limbs(self) -> Limbs;
}

impl Total for i64 {
    #[inline]
    fn add_one(&mut self, number: i64, times: u32) {
        // They fit, unless a log's heads are wrong.
        *self = self.wrapping_add(number.wrapping_mul(times.into()));
    }

    #[inline]
    fn add(&mut self, left: i64, right: i64, times: u32) {
        self.add_one(left.wrapping_mul(right), times);
    }

    fn limbs(self) -> Limbs {
        let mut limbs = Limbs::default();
        limbs.add_one(self, 1);
        limbs
    }
}

/// A sum in parts of 32 bits, each with room for all rows of a block: no carry passes from one to the next.
#[derive(Clone, Copy, Default)]
struct Limbs([i64; 4]);

impl Limbs {
    #[inline]
    fn add_whole(&mut self, product: i128, times: u32) {
        let [first, second, third, fourth] = &mut self.0;
        let times = i64::from(times);
        *first += i64::from(product as u32) * times;
        *second += i64::from((product >> 32) as u32) * times;
        *third += i64::from((product >> 64) as u32) * times;
        *fourth += (product >> 96) as i64 * times;
    }

    fn and(mut self, more: Self) -> Self {
        self.0.iter_mut().zip(more.0).for_each(|(limb, more)| *limb += more);
        self
    }

    /// The sum times a power of two.
    fn exact(self, power: i32) -> ExactSum {
        const TWO_TO_64: f64 = 18_446_744_073_709_551_616.0;
        let [first, second, third, fourth] = self.0.map(i128::from);
        let mut high = ExactSum::default();
        high.add_integer((fourth << 32) + third);
        let mut sum = high.scaled(TWO_TO_64);
        sum.add_integer((second << 32) + first);
        sum.scaled(power_of_two(power))
    }
}

impl Total for Limbs {
    #[inline]
    fn add_one(&mut self, number: i64, times: u32) {
        self.0[0] += i64::from(number as u32) * i64::from(times);
        self.0[1] += (number >> 32) * i64::from(times);
    }

    #[inline]
    fn add(&mut self, left: i64, right: i64, times: u32) {
        self.add_whole(i128::from(left) * i128::from(right), times);
    }

    fn limbs(self) -> Limbs {
        self
    }
}

#[derive(Clone, Copy, Default)]
struct Terms<T> {
    count: u64,
    x: T,
    xx: T,
    y: T,
    yy: T,
    xy: T,
}

/// The sums by slot; those with `y` only if `PAIRS`.
fn sums<T: Total, const PAIRS: bool>(
    slotted: &Slotted<'_>,
    take: &Bitmap,
    x: &Scaled<'_>,
    y: &Scaled<'_>,
) -> Vec<ExactSums> {
    let mut found = vec![Terms::<T>::default(); slotted.count];
    slotted.each(|row, slot, times| {
        if take.get(row) {
            let (terms, left) = (&mut found[slot as usize], x.lanes[row]);
            terms.count += u64::from(times);
            terms.x.add_one(left, times);
            terms.xx.add(left, left, times);
            if PAIRS {
                let right = y.lanes[row];
                terms.y.add_one(right, times);
                terms.yy.add(right, right, times);
                terms.xy.add(left, right, times);
            }
        }
    });
    let exact = |terms: Terms<T>| ExactSums {
        count: terms.count,
        x: terms.x.limbs().exact(x.power),
        xx: terms.xx.limbs().exact(2 * x.power),
        y: terms.y.limbs().exact(y.power),
        yy: terms.yy.limbs().exact(2 * y.power),
        xy: terms.xy.limbs().exact(x.power + y.power),
    };
    found.into_iter().map(exact).collect()
}

/// A float as an integer of 53 bits and the power of two that it is multiplied with.
#[inline]
fn parts(value: f64) -> (i64, i32) {
    let bits = value.to_bits();
    let whole = (bits & ((1 << 52) - 1) | 1 << 52) as i64;
    let power = (bits >> 52 & 0x7ff) as i32 - 1075;
    (if value < 0.0 { -whole } else { whole }, power)
}

/// Sums by slot and power of two.
struct Bins {
    lowest: i32,
    each: usize,
    sums: Vec<Limbs>,
}

impl Bins {
    fn new((lowest, highest): (i32, i32), slots: usize) -> Option<Self> {
        let each = ((highest - lowest) / POWERS + 1) as usize;
        let sums = each.checked_mul(slots).filter(|sums| *sums <= SUMS_MAX)?;
        Some(Self { lowest, each, sums: vec![Limbs::default(); sums] })
    }

    /// Adds a product of at most 106 bits, times a power of two.
    #[inline]
    fn add(&mut self, slot: u32, (product, power): (i128, i32), times: u32) {
        let place = power - self.lowest;
        let sum = &mut self.sums[slot as usize * self.each + (place / POWERS) as usize];
        sum.add_whole(product << (place % POWERS), times);
    }

    fn exact(&self, slot: usize) -> ExactSum {
        let mut all = ExactSum::default();
        for (place, sum) in self.sums[slot * self.each..][..self.each].iter().enumerate() {
            all.merge(&sum.exact(self.lowest + place as i32 * POWERS));
        }
        all
    }
}

/// The same sums of floats of any size; `None` if that takes too many of them.
fn sums_by_power(
    slotted: &Slotted<'_>,
    take: &Bitmap,
    x: Numbers<'_>,
    y: Option<Numbers<'_>>,
) -> Option<Vec<ExactSums>> {
    let (x, y) = (floats(x)?, y.map_or(Some(None), |y| floats(y).map(Some))?);
    let x_powers = powers(&x, take)?;
    let y_powers = y.as_ref().map_or(Some((0, 0)), |y| powers(y, take))?;
    let joint = |left: (i32, i32), right: (i32, i32)| (left.0 + right.0, left.1 + right.1);
    let slots = slotted.count;
    let [mut of_x, mut of_xx, mut of_y, mut of_yy, mut of_xy] = [
        Bins::new(x_powers, slots)?,
        Bins::new(joint(x_powers, x_powers), slots)?,
        Bins::new(y_powers, slots)?,
        Bins::new(joint(y_powers, y_powers), slots)?,
        Bins::new(joint(x_powers, y_powers), slots)?,
    ];
    let mut counts = vec![0; slots];
    slotted.each(|row, slot, times| {
        if !take.get(row) {
            return;
        }
        counts[slot as usize] += u64::from(times);
        let (left, left_power) = parts(x[row]);
        let left = i128::from(left);
        if x[row] != 0.0 {
            of_x.add(slot, (left, left_power), times);
            of_xx.add(slot, (left * left, 2 * left_power), times);
        }
        let Some(y) = y.as_ref().filter(|y| y[row] != 0.0) else { return };
        let (right, right_power) = parts(y[row]);
        let right = i128::from(right);
        of_y.add(slot, (right, right_power), times);
        of_yy.add(slot, (right * right, 2 * right_power), times);
        if x[row] != 0.0 {
            of_xy.add(slot, (left * right, left_power + right_power), times);
        }
    });
    let exact = |(slot, count): (usize, u64)| ExactSums {
        count,
        x: of_x.exact(slot),
        xx: of_xx.exact(slot),
        y: of_y.exact(slot),
        yy: of_yy.exact(slot),
        xy: of_xy.exact(slot),
    };
    Some(counts.into_iter().enumerate().map(exact).collect())
}

fn floats(numbers: Numbers<'_>) -> Option<Cow<'_, [f64]>> {
    match numbers {
        Numbers::Floats(lanes) => Some(Cow::Borrowed(lanes)),
        Numbers::Integers(lanes, bits) if bits <= 53 => Some(lanes.iter().map(|lane| *lane as f64).collect()),
        Numbers::Integers(..) => None,
    }
}

/// The lowest and the highest power of the taken numbers; `None` if one is too far from 1, or not finite.
fn powers(lanes: &[f64], take: &Bitmap) -> Option<(i32, i32)> {
    let (mut lowest, mut highest) = (i32::MAX, i32::MIN);
    take.each(|row| {
        if lanes[row] != 0.0 {
            let power = parts(lanes[row]).1;
            (lowest, highest) = (lowest.min(power), highest.max(power));
        }
    });
    match lowest <= highest {
        true => (lowest > -POWER_MAX && highest < POWER_MAX).then_some((lowest, highest)),
        false => Some((0, 0)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::moments::{Moments, PairMoments};
    use crate::value::Value;
    use proptest::prelude::*;

    fn number(magnitude: i32) -> impl Strategy<Value = f64> {
        (-1_000_000..1_000_000_i64, -magnitude..=magnitude)
            .prop_map(|(whole, power)| whole as f64 / 7.0 * 2.0_f64.powi(power))
    }

    /// Pairs of numbers that are of similar size, or of very different ones.
    fn pairs() -> impl Strategy<Value = Vec<(f64, f64, u32, bool)>> {
        prop_oneof![Just(0), Just(3), Just(30), Just(250)].prop_flat_map(|magnitude| {
            let row = (number(magnitude), number(magnitude / 3), 0..3_u32, proptest::bool::weighted(0.9));
            proptest::collection::vec(row, 0..60)
        })
    }

    proptest! {
        #[test]
        fn sums_are_those_of_the_numbers_one_by_one(rows in pairs(), whole in any::<bool>()) {
            let round = |value: f64| if whole { value.round().clamp(-1e15, 1e15) } else { value };
            let x: Vec<f64> = rows.iter().map(|row| round(row.0)).collect();
            let y: Vec<f64> = rows.iter().map(|row| row.1).collect();
            let integers: Vec<i64> = x.iter().map(|x| *x as i64).collect();
            let mut take = Bitmap::default();
            take.pack(&rows.iter().map(|row| u8::from(row.3)).collect::<Vec<_>>(), |bit| bit);
            let numbers: Vec<u32> = (0..rows.len() as u32).collect();
            let slots: Vec<u32> = rows.iter().map(|row| row.2).collect();
            let slotted = Slotted::new(&numbers, &slots, 3);
            let of_x = if whole { Numbers::Integers(&integers, 50) } else { Numbers::Floats(&x) };
            let scaled = [Scaled::of(of_x, &take), Scaled::of(Numbers::Floats(&y), &take)];
            let mut all = vec![sums_by_power(&slotted, &take, of_x, Some(Numbers::Floats(&y))).unwrap()];
            if let [Some(x), Some(y)] = &scaled {
                all.push(sums::<Limbs, true>(&slotted, &take, x, y));
            }
            for found in &all {
                for slot in 0..3 {
                    let mut expected = ExactSums::default();
                    let mut of_pairs = PairMoments::default();
                    for row in (0..rows.len()).filter(|row| rows[*row].3 && slots[*row] == slot) {
                        expected.count += 1;
                        expected.x.add(x[row]);
                        expected.y.add(y[row]);
                        of_pairs.add(&Value::Float(x[row]), &Value::Float(y[row]));
                    }
                    let found = &found[slot as usize];
                    prop_assert_eq!(found.count, expected.count);
                    prop_assert_eq!(found.x.value(), expected.x.value());
                    prop_assert_eq!(found.y.value(), expected.y.value());
                    let left = Moments::of_floats(found.count, &found.x, &found.xx);
                    let right = Moments::of_floats(found.count, &found.y, &found.yy);
                    let joined = PairMoments::of_floats(left, right, &found.xy);
                    prop_assert_eq!(joined.correlation(), of_pairs.correlation());
                }
            }
        }
    }

    #[test]
    fn what_is_not_finite_or_far_away_is_left_to_others() {
        let (rows, slots) = ([0, 1], [0, 0]);
        let slotted = Slotted::new(&rows, &slots, 1);
        let mut take = Bitmap::default();
        take.fill(2, true);
        for odd in [f64::INFINITY, f64::NAN, 1e200, 1e-200, f64::MIN_POSITIVE / 4.0] {
            let lanes = [1.0, odd];
            assert!(exact_sums(&slotted, &take, Numbers::Floats(&lanes), None).is_none(), "{odd}");
        }
    }
}
