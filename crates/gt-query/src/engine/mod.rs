//! The engine: a program answered by a few scans of a log's blocks, side by side.
//!
//! ```text
//! Program ──plan──▶ passes ──▶ blocks, in parallel ──▶ step: the few nodes that cross blocks ──▶ next pass
//!                                └─▶ matches, in the order of blocks ──▶ answers
//! ```
//!
//! **Invariant:** an answer is the [`reference`](crate::reference)'s, whatever the block size and the number of
//! threads. Memory is that of a few blocks for each thread, of the answers, and of the nodes that cross blocks: where
//! they are, about the depth for each block; what they carry, for the open path alone where nothing flows down.
//!
//! The engine opens no file and draws nothing: it is handed a [`Tree`].

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

use std::fmt;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use gt_log::Tree;

use crate::answer::{Answer, Held};
use crate::evaluate::RunError;
use crate::ir::{self, Program};
use crate::stream::{Progress, RowSink};
pub use bits::NodeSet;
pub use explain::explain;
pub use matches::{Iter, Matches};

/// What groups and ordered rows may take in memory unless [`Options::memory`] says otherwise: 1 GiB.
pub const MEMORY_DEFAULT: usize = 1 << 30;

/// How to run.
#[derive(Clone, Copy)]
pub struct Options<'a> {
    /// How many threads work; 0 for as many as there are processors.
    pub threads: usize,
    /// Collections and rows are only counted; the keys of their order are not computed.
    pub count_only: bool,
    /// Set it to stop: the run then ends with [`Failure::Cancelled`].
    pub cancel: Option<&'a AtomicBool>,
    /// Told how far the run has come, after every few blocks.
    pub progress: Option<&'a (dyn Fn(Progress) + Sync)>,
    /// How many bytes the groups and the ordered rows of all queries may take together; beyond it the run ends with
    /// [`Failure::TooLarge`].
    pub memory: usize,
    /// Only these nodes can match. What a query reads of others (relatives, aggregates, twins) is as it is without.
    pub within: Option<&'a NodeSet>,
    /// Only what the blocks from the first to before the second find: the parts of a tree's blocks add up to its answer.
    /// Programs of which a block alone can tell skip the others; of any other program the part with block 0 is all.
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

/// Whether what the parts of a tree list ([`Options::blocks`]) is together what all of it lists, in another order.
#[must_use]
pub fn is_divisible(outcome: &ir::Outcome) -> bool {
    match outcome {
        ir::Outcome::Nodes(arrangement) | ir::Outcome::Rows { arrangement, .. } => {
            arrangement.order.is_empty() && arrangement.limit.is_none()
        }
        ir::Outcome::Count | ir::Outcome::Aggregate(_) | ir::Outcome::Groups { .. } => false,
    }
}

/// What a run gives.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// For each query its answer, or the overflow that left it without one.
    pub answers: Vec<Result<Answer, RunError>>,
    /// What the run took.
    pub stats: Stats,
}

/// What a run took.
#[derive(Clone, Debug, Default)]
pub struct Stats {
    /// The nodes of the tree.
    pub nodes: u64,
    /// For each query how many nodes match.
    pub matches: Vec<u64>,
    /// The blocks of the tree.
    pub blocks: u64,
    /// How often blocks were worked on, over all passes.
    pub blocks_read: u64,
    /// How often all that was needed of a block was in its head.
    pub blocks_skipped: u64,
    /// How many columns of blocks were decoded.
    pub columns_decoded: u64,
    /// The bytes that these take in the log.
    pub bytes_read: u64,
    /// Each part of the run, with the seconds that it took.
    pub seconds: Vec<(String, f64)>,
}

/// Why a run gave no answers at all.
#[derive(Debug)]
pub enum Failure {
    /// The log could not be read, or is damaged.
    Log(gt_log::Error),
    /// The run was cancelled.
    Cancelled,
    /// The program was bound to another schema: the tree has fewer attributes.
    OtherSchema,
    /// What a query gathers takes more than [`Options::memory`].
    TooLarge {
        /// What takes most of it.
        what: Held,
        /// How many bytes all of it takes, about.
        bytes: usize,
    },
    /// So many nodes have one key, and would have to be compared each with each as twins.
    TooManyTwins {
        /// How many.
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
                    Held::Rows => ("rows that `order by` sorts", "add `limit N` after it"),
                    Held::Groups => ("groups", "group by a coarser key"),
                    Held::Values => ("values that the query keeps", "make them coarser (`A / 100`)"),
                    Held::Twins => ("keys and values of twins", "ask fewer aggregates over twins at once"),
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

/// What the queries of a program have found.
#[derive(Clone, Debug)]
pub struct Findings<'t> {
    /// For each query what it found, or the overflow that left it without an answer.
    pub found: Vec<Result<Finding<'t>, RunError>>,
    /// What the run took.
    pub stats: Stats,
}

/// What a query has found.
#[derive(Clone, Debug)]
pub enum Finding<'t> {
    /// The answer.
    Answer(Answer),
    /// The nodes that match, where that is the answer; their node_ids are made when they are read.
    Matches(Matches<'t>),
}

impl Finding<'_> {
    /// The answer, whole.
    ///
    /// # Errors
    /// Where the log is damaged or cannot be read, or the run was cancelled.
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

/// Answers all queries of a program, which is bound to the tree's schema.
///
/// # Errors
/// Where the log is damaged or cannot be read, or the run was cancelled.
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

/// Finds what all queries of a program ask for. Answers are whole but for collections of nodes: these are held as
/// [`Matches`], which know how many they are, and whose node_ids can be read in order without collecting them.
///
/// # Errors
/// As [`run`].
pub fn find<'t>(program: &Program, tree: Tree<'t>, options: &Options<'_>) -> Result<Findings<'t>, Failure> {
    find_and_give(program, tree, options, None)
}

/// Like [`find`]; rows that can be are handed to a sink while they are found, and then their number is the answer.
///
/// # Errors
/// As [`find`]; and where the sink breaks off.
pub(crate) fn find_and_give<'t>(
    program: &Program,
    tree: Tree<'t>,
    options: &Options<'_>,
    sink: Option<&mut dyn RowSink>,
) -> Result<Findings<'t>, Failure> {
    let with_ids = later_lines::with_ids(program);
    // What is only counted has no rows.
    let streams = sink.filter(|_| !options.count_only).map(|sink| streams::Streams::new(program, sink));
    let mut findings = run::find(&with_ids, tree, options, streams)?;
    later_lines::make_lines(&with_ids, tree, options, &mut findings)?;
    Ok(findings)
}
