//! The arithmetic operators. An integer result that does not fit in 64 bits wraps: [`overflows`](super::overflows)
//! finds these rows.

use super::divide::{divide, float_remainders};
use super::lanes::{Lanes, Source, joint_kind, zip};
use super::values::{Vector, VectorKind};
use crate::syntax::ast::Arithmetic;

/// The results of an operator. An integer divided by 0 gives an arbitrary number; a float gives unknown. Wide
/// operands give integers, except that `&` and `|` give wide ones.
pub(in crate::engine) fn arithmetic(operator: Arithmetic, a: Lanes<'_>, b: Lanes<'_>, out: &mut Vector) {
    match joint_kind(a, b) {
        VectorKind::Integer => of_integers(operator, &a.integers(), &b.integers(), out.integers_mut()),
        VectorKind::Wide => of_wides(operator, &a.wides(), &b.wides(), out),
        VectorKind::Float => of_floats(operator, &a.floats(), &b.floats(), out.floats_mut()),
        VectorKind::Text => panic!("no arithmetic with texts"),
    }
}

fn of_integers(operator: Arithmetic, a: &Source<'_, i64>, b: &Source<'_, i64>, out: &mut Vec<i64>) {
    match operator {
        Arithmetic::Add => zip(a, b, out, i64::wrapping_add),
        Arithmetic::Subtract => zip(a, b, out, i64::wrapping_sub),
        Arithmetic::Multiply => zip(a, b, out, i64::wrapping_mul),
        Arithmetic::BitAnd => zip(a, b, out, |a, b| a & b),
        Arithmetic::BitOr => zip(a, b, out, |a, b| a | b),
        Arithmetic::Divide => divide(a, b, out, false),
        Arithmetic::Remainder => divide(a, b, out, true),
    }
}

fn of_wides(operator: Arithmetic, a: &Source<'_, i128>, b: &Source<'_, i128>, out: &mut Vector) {
    match operator {
        Arithmetic::Add => truncate(a, b, out, i128::wrapping_add),
        Arithmetic::Subtract => truncate(a, b, out, i128::wrapping_sub),
        Arithmetic::Multiply => truncate(a, b, out, i128::wrapping_mul),
        Arithmetic::Divide => truncate(a, b, out, |a, b| a.checked_div(b).unwrap_or(0)),
        Arithmetic::Remainder => truncate(a, b, out, |a, b| a.checked_rem(b).unwrap_or(0)),
        Arithmetic::BitAnd => zip(a, b, out.wides_mut(), |a, b| a & b),
        Arithmetic::BitOr => zip(a, b, out.wides_mut(), |a, b| a | b),
    }
}

fn truncate(a: &Source<'_, i128>, b: &Source<'_, i128>, out: &mut Vector, of: impl Fn(i128, i128) -> i128) {
    zip(a, b, out.integers_mut(), |a, b| of(a, b) as i64);
}

// Adding zero turns -0.0 into 0.0.
fn of_floats(operator: Arithmetic, a: &Source<'_, f64>, b: &Source<'_, f64>, out: &mut Vec<f64>) {
    match operator {
        Arithmetic::Add => zip(a, b, out, |a, b| a + b + 0.0),
        Arithmetic::Subtract => zip(a, b, out, |a, b| a - b + 0.0),
        Arithmetic::Multiply => zip(a, b, out, |a, b| a * b + 0.0),
        Arithmetic::Divide => zip(a, b, out, |a, b| a / (if b == 0.0 { f64::NAN } else { b }) + 0.0),
        Arithmetic::Remainder => float_remainders(a, b, out),
        Arithmetic::BitAnd | Arithmetic::BitOr => zip(a, b, out, |_, _| f64::NAN),
    }
}
