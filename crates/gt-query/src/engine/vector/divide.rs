//! Quotients and remainders of integers, and remainders of floats, avoiding the slow instruction or call for them
//! where possible.
//!
//! A chunk of integers that are all small ([`SMALL_BITS`]) is divided as floats:
//! - by a vector: the quotient of whole numbers below 2^53, rounded to the nearest float, never reaches a whole number
//!   that the exact one does not reach, so its whole part is right;
//! - by a constant `d`: as `(a ± 1/2) · (1/d)`. The exact value is at least `1/2d` from every whole number, and two
//!   roundings of something below `2^50/d` are off by at most half of that.
//!
//! Other chunks are multiplied by a fixed-point [`Reciprocal`] of the constant, or divided one by one.

use super::lanes::{CHUNK, Source, joint_rows, zip};
use crate::engine::wide::wide;

/// Numbers in `-2^50 .. 2^50` are small: the conversions below are exact for them.
pub(super) const SMALL_BITS: u32 = 50;
/// 1.5 · 2^52: a float to which a small whole number is added in the lowest bits.
const ANCHOR: f64 = 6_755_399_441_055_744.0;

/// The quotients, rounded towards zero and wrapping, or the remainders; an arbitrary number where `b` is 0.
pub(super) fn divide(a: &Source<'_, i64>, b: &Source<'_, i64>, out: &mut Vec<i64>, remainder: bool) {
    match b.constant() {
        Some(divisor @ (2.. | ..=-2)) => {
            out.resize(joint_rows(a, b), 0);
            divide_by(a, divisor, Reciprocal::of(divisor), out, remainder);
        }
        Some(-1..=1) if remainder => zip(a, b, out, |_, _| 0),
        Some(divisor @ -1..=1) => zip(a, b, out, |a, _| a.wrapping_mul(divisor)),
        None => {
            out.resize(joint_rows(a, b), 0);
            divide_chunks(a, b, out, remainder);
        }
    }
}

/// The reciprocal of an integer other than -1, 0 and 1, as in Granlund and Montgomery, "Division by invariant integers
/// using multiplication".
#[derive(Clone, Copy)]
pub(super) struct Reciprocal {
    /// The lower 64 bits of the reciprocal of the divisor's absolute value, shifted; the next bit is in `whole`.
    factor: i64,
    /// All ones if the dividend is added to the product's upper half, otherwise 0.
    whole: i64,
    shift: u32,
    /// -1 if the divisor is negative, otherwise 0.
    sign: i64,
}

impl Reciprocal {
    fn of(divisor: i64) -> Self {
        let size = u128::from(divisor.unsigned_abs());
        // The largest dividend's distance from where an error would show: with this many bits none does.
        let critical = (1_u128 << 63) - 1 - (1_u128 << 63) % size;
        let enough = |bits: &u32| 1_u128 << bits > critical * (size - (1_u128 << bits) % size);
        let bits = (64..127).find(enough).unwrap_or(127);
        let factor = (((1_u128 << bits) / size) + 1) as i64;
        Self { factor, whole: factor >> 63, shift: bits - 64, sign: divisor >> 63 }
    }

    #[inline(always)]
    fn quotient(self, dividend: i64) -> i64 {
        let upper = ((i128::from(dividend) * i128::from(self.factor)) >> 64) as i64;
        let floor = upper.wrapping_add(dividend & self.whole) >> self.shift;
        let quotient = floor.wrapping_sub(dividend >> 63);
        (quotient ^ self.sign).wrapping_sub(self.sign)
    }
}

wide! {
    fn divide_by(a: &Source<'_, i64>, divisor: i64, reciprocal: Reciprocal, out: &mut [i64], remainder: bool) {
        let float = divisor as f64;
        let inverse = 1.0 / float;
        let quotient = |a: f64| ((a + 0.5_f64.copysign(a)) * inverse).trunc();
        for (place, out) in out.chunks_mut(CHUNK).enumerate() {
            let a = a.part(place * CHUNK, out.len());
            let lanes = out.iter_mut().zip(a);
            match (are_small(a), remainder) {
                (true, false) => lanes.for_each(|(out, a)| *out = from_float(quotient(to_float(*a)))),
                (true, true) => lanes.for_each(|(out, a)| {
                    let a = to_float(*a);
                    *out = from_float(a - quotient(a) * float);
                }),
                (false, false) => lanes.for_each(|(out, a)| *out = reciprocal.quotient(*a)),
                (false, true) => lanes.for_each(|(out, a)| {
                    *out = a.wrapping_sub(reciprocal.quotient(*a).wrapping_mul(divisor));
                }),
            }
        }
    }
}

wide! {
    fn divide_chunks(a: &Source<'_, i64>, b: &Source<'_, i64>, out: &mut [i64], remainder: bool) {
        for (place, out) in out.chunks_mut(CHUNK).enumerate() {
            let (a, b) = (a.part(place * CHUNK, out.len()), b.part(place * CHUNK, out.len()));
            let lanes = out.iter_mut().zip(a).zip(b);
            match (are_small(a) && are_small(b), remainder) {
                (true, false) => lanes.for_each(|((out, a), b)| {
                    *out = from_float((to_float(*a) / to_float(*b)).trunc());
                }),
                (true, true) => lanes.for_each(|((out, a), b)| {
                    let (a, b) = (to_float(*a), to_float(*b));
                    *out = from_float(a - (a / b).trunc() * b);
                }),
                (false, false) => lanes.for_each(|((out, a), b)| *out = a.wrapping_div(unless_zero(*b))),
                (false, true) => lanes.for_each(|((out, a), b)| *out = a.wrapping_rem(unless_zero(*b))),
            }
        }
    }
}

#[inline(always)]
fn are_small(lanes: &[i64]) -> bool {
    let bits = lanes.iter().fold(0, |bits, lane| bits | lane.wrapping_add(1 << SMALL_BITS) as u64);
    bits >> (SMALL_BITS + 1) == 0
}

#[inline(always)]
fn unless_zero(divisor: i64) -> i64 {
    if divisor == 0 { 1 } else { divisor }
}

/// A small number as a float, in instructions that can be vectorised.
#[inline(always)]
fn to_float(small: i64) -> f64 {
    f64::from_bits((ANCHOR.to_bits() as i64).wrapping_add(small) as u64) - ANCHOR
}

/// A small whole number back from a float; arbitrary for other floats.
#[inline(always)]
pub(super) fn from_float(whole: f64) -> i64 {
    ((whole + ANCHOR).to_bits() as i64).wrapping_sub(ANCHOR.to_bits() as i64)
}

/// The remainders of divisions of floats, plus zero so that none is -0.0; unknown where `b` is 0.
pub(super) fn float_remainders(a: &Source<'_, f64>, b: &Source<'_, f64>, out: &mut Vec<f64>) {
    out.resize(joint_rows(a, b), 0.0);
    float_remainder_chunks(a, b, out);
}

wide! {
    fn float_remainder_chunks(a: &Source<'_, f64>, b: &Source<'_, f64>, out: &mut [f64]) {
        const QUOTIENT_MAX: f64 = (1_u64 << 52) as f64;
        for (place, out) in out.chunks_mut(CHUNK).enumerate() {
            let (a, b) = (a.part(place * CHUNK, out.len()), b.part(place * CHUNK, out.len()));
            let mut beyond = false;
            for ((out, a), b) in out.iter_mut().zip(a).zip(b) {
                let b = if *b == 0.0 { f64::NAN } else { *b };
                let quotient = (a / b).trunc();
                beyond |= (quotient.abs() >= QUOTIENT_MAX) | b.is_infinite();
                // Exact, as is the remainder. If the quotient was rounded up to a whole number, it is one too many.
                let rest = (-quotient).mul_add(b, *a);
                let excess = if rest * a.signum() < 0.0 { b.abs().copysign(*a) } else { 0.0 };
                *out = rest + excess;
            }
            if beyond {
                let lanes = out.iter_mut().zip(a).zip(b);
                lanes.for_each(|((out, a), b)| *out = if *b == 0.0 { f64::NAN } else { a % b + 0.0 });
            }
        }
    }
}
