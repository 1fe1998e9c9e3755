//! Random trees, and random queries of the whole grammar, as text.

use super::callable::{Sort, calls, relatives, scopes};
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
    let node = (any::<u16>(), node_values(), 0..4_i64, 0..8_u64, 0..12_u8);
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

fn node_values() -> impl Strategy<Value = Vec<Option<Value>>> {
    let integer = |range: std::ops::Range<i128>| range.prop_map(|value| Some(Value::Integer(value)));
    let big = prop_oneof![
        8 => integer(-3..4),
        1 => Just(Some(Value::Integer(i64::MAX.into()))),
        1 => Just(Some(Value::Integer(i64::MIN.into()))),
    ];
    let beyond_signed =
        select(vec![u64::MAX, 1 << 63, (1 << 63) + 1]).prop_map(|value| Some(Value::Integer(value.into())));
    let hash = prop_oneof![4 => integer(0..9), 1 => beyond_signed];
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
    /// In an aggregate over children, siblings or twins.
    Other,
}

fn prefix(place: Place) -> Text {
    let mut prefixes = relatives(place == Place::Other);
    let often = if place == Place::Other { ["", "[]"] } else { ["", ""] };
    prefixes.extend(often.iter().cycle().take(prefixes.len()).map(|prefix| (*prefix).to_owned()));
    select(prefixes).boxed()
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

/// Values of each sort: a number, a truth value, a text and a share.
type Sorts = [Text; 4];

fn values(place: Place, lets: usize, depth: u32) -> Sorts {
    let share = select(vec!["0", "0.1", "0.5", "0.75", "1"]).prop_map(str::to_owned).boxed();
    // Bits are taken for a truth value only where one is needed.
    let truth = truth(place, lets, depth).prop_map(|value| format!("({value}) and true")).boxed();
    [number(place, lets, depth), truth, text(place, depth), share]
}

/// A call of any function of the vocabulary that gives values of this sort, or of an aggregate.
fn call(sort: Sort, is_aggregate: bool, values: &Sorts) -> Text {
    let fitting = calls().iter().filter(|call| call.is_aggregate == is_aggregate && call.result == sort);
    let each = fitting.map(|call| {
        let arguments: Vec<Text> = call.arguments.iter().map(|sort| values[*sort as usize].clone()).collect();
        let opening = call.opening.clone();
        // After `distinct` a sign would be an operator.
        let in_parentheses = opening.ends_with(' ');
        let arguments = arguments.prop_map(move |arguments| match in_parentheses {
            true => format!("({})", arguments.join(", ")),
            false => arguments.join(", "),
        });
        arguments.prop_map(move |arguments| opening.clone() + &arguments).boxed()
    });
    proptest::strategy::Union::new(each).boxed()
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
        2 => call(Sort::Number, false, &values(place, lets, depth - 1)).prop_map(|call| format!("{call})")),
        1 => inner().prop_map(|value| format!("-({value})")),
    ]
    .boxed()
}

/// A text.
pub fn text(place: Place, depth: u32) -> Text {
    let constant = select(vec!["\"\"", "\"a\"", "\"AB\"", "\"lower\""]).prop_map(str::to_owned);
    let name =
        (prefix(place), select(vec!["label", "label", "@bound"])).prop_map(|(prefix, name)| prefix + name);
    let leaf = prop_oneof![3 => name, 1 => constant];
    if depth == 0 {
        return leaf.boxed();
    }
    let functions = call(Sort::Text, false, &values(place, 0, depth - 1)).prop_map(|call| format!("{call})"));
    prop_oneof![3 => leaf, 1 => functions].boxed()
}

/// A truth value.
pub fn truth(place: Place, lets: usize, depth: u32) -> Text {
    let comparison = || select(vec!["=", "!=", "<", "<=", ">", ">="]);
    let numbers = move || number(place, lets, depth.min(1));
    let texts = || text(place, depth.min(1));
    let leaf = prop_oneof![
        6 => (numbers(), comparison(), numbers()).prop_map(|(l, operator, r)| format!("{l} {operator} {r}")),
        2 => (texts(), comparison(), texts()).prop_map(|(l, operator, r)| format!("{l} {operator} {r}")),
        2 => (prefix(place), select(vec!["type & PVNode", "type & CutNode", "best | 0", "flag", "@unfinished"]))
            .prop_map(|(prefix, name)| prefix + name),
        1 => (prefix(place), select(vec!["flag = true", "last_move = \"2\"", "@bound = \"exact\""]))
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
    let functions =
        call(Sort::Truth, false, &values(place, lets, depth - 1)).prop_map(|call| format!("{call})"));
    combined(prop_oneof![6 => leaf, 1 => functions].boxed(), move || truth(place, lets, depth - 1))
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

/// An aggregate that gives values of this sort.
fn aggregate(sort: Sort, place: Place, lets: usize) -> Text {
    let filter = prop_oneof![
        2 => Just(String::new()),
        1 => truth(place, lets, 1).prop_map(|filter| format!(" where {filter}")),
    ];
    let any = call(sort, true, &values(place, lets, 1));
    let call = if sort == Sort::Number {
        // Counts are what is asked most.
        let count = truth(place, lets, 1).prop_map(|value| format!("count({value}"));
        prop_oneof![1 => Just("count(*".to_owned()), 3 => count, 6 => any].boxed()
    } else {
        any
    };
    (call, filter).prop_map(|(call, filter)| format!("{call}{filter})")).boxed()
}

/// What follows `child:` or its like.
fn part(inside: Place, lets: usize) -> Text {
    let comparison = select(vec!["=", "!=", "<", "<=", ">", ">="]);
    let numbers = || aggregate(Sort::Number, inside, lets);
    let other = prop_oneof![2 => number(Place::Node, lets, 0), 1 => numbers()];
    let leaf = prop_oneof![
        4 => (numbers(), comparison, other).prop_map(|(left, operator, right)| format!("{left} {operator} {right}")),
        1 => aggregate(Sort::Truth, inside, lets),
        1 => (numbers(), knowledge()).prop_map(|(call, known)| format!("{call} {known}")),
        1 => (aggregate(Sort::Text, inside, lets), select(vec!["=", "<", ">="]), text(Place::Node, 0))
            .prop_map(|(call, operator, text)| format!("{call} {operator} {text}")),
    ]
    .boxed();
    combined(leaf.clone(), move || leaf.clone())
}

fn place(sees_others: bool) -> Place {
    if sees_others { Place::Other } else { Place::Node }
}

/// The value of the `let` that comes after `lets` others.
fn derived(lets: usize) -> Text {
    let scoped = scopes().iter().map(|(scope, sees_others)| {
        let call = aggregate(Sort::Number, place(*sees_others), lets);
        call.prop_map(move |call| format!("{scope}:{call}")).boxed()
    });
    let scoped = proptest::strategy::Union::new(scoped).boxed();
    prop_oneof![
        1 => number(Place::Node, lets, 2),
        6 => scoped.clone(),
        1 => (scoped, number(Place::Node, lets, 0)).prop_map(|(a, b)| format!("{a} - {b}")),
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
    let result = |sort: Sort| aggregate(sort, Place::Node, lets);
    let key = select(vec![
        "@ply",
        "type",
        "flag",
        "label",
        "best % 2",
        "@bound",
        "[^]best",
        "best is known",
        "round(ratio)",
    ]);
    prop_oneof![
        3 => node().prop_map(|node| (node, String::new())),
        2 => prop_oneof![3 => result(Sort::Number), 2 => result(Sort::Truth), 1 => result(Sort::Text)].prop_map(|call| (format!("node: {call};"), String::new())),
        1 => (node(), order.clone(), limit()).prop_map(|(node, order, limit)| (node, order + &limit)),
        2 => (node(), number(Place::Node, lets, 1), text(Place::Node, 1), order, limit()).prop_map(|(node, cell, text, order, limit)| {
            (node, format!(" select node_id, {cell} as cell, {text}, @line, @bound, [^]@line, last_move{order}{limit}"))
        }),
        2 => (node(), key, result(Sort::Number), limit()).prop_map(|(node, key, call, limit)| {
            (node, format!(" group by {key} select {key}, count(*), max(label), {call} as result order by result desc{limit}"))
        }),
        1 => (node(), limit()).prop_map(|(node, limit)| (node, format!(" select *{limit}"))),
        1 => (node(), result(Sort::Number)).prop_map(|(node, call)| (node, format!(" select {call} + 1"))),
    ]
    .boxed()
}

fn query(lets: usize) -> Text {
    let mut written: Vec<&str> = Vec::new();
    let mut parts: Vec<Text> = Vec::new();
    for (scope, sees_others) in scopes() {
        // Each part at most once: of the twins, those with the first keys.
        let word = scope.split('(').next().unwrap_or(scope);
        if !written.contains(&word) {
            written.push(word);
            let part = part(place(*sees_others), lets).prop_map(move |expr| format!(" {scope}: {expr};"));
            parts.push(prop_oneof![5 => Just(String::new()), 1 => part].boxed());
        }
    }
    (node_and_clauses(lets), parts)
        .prop_map(|((node, clauses), parts)| {
            let parts = node + &parts.concat();
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
