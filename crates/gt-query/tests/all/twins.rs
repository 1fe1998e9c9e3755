//! Twins by columns agree with the reference: few keys and many, small groups and large ones, blocks of any size.

use crate::engine_support::{Cut, answers, log_of};
use gt_log::{Kind, Schema};
use gt_query::answer::MemoryUse;
use gt_query::engine::{self, Failure, Options};
use gt_query::plain_tree::PlainTree;
use gt_query::{Answer, Environment, Program, Value, compile, reference};
use proptest::prelude::*;
use proptest::sample::select;

fn schema() -> Schema {
    let attributes = [
        ("key", Kind::U64),
        ("depth", Kind::I8),
        ("best", Kind::I32),
        ("ratio", Kind::F64),
        ("flag", Kind::Bool),
        ("name", Kind::Text),
    ];
    Schema::new(attributes).expect("a legal schema")
}

pub(crate) fn program(text: &str) -> Program {
    compile(text, &Environment::new(&schema())).unwrap_or_else(|errors| panic!("{text}: {errors:?}"))
}

/// A tree whose nodes have so many different keys.
fn tree(nodes_max: usize, keys: u64) -> impl Strategy<Value = PlainTree> {
    shaped(nodes_max, keys, usize::MAX)
}

/// The same, of at most so many plies below the root.
pub(crate) fn shaped(nodes_max: usize, keys: u64, plies_max: usize) -> impl Strategy<Value = PlainTree> {
    let key = prop_oneof![
        12 => (0..keys).prop_map(|key| Some(key.wrapping_mul(0x9e37_79b9_7f4a_7c15))),
        1 => Just(None),
    ];
    let ratio = select(vec![Some(0.5), Some(-2.25), Some(-0.0), Some(0.0), None]);
    let node = (
        any::<u16>(),
        key,
        0..4_i128,
        -5..6_i128,
        ratio,
        any::<bool>(),
        select(vec!["e4", "d4", ""]),
        0..14_u8,
    );
    proptest::collection::vec(node, 1..=nodes_max).prop_map(move |nodes| {
        let mut tree = PlainTree::new(schema());
        let mut path: Vec<usize> = Vec::new();
        for (choice, key, depth, best, ratio, flag, name, lacks) in nodes {
            let plies = path.len().min(plies_max);
            path.truncate(if path.is_empty() { 0 } else { 1 + usize::from(choice) % plies });
            let mut values = vec![
                key.map(|key| Value::Integer(key.into())),
                Some(Value::Integer(depth)),
                Some(Value::Integer(best)),
                ratio.and_then(Value::float),
                Some(Value::Boolean(flag)),
                Some(Value::Text(name.into())),
            ];
            values.get_mut(usize::from(lacks)).into_iter().for_each(|value| *value = None);
            path.push(tree.push(path.last().copied(), 0, values).expect("preorder"));
        }
        tree
    })
}

/// What a twin or the node must be.
pub(crate) fn condition() -> impl Strategy<Value = String> {
    let number = || select(vec!["depth", "best", "ratio", "@ply", "node_id", "flag"]);
    let operator = || select(vec!["=", "!=", "<", "<=", ">", ">="]);
    let ordered = || select(vec!["depth", "best", "@size", "node_id"]);
    prop_oneof![
        4 => (ordered(), operator()).prop_map(|(number, operator)| format!("[]{number} {operator} {number}")),
        1 => (ordered(), operator(), ordered()).prop_map(|(a, operator, b)| format!("{a} {operator} []{b}")),
        1 => operator().prop_map(|operator| format!("[]ratio {operator} ratio")),
        1 => (number(), select(vec!["is known", "is unknown"])).prop_map(|(number, known)| format!("[]{number} {known}")),
        1 => (number(), select(vec!["is known", "is unknown"])).prop_map(|(number, known)| format!("{number} {known}")),
        1 => select(vec!["[]flag", "flag", "not []flag", "[]best > 0", "depth > 1", "[]best > 0 or flag"]).prop_map(str::to_owned),
    ]
}

fn conditions() -> impl Strategy<Value = String> {
    prop_oneof![
        1 => Just("*".to_owned()),
        6 => proptest::collection::vec(condition(), 1..4).prop_map(|all| all.join(" and ")),
    ]
}

fn query() -> impl Strategy<Value = String> {
    let keys = select(vec![
        "key",
        "key, depth",
        "depth",
        "best / 3",
        "ratio",
        "flag",
        "key, ratio",
        "1",
        "name",
        "depth, name",
        "if(flag, name, \"e4\")",
    ]);
    let filter =
        prop_oneof![1 => Just(String::new()), 1 => conditions().prop_map(|all| format!(" where {all}"))];
    let counted = (select(vec!["count", "any", "all"]), conditions(), filter.clone())
        .prop_map(|(function, all, filter)| format!("{function}({all}{filter})"));
    let taken = (
        select(vec!["sum", "avg", "min", "max", "median", "last"]),
        select(vec!["[]best", "[]node_id", "[]ratio", "[]depth + []best"]),
        filter,
    )
        .prop_map(|(function, number, filter)| format!("{function}({number}{filter})"));
    // Where conditions reject nodes, the aggregate is only computed at the others, unless more read it.
    let asked = select(vec![
        "select node_id, T",
        "node: best > 0 select node_id, T",
        "node: flag; child: count([]best > 0) > 0; node: T is known select node_id, T",
        "node: best > 0 or depth is unknown select node_id, T, [^]T",
        "node: flag; child: count([]T is known) > 0 select node_id, T",
        "let up = [^]T node: flag select node_id, T, up is known",
        "let many = tree: count(T is known) node: best > many - 90; node: depth > 1 select node_id, T",
    ]);
    (keys, prop_oneof![counted, taken], asked)
        .prop_map(|(keys, aggregate, asked)| format!("let T = twin({keys}): {aggregate}\n{asked}"))
}

proptest! {
    #![proptest_config(crate::support::cases(500))]

    #[test]
    fn they_agree_with_the_reference(
        queries in prop_oneof![2 => proptest::collection::vec(query(), 1), 1 => proptest::collection::vec(query(), 2..4)],
        tree in prop_oneof![tree(150, 2), tree(150, 20), tree(80, 60)],
        rows in select(vec![1_usize, 3, 7, 40, 64, 500]),
        threads in 1..4_usize,
    ) {
        // A `let` holds for the rest of the file: each has a name of its own.
        let named = |(place, query): (usize, &String)| {
            query.replace('T', &format!("t{place}")).replace(" up", &format!(" up{place}")).replace("many", &format!("many{place}"))
        };
        let text = queries.iter().enumerate().map(named).collect::<Vec<_>>().join("\n\n");
        let program = program(&text);
        let expected = reference::answer(&program, &tree);
        let found = answers(&program, &log_of(&tree, Cut::rows(rows)), threads);
        for ((query, expected), found) in program.queries.iter().zip(&expected).zip(&found) {
            prop_assert_eq!(found, expected, "{}", query.text);
        }
    }
}

/// So many nodes below a root, with keys and depths that the numbers of the nodes tell.
fn star(nodes: usize, key: impl Fn(usize) -> usize) -> PlainTree {
    let mut tree = PlainTree::new(schema());
    let integer = |value: usize| Some(Value::Integer(value as i128));
    for node in 0..nodes {
        let values = vec![
            integer(key(node)),
            integer(node % 7),
            integer(node % 100),
            None,
            Some(Value::Boolean(false)),
            None,
        ];
        tree.push((node > 0).then_some(0), 0, values).expect("preorder");
    }
    tree
}

#[test]
fn one_key_of_all_nodes_is_sorted_and_not_compared_each_with_each() {
    const NODES: usize = 60_000;
    let log = log_of(&star(NODES, |_| 5), Cut::rows(1000));
    let run = |text: &str| {
        engine::run(&program(text), log.tree(0).unwrap(), &Options::default())
            .map(|outcome| outcome.answers[0].clone())
    };
    for (text, count) in [
        ("node: count(*); twin(key): count(*) = 59999", NODES),
        ("node: count(*); twin(key): count([]depth >= depth) > 0", NODES),
        // All but the first of the deepest has one before it that is as deep.
        ("node: count(*); twin(key): count([]node_id < node_id and []depth >= depth) > 0", NODES - 7),
        ("node: count(*); twin(key): min([]best) != max([]best)", NODES),
        ("node: count(*); twin(key): count([]best = best and []node_id > node_id) = 0", 100),
    ] {
        assert_eq!(run(text).unwrap(), Ok(Answer::Count(count as u64)), "{text}");
    }
}

#[test]
fn what_would_compare_each_with_each_of_very_many_is_refused() {
    let log = log_of(&star(250_000, |_| 5), Cut::rows(30_000));
    let text = "node: count(*); twin(key): max([]best where []depth > depth) > 5";
    let refused = engine::run(&program(text), log.tree(0).unwrap(), &Options::default());
    assert!(matches!(refused, Err(Failure::TooManyTwins { nodes: 250_000 })), "{refused:?}");
    assert!(refused.unwrap_err().to_string().starts_with("250000 nodes have one key"));
}

/// A query that is decided without its aggregate gathers nothing for those of others.
#[test]
fn a_decided_query_shares_nothing() {
    let tree = star(50, |node| node / 2);
    let log = log_of(&tree, Cut::rows(8));
    let text =
        "twin(key): count(*) is known\n\ntwin(key): count([]depth > 2) > 0\n\ntwin(key): min([]best) > 7";
    let program = program(text);
    assert_eq!(answers(&program, &log, 2), reference::answer(&program, &tree));
}

#[test]
fn twins_have_a_bound_of_memory() {
    let log = log_of(&star(1000, |node| node / 2), Cut::rows(100));
    for text in ["node: count(*); twin(key): count(*) > 0", "node: count(*); twin(key): median([]best) > 0"] {
        let run = |memory: usize| {
            engine::run(&program(text), log.tree(0).unwrap(), &Options { memory, ..Options::default() })
        };
        assert!(matches!(run(10_000), Err(Failure::TooLarge { what: MemoryUse::Twins, .. })), "{text}");
        assert!(run(1 << 20).is_ok(), "{text}");
    }
}
