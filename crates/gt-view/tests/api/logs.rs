//! Small logs to serve.

use std::path::Path;

use gt_games::registry::{AnyGame, GameKind, Setup};
use gt_log::{Header, Kind, LogWriter, Metadata, Options, Schema, TreeBuilder, Value};

fn schema() -> Schema {
    let schema =
        Schema::new([("best", Kind::I32), ("type", Kind::U8), ("hash", Kind::U64), ("note", Kind::Text)]);
    schema.unwrap().with_aliases([("PVNode", 1), ("CutNode", 2), ("QNode", 8)]).unwrap()
}

fn values(number: i64) -> [Value; 4] {
    let note = if number % 2 == 0 { "even" } else { "odd, \"quoted\"" };
    [
        Value::Int(number % 21 - 10),
        Value::Int(1 << (number % 2)),
        Value::UInt(u64::MAX - number as u64),
        Value::Text(note.to_owned()),
    ]
}

/// Two trees of a game: all moves from the start, and all replies to the first three.
pub(crate) fn game(kind: GameKind) -> impl Fn(&Path) {
    move |path| {
        let log =
            LogWriter::create(path, Header::new(kind.name(), schema()).with("engine", "a test")).unwrap();
        for depth in [1, 2] {
            let start = kind.open(&Setup::default()).unwrap();
            let mut tree = TreeBuilder::new(&schema());
            let root = tree.add(None, 0, &values(0)).unwrap();
            grow(&mut tree, root, &*start, depth);
            let metadata =
                Metadata::new().with("nominal_depth", depth).with("position", start.position_text());
            tree.finish(&log, &metadata, Options::default()).unwrap();
        }
        log.finish().unwrap();
    }
}

fn grow(tree: &mut TreeBuilder, node: u64, game: &dyn AnyGame, depth: u32) {
    for (index, named) in game.moves().into_iter().take(200).enumerate() {
        let number = tree.nodes() as i64;
        let child = tree.add(Some(node), named.code, &values(number)).unwrap();
        if depth > 1 && index < 3 {
            let mut next = game.boxed_clone();
            next.play(&named.text).unwrap();
            grow(tree, child, &*next, depth - 1);
        }
    }
}

/// A root with so many leaves, and a chain of so many nodes, in two trees.
pub(crate) fn extreme(nodes: u64) -> impl Fn(&Path) {
    move |path| {
        let schema = Schema::new([("best", Kind::I32)]).unwrap();
        let log = LogWriter::create(path, Header::new("", schema)).unwrap();
        let record = |number: u64| [Value::Int((number % 100) as i64)];
        let mut star = log.dynamic_tree(&Metadata::new(), Options::default()).unwrap();
        star.enter(0).unwrap();
        for number in 0..nodes {
            star.enter(number as i64).unwrap();
            star.leave_values(&record(number)).unwrap();
        }
        star.leave_values(&record(0)).unwrap();
        star.finish().unwrap();
        let mut chain = log.dynamic_tree(&Metadata::new(), Options::default()).unwrap();
        (0..nodes).for_each(|number| chain.enter(number as i64).unwrap());
        (0..nodes).for_each(|number| chain.leave_values(&record(number)).unwrap());
        chain.finish().unwrap();
        log.finish().unwrap();
    }
}

/// What stands at a node of two merged trees: its parent, its move, A's and B's `best`, the cause.
type MergedNode = (Option<u64>, &'static str, Option<i64>, Option<i64>, Option<u64>);

/// In A `1. e4 e5` and `1. d4`, in B `1. e4 c5 2. Nf3` and `1. d4` with another value, which the root then has too.
const MERGED: [MergedNode; 6] = [
    (None, "", Some(10), Some(20), Some(2)),
    (Some(0), "e2e4", Some(-10), Some(-10), None),
    (Some(1), "e7e5", Some(10), None, Some(1)),
    (Some(1), "c7c5", None, Some(5), Some(1)),
    (Some(3), "g1f3", None, Some(-5), Some(1)),
    (Some(0), "d2d4", Some(0), Some(-20), Some(2)),
];

/// Two trees merged into one, as `gt diff` writes them.
pub(crate) fn merged(path: &Path) {
    let record = ["alpha", "beta", "best"].map(|name| (name.to_owned(), Kind::I32));
    let other = record.clone().map(|(name, kind)| (format!("other_{name}"), kind));
    let flags = ["only_a", "only_b", "matched", "changed"].map(|name| (name.to_owned(), Kind::Bool));
    let codes = ["difference", "cause"].map(|name| (name.to_owned(), Kind::U8));
    let places = ["node_a", "node_b", "size_a", "size_b"].map(|name| (name.to_owned(), Kind::U64));
    let schema = Schema::new(record.into_iter().chain(other).chain(flags).chain(codes).chain(places))
        .unwrap()
        .with_aliases_of("difference", [("Same", 0), ("Changed", 1), ("OnlyA", 2), ("OnlyB", 3)])
        .unwrap()
        .with_aliases_of("cause", [("TableHit", 1), ("Evaluation", 2)])
        .unwrap();
    let header = Header::new("chess", schema.clone()).with("diff_a", "a.gtf, tree 3").with("diff_b", "b.gtf");
    let log = LogWriter::create(path, header).unwrap();
    let mut tree = TreeBuilder::new(&schema);
    let (mut in_a, mut in_b) = (0, 0);
    for (parent, text, a, b, cause) in MERGED {
        let value = |value: Option<i64>| value.map_or(Value::Missing, Value::Int);
        let window = |present: Option<i64>, end: i64| value(present.map(|_| end));
        let number = |value: Option<u64>| value.map_or(Value::Missing, Value::UInt);
        let difference = match (a, b) {
            (Some(_), None) => 2,
            (None, _) => 3,
            (a, b) => u64::from(a != b),
        };
        let place = |present: bool, next: &mut u64| {
            *next += u64::from(present);
            number(present.then(|| *next - 1))
        };
        let (node_a, node_b) = (place(a.is_some(), &mut in_a), place(b.is_some(), &mut in_b));
        let truth = |kind: u64| Value::Bool(difference == kind);
        let record = [
            [window(a, -15), window(a, 15), value(a), window(b, -15), window(b, 15), value(b)].as_slice(),
            &[truth(2), truth(3), Value::Bool(difference < 2), truth(1)],
            &[Value::UInt(difference), number(cause), node_a, node_b],
            &[number(a.map(|_| 1)), number(b.map(|_| 1))],
        ]
        .concat();
        let code = GameKind::Chess.move_code(text).unwrap_or(0);
        tree.add(parent, code, &record).unwrap();
    }
    tree.finish(&log, &Metadata::new(), Options::default()).unwrap();
    log.finish().unwrap();
}

/// A game that nobody knows, whose nodes say what their moves are: the move 1 is another one at each ply.
pub(crate) fn named_by_nodes(path: &Path) {
    let schema = Schema::new([("best", Kind::I32), ("label", Kind::Text)]).unwrap();
    let header = Header::new("tak", schema.clone()).with("names", "move_name=label");
    let log = LogWriter::create(path, header).unwrap();
    log.name_moves([(2, "two")]).unwrap();
    let mut tree = TreeBuilder::new(&schema);
    let nodes = [(None, 0, ""), (Some(0), 1, "a1"), (Some(1), 1, "Cb2+"), (Some(0), 2, ""), (Some(0), 5, "")];
    for (parent, code, label) in nodes {
        tree.add(parent, code, &[Value::Int(code), Value::Text(label.to_owned())]).unwrap();
    }
    tree.finish(&log, &Metadata::new(), Options::default()).unwrap();
    log.finish().unwrap();
}
