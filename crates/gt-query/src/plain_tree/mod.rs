//! A simple tree in memory, for the reference evaluator and the golden tests.
//!
//! Nodes are numbered in preorder, so that a node's number is its `node_id`. Not meant for large trees.

mod moves;
mod text;

use gt_log::Schema;

use crate::value::Value;
pub use moves::Moves;
pub use text::{TreeError, parse, print};

/// A tree whose nodes are numbered in preorder; node 0 is the root.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PlainTree {
    schema: Schema,
    nodes: Vec<PlainNode>,
}

/// A node of a [`PlainTree`].
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PlainNode {
    /// Its parent; only the root has none.
    pub parent: Option<usize>,
    /// Its children, in order.
    pub children: Vec<usize>,
    /// The move that leads to it.
    pub last_move: i64,
    /// The values of its attributes, in the order of the schema; `None` for a value that the node lacks, or a
    /// float that is not a number.
    pub values: Vec<Option<Value>>,
    /// Whether it was open when the log ended.
    pub unfinished: bool,
    /// The number of nodes below it that the logging budget left out.
    pub left_out: u64,
}

/// An event of a walk: a node is entered or left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Visit {
    /// On the way down.
    Enter(usize),
    /// On the way up.
    Leave(usize),
}

impl PlainTree {
    /// Makes a tree without nodes.
    #[must_use]
    pub const fn new(schema: Schema) -> Self {
        Self { schema, nodes: Vec::new() }
    }

    /// Adds a node after all others and returns its number. Its parent must lie on the path to the last added node,
    /// so that numbers stay in preorder; otherwise returns `None`.
    pub fn push(
        &mut self,
        parent: Option<usize>,
        last_move: i64,
        values: Vec<Option<Value>>,
    ) -> Option<usize> {
        let number = self.nodes.len();
        match parent {
            None if number == 0 => {}
            Some(parent) if number > 0 && self.path(number - 1).any(|node| node == parent) => {
                self.nodes[parent].children.push(number);
            }
            _ => return None,
        }
        self.nodes.push(PlainNode { parent, last_move, values, ..PlainNode::default() });
        Some(number)
    }

    /// Returns the attributes and aliases.
    #[must_use]
    pub const fn schema(&self) -> &Schema {
        &self.schema
    }

    /// Returns the nodes in preorder.
    #[must_use]
    pub fn nodes(&self) -> &[PlainNode] {
        &self.nodes
    }

    /// Returns a node, to set its marks.
    #[must_use]
    pub fn node_mut(&mut self, node: usize) -> Option<&mut PlainNode> {
        self.nodes.get_mut(node)
    }

    /// Returns the proper ancestors of a node, nearest first.
    pub fn ancestors(&self, node: usize) -> impl Iterator<Item = usize> {
        std::iter::successors(self.nodes[node].parent, |node| self.nodes[*node].parent)
    }

    /// The node and its ancestors.
    fn path(&self, node: usize) -> impl Iterator<Item = usize> {
        std::iter::once(node).chain(self.ancestors(node))
    }

    /// Returns the descendants of a node in preorder, excluding itself.
    #[must_use]
    pub fn descendants(&self, node: usize) -> std::ops::Range<usize> {
        let mut last = node;
        while let Some(child) = self.nodes[last].children.last() {
            last = *child;
        }
        node + 1..last + 1
    }

    /// Returns the distance from the root.
    #[must_use]
    pub fn ply(&self, node: usize) -> usize {
        self.ancestors(node).count()
    }

    /// Returns its index among its siblings.
    #[must_use]
    pub fn index(&self, node: usize) -> usize {
        let siblings = self.nodes[node].parent.map(|parent| &self.nodes[parent].children);
        siblings.and_then(|siblings| siblings.iter().position(|sibling| *sibling == node)).unwrap_or(0)
    }

    /// Returns the sibling `offset` places after the node.
    #[must_use]
    pub fn sibling(&self, node: usize, offset: isize) -> Option<usize> {
        let parent = self.nodes[node].parent?;
        let index = self.index(node).checked_add_signed(offset)?;
        self.nodes[parent].children.get(index).copied()
    }

    /// Returns the moves from the root to the node.
    #[must_use]
    pub fn line(&self, node: usize) -> Vec<i64> {
        // The root's own move, if any, leads to the root and not from it.
        let on_path = self.path(node).filter(|node| self.nodes[*node].parent.is_some());
        let mut moves: Vec<i64> = on_path.map(|node| self.nodes[node].last_move).collect();
        moves.reverse();
        moves
    }

    /// Returns the walk of a depth-first search, left to right.
    #[must_use]
    pub fn walk(&self) -> Vec<Visit> {
        let mut visits = Vec::with_capacity(2 * self.nodes.len());
        let mut open: Vec<usize> = Vec::new();
        for (number, node) in self.nodes.iter().enumerate() {
            while open.last().copied() != node.parent {
                let Some(left) = open.pop() else { break };
                visits.push(Visit::Leave(left));
            }
            open.push(number);
            visits.push(Visit::Enter(number));
        }
        visits.extend(open.into_iter().rev().map(Visit::Leave));
        visits
    }
}
