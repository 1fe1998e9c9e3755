//! Values of many nodes in the order of their numbers.

use crate::Kind;
use crate::record::Value;

/// Nodes with consecutive numbers.
#[derive(Clone, Debug, Default)]
pub struct Batch {
    /// The number of the first node.
    pub first_node: u64,
    /// The number of each node's parent; -1 for the root.
    pub parents: Vec<i64>,
    /// Each node's distance from the root.
    pub plies: Vec<i64>,
    /// The number of rows in each node's subtree.
    pub sizes: Vec<i64>,
    /// The requested columns, in their order.
    pub cells: Vec<Cells>,
}

/// The values of one column in a batch.
#[derive(Clone, Debug, Default)]
pub struct Cells {
    /// One integer for each node (see [`crate::Value::of_integer`]).
    pub integers: Vec<i64>,
    /// The texts for which the integers of a text column stand.
    pub texts: Vec<String>,
    /// For each node, whether it lacks the value; empty if none does.
    missing: Vec<bool>,
}

impl Cells {
    /// Whether the node at this place lacks the value; its integer means nothing then.
    #[must_use]
    pub fn is_missing(&self, place: usize) -> bool {
        self.missing.get(place).copied().unwrap_or(false)
    }

    /// The value of the node at this place, in a column of this type.
    ///
    /// # Panics
    /// If the batch has no such node.
    #[must_use]
    pub fn value(&self, kind: Kind, place: usize) -> Value {
        if self.is_missing(place) {
            return Value::Missing;
        }
        Value::of_integer(kind, self.integers[place], &self.texts)
    }

    /// Marks those of the last `count` nodes as lacking the value for which `is_missing` says so.
    pub(super) fn mark_last(&mut self, count: usize, is_missing: impl Fn(usize) -> bool) {
        let before = self.integers.len() - count;
        self.missing.resize(before, false);
        self.missing.extend((0..count).map(is_missing));
    }

    /// Appends values of `others` in this order; the texts are shared.
    pub(super) fn append(&mut self, others: &Self, order: &[u32]) {
        self.integers.extend(order.iter().map(|&place| others.integers[place as usize]));
        if !others.missing.is_empty() {
            self.mark_last(order.len(), |place| others.is_missing(order[place] as usize));
        }
    }
}

impl Batch {
    /// The number of nodes.
    #[must_use]
    pub fn len(&self) -> usize {
        self.sizes.len()
    }

    /// Whether there are no nodes.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.sizes.is_empty()
    }
}
