//! Columns with few values in a block: what is computed over the values, and looked up for each row, is what the
//! reference computes node by node.

use crate::engine_support::{Cut, answers, log_of};
use gt_log::{Kind, Schema};
use gt_query::plain_tree::PlainTree;
use gt_query::{Environment, Value, compile, reference};
use proptest::prelude::*;
use proptest::sample::select;

/// A star whose nodes have few floats, integers and texts, some of which are missing.
fn tree(values: &[(u8, u8, u8)], spread: i128) -> PlainTree {
    let attributes = [("score", Kind::F64), ("small", Kind::F32), ("best", Kind::I32), ("name", Kind::Text)];
    let mut tree = PlainTree::new(Schema::new(attributes).expect("a schema"));
    for (place, (score, best, name)) in values.iter().enumerate() {
        let scores = [-2.5, -0.5, 0.0, 0.25, 1.5, 100.0, f64::INFINITY];
        let score = scores.get(usize::from(*score)).copied();
        let values = vec![
            score.and_then(Value::float),
            scores.get(usize::from(*name)).copied().and_then(Value::float),
            (*best < 11).then(|| Value::Integer(spread * (i128::from(*best) - 5))),
            ["", "A1", "B20", "B27", "C42"].get(usize::from(*name)).map(|name| Value::text(name)),
        ];
        tree.push((place > 0).then_some(0), 0, values).expect("preorder");
    }
    tree
}

/// A number, mostly of one column.
fn number() -> impl Strategy<Value = String> {
    let leaf =
        select(vec!["score", "score", "small", "best", "best", "0.5", "-1", "2", "100.0", "name = \"C42\""]);
    let leaf = leaf.prop_map(|leaf| match leaf {
        "name = \"C42\"" => "if(name > \"B\", score, 0.25)".to_owned(),
        leaf => leaf.to_owned(),
    });
    leaf.prop_recursive(3, 12, 2, |inner| {
        let operator = select(vec!["+", "-", "*", "/", "%"]);
        prop_oneof![
            3 => (inner.clone(), operator, inner.clone()).prop_map(|(a, o, b)| format!("({a} {o} {b})")),
            2 => (select(vec!["abs", "sqrt", "log"]), inner.clone()).prop_map(|(f, a)| format!("{f}({a})")),
            1 => (select(vec!["min", "max"]), inner.clone(), inner.clone()).prop_map(|(f, a, b)| format!("{f}({a}, {b})")),
            2 => (condition(inner.clone().boxed()), inner.clone(), inner).prop_map(|(c, a, b)| format!("if({c}, {a}, {b})")),
        ]
    })
}

fn condition(number: BoxedStrategy<String>) -> impl Strategy<Value = String> {
    let operator = select(vec!["=", "!=", "<", "<=", ">", ">="]);
    prop_oneof![
        4 => (number.clone(), operator, number.clone()).prop_map(|(a, o, b)| format!("{a} {o} {b}")),
        1 => (number, select(vec!["is known", "is unknown"])).prop_map(|(a, known)| format!("{a} {known}")),
        1 => select(vec!["name = \"C42\"", "name > \"B20\"", "starts_with(name, \"B2\")", "contains(name, \"2\")", "score is known"]).prop_map(str::to_owned),
    ]
}

proptest! {
    #![proptest_config(crate::support::cases(120))]

    #[test]
    fn look_ups_agree_with_the_reference(
        values in proptest::collection::vec((0..9_u8, 0..12_u8, 0..6_u8), 1..400),
        whole in any::<bool>(),
        spread in select(vec![1_i128, 7, 90_000_000]),
        (first, second) in (condition(number().boxed()), condition(number().boxed())),
        (key, argument) in (number(), number()),
        rows in select(vec![64_usize, 1000]),
    ) {
        let lacks = |(score, best, name): (u8, u8, u8)| match whole {
            true => (score % 7, best % 11, name % 5),
            false => (score, best, name),
        };
        let values: Vec<_> = values.into_iter().map(lacks).collect();
        let tree = tree(&values, spread);
        let log = log_of(&tree, Cut::rows(rows));
        for text in [
            format!("node: count({first})"),
            format!("node: not ({first}) or {second}"),
            format!("node: {second} group by {key} select {key}, count(*), sum({argument}), avg({argument}), max({argument})"),
            format!("node: * group by {key} select count({first})"),
            format!("node: {second} group by {key} select stddev({argument}), median({key}), min({argument}), count(distinct {argument})"),
            format!("node: {first} select count(*), stddev({argument}), corr({argument}, {key}), quantile({key}, 0.3), any({second})"),
            format!("let mean = tree: avg({argument} where {first})\nnode: {key} > mean"),
            format!("node: {first} select node_id, {key} order by {argument} desc limit 3"),
            format!("node: {second} select node_id, best order by {key}, node_id limit 2"),
            "node: * select best, node_id order by score limit 5".to_owned(),
            "node: * select score, node_id order by score desc, best limit 5".to_owned(),
            "node: * order by best desc limit 4".to_owned(),
            "node: * select node_id, score order by best limit 4".to_owned(),
            "node: * select small order by small limit 4".to_owned(),
        ] {
            let Ok(program) = compile(&text, &Environment::new(tree.schema())) else { continue };
            prop_assert_eq!(answers(&program, &log, 2), reference::answer(&program, &tree), "{}", text);
        }
    }
}
