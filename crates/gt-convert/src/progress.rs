//! How far a conversion has come.

/// What is being done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// Reading for the columns' names and types.
    Looking,
    /// Reading rows.
    Reading,
    /// Writing rows.
    Writing,
}

/// How far it has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// What is being done.
    pub stage: Stage,
    /// How much of it is done: bytes or rows, as the format counts.
    pub done: u64,
    /// How much there is.
    pub total: u64,
}
