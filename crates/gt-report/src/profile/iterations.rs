//! The trees of a log beside each other: what each iteration of a search cost.

use gt_log::Log;
use gt_query::Value;
use gt_query::engine::Options;
use serde_json::{Value as Json, json};

use super::facts::Facts;
use super::figure::{Figure, Shape};
use super::run::{Answered, Error, run};
use super::tables::BEST_MOVE;
use super::words::Moves;
use crate::chart::{Unit, number_json};
use crate::document::Table;
use crate::number::{grouped, in_unit, plain};

/// More trees than this are no iterations of one search; only the first of them are told.
const TREES_MAX: usize = 64;

/// The numbers of one tree.
pub(super) struct Iteration {
    tree: usize,
    nodes: u64,
    depth: Option<u64>,
    /// The number of the move chosen at the root.
    best_move: Option<i64>,
    /// The tree's nodes, over those of the tree before.
    growth: Option<f64>,
    quiescence: Option<f64>,
    first_move: Option<f64>,
    research: Option<f64>,
}

impl Iteration {
    fn of(tree: usize, facts: &Facts<'_>, before: Option<&Iteration>) -> Self {
        let nodes = facts.count("nodes").unwrap_or(0);
        Self {
            tree,
            nodes,
            depth: facts.count("depth"),
            best_move: best_move(facts),
            growth: before.filter(|before| before.nodes > 0).map(|before| nodes as f64 / before.nodes as f64),
            quiescence: facts.percent("quiescence-nodes", "nodes"),
            first_move: facts.percent("first-move-cutoffs-all", "cutoffs"),
            research: facts.percent("re-searches", "nodes"),
        }
    }

    pub(super) fn to_json(&self, moves: Moves<'_>) -> Json {
        let optional = |value: Option<f64>| value.map_or(Json::Null, number_json);
        json!({
            "tree": self.tree, "nodes": self.nodes, "depth": self.depth,
            "move": self.best_move.map(|number| moves.text(number)), "growth": optional(self.growth),
            "quiescence_percent": optional(self.quiescence), "first_move_cutoff_percent": optional(self.first_move),
            "re_search_percent": optional(self.research),
        })
    }
}

fn best_move(facts: &Facts<'_>) -> Option<i64> {
    match facts.rows(BEST_MOVE)?.first()?.get(1)?.as_ref()? {
        Value::Integer(number) => i64::try_from(*number).ok(),
        _ => None,
    }
}

/// Since when the move is the one chosen last, and what it was before; `None` where it never changed.
pub(super) fn change_of_mind(iterations: &[Iteration], moves: Moves<'_>) -> Option<String> {
    let last = iterations.last()?.best_move?;
    let since = iterations.iter().rposition(|one| one.best_move != Some(last))?;
    let (before, first) = (iterations.get(since)?, iterations.get(since + 1)?);
    let name = |one: &Iteration| {
        one.depth.map_or_else(|| format!("tree {}", one.tree), |depth| format!("depth {depth}"))
    };
    Some(format!(
        "From {} on the move is {}; until {} it was {}.",
        name(first),
        moves.text(last),
        name(before),
        moves.text(before.best_move?)
    ))
}

/// The numbers of every tree of a log; those of the tree `known` are there already.
pub(super) fn iterations(
    log: &Log,
    known: usize,
    answers: &[Answered<'_>],
    figures: &[Figure],
    options: &Options<'_>,
) -> Result<Vec<Iteration>, Error> {
    let numbers: Vec<Figure> = figures
        .iter()
        .filter(|figure| figure.shape == Shape::Number || figure.name == BEST_MOVE)
        .cloned()
        .collect();
    let mut all: Vec<Iteration> = Vec::new();
    for tree in log.trees().take(TREES_MAX) {
        let iteration = if tree.number() == known {
            Iteration::of(known, &Facts::of(answers), all.last())
        } else {
            let answers = run(&numbers, tree, options)?;
            Iteration::of(tree.number(), &Facts::of(&answers), all.last())
        };
        all.push(iteration);
    }
    Ok(all)
}

/// A rate, where there is any.
fn rate(percent: Option<f64>) -> Option<String> {
    percent.filter(|percent| *percent > 0.0).map(|percent| in_unit(percent, Unit::Percent))
}

/// A row for every tree; columns that no tree has are left away.
pub(super) fn table(iterations: &[Iteration], moves: Moves<'_>) -> Table {
    type Cell = fn(&Iteration, Moves<'_>) -> Option<String>;
    let columns: [(&str, Cell); 8] = [
        (">tree", |one, _| Some(one.tree.to_string())),
        (">depth", |one, _| one.depth.map(|depth| depth.to_string())),
        ("move", |one, moves| one.best_move.map(|number| moves.text(number))),
        (">nodes", |one, _| Some(grouped(one.nodes))),
        (">growth", |one, _| one.growth.map(|growth| format!("{}×", plain(growth)))),
        (">quiescence", |one, _| rate(one.quiescence)),
        (">first-move cut-offs", |one, _| rate(one.first_move)),
        (">re-searches", |one, _| rate(one.research)),
    ];
    let there: Vec<_> =
        columns.iter().filter(|(_, cell)| iterations.iter().any(|one| cell(one, moves).is_some())).collect();
    let mut table = Table::new(there.iter().map(|(heading, _)| *heading));
    for one in iterations {
        table.row(there.iter().map(|(_, cell)| cell(one, moves).unwrap_or_else(|| "-".to_owned())));
    }
    let note =
        "`growth` is the number of nodes over that of the tree before. Re-searches are a part of all nodes.";
    table.with_note(note, "")
}
