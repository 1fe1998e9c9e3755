//! Arithmetic, functions, choices.

use std::cmp::Ordering;

use proptest::prelude::*;
use proptest::sample::select;

use super::*;
use crate::engine::bits::Bitmap;
use crate::engine::vector::{
    absolute, absolute_overflows, arithmetic, choose, convert, is_finite, logarithm, overflows, pick, round,
    square_root, truth,
};
use crate::evaluate::{Evaluated, NoNode, evaluate};
use crate::ir::{Expr, Operation};
use crate::span::Span;
use crate::syntax::ast::Arithmetic;

const OPERATORS: [Arithmetic; 7] = [
    Arithmetic::BitAnd,
    Arithmetic::BitOr,
    Arithmetic::Add,
    Arithmetic::Subtract,
    Arithmetic::Multiply,
    Arithmetic::Divide,
    Arithmetic::Remainder,
];

fn number_kind() -> impl Strategy<Value = VectorKind> {
    select(KINDS[..3].to_vec())
}

fn check(out: &Vector, overflow: &Bitmap, row: usize, expected: &Evaluated) -> bool {
    match expected {
        Ok(value) => agrees(out, row, value.as_ref()) && !overflow.get(row),
        Err(_) => overflow.get(row),
    }
}

fn check_operators(a: &Operand, b: &Operand) -> Result<(), TestCaseError> {
    let (mut out, mut overflow) = (Vector::default(), Bitmap::default());
    for operator in OPERATORS {
        arithmetic(operator, a.lanes(), b.lanes(), &mut out);
        overflows(operator, a.lanes(), b.lanes(), &mut overflow);
        prop_assert_eq!((out.len(), overflow.rows()), (joint_rows(a, b), joint_rows(a, b)));
        prop_assert!(!is_minus_zero(&out));
        for row in 0..out.len() {
            let Some((left, right)) = a.at(row).zip(b.at(row)) else {
                prop_assert!(agrees(&out, row, None));
                continue;
            };
            let expected = operator.apply(&left, &right, Span::new(0, 0));
            prop_assert!(check(&out, &overflow, row, &expected), "{left} {operator:?} {right}: {expected:?}");
        }
    }
    Ok(())
}

fn of_constant(operation: Operation, value: Option<Value>) -> Evaluated {
    evaluate(&Expr::apply(operation, [Expr::Constant(value)], Span::new(0, 0)), &NoNode)
}

proptest! {
    #[test]
    fn operators_give_what_they_give_for_values((a, b) in number_kind().prop_flat_map(|kind| operands(kind, kind))) {
        check_operators(&a, &b)?;
    }

    #[test]
    fn an_integer_constant_serves_beside_wide_integers_and_floats(
        a in select(vec![VectorKind::Wide, VectorKind::Float]).prop_flat_map(operand),
        constant in any::<i64>(),
    ) {
        let (mut out, mut overflow) = (Vector::default(), Bitmap::default());
        for operator in OPERATORS {
            arithmetic(operator, Lanes::Integer(constant), a.lanes(), &mut out);
            overflows(operator, Lanes::Integer(constant), a.lanes(), &mut overflow);
            for row in 0..a.values.len() {
                let Some(value) = a.at(row) else { continue };
                let expected = operator.apply(&Value::Integer(constant.into()), &value, Span::new(0, 0));
                prop_assert!(check(&out, &overflow, row, &expected), "{constant} {operator:?} {value}");
            }
        }
    }

    #[test]
    fn signs_change_as_for_values(a in number_kind().prop_flat_map(operand)) {
        let (mut out, mut overflow) = (Vector::default(), Bitmap::default());
        arithmetic(Arithmetic::Subtract, Lanes::Integer(0), a.lanes(), &mut out);
        overflows(Arithmetic::Subtract, Lanes::Integer(0), a.lanes(), &mut overflow);
        for row in 0..a.values.len() {
            prop_assert!(a.at(row).is_none() || check(&out, &overflow, row, &of_constant(Operation::Negate, a.at(row))));
        }
        absolute(&a.vector, &mut out);
        absolute_overflows(&a.vector, &mut overflow);
        for row in 0..a.values.len() {
            prop_assert!(a.at(row).is_none() || check(&out, &overflow, row, &of_constant(Operation::Abs, a.at(row))));
        }
    }

    #[test]
    fn functions_of_floats(a in operand(VectorKind::Float)) {
        let (mut roots, mut logarithms, mut rounded) = (Vector::default(), Vector::default(), Vector::default());
        let (mut overflow, mut finite) = (Bitmap::default(), Bitmap::default());
        square_root(&a.vector, &mut roots);
        logarithm(&a.vector, &mut logarithms);
        round(&a.vector, &mut rounded, &mut overflow);
        is_finite(&a.vector, &mut finite);
        prop_assert!(!is_minus_zero(&roots) && !is_minus_zero(&logarithms));
        for row in 0..a.values.len() {
            let float = a.at(row).and_then(|value| value.as_float());
            let root = float.filter(|float| *float >= 0.0).map(f64::sqrt);
            prop_assert!(agrees(&roots, row, root.and_then(Value::float).as_ref()));
            let logarithm = float.filter(|float| *float > 0.0).map(f64::ln);
            prop_assert!(agrees(&logarithms, row, logarithm.and_then(Value::float).as_ref()));
            prop_assert_eq!(finite.get(row), float.is_some_and(f64::is_finite));
            let Some(float) = float.filter(|float| float.is_finite()) else {
                prop_assert!(!overflow.get(row));
                continue;
            };
            // The fraction is exact.
            let away = if (float - float.trunc()).abs() >= 0.5 { float.signum() } else { 0.0 };
            let whole = (float.trunc() + away) as i128;
            prop_assert_eq!(overflow.get(row), i64::try_from(whole).is_err());
            prop_assert!(overflow.get(row) || agrees(&rounded, row, Some(&Value::Integer(whole))));
        }
    }

    #[test]
    fn conversions_round_once(
        a in select(vec![VectorKind::Integer, VectorKind::Wide]).prop_flat_map(operand),
    ) {
        let (mut floats, mut wides) = (Vector::default(), Vector::default());
        convert(&a.vector, VectorKind::Float, &mut floats);
        if a.vector.kind() == VectorKind::Integer {
            convert(&a.vector, VectorKind::Wide, &mut wides);
            prop_assert_eq!(wides.kind(), VectorKind::Wide);
        } else {
            wides = a.vector.clone();
        }
        for row in 0..a.values.len() {
            let Some(value) = a.at(row) else { continue };
            prop_assert_eq!(floats.value_at(row), value.as_float().and_then(Value::float));
            prop_assert_eq!(wides.value_at(row), Some(value));
        }
    }

    #[test]
    fn choices_take_one_of_two(
        (a, b) in kind().prop_flat_map(|kind| operands(kind, kind)),
        bits in proptest::collection::vec(any::<bool>(), 600),
    ) {
        let (mut out, mut chosen) = (Vector::default(), Bitmap::default());
        let bits = &bits[..a.values.len()];
        chosen.pack(bits, u8::from);
        choose(&chosen, a.lanes(), b.lanes(), &mut out);
        prop_assert_eq!(out.len(), bits.len());
        for (row, bit) in bits.iter().enumerate() {
            let expected = if *bit { a.at(row) } else { b.at(row) };
            prop_assert!(agrees(&out, row, expected.as_ref()));
        }
        truth(&chosen, &mut out);
        prop_assert_eq!(out.len(), bits.len());
        for (row, bit) in bits.iter().enumerate() {
            prop_assert!(agrees(&out, row, Some(&Value::Integer((*bit).into()))));
        }
        for wanted in [Ordering::Less, Ordering::Greater] {
            pick(wanted, a.lanes(), b.lanes(), &mut out);
            prop_assert_eq!(out.len(), joint_rows(&a, &b));
            for row in 0..out.len() {
                let both = a.at(row).zip(b.at(row));
                let expected = both.map(|(a, b)| if b.order(&a) == wanted { b } else { a });
                prop_assert!(agrees(&out, row, expected.as_ref()));
            }
        }
    }
}

#[test]
fn operators_give_what_they_give_for_extremes() {
    for kind in &KINDS[..3] {
        let (a, b) = extremes(*kind, *kind);
        check_operators(&a, &b).unwrap();
        // Each as a constant too.
        for first in 0..b.values.len() {
            let mut constant = Operand::new(*kind, b.values[first..=first].to_vec());
            constant.is_constant = true;
            check_operators(&a, &constant).unwrap();
        }
    }
}

/// Quotients next to whole numbers, where errors show first.
#[test]
fn quotients_next_to_whole_numbers_are_exact() {
    let powers = (1..64).flat_map(|power| [-1, 0, 1].map(|step| (1_i128 << power) + step));
    let sizes: Vec<i128> = (1..700).chain([1_000_003]).chain(powers).collect();
    let clamp = |value: i128| i64::try_from(value.clamp(i64::MIN.into(), i64::MAX.into())).unwrap();
    let mut out = Vector::default();
    for divisor in sizes.iter().flat_map(|size| [clamp(*size), clamp(-*size)]) {
        for reach in [50, 63] {
            let most = (1_i128 << reach) - 1;
            let step = i128::from(divisor.unsigned_abs());
            let multiples =
                [1, 2, 3, most / step / 2, most / step - 1, most / step].map(|times| times * step);
            let around =
                multiples.iter().flat_map(|multiple| [-1, 0, 1].map(|by| (multiple + by).clamp(-most, most)));
            let dividends: Vec<i64> = around.flat_map(|value| [clamp(value), clamp(-value)]).collect();
            let divisors = Vector::Integer(vec![divisor; dividends.len()]);
            let expected: Vec<i64> =
                dividends.iter().map(|dividend| dividend.wrapping_div(divisor)).collect();
            let rest: Vec<i64> = dividends.iter().map(|dividend| dividend.wrapping_rem(divisor)).collect();
            let dividends = Vector::Integer(dividends);
            for by in [Lanes::Integer(divisor), Lanes::Vector(&divisors)] {
                arithmetic(Arithmetic::Divide, Lanes::Vector(&dividends), by, &mut out);
                assert_eq!(out.integers_mut(), &expected, "{dividends:?} / {divisor}");
                arithmetic(Arithmetic::Remainder, Lanes::Vector(&dividends), by, &mut out);
                assert_eq!(out.integers_mut(), &rest, "{dividends:?} % {divisor}");
            }
        }
    }
}
