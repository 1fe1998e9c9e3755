//! Section 5.1: eight queries on nine artificial trees.
//!
//! ```text
//! Tree 1 … 9 ──gt gen──▶ a log ──Q1 … Q8, one thread, best of several runs──▶ Measured
//! ```
//!
//! A log is always a draft, which is removed once it has been measured: `gt gen` makes the same again.

mod report;

pub(crate) use report::report;

use std::path::Path;
use std::time::Instant;

use gt_log::{Artificial, Existing, Log, LogWriter, NewFile, Options, Shape};
use gt_query::Program;
use gt_query::engine::{self, Stats};

use crate::error::{Error, ErrorKind, Result};
use crate::memory;
use crate::queries::{self, EFFICIENCY};
use crate::thesis::{TREES, Tree};

/// The measurements of the queries on one tree.
#[derive(Clone, Debug)]
pub struct Measured {
    /// The tree.
    pub tree: Tree,
    /// Its nodes.
    pub nodes: u64,
    /// The bytes of its log.
    pub bytes: u64,
    /// The seconds of each query alone, on one thread.
    pub seconds: [f64; 8],
    /// The answers.
    pub answers: [u64; 8],
    /// The number of columns of blocks that each query decoded; one that decodes none is answered by the
    /// log's index.
    pub columns_decoded: [u64; 8],
    /// The seconds of all eight as one file, on one thread.
    pub together_seconds: f64,
    /// The seconds of all eight on as many threads as there are processors.
    pub together_parallel_seconds: f64,
    /// The maximum memory of the process meanwhile, if the system reports it.
    pub memory_bytes_max: Option<u64>,
}

impl Measured {
    /// Returns the nodes per second of a query, by its index; `None` if it read nothing.
    #[must_use]
    pub fn nodes_per_second(&self, query: usize) -> Option<f64> {
        (self.columns_decoded[query] > 0).then(|| self.nodes as f64 / self.seconds[query])
    }
}

/// The trees to measure: the thesis's, or small ones with the same branching.
pub(crate) fn trees(quick: bool) -> Vec<Tree> {
    const QUICK_DEPTHS: [usize; 9] = [13, 8, 6, 5, 4, 3, 3, 3, 3];
    if !quick {
        return TREES.to_vec();
    }
    TREES.iter().zip(QUICK_DEPTHS).map(|(&tree, depth)| Tree { depth, ..tree }).collect()
}

/// Makes a tree in the folder, queries it, and removes it.
pub(crate) fn measure(tree: Tree, folder: &Path, runs: u32) -> Result<Measured> {
    let path = folder.join(format!("tree{}.gtf", tree.number));
    // Never kept, so a file of that name stays; removed when dropped, or when the program is interrupted.
    let draft = NewFile::at(&path, Existing::Replace).map_err(Error::about(&path))?;
    let measured = write(tree, &draft).and_then(|bytes| ask(tree, draft.draft(), bytes, runs));
    measured.map_err(|kind| Error::new(&path, kind))
}

fn write(tree: Tree, draft: &NewFile) -> std::result::Result<u64, ErrorKind> {
    let log = LogWriter::to_writer(draft.create()?, Artificial::header()?)?;
    // No time limit, so that blocks do not depend on how busy the machine is.
    let mut options = Options::default();
    options.flush.time_ms_max = None;
    let artificial = Artificial { shape: Shape::Full, depth: tree.depth, branching: tree.branching, seed: 1 };
    artificial.write(&log, options, |_| {})?;
    Ok(log.finish()?)
}

fn ask(tree: Tree, path: &Path, bytes: u64, runs: u32) -> std::result::Result<Measured, ErrorKind> {
    let log = Log::open(path)?;
    let logged = log.tree(0)?;
    let watch = memory::watch();
    let mut measured = Measured {
        tree,
        nodes: logged.nodes(),
        bytes,
        seconds: [0.0; 8],
        answers: [0; 8],
        columns_decoded: [0; 8],
        together_seconds: 0.0,
        together_parallel_seconds: 0.0,
        memory_bytes_max: None,
    };
    for (place, query) in EFFICIENCY.iter().enumerate() {
        let (seconds, stats) = best_of(runs, &queries::bind(query, logged, 0)?, logged, 1)?;
        measured.seconds[place] = seconds;
        measured.answers[place] = stats.matches[0];
        measured.columns_decoded[place] = stats.columns_decoded;
    }
    let together = queries::bind(&queries::file(&EFFICIENCY), logged, 0)?;
    measured.together_seconds = best_of(runs, &together, logged, 1)?.0;
    measured.together_parallel_seconds = best_of(runs, &together, logged, 0)?.0;
    measured.memory_bytes_max = watch.and_then(|watch| watch.bytes_max());
    Ok(measured)
}

/// The fastest run: its seconds, and its statistics.
fn best_of(
    runs: u32,
    program: &Program,
    tree: gt_log::Tree<'_>,
    threads: usize,
) -> std::result::Result<(f64, Stats), ErrorKind> {
    let options = engine::Options { threads, ..engine::Options::default() };
    let mut best = (f64::INFINITY, Stats::default());
    for _ in 0..runs.max(1) {
        let started = Instant::now();
        let outcome = engine::run(program, tree, &options)?;
        let seconds = started.elapsed().as_secs_f64();
        if seconds < best.0 {
            best = (seconds, outcome.stats);
        }
    }
    Ok(best)
}
