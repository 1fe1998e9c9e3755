//! A comparison of two trees as a report: plain data in, a [`Document`](crate::Document) or JSON out.
//!
//! ```text
//! Comparison ──document──▶ text, HTML
//!            └─to_json───▶ the contract of `gt diff --format json`
//! ```
//!
//! **Invariant:** everything computed here is a share or a sum of the given numbers.

mod document;
mod json;

use gt_log::Value;

/// A displayed move: in the game's notation, or as its number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Move {
    /// The game's or the log's name for it.
    Named(String),
    /// Its number, if it has no name.
    Number(i64),
}

/// A line of moves from the root.
pub type Line = Vec<Move>;

/// A value, and its words for people.
#[derive(Clone, Debug, PartialEq)]
pub struct WordedValue {
    /// The value.
    pub value: Value,
    /// Its words: `mate in 3`, an alias, or the value itself.
    pub words: String,
}

/// Two trees compared.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Comparison {
    /// The name of A.
    pub label_a: String,
    /// The name of B.
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
    /// For each compared attribute, the number of matched nodes in which it differs.
    pub changed: Vec<(String, u64)>,
    /// Pairs of nodes, each in one tree only, that a key matches; `None` if no key was requested.
    pub transposed: Option<u64>,
    /// The number of those pairs with different values.
    pub transposed_other_value: Option<u64>,
    /// The first divergence.
    pub first: Option<First>,
    /// The causes of differences, the one that explains most first.
    pub causes: Vec<Cause>,
    /// Subtrees that grew or shrank, the greatest change first.
    pub grown: Vec<Grown>,
    /// Values and best moves along the best line from the root.
    pub best_line: Vec<Step>,
    /// Notes on what was not compared, and on attributes that would have revealed more; one sentence each.
    pub notes: Vec<String>,
}

/// The first divergence in the order of the search.
#[derive(Clone, Debug, PartialEq)]
pub struct First {
    /// The line to A's node, or to B's if A has none.
    pub line: Line,
    /// The line to B's node, if it differs.
    pub line_b: Option<Line>,
    /// The node_id in A.
    pub node_a: Option<u64>,
    /// The node_id in B.
    pub node_b: Option<u64>,
    /// Whether the nodes differ on entry, as opposed to on leaving.
    pub on_entry: bool,
    /// The compared attributes: name, A's value, B's value.
    pub record: Vec<(String, WordedValue, WordedValue)>,
}

/// A cause of differences.
#[derive(Clone, Debug, PartialEq)]
pub struct Cause {
    /// Its name.
    pub name: String,
    /// The number of places where it occurs.
    pub origins: u64,
    /// The number of differing nodes that these explain.
    pub nodes: u64,
    /// The place that explains most.
    pub largest: Line,
    /// Its node_id in A.
    pub largest_node_a: u64,
    /// Its node_id in B.
    pub largest_node_b: u64,
    /// The number of nodes that it explains.
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

/// A node on the best line from the root.
#[derive(Clone, Debug, PartialEq)]
pub struct Step {
    /// The line to it.
    pub line: Line,
    /// Its value in A.
    pub value_a: WordedValue,
    /// Its value in B.
    pub value_b: WordedValue,
    /// Its best move in A.
    pub best_a: Option<Move>,
    /// Its best move in B.
    pub best_b: Option<Move>,
}
