//! The iterations of a search: the cost of each of its trees, and of each depth.
//!
//! ```text
//! depth 5   tree 4  value ≤ -36   ┐
//!           tree 5  value ≥ -30   ├ one iteration: three windows, of which the last gave an exact value
//!           tree 8  value   -16   ┘
//! depth 6   …
//! ```
//!
//! **Invariant:** iterations are in the order of the search; each has at least one tree.

use gt_log::{Log, Tree};
use gt_query::Value;
use gt_query::engine::{self, Options};

use super::bound::Bound;
use super::facts::Facts;
use super::figure::{Figure, Shape};
use super::run::{Answered, Error, Questions};
use super::searches::{Search, nominal_depth};
use super::tables::{BEST_MOVE, ROOT};
use crate::mates::Mates;
use crate::number::signed;

/// The numbers of one tree: a window of an iteration.
#[derive(Clone, Debug)]
pub(super) struct Window {
    pub(super) tree: usize,
    depth: Option<i64>,
    /// The line of the position, from 1, if the engine searches several.
    line: u64,
    /// The number of nodes in the log.
    pub(super) logged: u64,
    pub(super) left_out: u64,
    /// Whether the root was left, as far as the log shows.
    is_finished: bool,
    pub(super) value: Option<(i128, Option<Bound>)>,
    /// How the log's values express a win.
    mates: Option<Mates>,
    /// The number of the move chosen at the root.
    pub(super) best_move: Option<i64>,
    pub(super) quiescence: Option<f64>,
    pub(super) cutoffs: Option<f64>,
    pub(super) first_move_cutoffs: Option<f64>,
    pub(super) re_searches: Option<f64>,
}

/// A depth of iterative deepening, with its windows.
#[derive(Clone, Debug)]
pub(super) struct Iteration {
    pub(super) depth: Option<i64>,
    pub(super) line: u64,
    pub(super) windows: Vec<Window>,
}

impl Window {
    fn of(log: &Log, tree: Tree<'_>, facts: &Facts<'_>) -> Result<Self, Error> {
        let line = tree.metadata().get("multipv").and_then(|line| line.trim().parse().ok());
        Ok(Self {
            tree: tree.number(),
            depth: nominal_depth(tree).map_err(engine::Failure::from)?,
            line: line.unwrap_or(1),
            logged: tree.nodes(),
            left_out: tree.left_out().map_err(engine::Failure::from)?,
            is_finished: !facts.is_cut_off() && facts.rows(ROOT).is_none_or(|rows| !rows.is_empty()),
            value: root_value(facts),
            mates: Mates::of(log, tree),
            best_move: best_move(facts),
            quiescence: facts.number("quiescence-nodes"),
            cutoffs: facts.number("cutoffs"),
            first_move_cutoffs: facts.number("first-move-cutoffs-all"),
            re_searches: facts.number("re-searches"),
        })
    }

    /// The side on which the value fell outside the window, if it did.
    pub(super) fn failed(&self) -> Option<Bound> {
        self.value.and_then(|(_, bound)| bound).filter(|bound| *bound != Bound::Exact)
    }
}

fn root_value(facts: &Facts<'_>) -> Option<(i128, Option<Bound>)> {
    let row = facts.rows(ROOT)?.first()?;
    let Some(Value::Integer(value)) = row.get(1)? else { return None };
    Some((*value, Bound::of_cell(row.get(2).and_then(Option::as_ref))))
}

fn best_move(facts: &Facts<'_>) -> Option<i64> {
    match facts.rows(BEST_MOVE)?.first()?.get(1)?.as_ref()? {
        Value::Integer(number) => i64::try_from(*number).ok(),
        _ => None,
    }
}

impl Iteration {
    /// Whether its last window was searched to the end and gave an exact value (or the log has no windows).
    pub(super) fn is_completed(&self) -> bool {
        self.windows.last().is_some_and(|last| last.is_finished && last.failed().is_none())
    }

    /// The nodes of all its windows, including those left out of the log.
    pub(super) fn nodes(&self) -> u64 {
        self.windows
            .iter()
            .fold(0, |sum, window| sum.saturating_add(window.logged).saturating_add(window.left_out))
    }

    /// The nodes of all its windows in the log.
    pub(super) fn logged(&self) -> u64 {
        self.windows.iter().map(|window| window.logged).sum()
    }

    /// The numbers of its trees.
    pub(super) fn trees(&self) -> Vec<usize> {
        self.windows.iter().map(|window| window.tree).collect()
    }

    /// The move of the last window that has one.
    pub(super) fn best_move(&self) -> Option<i64> {
        self.windows.iter().rev().find_map(|window| window.best_move)
    }

    /// The value of the last window.
    pub(super) fn value(&self) -> Option<(i128, Option<Bound>)> {
        self.windows.last()?.value
    }

    /// The value in a form for people: `≥ 12`, `mate in 3`.
    pub(super) fn value_text(&self) -> Option<String> {
        let (value, bound) = self.value()?;
        let mate = self.windows.last().and_then(|window| window.mates?.text(value, 0));
        let words = mate.unwrap_or_else(|| signed(value));
        Some(match bound.map_or("", Bound::sign) {
            "" => words,
            sign => format!("{sign} {words}"),
        })
    }

    /// A count over all windows.
    pub(super) fn sum(&self, count: impl Fn(&Window) -> Option<f64>) -> Option<f64> {
        self.windows.iter().map(count).sum()
    }
}

/// The ratio of the sizes of iteration `at` and the one before it, over all windows; only for iterations completed
/// with an exact value.
pub(super) fn growth(iterations: &[Iteration], at: usize) -> Option<f64> {
    let (before, rest) = iterations.split_at_checked(at)?;
    let iteration = rest.first().filter(|iteration| iteration.is_completed())?;
    let before = before.iter().rev().find(|before| before.line == iteration.line)?;
    (before.is_completed() && before.nodes() > 0).then(|| iteration.nodes() as f64 / before.nodes() as f64)
}

/// The iterations of a search; the answers for the tree `known` are already given.
pub(super) fn iterations(
    log: &Log,
    search: &Search,
    (known, answers): (usize, &[Answered<'_>]),
    figures: &[Figure],
    options: &Options<'_>,
) -> Result<Vec<Iteration>, Error> {
    let is_told =
        |figure: &&Figure| figure.shape == Shape::Number || [BEST_MOVE, ROOT].contains(&figure.name.as_str());
    let figures: Vec<Figure> = figures.iter().filter(is_told).cloned().collect();
    let questions = Questions::new(&figures, log.schema())?;
    let mut iterations: Vec<Iteration> = Vec::new();
    for &number in &search.trees {
        let tree = log.tree(number).map_err(engine::Failure::from)?;
        let window = if number == known {
            Window::of(log, tree, &Facts::of(answers))?
        } else {
            Window::of(log, tree, &Facts::of(&questions.ask(tree, options)?))?
        };
        match iterations.last_mut().filter(|last| (last.depth, last.line) == (window.depth, window.line)) {
            Some(last) => last.windows.push(window),
            None => {
                iterations.push(Iteration { depth: window.depth, line: window.line, windows: vec![window] })
            }
        }
    }
    Ok(iterations)
}
