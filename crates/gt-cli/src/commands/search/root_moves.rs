//! What was found for every move of the position.

use std::io::Write;

use gt_games::registry::Playable;
use gt_report::grouped;
use gt_search::{Bound, RootValue, Uct};
use serde_json::{Value, json};

use super::notation::{line, value_text};
use crate::commands::eval::print_aligned;
use crate::failure::Failure;

/// The moves of a Monte Carlo search with the mean of their playouts in per mille, the most visited first.
pub(super) fn of_playouts<G: Playable>(uct: &Uct<G>) -> Vec<RootValue<G::Move>> {
    let children = uct.rows().filter(|row| row.parent == Some(0));
    let found = children.filter_map(|row| {
        Some(RootValue {
            mv: row.last_move?,
            value: ((2.0 * row.value - 1.0) * f64::from(gt_search::CERTAIN_PER_MILLE)).round() as i32,
            bound: Bound::Exact,
            depth: 0,
            nodes: row.visits,
            line: row.last_move.into_iter().collect(),
            values: Vec::new(),
        })
    });
    let mut found: Vec<_> = found.collect();
    found.sort_by_key(|found| std::cmp::Reverse((found.nodes, found.value)));
    found
}

/// Prints the moves as a table.
pub(super) fn text<G: Playable>(
    game: &G,
    found: &[RootValue<G::Move>],
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let mut rows = vec![["move", "value", "depth", "nodes"].map(str::to_owned).to_vec()];
    let mut lines = vec!["line".to_owned()];
    for root_move in found {
        let sign = match root_move.bound {
            Bound::Exact => "",
            Bound::Upper => "<= ",
            Bound::Lower => ">= ",
        };
        rows.push(vec![
            game.move_text(root_move.mv),
            format!("{sign}{}", value_text::<G>(root_move.value)),
            root_move.depth.to_string(),
            grouped(root_move.nodes),
        ]);
        lines.push(line(game, &root_move.line).join(" "));
    }
    writeln!(out)?;
    print_aligned(&rows, &lines, out)
}

/// The moves as JSON.
pub(super) fn json<G: Playable>(game: &G, found: &[RootValue<G::Move>]) -> Value {
    let object = |root_move: &RootValue<G::Move>| {
        let bound = match root_move.bound {
            Bound::Exact => "exact",
            Bound::Upper => "upper",
            Bound::Lower => "lower",
        };
        let mut object = json!({
            "move": game.move_text(root_move.mv), "value": root_move.value, "bound": bound,
            "depth": root_move.depth, "nodes": root_move.nodes, "pv": line(game, &root_move.line),
        });
        if !root_move.values.is_empty() {
            object["values"] = json!(root_move.values);
        }
        object
    };
    found.iter().map(object).collect()
}
