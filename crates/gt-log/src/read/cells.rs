//! Values of many nodes in the order of their numbers.

use crate::Kind;
use crate::record::Value;

/// Nodes with consecutive numbers.
#[derive(Clone, Debug, Default)]
pub struct Batch {
    /// The number of the first.
    pub first_node: u64,
    /// The number of each one's parent; -1 for the root.
    pub parents: Vec<i64>,
    /// The distance of each from the root.
    pub plies: Vec<i64>,
    /// How many rows the subtree of each has.
    pub sizes: Vec<i64>,
    /// The columns asked for, in that order.
    pub cells: Vec<Cells>,
}

/// The values of one column in a batch.
#[derive(Clone, Debug, Default)]
pub struct Cells {
    /// One for each node (see [`crate::Value::of_integer`]).
    pub integers: Vec<i64>,
    /// What the integers of a text stand for.
    pub texts: Vec<String>,
    /// For each node whether it lacks the value; empty where none does.
    missing: Vec<bool>,
}

impl Cells {
    /// Whether the node at this place lacks the value; its integer then means nothing.
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

    /// Says that the last `count` nodes lack the value where `is_missing` says so.
    pub(super) fn mark_last(&mut self, count: usize, is_missing: impl Fn(usize) -> bool) {
        let before = self.integers.len() - count;
        self.missing.resize(before, false);
        self.missing.extend((0..count).map(is_missing));
    }

    /// Appends the values of others in this order; texts are shared.
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

    /// Whether it has none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.sizes.is_empty()
    }
}
