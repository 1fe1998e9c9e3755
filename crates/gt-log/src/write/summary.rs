//! What is known about a node that is copied, and about a tree that has ended.

/// What a copied node is known to lack.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Marks {
    /// The node was open when its log ended.
    pub unfinished: bool,
    /// The number of nodes left out directly below the node.
    pub left_out: u64,
}

/// A summary of a finished tree.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TreeSummary {
    /// The tree's number in the log.
    pub tree: u32,
    /// The number of rows in the tree.
    pub nodes: u64,
    /// The number of nodes left out, by the budget or outside the trigger.
    pub left_out: u64,
}
