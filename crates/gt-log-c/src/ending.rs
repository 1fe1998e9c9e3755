//! How a search ends, for the log and for the queries that are attached.

/// How a search ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ending {
    /// Complete: open nodes are an error.
    Finished,
    /// Aborted: nodes may be open.
    BrokenOff,
}
