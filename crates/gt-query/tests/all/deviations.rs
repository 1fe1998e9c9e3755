//! `stddev` and `corr` are made of exact sums: compared with numbers of any size, in whatever order sums are joined.

use crate::engine_support::{Cut, answers as engine_answers, log_of};
use gt_log::{Kind, Schema};
use gt_query::plain_tree::PlainTree;
use gt_query::{Answer, Environment, Value, compile, reference};
use num_bigint::BigInt;
use proptest::prelude::*;

fn integer() -> impl Strategy<Value = i128> {
    prop_oneof![
        3 => -9..9_i128,
        2 => any::<i64>().prop_map(i128::from),
        1 => any::<u64>().prop_map(i128::from),
        1 => Just(i128::from(u64::MAX)),
    ]
}

/// `n * sum of products - product of sums`, rounded once.
fn difference(pairs: &[(i128, i128)]) -> f64 {
    let sum = |of: &dyn Fn(&(i128, i128)) -> BigInt| pairs.iter().map(of).sum::<BigInt>();
    let products = sum(&|(left, right)| BigInt::from(*left) * BigInt::from(*right));
    let sums = sum(&|(left, _)| BigInt::from(*left)) * sum(&|(_, right)| BigInt::from(*right));
    (products * pairs.len() - sums).to_string().parse().expect("a number")
}

/// What the tree of a chain with a fork at each node answers, all evaluators alike: live queries join sums of subtrees.
fn answers(nodes: &[(i128, i128, f64)]) -> Vec<Option<Value>> {
    let kinds = [("x", Kind::I64), ("y", Kind::I64), ("f", Kind::F64)];
    let mut tree = PlainTree::new(Schema::new(kinds).expect("a legal schema"));
    let mut parent = tree.push(None, 0, vec![None, None, None]);
    for (place, (x, y, f)) in nodes.iter().enumerate() {
        let values = vec![Some(Value::Integer(*x)), Some(Value::Integer(*y)), Value::float(*f)];
        let added = tree.push(parent, 0, values);
        parent = if place % 2 == 0 { added } else { parent };
    }
    let text = "let a = subtree: stddev(x)\nlet b = subtree: stddev(f)\nlet c = subtree: corr(x, y)\n\
                node: node_id = 0 select a, b, c";
    let program = compile(text, &Environment::new(tree.schema())).expect("a legal query");
    let found = reference::answer(&program, &tree);
    assert_eq!(crate::support::live(&program, &tree), found);
    match &found[0] {
        Ok(Answer::Rows { rows, .. }) => rows[0].clone(),
        other => panic!("{other:?}"),
    }
}

proptest! {
    #![proptest_config(crate::support::cases(600))]

    #[test]
    fn they_are_rounded_from_exact_sums(pairs in proptest::collection::vec((integer(), integer()), 0..30), scale in -40..40_i32) {
        let power = 2.0_f64.powi(scale);
        // Floats that hold their integers, at another scale: they deviate by the same at that scale.
        let small = |value: i128| value % (1 << 40);
        let nodes: Vec<_> = pairs.iter().map(|(x, y)| (*x, *y, small(*x) as f64 * power)).collect();
        let spread = |values: &[i128]| difference(&values.iter().map(|value| (*value, *value)).collect::<Vec<_>>());
        let deviation = |values: &[i128]| (!values.is_empty()).then(|| spread(values).sqrt() / values.len() as f64);
        let (x, y): (Vec<i128>, Vec<i128>) = pairs.iter().copied().unzip();
        let spreads = [spread(&x), spread(&y)];
        let correlation = spreads.iter().all(|spread| *spread != 0.0)
            .then(|| (difference(&pairs) / (spreads[0].sqrt() * spreads[1].sqrt())).clamp(-1.0, 1.0));
        let smalls: Vec<i128> = x.iter().copied().map(small).collect();
        let expected = [deviation(&x), deviation(&smalls).map(|deviation| deviation * power), correlation];
        prop_assert_eq!(answers(&nodes), expected.map(|value| value.and_then(Value::float)));
    }
}

/// Floats of similar size, with a few that are far from them, and some that take more bits than any sum has.
fn float() -> impl Strategy<Value = f64> {
    prop_oneof![
        8 => (-500..500_i32).prop_map(|cents| f64::from(cents) / 100.0),
        2 => (-9..9_i32).prop_map(|mate| f64::from(mate).signum() * 10_000.0 + f64::from(mate) / 100.0),
    ]
}

proptest! {
    #![proptest_config(crate::support::cases(250))]

    #[test]
    fn relatives_deviate_as_in_the_reference(
        nodes in proptest::collection::vec((any::<u16>(), float(), -9..9_i128, 0..9_u8), 1..150),
        far in proptest::sample::select(vec![None, None, Some(1e-9), Some(1e16), Some(1e300), Some(f64::INFINITY)]),
        rows in proptest::sample::select(vec![1_usize, 5, 20, 64, 500]),
        threads in 1..3_usize,
    ) {
        let schema = Schema::new([("f", Kind::F64), ("x", Kind::I16)]).expect("a legal schema");
        let mut tree = PlainTree::new(schema);
        let mut path: Vec<usize> = Vec::new();
        for (place, (choice, float, integer, lacks)) in nodes.into_iter().enumerate() {
            path.truncate(if path.is_empty() { 0 } else { 1 + usize::from(choice) % path.len() });
            let float = far.filter(|_| place % 50 == 17).unwrap_or(float);
            let mut values = vec![Value::float(float), Some(Value::Integer(integer))];
            values.get_mut(usize::from(lacks)).into_iter().for_each(|value| *value = None);
            path.push(tree.push(path.last().copied(), 0, values).expect("preorder"));
        }
        let scopes = ["child", "subtree", "before", "after", "path"];
        let folds = ["stddev([]f)", "stddev([]x)", "median([]f)", "quantile([]x, 0.3)", "count(distinct []f)", "count(distinct []x > 2)"];
        for scope in scopes {
            let of = |fold: &str| if matches!(scope, "subtree" | "path") { fold.replace("[]", "") } else { fold.to_owned() };
            let lets = folds.iter().enumerate().map(|(place, fold)| format!("let a{place} = {scope}: {}\n", of(fold)));
            let text = format!("{}select node_id, a0, a1, a2, a3, a4, a5", lets.collect::<String>());
            let program = compile(&text, &Environment::new(tree.schema())).expect("a legal query");
            let found = engine_answers(&program, &log_of(&tree, Cut::rows(rows)), threads);
            prop_assert_eq!(found, reference::answer(&program, &tree), "{}", text);
        }
    }
}
