//! What a run reports while it is under way: rows, and its progress.

use std::ops::ControlFlow;

use crate::ir::{Outcome, ResultColumn};
use crate::value::Value;

/// The progress of a run, reported by the engine after each batch of blocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// The number of blocks processed so far.
    pub blocks_done: u64,
    /// The total number of blocks, over all passes.
    pub blocks: u64,
}

/// A receiver of a query's rows: while they are found, or in the end if they are ordered.
pub trait RowSink {
    /// Begins a query that gives rows; called once, before its first row, even if there is none.
    fn begin(&mut self, query: usize, columns: &[ResultColumn]);
    /// Receives more rows of a query. [`ControlFlow::Break`] ends the run with [`Failure::Cancelled`](super::Failure::Cancelled).
    fn rows(&mut self, query: usize, rows: Vec<Vec<Option<Value>>>) -> ControlFlow<()>;
}

/// Whether [`stream`](crate::stream::stream) passes the rows of a query to its sink: those of `select` without `group by`.
#[must_use]
pub fn is_streamed(outcome: &Outcome) -> bool {
    matches!(outcome, Outcome::Rows { .. })
}

/// Whether rows are passed on while they are found: those of `select` in the order of node_id.
pub(crate) fn is_streamed_at_once(outcome: &Outcome) -> bool {
    matches!(outcome, Outcome::Rows { arrangement, .. } if arrangement.order.is_empty())
}
