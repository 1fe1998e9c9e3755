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
