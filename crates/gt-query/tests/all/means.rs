//! `avg` is the exact mean, rounded once: compared with rational arithmetic, in every evaluator.

use crate::engine_support::{Cut, log_of};
use gt_log::{Kind, Schema};
use gt_query::mean::Mean;
use gt_query::plain_tree::PlainTree;
use gt_query::{Answer, Environment, Value, compile, reference};
use num_bigint::BigInt;
use proptest::prelude::*;

/// The value times 2^1074, which is whole for every finite float.
fn whole(value: f64) -> BigInt {
    let bits = value.to_bits();
    let (exponent, fraction) = (bits >> 52 & 0x7ff, bits & ((1 << 52) - 1));
    let mantissa = BigInt::from(if exponent == 0 { fraction } else { fraction | 1 << 52 });
    let size = mantissa << (exponent.max(1) - 1);
    if value.is_sign_negative() { -size } else { size }
}

/// Whether no other float is nearer to `sum / count`, and the even one was taken of two that are equally near.
fn is_nearest(found: f64, sum: &BigInt, count: usize) -> bool {
    // Everything times 2^1074 and times the count.
    let distance = |value: f64| {
        let difference = sum - whole(value) * BigInt::from(count);
        if difference < BigInt::ZERO { -difference } else { difference }
    };
    let own = distance(found);
    let is_even = found.to_bits().is_multiple_of(2);
    [found.next_down(), found.next_up()].into_iter().filter(|other| other.is_finite()).all(|other| {
        let other = distance(other);
        own < other || own == other && is_even
    })
}

fn float() -> impl Strategy<Value = f64> {
    let any = any::<f64>().prop_filter("finite", |value| value.is_finite());
    let near_max = vec![f64::MAX, -f64::MAX, f64::MAX / 2.0, f64::MAX.next_down(), -1e308, 8e270];
    prop_oneof![
        3 => proptest::sample::select(vec![0.1, 0.2, 0.3, 1.1, -0.1, 1e16, 1.0, 1e-300, 5e-324, -2.5e-310, 1e300]),
        1 => proptest::sample::select(near_max),
        2 => any,
        2 => -1e3..1e3_f64,
    ]
}

proptest! {
    #![proptest_config(crate::support::cases(1500))]

    #[test]
    fn of_floats(values in proptest::collection::vec(float(), 1..40), repeats in 1..5_usize) {
        let mut mean = Mean::default();
        let mut sum = BigInt::ZERO;
        for value in values.iter().cycle().take(values.len() * repeats) {
            mean.add_float(*value);
            sum += whole(*value);
        }
        let found = mean.value().expect("there are some");
        prop_assert!(is_nearest(found, &sum, values.len() * repeats), "{found:?} of {values:?} {repeats} times");
    }

    #[test]
    fn of_integers(values in proptest::collection::vec(prop_oneof![any::<i64>().prop_map(i128::from), -9..9_i128, any::<u64>().prop_map(i128::from)], 1..40)) {
        let mut mean = Mean::default();
        values.iter().for_each(|value| mean.add_integer(*value));
        let sum = values.iter().map(|value| BigInt::from(*value)).sum::<BigInt>() << 1074_u32;
        let found = mean.value().expect("there are some");
        prop_assert!(is_nearest(found, &sum, values.len()), "{found:?} of {values:?}");
    }

    #[test]
    fn of_any_parts_joined(values in proptest::collection::vec((float(), any::<i32>()), 1..30), cut in 0..30_usize) {
        let mut parts = [Mean::default(), Mean::default()];
        let mut sum = BigInt::ZERO;
        for (place, (float, integer)) in values.iter().enumerate() {
            parts[usize::from(place >= cut)].add_float(*float);
            parts[usize::from(place < cut)].add_integer((*integer).into());
            sum += whole(*float) + (BigInt::from(*integer) << 1074_u32);
        }
        let [mut mean, other] = parts;
        mean.merge(&other);
        let found = mean.value().expect("there are some");
        prop_assert!(is_nearest(found, &sum, 2 * values.len()), "{found:?} of {values:?}");
    }
}

#[test]
fn every_evaluator_rounds_once() {
    let schema = Schema::new([("ratio", Kind::F64), ("big", Kind::I64)]).expect("a legal schema");
    let mut tree = PlainTree::new(schema);
    let big = [1_i64 << 60, (1 << 60) + 1, (1 << 60) + 1];
    for (place, big) in big.into_iter().enumerate() {
        let values = vec![Some(Value::Float(0.1)), Some(Value::Integer(big.into()))];
        tree.push((place > 0).then_some(0), 0, values).expect("preorder");
    }
    let environment = Environment::new(tree.schema());
    let text =
        "node: avg(ratio)\n\nnode: avg(big)\n\nselect avg(big), avg(ratio)\n\nsubtree: avg(ratio) = 0.1";
    let program = compile(text, &environment).expect("legal queries");
    let expected = reference::answer(&program, &tree);
    assert_eq!(expected[0], Ok(Answer::Value(Some(Value::Float(0.1)))));
    // The sum is 3 * 2^60 + 2: its mean lies nearer to 2^60 than to the next float.
    assert_eq!(expected[1], Ok(Answer::Value(Value::float(2_f64.powi(60)))));
    assert_eq!(expected[3], Ok(Answer::Nodes(vec![0])));
    assert_eq!(crate::support::live(&program, &tree), expected);
    for rows in [1, 2, 100] {
        assert_eq!(crate::engine_support::answers(&program, &log_of(&tree, Cut::rows(rows)), 2), expected);
    }
}
