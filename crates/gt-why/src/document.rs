//! An explanation as a report: for a terminal, a page, a file.

use gt_report::document::{self, Block};
use gt_report::plot::Style;
use gt_report::{Document, NameMoves, Table, grouped};

use crate::candidate::Candidate;
use crate::explanation::{Explanation, Missing};
use crate::iterations::{Iteration, Occurrence};
use crate::score::{Score, View};
use crate::step::{Step, Visit};
use crate::wording::Wording;

/// The number of moves shown at each end of a longer line.
const STEPS_ENDS: usize = 30;
/// The number of searches shown for a move, the last ones.
const VISITS_SHOWN: usize = 4;
/// The width of a report in columns.
const WIDTH: usize = 110;
/// The size of both bounds from which a window counts as open, where the log does not say what a win is worth.
const OPEN_MIN: f64 = 10_000.0;

impl Explanation {
    /// Returns the explanation as plain text.
    #[must_use]
    pub fn text(&self, names: &dyn NameMoves) -> String {
        let style = Style { width: WIDTH, ..Style::default() };
        document::text(&self.document("", names), style)
    }

    /// Returns the explanation as a report; `log` is the name of the log.
    #[must_use]
    pub fn document(&self, log: &str, names: &dyn NameMoves) -> Document {
        self.clone().with_names(names).told(log)
    }

    fn told(&self, log: &str) -> Document {
        let mut document = Document::new(&self.title(log));
        document.paragraph(&self.view_text());
        if !self.line.is_empty() {
            document.table(self.steps_table());
        }
        document.paragraph(&self.verdict.sentence.to_string());
        if let Some(leaves) = &self.leaves
            && !leaves.instead.is_empty()
        {
            document.heading("What was searched there instead");
            let mut table = candidates(&leaves.instead, self.words);
            if leaves.instead.len() < leaves.siblings {
                let all = grouped(leaves.siblings as u64);
                table.note = format!("The best {} of {all} moves.", leaves.instead.len());
            }
            document.table(table);
        }
        if let Some(rival) = &self.rival {
            document.heading("The closest rival");
            document.table(candidates(std::slice::from_ref(&rival.candidate), self.words));
            document.paragraph(&rival.doubt.to_string());
        }
        if self.iterations.len() > 1 {
            document.heading("Over the iterations").table(self.iterations_table());
        }
        if !self.missing.is_empty() {
            document.push(Block::List(self.missing.iter().map(Missing::text).collect()));
        }
        document
    }

    fn title(&self, log: &str) -> String {
        let mut title = if log.is_empty() { String::new() } else { format!("{log}, ") };
        title += &format!("tree {}", self.tree);
        if let Some(depth) = self.depth {
            title += &format!(", depth {depth}");
        }
        match &self.played {
            Some(played) if played.value.is_some() => {
                format!(
                    "{title}: {} is played, value {}",
                    played.mv,
                    self.words.cell(played.value, played.bound)
                )
            }
            Some(played) => format!("{title}: {} is played", played.mv),
            None => title,
        }
    }

    fn view_text(&self) -> String {
        let mut values = self.line.iter().filter_map(|step| step.value).peekable();
        let view = match self.view {
            _ if values.peek().is_none() => return String::new(),
            View::Root { .. } => {
                "Values and windows are from the view of the player to move at the root; ≤ is at most, ≥ at least."
            }
            View::EachPlayer => {
                "Values and windows are from the view of the player to move at each node, as logged."
            }
        };
        let decided = values.any(|value| self.words.mate(value).is_some());
        format!("{view}{}", if decided { " Mates and wins are counted from the root." } else { "" })
    }

    fn steps_table(&self) -> Table {
        let mut table = Table::new([
            ">ply",
            "move",
            "order",
            ">depth",
            ">window",
            ">value",
            "ended",
            ">nodes",
            "best reply",
        ]);
        let infinity = self.infinity();
        let middle = self.line.len().saturating_sub(2 * STEPS_ENDS);
        for (place, step) in self.line.iter().enumerate() {
            if middle > 0 && (STEPS_ENDS..STEPS_ENDS + middle).contains(&place) {
                if place == STEPS_ENDS {
                    table.row(["…".to_owned(), format!("{} moves", grouped(middle as u64))]);
                }
                continue;
            }
            step_rows(&mut table, place + 1, step, (self.words, infinity));
        }
        if self.line.iter().any(|step| step.visits.len() > 1) {
            table.note = format!(
                "A move searched again has a row for each search ({VISITS_SHOWN} at most); the last one counts."
            );
        }
        table
    }

    /// The bound of an open window: there is no value beyond it.
    fn infinity(&self) -> Option<f64> {
        let windows = self.line.iter().flat_map(|step| &step.visits).filter_map(|visit| visit.window);
        let ends = windows.flatten().map(Score::size);
        ends.reduce(f64::max).filter(|&end| end >= self.words.open_min().unwrap_or(OPEN_MIN))
    }

    fn iterations_table(&self) -> Table {
        let has_line = self.asked.len() > 1;
        let mut headings = vec![">depth", "best move", ">value"];
        headings.extend([">first move", "order", ">nodes"]);
        if has_line {
            headings.extend([">line", "order", ">nodes"]);
        }
        let mut table = Table::new(headings);
        for iteration in &self.iterations {
            let mut cells = iteration_cells(iteration, self.words);
            cells.extend(occurrence_cells(iteration.first.as_ref(), self.words));
            if has_line {
                cells.extend(occurrence_cells(iteration.line.as_ref(), self.words));
            }
            table.row(cells);
        }
        if self.iterations.iter().any(|iteration| iteration.trees.len() > 1) {
            table.note =
                "An iteration with several windows: the last tells values and order; nodes are those of all."
                    .to_owned();
        }
        table
    }
}

impl Missing {
    fn text(&self) -> String {
        format!("Without `{}` the log does not say {}.", self.attribute, self.tells)
    }
}

fn step_rows(table: &mut Table, ply: usize, step: &Step, (words, infinity): (Wording, Option<f64>)) {
    let reply = step.reply.as_ref();
    let hidden = step.visits.len().saturating_sub(VISITS_SHOWN);
    for (place, visit) in step.visits.iter().enumerate().skip(hidden) {
        let is_first = place == hidden;
        let is_last = place + 1 == step.visits.len();
        let reply = reply.filter(|_| is_last).map(|reply| reply.mv.to_string());
        let again = if visit.research { "again, open window" } else { "again" };
        table.row([
            if is_first { ply.to_string() } else { String::new() },
            if is_first { step.mv.to_string() } else { String::new() },
            if is_first { order(step.rank, Some(step.siblings)) } else { again.to_owned() },
            depth_text(visit),
            window_text(visit, infinity),
            words.cell(visit.value, visit.bound),
            visit.ended.clone(),
            grouped(visit.nodes),
            reply.unwrap_or_default(),
        ]);
    }
}

/// `3rd of 20`.
fn order(rank: usize, siblings: Option<usize>) -> String {
    let place = rank as u64 + 1;
    let ending = match (place % 10, place % 100) {
        (1, last) if last != 11 => "st",
        (2, last) if last != 12 => "nd",
        (3, last) if last != 13 => "rd",
        _ => "th",
    };
    let place = format!("{}{ending}", grouped(place));
    siblings.map_or_else(|| place.clone(), |all| format!("{place} of {}", grouped(all as u64)))
}

/// `6`, `4 (2 less)`, `7 (1 more)`.
fn depth_text(visit: &Visit) -> String {
    let Some(depth) = visit.depth else { return "-".to_owned() };
    match (visit.reduction.unwrap_or(0), visit.extension.unwrap_or(0)) {
        (less, _) if less > 0 => format!("{depth} ({less} less)"),
        (_, more) if more > 0 => format!("{depth} ({more} more)"),
        _ => depth.to_string(),
    }
}

fn window_text(visit: &Visit, infinity: Option<f64>) -> String {
    let Some([low, high]) = visit.window else { return "-".to_owned() };
    let end = |end: Score| match infinity {
        Some(infinity) if end.size() >= infinity => {
            if end < Score::Whole(0) {
                "-∞".to_owned()
            } else {
                "∞".to_owned()
            }
        }
        _ => end.to_string(),
    };
    format!("{} .. {}", end(low), end(high))
}

fn candidates(all: &[Candidate], words: Wording) -> Table {
    let mut table = Table::new(["move", "order", ">value", ">nodes"]);
    for candidate in all {
        table.row([
            candidate.mv.to_string(),
            order(candidate.rank, None),
            words.cell(candidate.value, candidate.bound),
            grouped(candidate.nodes),
        ]);
    }
    table
}

fn iteration_cells(iteration: &Iteration, words: Wording) -> Vec<String> {
    let depth = iteration.depth.map_or_else(|| "-".to_owned(), |depth| depth.to_string());
    let depth = if iteration.complete { depth } else { format!("{depth} (stopped)") };
    let best = iteration.best.as_ref().map_or_else(|| "-".to_owned(), ToString::to_string);
    vec![depth, best, words.cell(iteration.value, iteration.bound)]
}

fn occurrence_cells(occurrence: Option<&Occurrence>, words: Wording) -> [String; 3] {
    occurrence.map_or_else(
        || ["-".to_owned(), "not searched".to_owned(), "-".to_owned()],
        |occurrence| {
            [
                words.cell(occurrence.value, occurrence.bound),
                order(occurrence.rank, None),
                grouped(occurrence.nodes),
            ]
        },
    )
}
