//! A log that is right raises no doubt; one that is wrong in one way raises the doubt that names it.

use gt_log::{Kind, Log, LogWriter, Metadata, Options, Schema, TreeWriter, Value};
use gt_report::profile::{Profile, figures_of};

const MOVES: u64 = 6;
const DEPTH: i32 = 6;

/// What can be done wrong when an engine is logged.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Mistake {
    None,
    MoveIndexFrom1,
    NoCutNodes,
    CutAndAllSwapped,
    WindowSwapped,
    AlphaRaised,
    WindowOfTheRoot,
    ValuesOfTheRoot,
    MovesThatAreNotSearched,
    ValuesNeverSet,
    DepthFromTheRoot,
    PlyFromTheGame,
    MovesNeverPassed,
}

const PV: i64 = 1;
const CUT: i64 = 2;
const ALL: i64 = 4;

/// What an engine knows of a node.
struct Node {
    ply: i32,
    alpha: i32,
    beta: i32,
    expected: i64,
    index: u64,
}

/// A fail-soft alpha-beta search of a tree whose values are sums of random steps, searched in the order of the steps.
struct Engine {
    tree: TreeWriter,
    mistake: Mistake,
}

fn step(position: u64, mv: u64) -> i32 {
    let mixed = (position * 31 + mv + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (mixed >> 40) as i32 % 100
}

impl Engine {
    fn search(&mut self, position: u64, value: i32, last_move: i64, node: &Node) -> i32 {
        let passed = if self.mistake == Mistake::MovesNeverPassed { 0 } else { last_move };
        self.tree.enter(passed).unwrap();
        let (mut best, mut alpha) = (i32::MIN / 2, node.alpha);
        if node.ply == DEPTH {
            best = value;
        } else {
            let mut moves: Vec<u64> = (0..MOVES).collect();
            moves.sort_by_key(|mv| std::cmp::Reverse(step(position, *mv)));
            for (index, mv) in moves.into_iter().enumerate() {
                let expected = match (node.expected, index) {
                    (PV, 0) => PV,
                    (CUT, _) => ALL,
                    _ => CUT,
                };
                let child = Node {
                    ply: node.ply + 1,
                    alpha: -node.beta,
                    beta: -alpha,
                    expected,
                    index: index as u64,
                };
                let after = -(value + step(position, mv));
                let found = -self.search(position * MOVES + mv + 1, after, mv as i64 + 1, &child);
                best = best.max(found);
                alpha = alpha.max(best);
                if alpha >= node.beta {
                    self.log_unsearched(index + 1, &child);
                    break;
                }
            }
        }
        let values = self.values(node, best, alpha);
        self.tree.leave_values(&values).unwrap();
        best
    }

    /// Enters the moves from this one on, which nobody searches.
    fn log_unsearched(&mut self, first: usize, sibling: &Node) {
        if self.mistake == Mistake::MovesThatAreNotSearched {
            for index in first as u64..MOVES {
                self.tree.enter(100 + index as i64).unwrap();
                let values = self.values(&Node { index, ..*sibling }, sibling.alpha, sibling.alpha);
                self.tree.leave_values(&values).unwrap();
            }
        }
    }

    /// What is logged, with the mistake in it.
    fn values(&self, node: &Node, best: i32, raised: i32) -> Vec<Value> {
        let is_other = node.ply % 2 == 1;
        let (mut window, mut kind) = ((node.alpha, node.beta), node.expected);
        let (mut depth, mut ply, mut index) = (DEPTH - node.ply, node.ply, node.index);
        let mut value = best;
        match self.mistake {
            Mistake::None | Mistake::MovesNeverPassed | Mistake::MovesThatAreNotSearched => {}
            Mistake::MoveIndexFrom1 => index += 1,
            Mistake::NoCutNodes => kind &= !CUT,
            Mistake::CutAndAllSwapped => {
                kind = match kind {
                    CUT => ALL,
                    ALL => CUT,
                    other => other,
                }
            }
            Mistake::WindowSwapped => window = (window.1, window.0),
            Mistake::AlphaRaised => window.0 = raised.min(window.1),
            Mistake::WindowOfTheRoot if is_other => window = (-window.1, -window.0),
            Mistake::ValuesOfTheRoot if is_other => value = -value,
            Mistake::WindowOfTheRoot | Mistake::ValuesOfTheRoot => {}
            Mistake::ValuesNeverSet => value = 0,
            Mistake::DepthFromTheRoot => depth = node.ply,
            Mistake::PlyFromTheGame => ply += 40,
        }
        let numbers = [ply, depth, window.0, window.1, value].map(i64::from);
        numbers.into_iter().chain([kind, index as i64]).map(Value::Int).collect()
    }
}

fn log(mistake: Mistake, metadata: &Metadata) -> Log {
    let names = ["ply", "depth", "alpha", "beta", "best", "type", "move_index"];
    let schema = Schema::new(names.map(|name| (name, Kind::I32))).unwrap();
    let flags = [("PVNode", PV), ("CutNode", CUT), ("AllNode", ALL)];
    let schema = schema.with_aliases_of("type", flags).unwrap();
    let writer = LogWriter::to_memory(gt_log::Header::new("steps", schema)).unwrap();
    let tree = writer.dynamic_tree(metadata, Options::default()).unwrap();
    let mut engine = Engine { tree, mistake };
    let root = Node { ply: 0, alpha: -10_000, beta: 10_001, expected: PV, index: 0 };
    engine.search(1, 0, 0, &root);
    engine.tree.finish().unwrap();
    Log::from_bytes(writer.into_memory().unwrap()).unwrap()
}

/// The names of the doubts, and the whole profile as text and JSON.
fn doubts(log: &Log) -> (Vec<&'static str>, String, serde_json::Value) {
    let selection = figures_of(log).unwrap();
    let tree = log.tree(0).unwrap();
    let profile = Profile::of(log, tree, &selection, &gt_query::engine::Options::default()).unwrap();
    let names = profile.doubts().iter().map(|doubt| doubt.name).collect();
    let style = gt_report::plot::Style { width: 100, unicode: true, color: false };
    let text = gt_report::document::text(&profile.document("log", None), style);
    (names, text, profile.to_json("log", None))
}

#[test]
fn a_log_that_is_right_raises_none() {
    let log = log(Mistake::None, &Metadata::new());
    assert!(log.tree(0).unwrap().nodes() > 1000);
    let (names, text, json) = doubts(&log);
    assert!(names.is_empty(), "{names:?}");
    assert!(!text.contains("Can this be?"), "{text}");
    assert_eq!(json["doubts"], serde_json::json!([]));
}

#[test]
fn each_mistake_is_asked_about() {
    let expected = [
        (Mistake::MoveIndexFrom1, "move-index-from-1"),
        (Mistake::NoCutNodes, "no-cut-nodes"),
        (Mistake::CutAndAllSwapped, "types-swapped"),
        (Mistake::WindowSwapped, "window-swapped"),
        (Mistake::AlphaRaised, "window-empty"),
        (Mistake::WindowOfTheRoot, "window-of-one-player"),
        (Mistake::ValuesOfTheRoot, "values-of-one-player"),
        (Mistake::MovesThatAreNotSearched, "first-move-cutoffs"),
        (Mistake::ValuesNeverSet, "values-zero"),
        (Mistake::DepthFromTheRoot, "depth-grows"),
        (Mistake::PlyFromTheGame, "ply-differs"),
        (Mistake::MovesNeverPassed, "no-moves"),
    ];
    for (mistake, name) in expected {
        let (names, text, json) = doubts(&log(mistake, &Metadata::new()));
        assert!(names.contains(&name), "{mistake:?}: {names:?}");
        assert!(text.contains("Can this be?"), "{mistake:?}");
        let doubt = json["doubts"].as_array().unwrap().iter().find(|doubt| doubt["name"] == name).unwrap();
        assert!(doubt["seen"].as_str().unwrap().contains('%'), "{doubt}");
        assert!(doubt["question"].as_str().unwrap().contains('?'), "{doubt}");
        assert!(doubt["of"].as_u64().unwrap() >= 100, "{doubt}");
    }
}

/// With more than two players a value is no other's with the sign changed.
#[test]
fn signs_are_no_matter_of_three_players() {
    let metadata = Metadata::new().with("players", 3);
    let of_values = doubts(&log(Mistake::ValuesOfTheRoot, &metadata)).0;
    assert!(!of_values.contains(&"values-of-one-player"), "{of_values:?}");
    let of_windows = doubts(&log(Mistake::WindowOfTheRoot, &metadata)).0;
    assert!(!of_windows.contains(&"window-of-one-player"), "{of_windows:?}");
}

/// The queries of a doubt are queries: they give its two counts.
#[test]
fn a_doubt_can_be_asked_again() {
    let log = log(Mistake::DepthFromTheRoot, &Metadata::new());
    let (_, _, json) = doubts(&log);
    let doubt = &json["doubts"][0];
    let environment = gt_query::Environment::new(log.schema());
    let program = gt_query::compile(doubt["queries"].as_str().unwrap(), &environment).unwrap();
    let answers = gt_query::engine::run(&program, log.tree(0).unwrap(), &Default::default()).unwrap().answers;
    let counts =
        [&doubt["of"], &doubt["counted"]].map(|count| gt_query::Answer::Count(count.as_u64().unwrap()));
    assert_eq!(answers.into_iter().map(Result::unwrap).collect::<Vec<_>>(), counts);
}
