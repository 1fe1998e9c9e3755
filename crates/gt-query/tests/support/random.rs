//! Random trees, and random queries of the whole grammar, as text.

use gt_log::{Kind, Schema};
use gt_query::Value;
use gt_query::plain_tree::{self, PlainTree};
use proptest::prelude::*;
use proptest::sample::select;

/// Text that will be part of a query.
pub type Text = BoxedStrategy<String>;

/// The attributes of every random tree: at least one of each type.
pub fn schema() -> Schema {
    let attributes = [
        ("type", Kind::U8),
        ("best", Kind::I32),
        ("big", Kind::I64),
        ("hash", Kind::U64),
        ("ratio", Kind::F64),
        ("flag", Kind::Bool),
        ("label", Kind::Text),
        // A word of the language that is also a name.
        ("limit", Kind::I8),
        // The window that `best` was looked for in.
        ("alpha", Kind::I16),
        ("beta", Kind::I32),
    ];
    let aliases = [("PVNode", 1), ("CutNode", 2), ("AllNode", 4)];
    Schema::new(attributes).and_then(|schema| schema.with_aliases(aliases)).expect("a legal schema")
}

/// A tree that a failing test shows as text.
#[derive(Clone)]
pub struct Shown(pub PlainTree);

impl std::fmt::Debug for Shown {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "\n{}", plain_tree::print(&self.0, &moves()))
    }
}

/// Random trees: chains, stars, and everything between.
pub fn tree(nodes_max: usize) -> impl Strategy<Value = Shown> {
    let node = (any::<u16>(), values(), 0..4_i64, 0..8_u64, 0..12_u8);
    let lacks_nothing = any::<bool>();
    (0..4_u8, lacks_nothing, proptest::collection::vec(node, 1..=nodes_max)).prop_map(
        |(shape, whole, nodes)| {
            let mut tree = PlainTree::new(schema());
            let mut path: Vec<usize> = Vec::new();
            for (choice, values, last_move, left_out, mark) in nodes {
                let depth = match shape {
                    _ if path.is_empty() => 0,
                    0 => path.len(),
                    1 => 1,
                    // Narrow and deep, or anything.
                    2 => path.len() - usize::from(choice % 3 == 0 && path.len() > 1),
                    _ => 1 + usize::from(choice) % path.len(),
                };
                path.truncate(depth);
                let values = if whole { filled(values) } else { values };
                let number = tree.push(path.last().copied(), last_move, values).expect("preorder");
                let node = tree.node_mut(number).expect("just made");
                node.left_out = if left_out == 7 { 3 } else { 0 };
                node.unfinished = mark == 0;
                path.push(number);
            }
            Shown(tree)
        },
    )
}

fn values() -> impl Strategy<Value = Vec<Option<Value>>> {
    let integer = |range: std::ops::Range<i128>| range.prop_map(|value| Some(Value::Integer(value)));
    let big = prop_oneof![
        8 => integer(-3..4),
        1 => Just(Some(Value::Integer(i64::MAX.into()))),
        1 => Just(Some(Value::Integer(i64::MIN.into()))),
    ];
    let hash = prop_oneof![4 => integer(0..9), 1 => Just(Some(Value::Integer(u64::MAX.into())))];
    let ratios = vec![Some(0.1), Some(0.5), Some(-2.25), Some(1e16), Some(1.0), Some(f64::INFINITY), None];
    let ratio = select(ratios).prop_map(|ratio| ratio.and_then(Value::float));
    let flag = any::<bool>().prop_map(|value| Some(Value::Boolean(value)));
    let label =
        select(vec!["", "a", "b", "ab", "a \"quoted\" \\ =é\n\t"]).prop_map(|text| Some(Value::text(text)));
    let window = (integer(-5..3), integer(-1..6));
    let all = (integer(0..8), integer(-5..6), big, hash, ratio, flag, label, integer(-2..3), window)
        .prop_map(|(a, b, c, d, e, f, g, h, (alpha, beta))| vec![a, b, c, d, e, f, g, h, alpha, beta]);
    (
        all,
        prop_oneof![3 => Just(0_u16), 1 => any::<u16>(), 1 => select(vec![u16::MAX, 0b1000_0010, 2, 1 << 9])],
    )
        .prop_map(|(values, lacking)| {
            let known = |(place, value): (usize, Option<Value>)| value.filter(|_| lacking >> place & 1 == 0);
            values.into_iter().enumerate().map(known).collect()
        })
}

/// The values, with something in the place of what is missing but for floats that are not numbers.
fn filled(values: Vec<Option<Value>>) -> Vec<Option<Value>> {
    let kinds = schema().attributes().iter().map(|attribute| attribute.kind).collect::<Vec<_>>();
    let filled = values.into_iter().zip(kinds).map(|(value, kind)| match kind {
        Kind::F64 => value,
        Kind::Bool => value.or(Some(Value::Boolean(false))),
        Kind::Text => value.or_else(|| Some(Value::text("ab"))),
        _ => value.or(Some(Value::Integer(1))),
    });
    filled.collect()
}

/// The moves of random trees are numbers.
pub fn moves() -> plain_tree::Moves {
    plain_tree::Moves::default()
}

/// Where an expression stands.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Place {
    /// At a node.
    Node,
    /// In an aggregate over children.
    Child,
}

fn prefix(place: Place) -> Text {
    let mut prefixes = vec!["", "", "", "", "[^]", "[^^]", "[0]", "[-1]", "[<]", "[>]"];
    if place == Place::Child {
        prefixes.extend(["[]", "[]", "[]", "[]"]);
    }
    select(prefixes).prop_map(str::to_owned).boxed()
}

/// An attribute, structure or derived column that is a number; there are `lets` of the last.
fn field(place: Place, lets: usize) -> Text {
    let mut names: Vec<String> = [
        "type",
        "type",
        "best",
        "best",
        "big",
        "hash",
        "ratio",
        "limit",
        "node_id",
        "last_move",
        "@ply",
        "@size",
        "@height",
        "@children",
        "@index",
        "@parent",
        "@left_out",
        "@total",
    ]
    .map(str::to_owned)
    .to_vec();
    names.extend((0..lets).flat_map(|number| [format!("q{number}"), format!("q{number}")]));
    (prefix(place), select(names)).prop_map(|(prefix, name)| prefix + &name).boxed()
}

/// A number.
pub fn number(place: Place, lets: usize, depth: u32) -> Text {
    let leaf = prop_oneof![
        5 => field(place, lets),
        2 => (-4..7_i32).prop_map(|value| value.to_string()),
        1 => select(vec!["PVNode", "AllNode", "2.5", "-0.5", "$x", "9223372036854775807"]).prop_map(str::to_owned),
    ];
    if depth == 0 {
        return leaf.boxed();
    }
    let inner = || number(place, lets, depth - 1);
    let integers =
        || (prefix(place), select(vec!["type", "best", "hash"])).prop_map(|(prefix, name)| prefix + name);
    prop_oneof![
        4 => leaf,
        2 => (inner(), select(vec!["+", "-", "*", "/", "%"]), inner())
            .prop_map(|(left, operator, right)| format!("({left} {operator} {right})")),
        1 => (integers(), select(vec!["&", "|"]), integers())
            .prop_map(|(left, operator, right)| format!("({left} {operator} {right})")),
        1 => inner().prop_map(|value| format!("abs({value})")),
        1 => inner().prop_map(|value| format!("-({value})")),
    ]
    .boxed()
}

/// A truth value.
pub fn truth(place: Place, lets: usize, depth: u32) -> Text {
    let comparison = || select(vec!["=", "!=", "<", "<=", ">", ">="]);
    let numbers = move || number(place, lets, depth.min(1));
    let leaf = prop_oneof![
        6 => (numbers(), comparison(), numbers()).prop_map(|(l, operator, r)| format!("{l} {operator} {r}")),
        2 => (prefix(place), select(vec!["type & PVNode", "type & CutNode", "best | 0", "flag", "@unfinished"]))
            .prop_map(|(prefix, name)| prefix + name),
        1 => (prefix(place), select(vec!["label = \"a\"", "label < \"ab\"", "flag = true", "last_move = \"2\""]))
            .prop_map(|(prefix, name)| prefix + name),
        1 => (prefix(place), select(vec!["@bound = \"exact\"", "@bound != \"lower\"", "@bound > \"exact\"", "@bound = label"]))
            .prop_map(|(prefix, name)| prefix + name),
        1 => (prefix(place), select(vec!["label", "flag", "@bound", "best", "ratio", "@parent"]), knowledge())
            .prop_map(|(prefix, name, known)| format!("{prefix}{name} {known}")),
        1 => (numbers(), knowledge()).prop_map(|(value, known)| format!("{value} {known}")),
        1 => (numbers(), numbers(), numbers()).prop_map(|(item, a, b)| format!("{item} in ({a}, {b})")),
        1 => Just("*".to_owned()),
    ];
    if depth == 0 {
        return leaf.boxed();
    }
    combined(leaf.boxed(), move || truth(place, lets, depth - 1))
}

fn knowledge() -> impl Strategy<Value = &'static str> {
    select(vec!["is known", "is unknown"])
}

/// `leaf`, or `not`, `and` and `or` of what is inside.
fn combined(leaf: Text, inner: impl Fn() -> Text) -> Text {
    prop_oneof![
        4 => leaf,
        1 => inner().prop_map(|value| format!("not ({value})")),
        1 => (inner(), knowledge()).prop_map(|(value, known)| format!("({value}) {known}")),
        1 => (inner(), inner()).prop_map(|(left, right)| format!("({left}) and ({right})")),
        1 => (inner(), inner()).prop_map(|(left, right)| format!("({left}) or ({right})")),
    ]
    .boxed()
}

/// An aggregate that is a number, over children where `place` says so.
fn aggregate(place: Place, lets: usize) -> Text {
    let filter = prop_oneof![
        2 => Just(String::new()),
        1 => truth(place, lets, 1).prop_map(|filter| format!(" where {filter}")),
    ];
    let call = prop_oneof![
        1 => Just("count(*".to_owned()),
        3 => truth(place, lets, 1).prop_map(|value| format!("count({value}")),
        3 => (select(vec!["sum", "min", "max", "avg"]), number(place, lets, 1))
            .prop_map(|(function, value)| format!("{function}({value}")),
    ];
    (call, filter).prop_map(|(call, filter)| format!("{call}{filter})")).boxed()
}

/// An aggregate that is a text.
fn text_aggregate(place: Place) -> Text {
    let filter = prop_oneof![1 => Just(""), 1 => Just(" where best > 0")];
    (select(vec!["min", "max"]), prefix(place), filter)
        .prop_map(|(function, prefix, filter)| format!("{function}({prefix}label{filter})"))
        .boxed()
}

/// What follows `child:`, `subtree:` or `path:`.
pub fn part(scope: &'static str, lets: usize) -> Text {
    let (outside, inside) =
        if scope == "child" { (Place::Node, Place::Child) } else { (Place::Node, Place::Node) };
    let comparison = select(vec!["=", "!=", "<", "<=", ">", ">="]);
    let other = prop_oneof![2 => number(outside, lets, 0), 1 => aggregate(inside, lets)];
    let leaf = prop_oneof![
        4 => (aggregate(inside, lets), comparison, other)
            .prop_map(|(left, operator, right)| format!("{left} {operator} {right}")),
        1 => (select(vec!["any", "all"]), truth(inside, lets, 1))
            .prop_map(|(function, value)| format!("{function}({value})")),
        1 => (aggregate(inside, lets), knowledge()).prop_map(|(call, known)| format!("{call} {known}")),
        1 => (text_aggregate(inside), select(vec!["=", "<", ">="]), select(vec!["\"\"", "\"a\"", "label"]))
            .prop_map(|(call, operator, text)| format!("{call} {operator} {text}")),
    ]
    .boxed();
    combined(leaf.clone(), move || leaf.clone())
}

/// The value of the `let` that comes after `lets` others.
fn derived(lets: usize) -> Text {
    let scoped =
        |scope: &'static str, place| aggregate(place, lets).prop_map(move |call| format!("{scope}:{call}"));
    prop_oneof![
        1 => number(Place::Node, lets, 2),
        2 => scoped("child", Place::Child),
        2 => scoped("subtree", Place::Node),
        1 => scoped("path", Place::Node),
        1 => (scoped("subtree", Place::Node), number(Place::Node, lets, 0)).prop_map(|(a, b)| format!("{a} - {b}")),
    ]
    .boxed()
}

/// `node:` and the clauses, which shape the result together.
fn node_and_clauses(lets: usize) -> BoxedStrategy<(String, String)> {
    let node = move || prop_oneof![1 => Just(String::new()), 3 => truth(Place::Node, lets, 2).prop_map(|e| format!("node: {e};"))];
    let order = prop_oneof![
        1 => Just(String::new()),
        1 => (number(Place::Node, lets, 1), any::<bool>())
            .prop_map(|(key, desc)| format!(" order by {key}{}", if desc { " desc" } else { "" })),
    ];
    let limit = || prop_oneof![2 => Just(String::new()), 1 => (0..6_u8).prop_map(|n| format!(" limit {n}"))];
    let result = aggregate(Place::Node, lets);
    let truth_result =
        (select(vec!["any", "all"]), truth(Place::Node, lets, 1)).prop_map(|(f, e)| format!("{f}({e})"));
    let key = select(vec!["@ply", "type", "flag", "label", "best % 2", "@bound", "[^]best", "best is known"]);
    prop_oneof![
        3 => node().prop_map(|node| (node, String::new())),
        2 => prop_oneof![3 => result, 3 => truth_result, 1 => text_aggregate(Place::Node)].prop_map(|call| (format!("node: {call};"), String::new())),
        1 => (node(), order.clone(), limit()).prop_map(|(node, order, limit)| (node, order + &limit)),
        2 => (node(), number(Place::Node, lets, 1), order, limit()).prop_map(|(node, cell, order, limit)| {
            (node, format!(" select node_id, {cell}, label, @line, @bound, [^]@line, last_move{order}{limit}"))
        }),
        2 => (node(), key, aggregate(Place::Node, lets), limit()).prop_map(|(node, key, call, limit)| {
            (node, format!(" group by {key} select {key}, count(*), max(label), {call} order by {call} desc{limit}"))
        }),
        1 => (node(), limit()).prop_map(|(node, limit)| (node, format!(" select *{limit}"))),
        1 => (node(), aggregate(Place::Node, lets)).prop_map(|(node, call)| (node, format!(" select {call} + 1"))),
    ]
    .boxed()
}

fn query(lets: usize) -> Text {
    let optional = |scope: &'static str| prop_oneof![2 => Just(String::new()), 1 => part(scope, lets).prop_map(move |expr| format!(" {scope}: {expr};"))];
    let parts = (node_and_clauses(lets), optional("child"), optional("subtree"), optional("path"));
    parts
        .prop_map(|((node, clauses), child, subtree, path)| {
            let parts = format!("{node}{child}{subtree}{path}");
            format!("{}{clauses}", if parts.is_empty() { "node: *".to_owned() } else { parts })
        })
        .boxed()
}

/// A query file: some `let`s and one or two queries.
pub fn query_file() -> Text {
    // Each is built once: building them anew for each case would take most of a test's time.
    prop_oneof![query_file_with(0), query_file_with(1), query_file_with(2)].boxed()
}

fn query_file_with(lets: usize) -> Text {
    let derived: Vec<Text> = (0..lets).map(derived).collect();
    (derived, proptest::collection::vec(query(lets), 1..3))
        .prop_map(|(lets, queries)| {
            let lets = lets.iter().enumerate().map(|(number, value)| format!("let q{number} = {value}\n"));
            lets.collect::<String>() + &queries.join("\n\n") + "\n"
        })
        .boxed()
}
