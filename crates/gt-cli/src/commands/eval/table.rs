//! The terms as a table: what each player has, what it weighs, and what is left of it.
//!
//! ```text
//! term       weight  white  n  black  n  white - black
//! territory       4     72 18     56 14             16
//! ```
//!
//! A column that no term has something for is left out: counts, weights, and the two stages of a value that changes in the
//! course of the game.

use std::io::Write;

use gt_games::explain::{Balance, Breakdown, Explanation, Share, Term, Weight};
use gt_games::registry::AnyGame;
use gt_play::live::side_name;

use super::aligned::print_aligned;
use crate::failure::Failure;

/// Prints the terms of an evaluation and what they come to.
pub(super) fn print(
    game: &dyn AnyGame,
    explanation: &Explanation,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let breakdown = &explanation.breakdown;
    write!(out, "{}, in {}", explanation.evaluation, breakdown.measure)?;
    match breakdown.phase {
        Some(phase) => writeln!(out, "; phase {} of {} (opening {1}, ending 0)\n", phase.now, phase.of)?,
        None => writeln!(out, "\n")?,
    }
    print_aligned(&rows(game, breakdown), &[], out)?;
    writeln!(out, "\n{}\n", value_line(game, explanation))?;
    Ok(())
}

/// What a search takes from it.
fn value_line(game: &dyn AnyGame, explanation: &Explanation) -> String {
    let name = |player| side_name(game.kind(), player);
    let each = |(player, value): (usize, &i32)| format!("{value} for {}", name(player));
    let values: Vec<String> = explanation.values.iter().enumerate().map(each).collect();
    let values = format!("value  {}", values.join(", "));
    match explanation.breakdown.balance {
        Balance::Difference => values,
        Balance::Own => {
            let against = if game.players() > 2 { "the best of the others" } else { "the other" };
            let mover = name(game.to_move());
            format!("{values}; {mover}, to move, against {against}: {}", explanation.mover_value)
        }
    }
}

/// The rows of the table, headings first.
fn rows(game: &dyn AnyGame, breakdown: &Breakdown) -> Vec<Vec<String>> {
    let columns = Columns::of(game, breakdown);
    let mut rows = vec![columns.headings(game)];
    let mut group = None;
    for term in &breakdown.terms {
        if term.group != group {
            group = term.group;
            rows.extend(group.map(|name| columns.group_row(name)));
        }
        rows.push(columns.term_row(term));
    }
    rows.push(columns.sum_row());
    rows
}

/// Which columns the table has.
struct Columns<'a> {
    breakdown: &'a Breakdown,
    players: usize,
    weights: bool,
    counts: bool,
    stages: bool,
}

impl<'a> Columns<'a> {
    fn of(game: &dyn AnyGame, breakdown: &'a Breakdown) -> Self {
        let shares = || breakdown.terms.iter().flat_map(|term| &term.shares);
        Self {
            breakdown,
            players: game.players(),
            weights: breakdown.terms.iter().any(|term| term.weight.is_some()),
            counts: shares().any(|share| share.count.is_some()),
            stages: shares().any(|share| share.stages.is_some()),
        }
    }

    /// Whether the last column has what the first player has more than the second.
    fn has_difference(&self) -> bool {
        self.players == 2
    }

    fn headings(&self, game: &dyn AnyGame) -> Vec<String> {
        let name = |player| side_name(game.kind(), player).to_owned();
        let mut headings = vec!["term".to_owned()];
        headings.extend(self.weights.then(|| "weight".to_owned()));
        for player in 0..self.players {
            headings.extend(self.counts.then(|| "n".to_owned()));
            headings.extend(self.stages.then(|| "open/end".to_owned()));
            headings.push(name(player));
        }
        headings.extend(self.has_difference().then(|| format!("{} - {}", name(0), name(1))));
        headings
    }

    fn term_row(&self, term: &Term) -> Vec<String> {
        let indent = if term.group.is_some() { "  " } else { "" };
        let mut row = vec![format!("{indent}{}", term.name)];
        row.extend(self.weights.then(|| term.weight.map(weight_text).unwrap_or_default()));
        for share in &term.shares {
            self.push_share(&mut row, share);
        }
        self.push_difference(&mut row, |player| term.shares.get(player).map_or(0, |share| share.value));
        row
    }

    fn push_share(&self, row: &mut Vec<String>, share: &Share) {
        row.extend(self.counts.then(|| share.count.map(|count| count.to_string()).unwrap_or_default()));
        let stages = |(opening, ending): (i32, i32)| format!("{opening}/{ending}");
        row.extend(self.stages.then(|| share.stages.map(stages).unwrap_or_default()));
        row.push(self.number(share.value));
    }

    /// What the terms of a group come to.
    fn group_row(&self, group: &str) -> Vec<String> {
        let terms = || self.breakdown.terms.iter().filter(|term| term.group == Some(group));
        let value =
            |player: usize| terms().filter_map(|term| term.shares.get(player)).map(|share| share.value).sum();
        self.total_row(group, value)
    }

    fn sum_row(&self) -> Vec<String> {
        self.total_row("sum", |player| self.breakdown.sum(player))
    }

    fn total_row(&self, name: &str, value: impl Fn(usize) -> i64) -> Vec<String> {
        let mut row = vec![name.to_owned()];
        row.extend(self.weights.then(String::new));
        for player in 0..self.players {
            row.extend(self.counts.then(String::new));
            row.extend(self.stages.then(String::new));
            row.push(self.number(value(player)));
        }
        self.push_difference(&mut row, value);
        row
    }

    fn push_difference(&self, row: &mut Vec<String>, value: impl Fn(usize) -> i64) {
        if self.has_difference() {
            row.push(self.number(value(0) - value(1)));
        }
    }

    fn number(&self, value: i64) -> String {
        number_text(self.breakdown, value)
    }
}

/// A share or a sum as a number of the evaluation; with a decimal where shares are fractions.
pub(super) fn number_text(breakdown: &Breakdown, value: i64) -> String {
    match breakdown.unit {
        1 => value.to_string(),
        _ => format!("{:.1}", breakdown.in_measure(value)),
    }
}

fn weight_text(weight: Weight) -> String {
    match weight {
        Weight::Constant(weight) => weight.to_string(),
        Weight::Tapered { opening, ending } => format!("{opening}/{ending}"),
    }
}
