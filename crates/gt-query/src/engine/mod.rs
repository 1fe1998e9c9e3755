//! The engine: answers a program by a few scans of a log's blocks, in parallel.
//!
//! ```text
//! Program ──plan──▶ passes ──▶ blocks, in parallel ──▶ step: the few nodes that cross blocks ──▶ next pass
//!                                └─▶ matches, in the order of blocks ──▶ answers
//! ```
//!
//! **Invariant:** an answer is the [`reference`](crate::reference)'s, for any block size and number of threads.
//! Memory is that of a few blocks per thread, of the answers, and of the nodes that cross blocks: for their
//! positions, about the depth per block; for their values, only the open path if nothing flows down.
//!
//! The engine opens no file and draws nothing: callers pass it a [`Tree`].

mod bits;
mod collect;
mod columns;
mod crossing;
mod explain;
mod folds;
mod later_lines;
mod matches;
mod parallel;
mod plan;
mod run;
mod scan;
mod streams;
mod twins;
mod vector;
mod wide;

use std::fmt;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use gt_log::Tree;

use crate::answer::{Answer, MemoryUse};
use crate::evaluate::RunError;
use crate::ir::{self, Program};
use crate::stream::{Progress, RowSink};
pub use bits::NodeSet;
pub use explain::explain;
pub use matches::{Iter, Matches};

/// The default of [`Options::memory`] for groups and ordered rows: 1 GiB.
pub const MEMORY_DEFAULT: usize = 1 << 30;

/// The options of a run.
#[derive(Clone, Copy)]
pub struct Options<'a> {
    /// The number of threads; 0 for the number of processors.
    pub threads: usize,
    /// Whether collections and rows are only counted; their order keys are not computed.
    pub count_only: bool,
    /// Set it to stop: the run then ends with [`Failure::Cancelled`].
    pub cancel: Option<&'a AtomicBool>,
    /// Called with the progress of the run, every few blocks.
    pub progress: Option<&'a (dyn Fn(Progress) + Sync)>,
    /// The maximum number of bytes for the groups and the ordered rows of all queries together; beyond it the run
    /// ends with [`Failure::TooLarge`].
    pub memory: usize,
    /// The only nodes that can match. Values that a query reads from others (relatives, aggregates, twins) are
    /// unaffected.
    pub within: Option<&'a NodeSet>,
    /// The range of blocks to search, from the first to before the second: the parts of a tree's blocks add up to its
    /// answer. Programs that each block can answer alone skip the others; for any other program the part with block 0
    /// is the whole.
    pub blocks: Option<(usize, usize)>,
}

impl Default for Options<'_> {
    fn default() -> Self {
        Self {
            threads: 0,
            count_only: false,
            cancel: None,
            progress: None,
            memory: MEMORY_DEFAULT,
            within: None,
            blocks: None,
        }
    }
}

/// Whether the lists from the parts of a tree ([`Options::blocks`]) together are the list from the whole, in another
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

/// The statistics of a run.
#[derive(Clone, Debug, Default)]
pub struct Stats {
    /// The number of nodes in the tree.
    pub nodes: u64,
    /// For each query the number of matching nodes.
    pub matches: Vec<u64>,
    /// The number of blocks in the tree.
    pub blocks: u64,
    /// The number of times blocks were processed, over all passes.
    pub blocks_read: u64,
    /// The number of times a block's head alone was enough.
    pub blocks_skipped: u64,
    /// The number of columns of blocks decoded.
    pub columns_decoded: u64,
    /// The bytes that these take in the log.
    pub bytes_read: u64,
    /// Each part of the run, with its duration in seconds.
    pub seconds: Vec<(String, f64)>,
}

/// The reason why a run gave no answers at all.
#[derive(Debug)]
pub enum Failure {
    /// The log could not be read, or is damaged.
    Log(gt_log::Error),
    /// The run was cancelled.
    Cancelled,
    /// The program was bound to another schema: the tree has fewer attributes.
    OtherSchema,
    /// The data that a query gathers takes more than [`Options::memory`].
    TooLarge {
        /// The kind of data that takes most of it.
        what: MemoryUse,
        /// The approximate number of bytes in total.
        bytes: usize,
    },
    /// Too many nodes have the same key, and would have to be compared pairwise as twins.
    TooManyTwins {
        /// The number of nodes.
        nodes: u64,
    },
}

impl From<gt_log::Error> for Failure {
    fn from(error: gt_log::Error) -> Self {
        Self::Log(error)
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Log(error) => error.fmt(f),
            Self::Cancelled => f.write_str("the query was stopped"),
            Self::OtherSchema => {
                f.write_str("the queries were bound to another log's attributes; bind them to this one's")
            }
            Self::TooLarge { what, bytes } => {
                let (what, mend) = match what {
                    MemoryUse::Rows => ("rows that `order by` sorts", "add `limit N` after it"),
                    MemoryUse::Groups => ("groups", "group by a coarser key"),
                    MemoryUse::Values => ("values that the query keeps", "make them coarser (`A / 100`)"),
                    MemoryUse::Twins => {
                        ("keys and values of twins", "ask fewer aggregates over twins at once")
                    }
                };
                let mebibytes = bytes.div_ceil(1 << 20);
                write!(
                    f,
                    "the {what} take {mebibytes} MiB and more; {mend}, or allow more: `gt query --memory SIZE`"
                )
            }
            Self::TooManyTwins { nodes } => write!(
                f,
                "{nodes} nodes have one key, and the query would compare each of them with each; use a key that tells more \
                 nodes apart"
            ),
        }
    }
}

impl std::error::Error for Failure {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Log(error) => Some(error),
            Self::Cancelled | Self::OtherSchema | Self::TooLarge { .. } | Self::TooManyTwins { .. } => None,
        }
    }
}

/// The findings of a program's queries.
#[derive(Clone, Debug)]
pub struct Findings<'t> {
    /// For each query its finding, or the overflow that left it without an answer.
    pub found: Vec<Result<Finding<'t>, RunError>>,
    /// The statistics of the run.
    pub stats: Stats,
}

/// The finding of a query.
#[derive(Clone, Debug)]
pub enum Finding<'t> {
    /// The answer.
    Answer(Answer),
    /// The matching nodes, if they are the answer; their node_ids are computed when read.
    Matches(Matches<'t>),
}

impl Finding<'_> {
    /// Returns the complete answer.
    ///
    /// # Errors
    /// Returns an error if the log is damaged or cannot be read, or the run was cancelled.
    pub fn into_answer(self, options: &Options<'_>) -> Result<Answer, Failure> {
        Ok(match self {
            Self::Answer(answer) => answer,
            Self::Matches(matches) => Answer::Nodes(matches.into_ids(options)?.into_vec(options.threads())),
        })
    }
}

impl Options<'_> {
    fn threads(&self) -> usize {
        match self.threads {
            0 => std::thread::available_parallelism().map_or(1, usize::from),
            threads => threads,
        }
    }
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

/// Like [`find`], but passes rows to a sink while they are found, where possible; their number is then the answer.
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
    let streams = sink.filter(|_| !options.count_only).map(|sink| streams::Streams::new(program, sink));
    let mut findings = run::find(&with_ids, tree, options, streams)?;
    later_lines::make_lines(&with_ids, tree, options, &mut findings)?;
    Ok(findings)
}
