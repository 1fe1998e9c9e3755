//! Runs the queries of a text on a tree and prints what comes out.

use std::borrow::Cow;
use std::io::Write;
use std::time::{Instant, SystemTime, UNIX_EPOCH};

use gt_log::Tree;
use gt_query::engine::{self, Finding, Options, Stats};
use gt_query::gti::Stamp;
use gt_query::ir::Outcome;
use gt_query::{Answer, Program};
use gt_report::{counted, grouped};

use super::answered::Answered;
use super::json;
use super::printer::Printer;
use super::source::{QueryText, Source};
use crate::failure::Failure;

/// A tree and the queries bound to it.
pub(crate) struct Asked<'a> {
    pub(crate) source: &'a Source,
    pub(crate) tree: Tree<'a>,
    pub(crate) text: &'a QueryText,
    pub(crate) program: &'a Program,
    /// Whether the tree is to be named in what is written.
    pub(crate) with_tree: bool,
}

/// What became of the queries.
pub(crate) struct Told {
    /// Queries without an answer, drawn for people.
    pub(crate) errors: Vec<String>,
    /// What the run took, for people.
    pub(crate) stats: String,
}

impl Asked<'_> {
    /// Answers all queries in one run.
    pub(crate) fn tell(
        &self,
        options: &Options<'_>,
        printer: &mut Printer,
        out: &mut dyn Write,
    ) -> Result<Told, Failure> {
        let stamp = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs());
        let started = Instant::now();
        let stopped = |error| match error {
            engine::Failure::Cancelled => Failure::new("the query was stopped"),
            other => Failure::about(&self.source.path, other),
        };
        let rows_max = printer.rows_max().filter(|_| !options.count_only);
        let program = printed_only(self.program, rows_max);
        let engine::Findings { found, stats } =
            engine::find(&program, self.tree, options).map_err(stopped)?;
        let mut answers = Vec::with_capacity(found.len());
        for (place, found) in found.into_iter().enumerate() {
            answers.push(match found {
                Ok(found) => {
                    let matches = stats.matches.get(place).copied().unwrap_or(0);
                    let answer = read(found, options, printer.rows_max()).map_err(stopped)?;
                    let listed = listed(&self.program.queries[place].outcome, &answer, matches);
                    Ok((answer, listed))
                }
                Err(error) => Err(error),
            });
        }
        let seconds = started.elapsed().as_secs_f64();
        let log = self.source.path.display().to_string();
        let mut errors = Vec::new();
        for (place, (query, answer)) in self.program.queries.iter().zip(&answers).enumerate() {
            match answer {
                Ok((answer, listed)) => {
                    let answered = Answered {
                        log: &log,
                        tree: self.tree.number(),
                        name: query.name.as_deref(),
                        number: place + 1,
                        query: &query.text,
                        answer,
                        listed: *listed,
                        matches: stats.matches.get(place).copied().unwrap_or(0),
                        seconds,
                        stamp: Stamp::of_unix_seconds(stamp.try_into().unwrap_or(0)),
                        notation: printer.notation(self.source.notation),
                    };
                    printer.print(out, &answered, self.with_tree)?;
                }
                Err(error) => {
                    errors.push(self.text.draw_run(error));
                    if printer.is_json() {
                        let (source, query) = (
                            (log.as_str(), self.tree.number()),
                            (query.name.as_deref(), query.text.as_str()),
                        );
                        json::print_error(out, source, query, &error.to_string())?;
                    }
                }
            }
        }
        let stats = stats_text(&format!("{log}, tree {}", self.tree.number()), &stats, seconds);
        Ok(Told { errors, stats })
    }
}

/// The program, with a limit to what is printed: nobody keeps rows that nobody sees.
fn printed_only(program: &Program, rows_max: Option<usize>) -> Cow<'_, Program> {
    let Some(rows_max) = rows_max.filter(|rows_max| *rows_max < usize::MAX) else {
        return Cow::Borrowed(program);
    };
    let mut program = program.clone();
    for query in &mut program.queries {
        match &mut query.outcome {
            // Matches without an order keep no rows.
            Outcome::Nodes(arrangement) if arrangement.order.is_empty() && arrangement.limit.is_none() => {}
            Outcome::Nodes(arrangement) | Outcome::Rows { arrangement, .. } => {
                arrangement.limit = Some(arrangement.limit.map_or(rows_max, |limit| limit.min(rows_max)));
            }
            Outcome::Count | Outcome::Aggregate(_) | Outcome::Groups { .. } => {}
        }
    }
    Cow::Owned(program)
}

/// The answer as far as it will be printed.
fn read(
    found: Finding<'_>,
    options: &Options<'_>,
    rows_max: Option<usize>,
) -> Result<Answer, engine::Failure> {
    let answer = match (&found, rows_max) {
        (Finding::Matches(matches), Some(most)) if (most as u64) < matches.count() => {
            Answer::Nodes(matches.first(most, options)?)
        }
        _ => found.into_answer(options)?,
    };
    // The engine makes groups even where their number is all that is wanted.
    Ok(match answer {
        Answer::Rows { rows, .. } if options.count_only => Answer::Count(rows.len() as u64),
        other => other,
    })
}

/// How many nodes or rows an answer has in all, printed or not.
fn listed(outcome: &Outcome, answer: &Answer, matches: u64) -> u64 {
    match (outcome, answer) {
        (Outcome::Nodes(arrangement) | Outcome::Rows { arrangement, .. }, _) => {
            arrangement.limit.map_or(matches, |limit| matches.min(limit as u64))
        }
        (_, Answer::Rows { rows, .. }) => rows.len() as u64,
        _ => 0,
    }
}

fn stats_text(source: &str, stats: &Stats, seconds: f64) -> String {
    let rate = stats.nodes as f64 / seconds.max(1e-9) / 1e6;
    let mut text = format!(
        "{source}: {} in {}, {seconds:.6} s, {rate:.1} M nodes/s\n",
        counted(stats.nodes, "node"),
        counted(stats.blocks, "block")
    );
    text += &format!(
        "  read     {} over all passes, {} answered by their heads\n",
        counted(stats.blocks_read, "block"),
        grouped(stats.blocks_skipped)
    );
    text += &format!(
        "  decoded  {} of blocks, {} in the log\n",
        counted(stats.columns_decoded, "column"),
        counted(stats.bytes_read, "byte")
    );
    for (part, seconds) in &stats.seconds {
        text += &format!("  {part:<8} {seconds:.6} s\n");
    }
    text
}
