//! Runs the queries of a text on a tree and prints what comes out, rows while they are found.

use std::borrow::Cow;
use std::io::Write;
use std::ops::ControlFlow;
use std::time::{Instant, SystemTime, UNIX_EPOCH};

use gt_log::Tree;
use gt_query::engine::{self, Finding, Options, Stats};
use gt_query::gti::Stamp;
use gt_query::ir::{Outcome, ResultColumn};
use gt_query::stream::{RowSink, stream};
use gt_query::{Answer, Program, Value};
use gt_report::{counted, grouped};

use super::about::{About, Totals};
use super::content::{Content, Nodes, Streamed};
use super::printer::Printer;
use super::source::{QueryText, Source};
use crate::failure::Failure;
use crate::moves::Namers;
use gt_fleet::{Beside, Column, Row};

/// A tree and the queries bound to it.
pub(crate) struct TreeQuery<'a> {
    pub(crate) source: &'a Source,
    pub(crate) tree: Tree<'a>,
    pub(crate) text: &'a QueryText,
    pub(crate) program: &'a Program,
    /// Whether the tree is to be named in the names of files.
    pub(crate) with_tree: bool,
}

/// What became of the queries.
pub(crate) struct RunSummary {
    /// Queries without an answer, drawn for people.
    pub(crate) errors: Vec<String>,
    /// For each query that has one what it is of, and its number: a value, or how many nodes or rows there are.
    pub(crate) numbers: Vec<(String, Option<Value>)>,
    /// What the run took, for people.
    pub(crate) stats: String,
}

impl TreeQuery<'_> {
    /// Answers all queries in one run.
    pub(crate) fn run(
        &self,
        options: &Options<'_>,
        printer: &mut Printer<'_>,
        out: &mut dyn Write,
    ) -> Result<RunSummary, Failure> {
        let started = Instant::now();
        let log = self.source.path.display().to_string();
        let namers = printer.options.namers(self.source, self.tree);
        let mut abouts = self.abouts(&log, options.count_only, printer, &namers);
        let mut program = printed_only(self.program, printer.rows_max().filter(|_| !options.count_only));
        for (place, about) in abouts.iter_mut().enumerate().filter(|_| !options.count_only) {
            about.beside = about.wording.beside(&mut program, place, self.source.log.schema());
        }
        let mut sink = Sink::new(&abouts, printer, out);
        let findings = stream(&program, self.tree, options, &mut sink);
        let Sink { mut streamed, failure, .. } = sink;
        if let Some(failure) = failure {
            return Err(failure);
        }
        let engine::Findings { found, stats } = findings.map_err(|error| self.stopped(error))?;
        let (mut errors, mut numbers) = (Vec::new(), Vec::new());
        for (place, (found, about)) in found.into_iter().zip(&abouts).enumerate() {
            let rows = streamed[place].take();
            let found = match found {
                Ok(found) => found,
                Err(error) => {
                    errors.push(self.text.draw_run(&error));
                    printer.error(out, about, rows.as_ref(), &error.to_string())?;
                    continue;
                }
            };
            let matches = stats.matches.get(place).copied().unwrap_or(0);
            let content = match rows {
                Some(rows) => Content::Streamed(rows),
                None => read(found, options, printer.rows_max()).map_err(|error| self.stopped(error))?,
            };
            let listed = listed(&self.program.queries[place].outcome, &content, matches);
            let totals = Totals { listed, matches, seconds: started.elapsed().as_secs_f64() };
            let of = format!("{log}, tree {}, query {}", self.tree.number(), about.query_label());
            numbers.push((of, number(&content, listed)));
            printer.print(out, about, content, totals)?;
        }
        let source = format!("{log}, tree {}", self.tree.number());
        let stats = stats_text(&source, &stats, started.elapsed().as_secs_f64());
        Ok(RunSummary { errors, numbers, stats })
    }

    fn abouts<'t>(
        &'t self,
        log: &'t str,
        counted: bool,
        printer: &Printer<'_>,
        namers: &'t Namers<'t>,
    ) -> Vec<About<'t>> {
        let seconds = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs());
        let about = |(place, query): (usize, &'t gt_query::ir::Query)| About {
            log,
            tree: self.tree.number(),
            with_tree: self.with_tree,
            name: query.name.as_deref(),
            number: place + 1,
            query: &query.text,
            columns: Column::all_of(self.program, place, self.source.log.schema(), counted),
            beside: Beside::default(),
            wording: printer.options.wording(self.source, self.tree, namers),
            stamp: Stamp::of_unix_seconds(seconds.try_into().unwrap_or(0)),
        };
        self.program.queries.iter().enumerate().map(about).collect()
    }

    fn stopped(&self, error: engine::Failure) -> Failure {
        match error {
            engine::Failure::Cancelled => Failure::new("the query was stopped"),
            other => Failure::about(&self.source.path, other),
        }
    }
}

/// Prints the rows of the first query as they come, and keeps those of others until their turn comes.
struct Sink<'s, 'a, 'o> {
    abouts: &'s [About<'a>],
    printer: &'s mut Printer<'o>,
    out: &'s mut dyn Write,
    /// By query, once it has begun.
    streamed: Vec<Option<Streamed>>,
    /// Why it broke off.
    failure: Option<Failure>,
}

impl<'s, 'a, 'o> Sink<'s, 'a, 'o> {
    fn new(abouts: &'s [About<'a>], printer: &'s mut Printer<'o>, out: &'s mut dyn Write) -> Self {
        let streamed = abouts.iter().map(|_| None).collect();
        Self { abouts, printer, out, streamed, failure: None }
    }
}

impl RowSink for Sink<'_, '_, '_> {
    fn begin(&mut self, query: usize, _: &[ResultColumn]) {
        self.streamed[query] = Some(Streamed::default());
    }

    fn rows(&mut self, query: usize, rows: Vec<Row>) -> ControlFlow<()> {
        let streamed = self.streamed[query].get_or_insert_default();
        match self.printer.rows(self.out, &self.abouts[query], streamed, &rows, query == 0) {
            Ok(()) => ControlFlow::Continue(()),
            Err(failure) => {
                self.failure = Some(failure);
                ControlFlow::Break(())
            }
        }
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
) -> Result<Content, engine::Failure> {
    Ok(match (found, rows_max) {
        (Finding::Matches(matches), Some(most)) if (most as u64) < matches.count() => {
            Content::Nodes(Nodes::List(matches.first(most, options)?))
        }
        (Finding::Matches(matches), _) => Content::Nodes(Nodes::Set(matches.into_ids(options)?)),
        (Finding::Answer(answer), _) => match answer {
            Answer::Count(count) => Content::Count(count),
            Answer::Value(value) => Content::Value(value),
            Answer::Nodes(nodes) => Content::Nodes(Nodes::List(nodes)),
            // The engine makes groups even where their number is all that is wanted.
            Answer::Rows { rows, .. } if options.count_only => Content::Count(rows.len() as u64),
            Answer::Rows { rows, .. } => Content::Rows(rows),
        },
    })
}

/// How many nodes or rows an answer has in all, printed or not.
fn listed(outcome: &Outcome, content: &Content, matches: u64) -> u64 {
    match (outcome, content) {
        (Outcome::Nodes(arrangement) | Outcome::Rows { arrangement, .. }, _) => {
            arrangement.limit.map_or(matches, |limit| matches.min(limit as u64))
        }
        (_, Content::Rows(rows)) => rows.len() as u64,
        (Outcome::Count | Outcome::Aggregate(_) | Outcome::Groups { .. }, _) => 0,
    }
}

/// The number of an answer: its value, or how many nodes or rows it has in all.
fn number(content: &Content, listed: u64) -> Option<Value> {
    match content {
        Content::Count(count) => Some(Value::Integer((*count).into())),
        Content::Value(value) => value.clone(),
        Content::Nodes(_) | Content::Rows(_) | Content::Streamed(_) => Some(Value::Integer(listed.into())),
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
