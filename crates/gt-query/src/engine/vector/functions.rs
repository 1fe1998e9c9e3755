//! The functions of the language, conversions, and choices.

use std::cmp::Ordering;
use std::sync::Arc;

use super::compare::BEYOND;
use super::divide::{SMALL_BITS, from_float};
use super::lanes::{CHUNK, Lane, Lanes, Source, joint_kind, map, zip, zip_bits};
use super::texts::{Joined, look_up};
use super::values::{Vector, VectorKind, floats_of, sort};
use crate::engine::bits::Bitmap;
use crate::engine::wide::wide;

/// The absolute values; of wide integers, as integers. They wrap at the rows of
/// [`super::absolute_overflows`].
pub(in crate::engine) fn absolute(a: &Vector, out: &mut Vector) {
    match a {
        Vector::Integer(lanes) => map(lanes, out.integers_mut(), i64::wrapping_abs),
        Vector::Wide(lanes) => map(lanes, out.integers_mut(), |lane| lane.wrapping_abs() as i64),
        Vector::Float(lanes) => map(lanes, out.floats_mut(), f64::abs),
        Vector::Text(_) => panic!("a text has no absolute value"),
    }
}

/// The square roots of floats; unknown below 0.
pub(in crate::engine) fn square_root(a: &Vector, out: &mut Vector) {
    map(floats_of(a), out.floats_mut(), f64::sqrt);
}

/// The natural logarithms of floats; unknown for 0 and below.
pub(in crate::engine) fn logarithm(a: &Vector, out: &mut Vector) {
    map(floats_of(a), out.floats_mut(), |lane| if lane > 0.0 { lane.ln() } else { f64::NAN });
}

/// Floats rounded to integers, halves away from zero, and the rows where they do not fit in 64 bits. Infinities are
/// not overflows but unknown, as [`super::is_finite`] reports.
pub(in crate::engine) fn round(a: &Vector, out: &mut Vector, overflow: &mut Bitmap) {
    let lanes = floats_of(a);
    let out = out.integers_mut();
    out.resize(lanes.len(), 0);
    round_lanes(lanes, out);
    // A float of this size is whole, so rounding takes no smaller float to it.
    overflow.pack(lanes, |lane| u8::from(lane.is_finite() & !(-BEYOND..BEYOND).contains(&lane)));
}

wide! {
    fn round_lanes(lanes: &[f64], out: &mut [i64]) {
        const SMALL: f64 = (1_u64 << SMALL_BITS) as f64;
        for (lanes, out) in lanes.chunks(CHUNK).zip(out.chunks_mut(CHUNK)) {
            let is_far = lanes.iter().fold(false, |is_far, lane| is_far | (lane.abs() >= SMALL));
            let lanes = out.iter_mut().zip(lanes);
            if is_far {
                lanes.for_each(|(out, lane)| *out = lane.round() as i64);
            } else {
                lanes.for_each(|(out, lane)| *out = from_float(lane.round()));
            }
        }
    }
}

/// The texts in lower case.
pub(in crate::engine) fn lower_case(a: &Vector, out: &mut Vector) {
    match a {
        Vector::Text(texts) => {
            let mapped: Vec<Arc<str>> =
                texts.dictionary.iter().map(|text| text.to_lowercase().into()).collect();
            let (dictionary, codes) = sort(mapped.iter(), Arc::clone);
            map(&texts.codes, out.texts_mut().codes_for(dictionary), |code| look_up(&codes, code));
        }
        other => panic!("texts are wanted, not {:?}", other.kind()),
    }
}

/// Integers as wide integers; integers and wide integers as floats, rounded to the nearest.
pub(in crate::engine) fn convert(a: &Vector, kind: VectorKind, out: &mut Vector) {
    match (a, kind) {
        (Vector::Integer(lanes), VectorKind::Wide) => map(lanes, out.wides_mut(), i128::from),
        (Vector::Integer(lanes), VectorKind::Float) => map(lanes, out.floats_mut(), |lane| lane as f64),
        (Vector::Wide(lanes), VectorKind::Float) => map(lanes, out.floats_mut(), wide_to_float),
        (other, kind) => panic!("{:?} does not become {kind:?}", other.kind()),
    }
}

/// Like `as f64` for integers of this range, in two instructions instead of a call.
#[inline(always)]
fn wide_to_float(wide: i128) -> f64 {
    if wide < 0 { wide as i64 as f64 } else { wide as u64 as f64 }
}

/// The value of `a` where a row's bit is set, otherwise that of `b`.
pub(in crate::engine) fn choose(bits: &Bitmap, a: Lanes<'_>, b: Lanes<'_>, out: &mut Vector) {
    fn either<T: Lane>(bit: bool, a: T, b: T) -> T {
        if bit { a } else { b }
    }
    match joint_kind(a, b) {
        VectorKind::Integer => zip_bits(bits, &a.integers(), &b.integers(), out.integers_mut(), either),
        VectorKind::Wide => zip_bits(bits, &a.wides(), &b.wides(), out.wides_mut(), either),
        VectorKind::Float => zip_bits(bits, &a.floats(), &b.floats(), out.floats_mut(), either),
        VectorKind::Text => {
            let (a, b) = (a.texts(), b.texts());
            let Joined { dictionary, left, right } = Joined::of(a.dictionary, b.dictionary);
            let codes = out.texts_mut().codes_for(dictionary);
            zip_bits(bits, &a.codes, &b.codes, codes, |bit, a, b| {
                let (a, b) = (look_up(&left, a), look_up(&right, b));
                if bit { a } else { b }
            });
        }
    }
}

/// The one of two values that compares to the other in this order: `Less` gives the minimum, `Greater` the maximum. For
/// floats it is unknown if either is.
pub(in crate::engine) fn pick(order: Ordering, a: Lanes<'_>, b: Lanes<'_>, out: &mut Vector) {
    match joint_kind(a, b) {
        VectorKind::Integer => pick_lanes(order, &a.integers(), &b.integers(), out.integers_mut()),
        VectorKind::Wide => pick_lanes(order, &a.wides(), &b.wides(), out.wides_mut()),
        VectorKind::Float => pick_lanes(order, &a.floats(), &b.floats(), out.floats_mut()),
        VectorKind::Text => {
            let (a, b) = (a.texts(), b.texts());
            let Joined { dictionary, left, right } = Joined::of(a.dictionary, b.dictionary);
            let codes = out.texts_mut().codes_for(dictionary);
            let least = order.is_lt();
            zip(&a.codes, &b.codes, codes, |a, b| {
                let (a, b) = (look_up(&left, a), look_up(&right, b));
                if least { a.min(b) } else { a.max(b) }
            });
        }
    }
}

#[allow(clippy::eq_op)] // Only NaN differs from itself.
fn pick_lanes<T: Lane + PartialOrd>(order: Ordering, a: &Source<'_, T>, b: &Source<'_, T>, out: &mut Vec<T>) {
    if order.is_lt() {
        zip(a, b, out, |a, b| if (b < a) | (b != b) { b } else { a });
    } else {
        zip(a, b, out, |a, b| if (b > a) | (b != b) { b } else { a });
    }
}

/// 1 where a row's bit is set, otherwise 0.
pub(in crate::engine) fn truth(bits: &Bitmap, out: &mut Vector) {
    zip_bits(bits, &Source::all(1), &Source::all(0), out.integers_mut(), |bit, _, _| i64::from(bit));
}
