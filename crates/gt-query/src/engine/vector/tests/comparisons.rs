//! Tests that give bitmaps, for every pair of kinds that can be compared.

use proptest::prelude::*;
use proptest::sample::select;

use super::*;
use crate::engine::bits::Bitmap;
use crate::engine::vector::{compare, has_value, within};
use crate::syntax::ast::Comparison;

/// The kinds that can be compared.
const PAIRS: [(VectorKind, VectorKind); 8] = {
    use VectorKind::{Float, Integer, Text, Wide};
    [
        (Integer, Integer),
        (Wide, Wide),
        (Float, Float),
        (Text, Text),
        (Integer, Float),
        (Float, Integer),
        (Wide, Float),
        (Float, Wide),
    ]
};

fn comparable() -> impl Strategy<Value = (Operand, Operand)> {
    select(PAIRS.to_vec()).prop_flat_map(|(left, right)| operands(left, right))
}

/// Integers, and floats that are equal to them or next to them.
fn beside_itself() -> impl Strategy<Value = (Operand, Operand)> {
    let kinds = select(vec![VectorKind::Integer, VectorKind::Wide]);
    (kinds.prop_flat_map(operand), any::<bool>()).prop_map(|(a, swap)| {
        let beside = |(row, value): (usize, &Option<Value>)| {
            Value::float(value.as_ref()?.as_float()? + [0.0, 0.5, -0.25][row % 3])
        };
        let floats = Operand::new(VectorKind::Float, a.values.iter().enumerate().map(beside).collect());
        if swap { (floats, a) } else { (a, floats) }
    })
}

fn check(a: &Operand, b: &Operand) -> Result<(), TestCaseError> {
    let mut out = Bitmap::default();
    for comparison in Comparison::ALL {
        compare(comparison, a.lanes(), b.lanes(), &mut out);
        prop_assert_eq!(out.rows(), joint_rows(a, b));
        for row in 0..out.rows() {
            let Some((left, right)) = a.at(row).zip(b.at(row)) else { continue };
            let expected = comparison.holds(left.order(&right));
            prop_assert_eq!(out.get(row), expected, "{} {:?} {}", left, comparison, right);
        }
    }
    Ok(())
}

#[test]
fn extremes_are_compared_exactly() {
    for (left, right) in PAIRS {
        let (a, b) = extremes(left, right);
        check(&a, &b).unwrap();
        for first in (0..b.values.len()).filter(|row| b.values[*row].is_some()) {
            let mut constant = Operand::new(right, b.values[first..=first].to_vec());
            constant.is_constant = true;
            check(&a, &constant).unwrap();
            check(&constant, &a).unwrap();
        }
    }
}

proptest! {
    #[test]
    fn comparisons_are_those_of_values((a, b) in prop_oneof![3 => comparable(), 1 => beside_itself()]) {
        check(&a, &b)?;
    }

    #[test]
    fn an_integer_constant_is_compared_with_wide_integers(a in operand(VectorKind::Wide), constant in any::<i64>()) {
        let mut out = Bitmap::default();
        compare(Comparison::Less, a.lanes(), Lanes::Integer(constant), &mut out);
        for (row, value) in a.values.iter().enumerate() {
            let Some(value) = value else { continue };
            prop_assert_eq!(out.get(row), value.order(&Value::Integer(constant.into())).is_lt());
        }
    }

    #[test]
    fn integers_are_within_bounds(
        a in select(vec![VectorKind::Integer, VectorKind::Wide]).prop_flat_map(operand),
        bounds in (value(VectorKind::Integer), value(VectorKind::Integer)),
        beside in -1..2_i128,
    ) {
        let (Value::Integer(low), Value::Integer(mut high)) = (bounds.0, bounds.1) else {
            unreachable!("these kinds are of integers")
        };
        // Half of the time the bound is at a value, or next to it.
        if let (0, Some(Some(Value::Integer(first)))) = (low & 1, a.values.first()) {
            high = (first + beside).clamp(i64::MIN.into(), i64::MAX.into());
        }
        let mut inside = Bitmap::default();
        let is_integer = a.vector.kind() == VectorKind::Integer;
        if is_integer {
            within(&a.vector, low as i64, high as i64, &mut inside);
        }
        for (row, value) in a.values.iter().enumerate() {
            let Some(Value::Integer(value)) = value else { continue };

            prop_assert!(!is_integer || inside.get(row) == (low..=high).contains(value));
        }
    }

    #[test]
    fn floats_have_a_value_unless_unknown(a in operand(VectorKind::Float)) {
        let mut out = Bitmap::default();
        has_value(&a.vector, &mut out);
        prop_assert_eq!(out.rows(), a.values.len());
        for (row, value) in a.values.iter().enumerate() {
            prop_assert_eq!(out.get(row), value.is_some());
        }
    }
}
