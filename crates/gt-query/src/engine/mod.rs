//! The engine: answers a program by a few scans of a log's blocks, in parallel.
//!
//! ```text
//! Program ──plan──▶ passes ──▶ blocks, in parallel ──▶ step: the few nodes that cross blocks ──▶ next pass
//!                                └─▶ matches, in the order of blocks ──▶ answers
//! ```
//!
//! **Invariant:** an answer equals the [`reference`](crate::reference)'s, for any block size and number of threads.
//! Memory holds a few blocks per thread, the answers, and the nodes that cross blocks: their positions (about as many
//! per block as the tree is deep) and their values (only those of the open path, if nothing flows down).
//!
//! The engine opens no file and draws nothing: callers pass it a [`Tree`].

mod bits;
mod collect;
mod columns;
mod crossing;
mod explain;
mod failure;
mod findings;
mod folds;
mod later_lines;
mod matches;
mod options;
mod parallel;
mod plan;
mod run;
mod scan;
pub(crate) mod sink;
mod streams;
mod twins;
mod vector;
mod wide;

use std::time::Instant;

use gt_log::Tree;

use crate::answer::{Answer, Partial, Unjoinable};
use crate::evaluate::RunError;
use crate::ir::{self, Program};
pub use bits::NodeSet;
pub use explain::explain;
pub use failure::Failure;
pub use findings::{Finding, Findings, Stats};
pub use matches::{Iter, Matches};
pub use options::{MEMORY_DEFAULT, Options};
use sink::RowSink;

/// Whether the lists from the parts of a tree ([`Options::blocks`]) make up the list from the whole tree, in another
/// order.
#[must_use]
pub fn is_divisible(outcome: &ir::Outcome) -> bool {
    match outcome {
        ir::Outcome::Nodes(arrangement) | ir::Outcome::Rows { arrangement, .. } => {
            arrangement.order.is_empty() && arrangement.limit.is_none()
        }
        ir::Outcome::Count | ir::Outcome::Aggregate(_) | ir::Outcome::Groups { .. } => false,
    }
}

/// The result of a run.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// For each query its answer, or the overflow that left it without one.
    pub answers: Vec<Result<Answer, RunError>>,
    /// The statistics of the run.
    pub stats: Stats,
}

/// Answers all queries of a program, which must be bound to the tree's schema.
///
/// # Errors
/// Returns an error if the log is damaged or cannot be read, or the run was cancelled.
///
/// ```
/// use gt_log::{Artificial, Log, LogWriter, Options, Shape};
/// use gt_query::{Answer, Environment, compile, engine};
///
/// let writer = LogWriter::to_memory(Artificial::header()?)?;
/// Artificial { shape: Shape::Full, depth: 4, branching: 3, seed: 1 }.write(&writer, Options::default(), |_| {})?;
/// let log = Log::from_bytes(writer.into_memory()?)?;
/// let program = compile("node: count(*); child: count(*) = 3", &Environment::new(log.schema())).unwrap();
/// let outcome = engine::run(&program, log.tree(0)?, &engine::Options::default())?;
/// assert_eq!(outcome.answers, [Ok(Answer::Count(1 + 3 + 9 + 27))]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn run(program: &Program, tree: Tree<'_>, options: &Options<'_>) -> Result<Outcome, Failure> {
    let Findings { found, mut stats } = find(program, tree, options)?;
    let started = Instant::now();
    let whole = |found: Result<Finding<'_>, RunError>| match found {
        Ok(found) => found.into_answer(options).map(Ok),
        Err(error) => Ok(Err(error)),
    };
    let answers = found.into_iter().map(whole).collect::<Result<_, _>>()?;
    stats.seconds.push(("node_ids".to_owned(), started.elapsed().as_secs_f64()));
    Ok(Outcome { answers, stats })
}

/// Finds the results of all queries of a program. Answers are complete, except collections of nodes: these are held
/// as [`Matches`], which know their number, and whose node_ids can be read in order without collecting them.
///
/// # Errors
/// Returns the errors of [`run`].
pub fn find<'t>(program: &Program, tree: Tree<'t>, options: &Options<'_>) -> Result<Findings<'t>, Failure> {
    find_and_give(program, tree, options, None)
}

/// Finds a tree's contribution to the answer to a program's first query over many trees.
///
/// # Errors
/// Returns the errors of [`run`]; the inner error says why the query's answers cannot be joined.
pub fn gather(
    program: &Program,
    tree: Tree<'_>,
    options: &Options<'_>,
) -> Result<Result<Partial, Unjoinable>, Failure> {
    if let Err(unjoinable) = Partial::new(program) {
        return Ok(Err(unjoinable));
    }
    let (gatherings, _) = run::gather(program, tree, options, None)?;
    let collector = gatherings.into_iter().next().map(collect::Gathering::into_collector);
    Ok(collector.map_or_else(|| Partial::new(program), |collector| Partial::of(program, collector)))
}

/// Like [`find`], but passes rows to a sink while they are found, where possible; the answer is then the number of
/// rows.
///
/// # Errors
/// Returns the errors of [`find`], and an error if the sink breaks off.
pub(crate) fn find_and_give<'t>(
    program: &Program,
    tree: Tree<'t>,
    options: &Options<'_>,
    sink: Option<&mut dyn RowSink>,
) -> Result<Findings<'t>, Failure> {
    let with_ids = later_lines::with_ids(program);
    // Queries that are only counted have no rows.
    let sink = sink.filter(|_| !options.count_only);
    let mut sink = sink.map(|sink| later_lines::WithLines::new(program, tree, options, sink));
    let streams = sink.as_mut().map(|sink| streams::Streams::new(program, sink));
    let found = run::find(&with_ids, tree, options, streams);
    let mut findings =
        found.map_err(|failure| sink.as_mut().and_then(|sink| sink.failure()).unwrap_or(failure))?;
    sink.as_mut().map_or(Ok(()), |sink| sink.finish())?;
    later_lines::make_lines(&with_ids, tree, options, &mut findings)?;
    Ok(findings)
}
