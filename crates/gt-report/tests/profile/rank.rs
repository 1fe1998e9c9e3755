//! The rank of the move that cut off, by hand on a small tree, and where it is written down.

use std::path::Path;

use gt_log::{Kind, Schema, Value};
use gt_query::engine::Options;
use gt_query::{Answer, Value as Cell};
use gt_report::profile::{cutting_move, figures_for, run};

use crate::tiny::log_of_moves;

const PASS: i64 = 65_535;
const CUTOFF: i64 = 1;

/// The attributes of our own logs that bear on the order of moves.
fn ordered_schema() -> Schema {
    let attributes = ["depth", "beta", "best", "type", "move_index", "ended"].map(|name| (name, Kind::I32));
    let aliases =
        [("ResearchNode", 32), ("NullMove", 64), ("Excluded", 128), ("Searched", 0), ("Cutoff", CUTOFF)];
    Schema::new(attributes).unwrap().with_aliases(aliases).unwrap()
}

/// A node that passes first (which fails), then searches a move; searches a second one reduced, and again at full depth
/// without a flag; leaves a third out unseen; and is cut off by the fourth, whose null window failed high and which was
/// searched again, flagged:
///
/// ```text
/// root            Searched
/// └─ 40           Cutoff: the third move searched cut
///    ├─ pass      flagged NullMove
///    ├─ 11        move_index 0
///    ├─ 12        move_index 1
///    ├─ 12        move_index 1, searched again
///    ├─ 14        move_index 3
///    └─ 14        move_index 3, searched again, flagged ResearchNode
/// ```
fn cut_by_the_third_move() -> Vec<(usize, i64, Vec<Value>)> {
    let node = |ply, last_move, values: [i64; 6]| (ply, last_move, values.map(Value::Int).to_vec());
    vec![
        node(0, 0, [2, 100, 0, 1, 0, 0]),
        node(1, 40, [1, 5, 7, 2, 0, CUTOFF]),
        node(2, PASS, [0, -4, 0, 64, 0, 0]),
        node(2, 11, [0, 100, 0, 4, 0, 0]),
        node(2, 12, [0, 100, 0, 4, 1, 0]),
        node(2, 12, [0, 100, 0, 4, 1, 0]),
        node(2, 14, [0, 100, -7, 4, 3, 0]),
        node(2, 14, [0, 100, -7, 33, 3, 0]),
    ]
}

#[test]
fn it_counts_the_different_moves_searched() {
    let log = log_of_moves(&ordered_schema(), &cut_by_the_third_move());
    let selection = figures_for(log.schema());
    let answers = run(&selection.figures, log.tree(0).unwrap(), &Options::default()).unwrap();
    let figure = |name: &str| answers.iter().find(|answered| answered.figure.name == name).unwrap();
    assert_eq!(figure("cutoffs").number(), Some(1.0));
    assert_eq!(figure("first-move-cutoffs-all").number(), Some(0.0));
    let Ok(Answer::Rows { rows, .. }) = &figure("cutoff-ranks").answer else { panic!() };
    // Not 6 (the children), 5 (without the null move), nor 4 (the place in the move order, one move left out unseen).
    assert_eq!(rows, &[vec![Some(Cell::Integer(3)), Some(Cell::Integer(1))]]);
}

/// An index from 1, as some engines log it, makes no first move a second one.
#[test]
fn it_does_not_depend_on_where_the_engine_begins_to_count() {
    let mut nodes = cut_by_the_third_move();
    nodes.truncate(4);
    nodes[3].2[2] = Value::Int(-7);
    for base in [0, 1] {
        nodes[3].2[4] = Value::Int(base);
        let log = log_of_moves(&ordered_schema(), &nodes);
        let selection = figures_for(log.schema());
        let answers = run(&selection.figures, log.tree(0).unwrap(), &Options::default()).unwrap();
        let first = answers.iter().find(|answered| answered.figure.name == "first-move-cutoffs-all").unwrap();
        assert_eq!(first.number(), Some(1.0), "move_index from {base}");
    }
}

#[test]
fn the_manual_has_the_same_definition() {
    let recipes = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/recipes.md");
    let recipes = std::fs::read_to_string(recipes).unwrap();
    let cutting = cutting_move(&ordered_schema()).unwrap();
    assert!(recipes.contains(&format!("let rank = {}\n", cutting.rank)), "{}", cutting.rank);
    assert!(recipes.contains(&format!("node: {}", cutting.cutoff)), "{}", cutting.cutoff);
}
