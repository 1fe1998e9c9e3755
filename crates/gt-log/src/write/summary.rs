//! What is said of a node that is copied, and of a tree that has ended.

/// What a node is known to lack, when a tree is copied from elsewhere.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Marks {
    /// It was open when its log ended.
    pub unfinished: bool,
    /// How many nodes were left out right below it.
    pub left_out: u64,
}

/// What a finished tree came to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TreeSummary {
    /// Its number in the log.
    pub tree: u32,
    /// How many rows it has.
    pub nodes: u64,
    /// How many nodes were left out, by the budget or outside the trigger.
    pub left_out: u64,
}
