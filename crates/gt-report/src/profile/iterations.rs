//! The trees of a log beside each other: what each iteration of a search cost.

use gt_log::Log;
use gt_query::engine::Options;
use serde_json::{Value as Json, json};

use super::facts::Facts;
use super::figure::{Figure, Shape};
use super::run::{Answered, Error, run};
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
            growth: before.filter(|before| before.nodes > 0).map(|before| nodes as f64 / before.nodes as f64),
            quiescence: facts.percent("quiescence-nodes", "nodes"),
            first_move: facts.percent("first-move-cutoffs-all", "cutoffs"),
            research: facts.percent("re-searches", "nodes"),
        }
    }

    pub(super) fn to_json(&self) -> Json {
        let optional = |value: Option<f64>| value.map_or(Json::Null, number_json);
        json!({
            "tree": self.tree, "nodes": self.nodes, "depth": self.depth, "growth": optional(self.growth),
            "quiescence_percent": optional(self.quiescence), "first_move_cutoff_percent": optional(self.first_move),
            "re_search_percent": optional(self.research),
        })
    }
}

/// The numbers of every tree of a log; those of the tree `known` are there already.
pub(super) fn iterations(
    log: &Log,
    known: usize,
    answers: &[Answered<'_>],
    figures: &[Figure],
    options: &Options<'_>,
) -> Result<Vec<Iteration>, Error> {
    let numbers: Vec<Figure> =
        figures.iter().filter(|figure| figure.shape == Shape::Number).cloned().collect();
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

/// A row for every tree; columns that no tree has are left away.
pub(super) fn table(iterations: &[Iteration]) -> Table {
    type Cell = fn(&Iteration) -> Option<String>;
    let columns: [(&str, Cell); 7] = [
        (">tree", |one| Some(one.tree.to_string())),
        (">depth", |one| one.depth.map(|depth| depth.to_string())),
        (">nodes", |one| Some(grouped(one.nodes))),
        (">growth", |one| one.growth.map(|growth| format!("{}×", plain(growth)))),
        (">quiescence", |one| one.quiescence.map(|value| in_unit(value, Unit::Percent))),
        (">first-move cut-offs", |one| one.first_move.map(|value| in_unit(value, Unit::Percent))),
        (">re-searches", |one| one.research.map(|value| in_unit(value, Unit::Percent))),
    ];
    let there: Vec<_> =
        columns.iter().filter(|(_, cell)| iterations.iter().any(|one| cell(one).is_some())).collect();
    let mut table = Table::new(there.iter().map(|(heading, _)| *heading));
    for one in iterations {
        table.row(there.iter().map(|(_, cell)| cell(one).unwrap_or_else(|| "-".to_owned())));
    }
    let note =
        "`growth` is the number of nodes over that of the tree before. Re-searches are a part of all nodes.";
    table.with_note(note, "")
}
