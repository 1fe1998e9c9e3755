//! Queries that are answered by scans of whole columns: that they are, and that they agree with the reference.

mod engine_support;
mod support;

use engine_support::{Cut, log_of};
use gt_query::engine::{self, Options};
use gt_query::plain_tree::PlainTree;
use gt_query::{Environment, Program, Value, compile, reference};
use proptest::prelude::*;
use proptest::sample::select;

fn program(tree: &PlainTree, text: &str) -> Program {
    let environment = Environment::new(tree.schema()).with_parameter("x", Value::Integer(2));
    compile(text, &environment).unwrap_or_else(|errors| panic!("{text}: {errors:?}"))
}

/// A test of small integers.
fn test(child: bool) -> impl Strategy<Value = String> {
    let prefix = if child { vec!["[]", "[]", ""] } else { vec![""] };
    let field = select(vec!["best", "type", "limit", "last_move", "@size", "@ply"]);
    let number = (select(prefix), field).prop_map(|(prefix, field)| format!("{prefix}{field}"));
    let operator = select(vec!["=", "!=", "<", "<=", ">", ">="]);
    let constant = (-6..7_i32).prop_map(|value| value.to_string());
    let atom = prop_oneof![
        4 => (number.clone(), operator.clone(), constant).prop_map(|(a, o, b)| format!("{a} {o} {b}")),
        2 => (number.clone(), operator.clone(), number.clone()).prop_map(|(a, o, b)| format!("{a} {o} {b}")),
        1 => (number.clone(), number.clone(), operator).prop_map(|(a, b, o)| format!("({a} + 2 * {b}) {o} 5")),
        1 => number.clone().prop_map(|a| format!("{a} & PVNode")),
        1 => number.clone().prop_map(|a| format!("{a} & 6 = 0")),
        1 => number.prop_map(|a| format!("{a} in (1, 3)")),
        1 => Just("*".to_owned()),
    ];
    (atom.clone(), select(vec!["", " and ", " or ", "not"]), atom).prop_map(|(a, join, b)| match join {
        "" => a,
        "not" => format!("not ({a})"),
        join => format!("({a}){join}({b})"),
    })
}

fn part(scope: &'static str) -> impl Strategy<Value = String> {
    let child = scope == "child";
    let filter =
        prop_oneof![2 => Just(String::new()), 1 => test(child).prop_map(|test| format!(" where {test}"))];
    let operator = select(vec!["=", "!=", "<", "<=", ">", ">="]);
    let extremes = (select(vec!["min", "max"]), select(vec!["best", "type"]), filter.clone());
    let own = if child { "[]" } else { "" };
    prop_oneof![
        4 => (test(child), filter.clone(), operator.clone(), -1..6_i32)
            .prop_map(|(test, filter, operator, value)| format!("count({test}{filter}) {operator} {value}")),
        1 => (operator.clone(), 0..6_i32).prop_map(|(operator, value)| format!("count(*) {operator} {value}")),
        2 => (extremes, operator.clone(), -6..7_i32).prop_map(move |((function, field, filter), operator, value)| {
            format!("{function}({own}{field}{filter}) {operator} {value}")
        }),
        1 => (select(vec!["any", "all"]), test(child), filter)
            .prop_map(|(function, test, filter)| format!("{function}({test}{filter})")),
        1 => (test(child), operator, test(child)).prop_map(|(a, o, b)| format!("count({a}) {o} count({b}) + 1")),
    ]
}

fn query() -> impl Strategy<Value = String> {
    let optional = |scope: &'static str| prop_oneof![1 => Just(String::new()), 1 => part(scope).prop_map(move |part| format!("{scope}: {part}; "))];
    let node = prop_oneof![
        2 => test(false).prop_map(|test| format!("node: count({test}); ")),
        1 => test(false).prop_map(|test| format!("node: {test}; ")),
    ];
    (node, optional("child"), optional("subtree"), optional("path"))
        .prop_map(|(node, child, subtree, path)| format!("{node}{child}{subtree}{path}"))
}

proptest! {
    #![proptest_config(support::cases(2500))]

    #[test]
    fn scans_agree_with_the_reference(
        queries in proptest::collection::vec(query(), 1..4),
        tree in support::random::tree(150),
        rows in select(vec![1_usize, 2, 3, 5, 7, 20, 63, 64, 65, 200]),
        at_every_enter in select(vec![0, 0, 0, 3]),
        threads in 1..4_usize,
    ) {
        let tree = tree.0;
        let program = program(&tree, &queries.join("\n\n"));
        let log = log_of(&tree, Cut { rows, at_every_enter, compact: false });
        let expected = reference::answer(&program, &tree);
        let options = Options { threads, ..Options::default() };
        let found = engine::run(&program, log.tree(0).unwrap(), &options).unwrap();
        for ((query, expected), found) in program.queries.iter().zip(&expected).zip(&found.answers) {
            prop_assert_eq!(found, expected, "{}", query.text);
        }
        prop_assert_eq!(found.stats.queries_scanned.len(), program.queries.len(), "not scanned: {:?}", queries);
    }
}
