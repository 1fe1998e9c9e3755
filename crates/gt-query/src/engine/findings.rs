//! What a run has found, and its statistics.

use super::failure::Failure;
use super::matches::Matches;
use super::options::Options;
use crate::answer::Answer;
use crate::evaluate::RunError;

/// The statistics of a run.
#[derive(Clone, Debug, Default)]
pub struct Stats {
    /// The number of nodes in the tree.
    pub nodes: u64,
    /// For each query, the number of matching nodes; for a list with a limit, at least the number of listed nodes.
    pub matches: Vec<u64>,
    /// The number of blocks in the tree.
    pub blocks: u64,
    /// The number of times blocks were processed, over all passes.
    pub blocks_read: u64,
    /// The number of times a block's head alone was enough.
    pub blocks_skipped: u64,
    /// The number of columns of blocks decoded.
    pub columns_decoded: u64,
    /// The bytes that these columns take in the log.
    pub bytes_read: u64,
    /// Each part of the run, with its duration in seconds.
    pub seconds: Vec<(String, f64)>,
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
