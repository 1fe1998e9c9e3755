//! Comparisons, and other tests of numbers, as bitmaps.
//!
//! The six comparisons are three orders and their opposites, so three loops suffice. Bits of rows without a value are
//! meaningless.

use std::cmp::Ordering;

use super::lanes::{Lanes, Source, mark, mark_lanes};
use super::texts::compare_texts;
use super::values::{Vector, VectorKind, floats_of};
use crate::engine::bits::Bitmap;
use crate::syntax::ast::Comparison;
use crate::value::order_mixed;

/// The rows whose values satisfy a comparison. Integers and floats are compared exactly.
///
/// An unknown float satisfies none; for others the bits of unknown values are meaningless.
pub(in crate::engine) fn compare(comparison: Comparison, a: Lanes<'_>, b: Lanes<'_>, out: &mut Bitmap) {
    if let (VectorKind::Float, VectorKind::Float) = (a.kind(), b.kind()) {
        return compare_floats(comparison, &a.floats(), &b.floats(), out);
    }
    let (order, opposite) = match comparison {
        Comparison::Equal => (Ordering::Equal, false),
        Comparison::NotEqual => (Ordering::Equal, true),
        Comparison::Less => (Ordering::Less, false),
        Comparison::GreaterEqual => (Ordering::Less, true),
        Comparison::Greater => (Ordering::Greater, false),
        Comparison::LessEqual => (Ordering::Greater, true),
    };
    mark_order(order, a, b, out);
    if opposite {
        out.invert();
    }
    for floats in [a, b].into_iter().filter(|side| side.kind() == VectorKind::Float) {
        let mut known = Bitmap::default();
        mark(&floats.floats(), &floats.floats(), &mut known, |lane, _| !lane.is_nan());
        if known.rows() == out.rows() {
            out.and(&known);
        }
    }
}

fn compare_floats(comparison: Comparison, a: &Source<'_, f64>, b: &Source<'_, f64>, out: &mut Bitmap) {
    match comparison {
        Comparison::Equal => mark(a, b, out, |a, b| a == b),
        Comparison::NotEqual => mark(a, b, out, |a, b| (a < b) | (a > b)),
        Comparison::Less => mark(a, b, out, |a, b| a < b),
        Comparison::LessEqual => mark(a, b, out, |a, b| a <= b),
        Comparison::Greater => mark(a, b, out, |a, b| a > b),
        Comparison::GreaterEqual => mark(a, b, out, |a, b| a >= b),
    }
}

fn mark_order(order: Ordering, a: Lanes<'_>, b: Lanes<'_>, out: &mut Bitmap) {
    use VectorKind::{Float, Integer, Text, Wide};
    match (a.kind(), b.kind()) {
        (Integer, Integer) => mark_lanes(order, &a.integers(), &b.integers(), out),
        (Integer | Wide, Integer | Wide) => mark_lanes(order, &a.wides(), &b.wides(), out),
        (Float, Float) => mark_lanes(order, &a.floats(), &b.floats(), out),
        (Text, Text) => compare_texts(order, &a.texts(), &b.texts(), out),
        (Integer | Wide, Float) => mark_mixed(order, a, b, out),
        (Float, Integer | Wide) => mark_mixed(order.reverse(), b, a, out),
        (Text, Integer | Wide | Float) | (Integer | Wide | Float, Text) => {
            panic!("no comparison of {:?} with {:?}", a.kind(), b.kind())
        }
    }
}

/// The rows where an integer compares to a float in this order.
fn mark_mixed(order: Ordering, integers: Lanes<'_>, floats: Lanes<'_>, out: &mut Bitmap) {
    let exact = match integers {
        Lanes::Integer(value) => order_mixed(value.into(), value as f64).is_eq(),
        Lanes::Wide(value) => order_mixed(value, value as f64).is_eq(),
        Lanes::Vector(_) | Lanes::Float(_) | Lanes::Text(_) => false,
    };
    if exact {
        mark_lanes(order, &integers.floats(), &floats.floats(), out);
    } else if integers.kind() == VectorKind::Wide {
        mark(&integers.wides(), &floats.floats(), out, |a, b| !b.is_nan() && order_mixed(a, b) == order);
    } else {
        match order {
            Ordering::Less => mark_beside(integers, floats, out, below, |a, (end, all)| all | (a < end)),
            Ordering::Greater => mark_beside(integers, floats, out, above, |a, (end, all)| all | (a > end)),
            Ordering::Equal => mark_beside(integers, floats, out, at, |a, (end, some)| some & (a == end)),
        }
    }
}

/// Marks the integers that pass a test against `place` of the float, which a constant float needs only once.
#[inline]
fn mark_beside(
    integers: Lanes<'_>,
    floats: Lanes<'_>,
    out: &mut Bitmap,
    place: impl Fn(f64) -> (i64, bool),
    test: impl Fn(i64, (i64, bool)) -> bool,
) {
    let (integers, floats) = (integers.integers(), floats.floats());
    match floats.constant() {
        Some(float) => {
            let place = place(float);
            mark(&integers, &floats, out, |a, _| test(a, place));
        }
        None => mark(&integers, &floats, out, |a, b| test(a, place(b))),
    }
}

/// 2^63, the first float above all integers of 64 bits.
pub(super) const BEYOND: f64 = 9_223_372_036_854_775_808.0;

/// The integers less than a float are those less than this one, or all. (Conversions saturate at the ends of the
/// range.)
fn below(float: f64) -> (i64, bool) {
    (float.ceil() as i64, float >= BEYOND)
}

/// The integers greater than a float are those greater than this one, or all.
fn above(float: f64) -> (i64, bool) {
    (float.floor() as i64, float < -BEYOND)
}

/// The integer that equals a float, and whether there is one.
fn at(float: f64) -> (i64, bool) {
    (float as i64, (float.trunc() == float) & (-BEYOND..BEYOND).contains(&float))
}

/// The rows of integers in `low ..= high`.
pub(in crate::engine) fn within(a: &Vector, low: i64, high: i64, out: &mut Bitmap) {
    match a {
        Vector::Integer(lanes) if low > high => out.fill(lanes.len(), false),
        Vector::Integer(lanes) => {
            let span = high.wrapping_sub(low) as u64;
            out.pack(lanes, |lane| u8::from(lane.wrapping_sub(low) as u64 <= span));
        }
        other => panic!("integers are wanted, not {:?}", other.kind()),
    }
}

/// The rows of floats with a value.
pub(in crate::engine) fn has_value(a: &Vector, out: &mut Bitmap) {
    out.pack(floats_of(a), |lane| u8::from(!lane.is_nan()));
}

/// The rows of floats with a finite value.
pub(in crate::engine) fn is_finite(a: &Vector, out: &mut Bitmap) {
    out.pack(floats_of(a), |lane| u8::from(lane.is_finite()));
}
