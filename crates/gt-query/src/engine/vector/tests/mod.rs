//! Every function against the results of [`Value`] and the evaluator for each row.

mod comparisons;
mod numbers;
mod stored;
mod texts;

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

use super::{Lanes, Vector, VectorKind};
use crate::value::Value;

/// An operand and its values.
#[derive(Clone, Debug)]
struct Operand {
    values: Vec<Option<Value>>,
    vector: Vector,
    /// Whether all rows have the first value.
    is_constant: bool,
}

impl Operand {
    fn new(kind: VectorKind, values: Vec<Option<Value>>) -> Self {
        let mut vector = Vector::default();
        vector.set_values(kind, &values);
        Self { values, vector, is_constant: false }
    }

    fn lanes(&self) -> Lanes<'_> {
        match (&self.vector, self.is_constant) {
            (vector, false) => Lanes::Vector(vector),
            (Vector::Integer(lanes), true) => Lanes::Integer(lanes[0]),
            (Vector::Wide(lanes), true) => Lanes::Wide(lanes[0]),
            (Vector::Float(lanes), true) => Lanes::Float(lanes[0]),
            (Vector::Text(texts), true) => Lanes::Text(texts.get(0).expect("a constant has a value")),
        }
    }

    fn at(&self, row: usize) -> Option<Value> {
        self.values[if self.is_constant { 0 } else { row }].clone()
    }
}

fn value(kind: VectorKind) -> BoxedStrategy<Value> {
    let powers = || (0..64_u32, -2..3_i128, any::<bool>());
    let near_power = |(power, step, negative): (u32, i128, bool)| {
        let value = (1_i128 << power) + step;
        if negative { -value } else { value }
    };
    match kind {
        VectorKind::Integer => {
            let edge = powers()
                .prop_map(near_power)
                .prop_map(|value| Value::Integer(value.clamp(i64::MIN.into(), i64::MAX.into())));
            prop_oneof![edge, any::<i64>().prop_map(|value| Value::Integer(value.into()))].boxed()
        }
        VectorKind::Wide => {
            let edge = (0..65_u32, -2..3_i128, any::<bool>()).prop_map(near_power);
            prop_oneof![edge, any::<u64>().prop_map(i128::from), -9..9_i128]
                .prop_map(|value| Value::Integer(value.clamp(i64::MIN.into(), u64::MAX.into())))
                .boxed()
        }
        VectorKind::Float => {
            let edges = [
                0.0,
                0.5,
                1.0,
                1.5,
                5e-324,
                f64::MIN_POSITIVE,
                0.1,
                0.499_999_999_999_999_94,
                4_503_599_627_370_497.5,
                f64::MAX,
                f64::INFINITY,
            ];
            let edge = (select(edges.to_vec()), any::<bool>())
                .prop_map(|(v, negative)| if negative { -v } else { v });
            prop_oneof![
                edge,
                any::<f64>(),
                (0..66_u32, -2..3_i128, any::<bool>()).prop_map(near_power).prop_map(|value| value as f64),
                (-4000..4000_i64).prop_map(|value| value as f64 / 8.0),
            ]
            .prop_filter_map("a float is a number", Value::float)
            .boxed()
        }
        VectorKind::Text => {
            let words = ["", "a", "A", "ab", "aB", "abc", "b", "ba", "é", "É", "zz", "ζ", "ΑΣ"];
            prop_oneof![
                select(words.to_vec()).prop_map(Value::text),
                "[abB]{0,3}".prop_map(|text| Value::text(&text))
            ]
            .boxed()
        }
    }
}

/// Only small values, so that chunks of them take the fast paths.
fn small_value(kind: VectorKind) -> BoxedStrategy<Value> {
    let near = prop_oneof![-60..60_i64, -(1_i64 << 50)..1 << 50];
    match kind {
        VectorKind::Integer | VectorKind::Wide => near.prop_map(|value| Value::Integer(value.into())).boxed(),
        VectorKind::Float => {
            (near, 1..9_i64).prop_map(|(value, part)| Value::Float(value as f64 / part as f64 + 0.0)).boxed()
        }
        VectorKind::Text => value(kind),
    }
}

fn values(kind: VectorKind, rows: usize) -> BoxedStrategy<Vec<Option<Value>>> {
    let known = |value| vec(prop::option::weighted(0.9, value), rows);
    prop_oneof![known(value(kind)), known(small_value(kind))].boxed()
}

fn rows() -> impl Strategy<Value = usize> {
    prop_oneof![0..3_usize, 0..70_usize, 250..600_usize]
}

/// An operand that is not a constant.
fn operand(kind: VectorKind) -> impl Strategy<Value = Operand> {
    rows().prop_flat_map(move |rows| values(kind, rows)).prop_map(move |values| Operand::new(kind, values))
}

/// Two operands of equal length, of which one or both may be constants.
fn operands(left: VectorKind, right: VectorKind) -> impl Strategy<Value = (Operand, Operand)> {
    let pair = rows().prop_flat_map(move |rows| (values(left, rows), values(right, rows)));
    (pair, any::<(bool, bool)>()).prop_map(move |((a, b), constants)| {
        let (mut a, mut b) = (Operand::new(left, a), Operand::new(right, b));
        a.is_constant = constants.0 && matches!(a.values.first(), Some(Some(_)));
        b.is_constant = constants.1 && matches!(b.values.first(), Some(Some(_)));
        (a, b)
    })
}

/// Every pair of the extremes and the middle of two kinds.
fn extremes(left: VectorKind, right: VectorKind) -> (Operand, Operand) {
    let of = |kind: VectorKind| -> Vec<Option<Value>> {
        let whole = [i64::MIN, i64::MIN + 1, -2, -1, 0, 1, 2, i64::MAX - 1, i64::MAX].map(i128::from);
        let wide = [i128::from(i64::MAX) + 1, i128::from(u64::MAX) - 1, u64::MAX.into()];
        let floats =
            [f64::INFINITY, f64::MAX, 18_446_744_073_709_551_616.0, 1.5, 0.5, f64::MIN_POSITIVE, 5e-324];
        let whole = whole.iter().map(|value| Some(Value::Integer(*value)));
        match kind {
            VectorKind::Integer => whole.collect(),
            VectorKind::Wide => whole.chain(wide.map(|value| Some(Value::Integer(value)))).collect(),
            VectorKind::Float => {
                let signed = floats.iter().flat_map(|float| [Value::float(*float), Value::float(-float)]);
                let whole = whole.map(|value| value.and_then(|value| Value::float(value.as_float()?)));
                whole.chain(signed).chain([None]).collect()
            }
            VectorKind::Text => {
                ["", "a", "ab", "b", "\u{10ffff}"].map(|text| Some(Value::text(text))).to_vec()
            }
        }
    };
    let (lefts, rights) = (of(left), of(right));
    let a = lefts.iter().flat_map(|value| vec![value.clone(); rights.len()]).collect();
    let b = rights.iter().cycle().take(lefts.len() * rights.len()).cloned().collect();
    (Operand::new(left, a), Operand::new(right, b))
}

/// The number of rows of an operation on two operands.
fn joint_rows(a: &Operand, b: &Operand) -> usize {
    match (a.is_constant, b.is_constant) {
        (true, true) => 1,
        (true, false) => b.values.len(),
        (false, _) => a.values.len(),
    }
}

const KINDS: [VectorKind; 4] = [VectorKind::Integer, VectorKind::Wide, VectorKind::Float, VectorKind::Text];

fn kind() -> impl Strategy<Value = VectorKind> {
    select(KINDS.to_vec())
}

/// Whether a vector has this value at a row; where it is unknown, only floats must show it.
fn agrees(vector: &Vector, row: usize, expected: Option<&Value>) -> bool {
    match (expected, vector) {
        (Some(value), _) => vector.value_at(row).as_ref() == Some(value),
        (None, Vector::Float(lanes)) => lanes[row].is_nan(),
        (None, _) => true,
    }
}

fn is_minus_zero(vector: &Vector) -> bool {
    matches!(vector, Vector::Float(lanes) if lanes.iter().any(|lane| *lane == 0.0 && lane.is_sign_negative()))
}

proptest! {
    #[test]
    fn values_come_back_and_keep_their_order(operand in kind().prop_flat_map(operand)) {
        let known: Vec<usize> = (0..operand.values.len()).filter(|row| operand.values[*row].is_some()).collect();
        prop_assert_eq!(operand.vector.len(), operand.values.len());
        for pair in known.windows(2) {
            let (left, right) = (operand.at(pair[0]), operand.at(pair[1]));
            let order = left.as_ref().zip(right.as_ref()).map(|(left, right)| left.order(right));
            prop_assert_eq!(Some(operand.vector.order(pair[0], pair[1])), order);
        }
        for (row, value) in operand.values.iter().enumerate() {
            prop_assert!(agrees(&operand.vector, row, value.as_ref()), "{:?}", value);
        }
    }
}
