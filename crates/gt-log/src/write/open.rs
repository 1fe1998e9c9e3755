//! The open path: the nodes that have been entered and not left.

use crate::format::PathEntry;

/// An open node.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Open {
    pub(crate) last_move: i64,
    /// The row that the first node of its subtree got or will get.
    pub(crate) start_row: u64,
    /// Nodes left out right below it so far.
    pub(crate) left_out: u64,
    /// Whether it lies in a region that the trigger lets through.
    pub(crate) inside: bool,
    /// Whether it was entered with values.
    pub(crate) has_entry: bool,
}

/// The open nodes, root first, and how much of the path has not changed since it was last recorded. What every node asks for is last:
/// see `State`.
#[derive(Default)]
#[repr(C)]
pub(crate) struct OpenPath {
    /// How many nodes the path recorded last had.
    recorded: usize,
    /// The moves of `nodes` but the root's: the line that a trigger looks at.
    line: Vec<i64>,
    nodes: Vec<Open>,
    /// How many nodes of the path recorded last are still open.
    stable: usize,
}

impl OpenPath {
    #[inline(always)]
    pub(crate) fn len(&self) -> usize {
        self.nodes.len()
    }

    /// The node on top.
    #[inline(always)]
    pub(crate) fn last(&self) -> Option<&Open> {
        self.nodes.last()
    }

    /// The node on top, to be changed.
    #[inline(always)]
    pub(crate) fn top(&mut self) -> Option<&mut Open> {
        self.nodes.last_mut()
    }

    #[inline(always)]
    pub(crate) fn push(&mut self, node: Open, keep_line: bool) {
        if keep_line && !self.nodes.is_empty() {
            self.line.push(node.last_move);
        }
        self.nodes.push(node);
    }

    /// Takes the node on top away, and says how many are left.
    #[inline(always)]
    pub(crate) fn shorten(&mut self) -> usize {
        let left = self.nodes.len().saturating_sub(1);
        self.nodes.truncate(left);
        if !self.line.is_empty() {
            self.line.pop();
        }
        self.stable = self.stable.min(left);
        left
    }

    /// The moves from the root to the node on top.
    pub(crate) fn line(&self) -> &[i64] {
        &self.line
    }

    /// The places of nodes that were entered with values, from this place on.
    pub(crate) fn entries(&self, first: usize) -> impl Iterator<Item = usize> {
        (first..self.nodes.len()).filter(|&place| self.nodes[place].has_entry)
    }

    /// How many nodes of the path recorded last are still open, and those added below them. The path counts
    /// as recorded then.
    pub(crate) fn record(&mut self) -> (usize, Vec<PathEntry>) {
        let kept = self.stable;
        let entry = |node: &Open| PathEntry { last_move: node.last_move, start_row: node.start_row };
        let added = self.nodes[kept..].iter().map(entry).collect();
        self.stable = self.nodes.len();
        self.recorded = self.nodes.len();
        (kept, added)
    }

    /// The move of the node on top.
    pub(crate) fn peek_move(&self) -> i64 {
        self.nodes.last().map_or(0, |node| node.last_move)
    }

    /// Whether it has changed since it was recorded: nodes were entered, or left (without a row, outside of a trigger).
    pub(crate) fn has_changed(&self) -> bool {
        self.stable != self.nodes.len() || self.recorded != self.nodes.len()
    }
}
