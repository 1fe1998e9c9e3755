//! The iterations of a search in words, as a table and as JSON.

use serde_json::{Value as Json, json};

use super::bound::Bound;
use super::facts::percent;
use super::iterations::{Iteration, Window, growth};
use super::moves::Moves;
use crate::chart::{Unit, number_json};
use crate::document::Table;
use crate::number::{counted, factor, grouped, in_unit};

/// The maximum number of iterations in a table.
const ROWS_MAX: usize = 64;

/// Numbers of trees: `8`, `8–12`, `1, 4`; many with gaps as `1 … 57 (20 trees)`.
pub(super) fn range(trees: &[usize]) -> String {
    const LISTED_MAX: usize = 3;
    match trees {
        [first, .., last] if last - first + 1 == trees.len() => format!("{first}–{last}"),
        [first, .., last] if trees.len() > LISTED_MAX => {
            format!("{first} … {last} ({})", counted(trees.len() as u64, "tree"))
        }
        trees => trees.iter().map(usize::to_string).collect::<Vec<_>>().join(", "),
    }
}

/// The iterations of the main line, if the engine searches several.
fn main_line(iterations: &[Iteration]) -> impl DoubleEndedIterator<Item = &Iteration> {
    let line = iterations.iter().map(|iteration| iteration.line).min();
    iterations.iter().filter(move |iteration| Some(iteration.line) == line)
}

/// The move that the search chose: that of its last iteration that has one.
pub(super) fn chosen_move(iterations: &[Iteration], moves: Moves<'_>) -> Option<(String, String)> {
    let iteration = main_line(iterations).rev().find(|iteration| iteration.best_move().is_some())?;
    let mut what = "the move that the search chose".to_owned();
    if let Some(depth) = iteration.depth {
        what += &format!(", at depth {depth}");
    }
    if let Some(value) = iteration.value_text() {
        what += &format!(", value {value}");
    }
    Some((moves.at_root(iteration.best_move()?), what))
}

/// The iteration since which the last chosen move stands, and the move before; `None` if it never changed.
pub(super) fn change_of_mind(iterations: &[Iteration], moves: Moves<'_>) -> Option<String> {
    let told: Vec<&Iteration> =
        main_line(iterations).filter(|iteration| iteration.best_move().is_some()).collect();
    let last = told.last()?.best_move()?;
    let since = told.iter().rposition(|iteration| iteration.best_move() != Some(last))?;
    let (before, first) = (told.get(since)?, told.get(since + 1)?);
    Some(format!(
        "From depth {} on the move is {}; until depth {} it was {}.",
        first.depth?,
        moves.at_root(last),
        before.depth?,
        moves.at_root(before.best_move()?)
    ))
}

/// How often the value fell outside the expected window.
pub(super) fn failed_windows(iterations: &[Iteration]) -> Option<String> {
    let windows = || iterations.iter().flat_map(|iteration| &iteration.windows);
    let failed = |bound| windows().filter(|window| window.failed() == Some(bound)).count() as u64;
    let (high, low) = (failed(Bound::Lower), failed(Bound::Upper));
    let told = match (high, low) {
        (0, 0) => return None,
        (high, 0) => format!("{} failed high", grouped(high)),
        (0, low) => format!("{} failed low", grouped(low)),
        (high, low) => format!("{} failed high and {} low", grouped(high), grouped(low)),
    };
    let are_bounds = if high + low == 1 { "its value is a bound" } else { "their values are bounds" };
    Some(format!("Of the search's {} {told}: {are_bounds}.", counted(windows().count() as u64, "window")))
}

/// A rate over all windows, if there is one.
fn rate(
    iteration: &Iteration,
    part: fn(&Window) -> Option<f64>,
    whole: fn(&Window) -> Option<f64>,
) -> Option<f64> {
    percent(iteration.sum(part)?, iteration.sum(whole)?)
}

fn quiescence(iteration: &Iteration) -> Option<f64> {
    rate(iteration, |window| window.quiescence, |window| Some(window.logged as f64))
}

fn first_move(iteration: &Iteration) -> Option<f64> {
    rate(iteration, |window| window.first_move_cutoffs, |window| window.cutoffs)
}

fn re_searches(iteration: &Iteration) -> Option<f64> {
    rate(iteration, |window| window.re_searches, |window| Some(window.logged as f64))
}

fn rate_text(percent: Option<f64>) -> Option<String> {
    percent.filter(|percent| *percent > 0.0).map(|percent| in_unit(percent, Unit::Percent))
}

/// A row for every iteration (the last ones, if there are many); columns that no iteration has are omitted.
pub(super) fn table(iterations: &[Iteration], moves: Moves<'_>) -> Table {
    type Cell = fn(&[Iteration], usize, Moves<'_>) -> Option<String>;
    let columns: [(&str, Cell); 11] = [
        (">depth", |all, at, _| all[at].depth.map(|depth| depth.to_string())),
        (">line", |all, at, _| {
            all.iter().any(|iteration| iteration.line != 1).then(|| all[at].line.to_string())
        }),
        (">trees", |all, at, _| Some(range(&all[at].trees()))),
        ("move", |all, at, moves| all[at].best_move().map(|number| moves.at_root(number))),
        (">value", |all, at, _| all[at].value_text()),
        (">nodes", |all, at, _| Some(grouped(all[at].nodes()))),
        (">logged", |all, at, _| {
            all.iter()
                .any(|iteration| iteration.logged() < iteration.nodes())
                .then(|| grouped(all[at].logged()))
        }),
        (">growth", |all, at, _| growth(all, at).map(factor)),
        (">quiescence", |all, at, _| rate_text(quiescence(&all[at]))),
        (">first-move cuts", |all, at, _| rate_text(first_move(&all[at]))),
        (">re-searches", |all, at, _| rate_text(re_searches(&all[at]))),
    ];
    let places = iterations.len().saturating_sub(ROWS_MAX)..iterations.len();
    let there: Vec<_> = columns
        .iter()
        .filter(|(_, cell)| places.clone().any(|at| cell(iterations, at, moves).is_some()))
        .collect();
    let mut table = Table::new(there.iter().map(|(heading, _)| *heading));
    for at in places.clone() {
        table
            .row(there.iter().map(|(_, cell)| cell(iterations, at, moves).unwrap_or_else(|| "-".to_owned())));
    }
    let note = "The nodes are those of all windows of a depth, the move and the value those of the last. `growth` compares \
                depths that were completed with an exact value. Quiescence counts the roots of quiescence searches.";
    let cut = match places.start {
        0 => String::new(),
        _ => format!(" (The last {ROWS_MAX} of {} iterations.)", grouped(iterations.len() as u64)),
    };
    table.with_note(&format!("{note}{cut}"), "")
}

/// Every tree, with its iteration.
pub(super) fn trees_json(iterations: &[Iteration], moves: Moves<'_>) -> Vec<Json> {
    let tree = |iteration: &Iteration, window: &Window| {
        json!({
            "tree": window.tree, "nodes": window.logged, "left_out": window.left_out, "depth": iteration.depth,
            "value": window.value.map(|(value, _)| number_json(value as f64)),
            "bound": window.value.and_then(|(_, bound)| bound).map(Bound::name),
            "move": window.best_move.map(|number| moves.at_root(number)),
        })
    };
    iterations
        .iter()
        .flat_map(|iteration| iteration.windows.iter().map(move |window| tree(iteration, window)))
        .collect()
}

/// Every iteration.
pub(super) fn iterations_json(iterations: &[Iteration], moves: Moves<'_>) -> Vec<Json> {
    let optional = |value: Option<f64>| value.map_or(Json::Null, number_json);
    let of_iteration = |(at, iteration): (usize, &Iteration)| {
        json!({
            "depth": iteration.depth, "line": iteration.line, "completed": iteration.is_completed(), "nodes": iteration.nodes(),
            "trees": iteration.trees(),
            "move": iteration.best_move().map(|number| moves.at_root(number)), "growth": optional(growth(iterations, at)),
            "value": iteration.value().map(|(value, _)| number_json(value as f64)),
            "bound": iteration.value().and_then(|(_, bound)| bound).map(Bound::name),
            "quiescence_percent": optional(quiescence(iteration)),
            "first_move_cutoff_percent": optional(first_move(iteration)),
            "re_search_percent": optional(re_searches(iteration)),
        })
    };
    iterations.iter().enumerate().map(of_iteration).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn trees_are_told_in_few_words() {
        let told = [&[7][..], &[7, 8, 9], &[1, 4], &[1, 3, 5, 90]].map(range);
        assert_eq!(told, ["7", "7–9", "1, 4", "1 … 90 (4 trees)"]);
    }
}
