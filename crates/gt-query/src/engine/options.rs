//! The options of a run.

use std::sync::atomic::AtomicBool;

use super::bits::NodeSet;
use super::parallel::Workers;
use super::sink::Progress;

/// The default of [`Options::memory`] for groups and ordered rows: 1 GiB.
pub const MEMORY_DEFAULT: usize = 1 << 30;

/// The options of a run.
#[derive(Clone, Copy)]
pub struct Options<'a> {
    /// The number of threads; 0 for the number of processors.
    pub threads: usize,
    /// Whether collections and rows are only counted; their order keys are not computed.
    pub count_only: bool,
    /// Set it to stop: the run then ends with [`Failure::Cancelled`](super::Failure::Cancelled).
    pub cancel: Option<&'a AtomicBool>,
    /// Called with the progress of the run, every few blocks.
    pub progress: Option<&'a (dyn Fn(Progress) + Sync)>,
    /// The maximum number of bytes for the groups and the ordered rows of all queries together; beyond it the run
    /// ends with [`Failure::TooLarge`](super::Failure::TooLarge).
    pub memory: usize,
    /// The only nodes that can match. Values that a query reads from others (relatives, aggregates, twins) are
    /// unaffected.
    pub within: Option<&'a NodeSet>,
    /// The range of blocks to search, from the first to before the second. The answers from all parts of a tree's
    /// blocks add up to the tree's answer. Programs that each block can answer alone skip the other blocks; for any
    /// other program the part with block 0 is the whole.
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

impl Options<'_> {
    /// The threads of a run, for results that take little memory.
    pub(super) fn workers(&self) -> Workers<'_> {
        Workers { threads: self.threads(), cancel: self.cancel, results_are_large: false }
    }

    pub(super) fn threads(&self) -> usize {
        match self.threads {
            0 => std::thread::available_parallelism().map_or(1, usize::from),
            threads => threads,
        }
    }
}
