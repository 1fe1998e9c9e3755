//! The rows where the result of an integer operation does not fit in 64 bits.

use super::lanes::{Lanes, Source, joint_kind, joint_rows, mark};
use super::values::{Vector, VectorKind};
use crate::engine::bits::Bitmap;
use crate::syntax::ast::Arithmetic;

/// The rows where an operator overflows: none for floats, and none where an integer is divided by 0.
pub(in crate::engine) fn overflows(operator: Arithmetic, a: Lanes<'_>, b: Lanes<'_>, out: &mut Bitmap) {
    match joint_kind(a, b) {
        VectorKind::Integer => of_integers(operator, &a.integers(), &b.integers(), out),
        VectorKind::Wide => of_wides(operator, &a.wides(), &b.wides(), out),
        VectorKind::Float => out.fill(joint_rows(&a.floats(), &b.floats()), false),
        VectorKind::Text => panic!("no arithmetic with texts"),
    }
}

fn of_integers(operator: Arithmetic, a: &Source<'_, i64>, b: &Source<'_, i64>, out: &mut Bitmap) {
    match operator {
        // A sum overflows if its sign differs from both operands'. The processor's flags would show it too, but only
        // one row at a time.
        Arithmetic::Add => mark(a, b, out, |a, b| (a ^ a.wrapping_add(b)) & (b ^ a.wrapping_add(b)) < 0),
        Arithmetic::Subtract => mark(a, b, out, |a, b| (a ^ b) & (a ^ a.wrapping_sub(b)) < 0),
        Arithmetic::Multiply => mark(a, b, out, |a, b| a.overflowing_mul(b).1),
        Arithmetic::Divide => mark(a, b, out, |a, b| a == i64::MIN && b == -1),
        Arithmetic::Remainder | Arithmetic::BitAnd | Arithmetic::BitOr => out.fill(joint_rows(a, b), false),
    }
}

fn of_wides(operator: Arithmetic, a: &Source<'_, i128>, b: &Source<'_, i128>, out: &mut Bitmap) {
    match operator {
        Arithmetic::Add => mark(a, b, out, |a, b| leaves(a.wrapping_add(b))),
        Arithmetic::Subtract => mark(a, b, out, |a, b| leaves(a.wrapping_sub(b))),
        Arithmetic::Multiply => mark(a, b, out, |a, b| a.checked_mul(b).is_none_or(leaves)),
        Arithmetic::Divide => mark(a, b, out, |a, b| a.checked_div(b).is_some_and(leaves)),
        Arithmetic::Remainder => mark(a, b, out, |a, b| a.checked_rem(b).is_some_and(leaves)),
        Arithmetic::BitAnd | Arithmetic::BitOr => out.fill(joint_rows(a, b), false),
    }
}

/// The rows where the absolute value overflows.
pub(in crate::engine) fn absolute_overflows(a: &Vector, out: &mut Bitmap) {
    match a {
        Vector::Integer(lanes) => out.pack(lanes, |lane| u8::from(lane == i64::MIN)),
        Vector::Wide(lanes) => out.pack(lanes, |lane| u8::from(leaves(lane.wrapping_abs()))),
        Vector::Float(lanes) => out.fill(lanes.len(), false),
        Vector::Text(_) => panic!("a text has no absolute value"),
    }
}

#[inline(always)]
fn leaves(result: i128) -> bool {
    i128::from(result as i64) != result
}
