//! Exact sums of numbers, squares and products, by slot: for deviations and correlations.
//!
//! ```text
//! 0.5  -3.25  96     = 2  -13  384, times 2^-2          integers times one power of two
//! 384                = 384 + 0 * 2^42                   in parts of 42 bits, if some take more
//! ```
//!
//! **Invariant:** nothing is rounded; a block has at most 2^20 rows.

use super::by_slot::by_slot;
use super::slotted::{ExactSums, Slotted};
use crate::accumulator::Accumulator;
use crate::engine::bits::Bitmap;
use crate::engine::folds::{Span, power_of_two};
use crate::engine::wide::wide;
use crate::exact_sum::ExactSum;

/// The bits of a part of a number: the sum over all rows then fits in 64 bits, the sum of products of parts in 128.
const PART_BITS: u32 = 42;
/// The bits of numbers that are small enough for the sum of all their products to fit in 64 bits.
const SMALL_BITS: u32 = 20;

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
    room: &mut [Parts; 2],
) -> Option<Vec<ExactSums>> {
    let x = Scaled::of(x, take)?;
    let y = y.map_or(Some(None), |y| Scaled::of(y, take).map(Some))?;
    let sums = match (y.map_or(x.bits, |y| y.bits.max(x.bits)), y) {
        (0..=SMALL_BITS, None) => sums::<i64, 1, 0, 1>,
        (0..=SMALL_BITS, Some(_)) => sums::<i64, 1, 1, 1>,
        (0..=PART_BITS, None) => sums::<i128, 1, 0, 1>,
        (0..=PART_BITS, Some(_)) => sums::<i128, 1, 1, 1>,
        (bits, None) if bits <= 2 * PART_BITS => sums::<i128, 2, 0, 3>,
        (bits, Some(y)) if bits <= 2 * PART_BITS && y.bits <= PART_BITS => sums::<i128, 2, 1, 3>,
        (bits, Some(_)) if bits <= 2 * PART_BITS => sums::<i128, 2, 2, 3>,
        (_, None) => sums::<i128, 4, 0, 7>,
        (_, Some(_)) => sums::<i128, 4, 4, 7>,
    };
    Some(sums(slotted, take, &x, &y.unwrap_or(x), room))
}

/// Adds the sums of the taken floats to each slot; adds nothing and returns `false` where [`exact_sums`] gives `None`.
pub(super) fn add_sums(
    slotted: &Slotted<'_>,
    take: &Bitmap,
    lanes: &[f64],
    room: &mut [Parts; 2],
    found: &mut [Accumulator],
) -> bool {
    let Some(scaled) = Scaled::of(Numbers::Floats(lanes), take) else { return false };
    let add_all = match scaled.bits {
        0..=PART_BITS => add_all::<1>,
        bits if bits <= 2 * PART_BITS => add_all::<2>,
        _ => add_all::<4>,
    };
    add_all(slotted, take, &scaled, room, found);
    true
}

/// Numbers that are integers times one power of two.
#[derive(Clone, Copy)]
struct Scaled<'a> {
    numbers: Numbers<'a>,
    power: i32,
    bits: u32,
}

impl<'a> Scaled<'a> {
    /// Finds the power of two of some numbers; `None` if they take more than four parts, or something is not finite.
    fn of(numbers: Numbers<'a>, take: &Bitmap) -> Option<Self> {
        match numbers {
            Numbers::Integers(_, bits) => Some(Self { numbers, power: 0, bits }),
            Numbers::Floats(lanes) => {
                let span = Span::of(lanes, take);
                let bits = span.bits().cast_unsigned();
                let is_near = span.is_near_one() && bits <= 4 * PART_BITS;
                is_near.then(|| Self { numbers, power: span.power(), bits })
            }
        }
    }

    /// The parts of each number, the lowest first; those of rows that are not taken are meaningless.
    fn parts<'r, const PARTS: usize>(&self, room: &'r mut Parts) -> [&'r [i64]; PARTS]
    where
        'a: 'r,
    {
        let Parts { parts, rest } = room;
        parts.resize_with(PARTS.max(parts.len()), Vec::new);
        match self.numbers {
            Numbers::Integers(lanes, _) if PARTS == 1 => return [lanes; PARTS],
            Numbers::Integers(lanes, _) => {
                for (place, part) in parts[..PARTS].iter_mut().enumerate() {
                    part.clear();
                    match place {
                        0 => part.extend(lanes.iter().map(|lane| lane & ((1 << PART_BITS) - 1))),
                        1 => part.extend(lanes.iter().map(|lane| lane >> PART_BITS)),
                        _ => part.resize(lanes.len(), 0),
                    }
                }
            }
            Numbers::Floats(lanes) => {
                let factor = power_of_two(-self.power);
                rest.clear();
                rest.extend(lanes.iter().map(|lane| lane * factor));
                for (place, part) in parts[..PARTS].iter_mut().enumerate().rev() {
                    part.resize(lanes.len(), 0);
                    take_units(rest, power_of_two((place as u32 * PART_BITS).cast_signed()), part);
                }
            }
        }
        std::array::from_fn(|part| &*parts[part])
    }
}

/// The buffers for the parts of numbers, which a thread reuses from block to block: allocating them takes longer than
/// using them.
#[derive(Default)]
pub(super) struct Parts {
    parts: Vec<Vec<i64>>,
    rest: Vec<f64>,
}

wide! {
    /// Takes from each number the nearest multiple of `unit`, a power of two; the multiple is below 2^51 units.
    fn take_units(rest: &mut [f64], unit: f64, out: &mut [i64]) {
        /// The last bit of this float counts 1, so adding it to a number rounds the number to an integer and shows the
        /// integer's bits: vectors have no other way to convert.
        const ROUNDING: f64 = 6_755_399_441_055_744.0;
        for (out, rest) in out.iter_mut().zip(rest) {
            let rounded = *rest * (1.0 / unit) + ROUNDING;
            *out = rounded.to_bits().wrapping_sub(ROUNDING.to_bits()).cast_signed();
            *rest -= (rounded - ROUNDING) * unit;
        }
    }
}

/// A sum of parts or of their products, which fits unless a log's heads are wrong.
trait Total: Copy + Default + Into<i128> {
    fn add_product(&mut self, left: i64, right: i64);
    fn and(&mut self, more: Self);
}

macro_rules! totals {
    ($($integer:ident)*) => {$(
        impl Total for $integer {
            #[inline]
            fn add_product(&mut self, left: i64, right: i64) {
                self.and(Self::from(left).wrapping_mul(Self::from(right)));
            }

            #[inline]
            fn and(&mut self, more: Self) {
                *self = self.wrapping_add(more);
            }
        }
    )*};
}
totals!(i64 i128);

/// Sums by the place of a part, or of both parts of a product.
#[derive(Clone, Copy)]
struct Places<T, const PLACES: usize>([T; PLACES]);

impl<T: Total, const PLACES: usize> Default for Places<T, PLACES> {
    fn default() -> Self {
        Self([T::default(); PLACES])
    }
}

impl<T: Total, const PLACES: usize> Places<T, PLACES> {
    #[inline]
    fn add<const X: usize, const Y: usize>(&mut self, x: [i64; X], y: [i64; Y]) {
        for (place, left) in x.into_iter().enumerate() {
            y.into_iter().enumerate().for_each(|(more, right)| self.0[place + more].add_product(left, right));
        }
    }

    fn and(mut self, more: Self) -> Self {
        self.0.iter_mut().zip(more.0).for_each(|(sum, more)| sum.and(more));
        self
    }

    /// The sum times a power of two.
    fn exact(self, power: i32) -> ExactSum {
        let mut all = ExactSum::default();
        for (place, part) in (0..).zip(self.0.map(T::into)).filter(|(_, part)| *part != 0) {
            let mut sum = ExactSum::default();
            sum.add_integer(part);
            all.merge(&sum.scaled(power_of_two(power + place * PART_BITS.cast_signed())));
        }
        all
    }
}

#[derive(Clone, Copy, Default)]
struct Terms<T: Total, const PLACES: usize> {
    count: u64,
    x: Places<i64, PLACES>,
    xx: Places<T, PLACES>,
    y: Places<i64, PLACES>,
    yy: Places<T, PLACES>,
    xy: Places<T, PLACES>,
}

/// The sums by slot of numbers in `X` and `Y` parts; those with `y` only if it has any parts.
fn sums<T: Total, const X: usize, const Y: usize, const PLACES: usize>(
    slotted: &Slotted<'_>,
    take: &Bitmap,
    x: &Scaled<'_>,
    y: &Scaled<'_>,
    [x_room, y_room]: &mut [Parts; 2],
) -> Vec<ExactSums> {
    let (x_parts, y_parts) = (x.parts::<X>(x_room), y.parts::<Y>(y_room));
    let add = |row: u32, times: u32, terms: &mut Terms<T, PLACES>| {
        let row = row as usize;
        if take.get(row) {
            let x: [i64; X] = std::array::from_fn(|part| x_parts[part][row]);
            let y: [i64; Y] = std::array::from_fn(|part| y_parts[part][row]);
            // A part times a number of rows still fits in 64 bits.
            let times = i64::from(times);
            let (x_times, y_times) =
                (x.map(|part| part.wrapping_mul(times)), y.map(|part| part.wrapping_mul(times)));
            terms.count += times.cast_unsigned();
            terms.x.add(x_times, [1]);
            terms.xx.add(x_times, x);
            terms.y.add(y_times, [1]);
            terms.yy.add(y_times, y);
            terms.xy.add(x, y_times);
        }
    };
    let and = |one: Terms<T, PLACES>, other: Terms<T, PLACES>| Terms {
        count: one.count + other.count,
        x: one.x.and(other.x),
        xx: one.xx.and(other.xx),
        y: one.y.and(other.y),
        yy: one.yy.and(other.yy),
        xy: one.xy.and(other.xy),
    };
    let exact = |terms: Terms<T, PLACES>| ExactSums {
        count: terms.count,
        x: terms.x.exact(x.power),
        xx: terms.xx.exact(2 * x.power),
        y: terms.y.exact(y.power),
        yy: terms.yy.exact(2 * y.power),
        xy: terms.xy.exact(x.power + y.power),
    };
    by_slot(slotted, add, and).into_iter().map(exact).collect()
}

/// Adds the sums of numbers in `PARTS` parts to each slot.
fn add_all<const PARTS: usize>(
    slotted: &Slotted<'_>,
    take: &Bitmap,
    scaled: &Scaled<'_>,
    [room, _]: &mut [Parts; 2],
    found: &mut [Accumulator],
) {
    let parts = scaled.parts::<PARTS>(room);
    let add = |row: u32, times: u32, (count, sum): &mut (u64, Places<i64, PARTS>)| {
        if take.get(row as usize) {
            *count += u64::from(times);
            let number: [i64; PARTS] = std::array::from_fn(|part| parts[part][row as usize]);
            sum.add(number, [times.into()]);
        }
    };
    let sums = by_slot(slotted, add, |one, other| (one.0 + other.0, one.1.and(other.1)));
    for (found, (count, sum)) in found.iter_mut().zip(sums) {
        found.add_floats(&sum.exact(scaled.power), count);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::moments::{Moments, PairMoments};
    use crate::value::Value;
    use proptest::prelude::*;

    /// Numbers around 1; for a magnitude of -1 small integers.
    fn number(magnitude: i32) -> impl Strategy<Value = f64> {
        let (divisor, most) = if magnitude < 0 { (1.0, 0) } else { (7.0, magnitude) };
        (-1_000_000..1_000_000_i64, -most..=most)
            .prop_map(move |(whole, power)| whole as f64 / divisor * 2.0_f64.powi(power))
    }

    /// Pairs of numbers that are of similar size, or of very different ones.
    fn pairs() -> impl Strategy<Value = Vec<(f64, f64, u32, bool)>> {
        prop_oneof![Just(-1), Just(0), Just(3), Just(30), Just(60)].prop_flat_map(|magnitude| {
            let row = (
                number(magnitude),
                number(if magnitude < 0 { -1 } else { magnitude / 3 }),
                0..3_u32,
                proptest::bool::weighted(0.9),
            );
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
            let bits = integers.iter().map(|x| u64::BITS - x.unsigned_abs().leading_zeros()).max().unwrap_or(0);
            let of_x = if whole { Numbers::Integers(&integers, bits) } else { Numbers::Floats(&x) };
            let scaled = [Scaled::of(of_x, &take), Scaled::of(Numbers::Floats(&y), &take)];
            let mut room = Default::default();
            let mut all: Vec<_> = exact_sums(&slotted, &take, of_x, Some(Numbers::Floats(&y)), &mut room).into_iter().collect();
            prop_assert_eq!(all.len(), usize::from(scaled.iter().all(Option::is_some)));
            if let [Some(x), Some(y)] = &scaled {
                all.push(sums::<i128, 4, 4, 7>(&slotted, &take, x, y, &mut room));
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
            assert!(
                exact_sums(&slotted, &take, Numbers::Floats(&lanes), None, &mut Default::default()).is_none(),
                "{odd}"
            );
        }
    }
}
