//! Two trees compared, as a report: plain data in, a [`Document`](crate::Document) or JSON out.
//!
//! ```text
//! Comparison ──document──▶ text, HTML
//!            └─to_json───▶ the contract of `gt diff --format json`
//! ```
//!
//! **Invariant:** nothing is computed here that is not a share or a sum of the numbers given.

mod document;
mod json;

use gt_log::Value;

/// A move as it is shown: as its game writes it, or as its number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Move {
    /// A game's or a log's name for it.
    Named(String),
    /// Its number, where nothing names it.
    Number(i64),
}

/// A line of moves from the root.
pub type Line = Vec<Move>;

/// Two trees compared.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Comparison {
    /// What A is called.
    pub label_a: String,
    /// What B is called.
    pub label_b: String,
    /// Whether there is no difference.
    pub same: bool,
    /// The nodes of A.
    pub nodes_a: u64,
    /// The nodes of B.
    pub nodes_b: u64,
    /// Nodes that both have.
    pub matched: u64,
    /// Nodes that only A has.
    pub only_a: u64,
    /// Nodes that only B has.
    pub only_b: u64,
    /// Matched nodes that differ.
    pub changed_nodes: u64,
    /// In how many matched nodes each compared attribute differs.
    pub changed: Vec<(String, u64)>,
    /// Pairs of nodes, each in one tree only, that a key matches; nothing where none was asked for.
    pub transposed: Option<u64>,
    /// How many of those pairs have different values.
    pub transposed_other_value: Option<u64>,
    /// The first divergence.
    pub first: Option<First>,
    /// What differences start with, the cause that explains most first.
    pub causes: Vec<Cause>,
    /// Subtrees that grew or shrank, the greatest change first.
    pub grown: Vec<Grown>,
    /// Values and best moves on the way from the root.
    pub way: Vec<Step>,
    /// What was not compared, and what other attributes would have told; a sentence each.
    pub notes: Vec<String>,
}

/// The first divergence in the order of the search.
#[derive(Clone, Debug, PartialEq)]
pub struct First {
    /// The line to A's node, or to B's where A has none.
    pub line: Line,
    /// The line to B's node, where it is another.
    pub line_b: Option<Line>,
    /// The node_id in A.
    pub node_a: Option<u64>,
    /// The node_id in B.
    pub node_b: Option<u64>,
    /// Whether the nodes were entered otherwise, and not left otherwise.
    pub on_entry: bool,
    /// The compared attributes: name, A's value, B's value.
    pub record: Vec<(String, Value, Value)>,
}

/// What differences start with.
#[derive(Clone, Debug, PartialEq)]
pub struct Cause {
    /// Its name.
    pub name: String,
    /// In how many places.
    pub origins: u64,
    /// How many differing nodes these explain.
    pub nodes: u64,
    /// The place that explains most.
    pub largest: Line,
    /// Its node_id in A.
    pub largest_node_a: u64,
    /// Its node_id in B.
    pub largest_node_b: u64,
    /// How many nodes it explains.
    pub largest_nodes: u64,
}

/// A subtree that grew or shrank.
#[derive(Clone, Debug, PartialEq)]
pub struct Grown {
    /// The line to it.
    pub line: Line,
    /// Its node_id in A.
    pub node_a: Option<u64>,
    /// Its node_id in B.
    pub node_b: Option<u64>,
    /// Its nodes in A.
    pub size_a: u64,
    /// Its nodes in B.
    pub size_b: u64,
}

/// A node on the way from the root.
#[derive(Clone, Debug, PartialEq)]
pub struct Step {
    /// The line to it.
    pub line: Line,
    /// Its value in A.
    pub value_a: Value,
    /// Its value in B.
    pub value_b: Value,
    /// Its best move in A.
    pub best_a: Option<Move>,
    /// Its best move in B.
    pub best_b: Option<Move>,
}
