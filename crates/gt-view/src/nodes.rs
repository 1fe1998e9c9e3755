//! From node to node of one tree, by rows.
//!
//! ```text
//! row      0   1   2   3   4   5        rows are in postorder: the subtree of row i is i+1-size[i] ..= i
//! size     1   1   3   1   2   6        the last child of row 5 is row 4, the sibling before it row 4-size[4] = 2
//! node_id  2   3   1   5   4   0        node_ids are in preorder: the subtree of node n is n .. n+size
//! ```
//!
//! So both numberings make a subtree an interval, and going down from the root gives both at once: children are met
//! from the last to the first, each by one hop. A run of leaves that fills a block is passed in one step.
//!
//! **Invariant:** what a damaged log says of sizes is checked at every hop; nothing is allocated per node; every walk
//! ends within some thousand hops after it is cancelled.

mod cells;
mod node;

use std::ops::ControlFlow;

use gt_log::{Column, Error, Tree, Value, status};
use gt_query::engine::Failure;

use crate::blocks::Blocks;
use crate::work::Cancel;
use cells::Cells;
pub(crate) use cells::Result;
pub(crate) use node::{Children, Located, Node};

/// The number of hops made between two checks whether the walk was cancelled; a power of two.
const HOPS_PER_LOOK: u64 = 4096;

/// Reads single nodes of a tree through the kept blocks.
pub(crate) struct Nodes<'a> {
    cells: Cells<'a>,
    hops: u64,
    cancel: &'a Cancel,
}

impl<'a> Nodes<'a> {
    pub(crate) fn new(tree: Tree<'a>, blocks: &'a Blocks, opened: u64, cancel: &'a Cancel) -> Self {
        Self { cells: Cells::new(tree, blocks, opened), hops: 0, cancel }
    }

    /// How many steps were made from one node to another.
    pub(crate) fn hops(&self) -> u64 {
        self.hops
    }

    pub(crate) fn root(&mut self) -> Result<Node> {
        let nodes = self.cells.tree.nodes();
        let Some(row) = nodes.checked_sub(1) else { return Err(Error::NoSuchNode { node: 0, nodes }.into()) };
        let size = self.size(row)?;
        if size != nodes {
            return Err(self.cells.damaged(row, "the root's subtree is not the whole tree"));
        }
        Ok(Node { row, id: 0, size })
    }

    /// The node with this node_id.
    pub(crate) fn locate(&mut self, id: u64) -> Result<Located> {
        self.locate_from(None, id)
    }

    /// Like [`Nodes::locate`], starting at a node whose line is known. Going from one node_id to the next smaller one
    /// makes no hop twice: locating many nodes in falling order is one walk over the tree.
    pub(crate) fn locate_from(&mut self, known: Option<Located>, id: u64) -> Result<Located> {
        let nodes = self.cells.tree.nodes();
        if id >= nodes {
            return Err(Error::NoSuchNode { node: id, nodes }.into());
        }
        let mut located = match known {
            Some(known) => known,
            None => Located { node: self.root()?, ancestors: Vec::new() },
        };
        let holds = |node: Node| (node.id..node.id + node.size).contains(&id);
        let mut left = None;
        while !holds(located.node) {
            let Some(parent) = located.ancestors.pop() else { break };
            left = Some(located.node);
            located.node = parent;
        }
        while located.node.id != id {
            let child = self.child_towards(located.node, left.take(), id)?;
            located.ancestors.push(located.node);
            located.node = child;
        }
        Ok(located)
    }

    /// The child of `parent` whose subtree holds the node with this node_id; `after` is a child that may come after it.
    fn child_towards(&mut self, parent: Node, after: Option<Node>, id: u64) -> Result<Node> {
        let mut found = None;
        self.siblings_backward(parent, after.filter(|after| after.id > id), |children| {
            let first = children.first_id();
            if id >= first {
                found = children.get(id);
                return ControlFlow::Break(());
            }
            ControlFlow::Continue(())
        })?;
        found.ok_or_else(|| self.cells.damaged(parent.row, "its children do not fill its subtree"))
    }

    /// Visits the children of a node from the last to the first: one at a time, or a run of leaves at once.
    pub(crate) fn children_backward(
        &mut self,
        parent: Node,
        visit: impl FnMut(Children) -> ControlFlow<()>,
    ) -> Result<()> {
        self.siblings_backward(parent, None, visit)
    }

    /// Like [`Nodes::children_backward`], beginning with the child before `after`.
    pub(crate) fn siblings_backward(
        &mut self,
        parent: Node,
        after: Option<Node>,
        mut visit: impl FnMut(Children) -> ControlFlow<()>,
    ) -> Result<()> {
        let start = parent.row + 1 - parent.size;
        // The rows from `start` on that were not passed yet; their nodes end before `end_id`.
        let (mut end, mut end_id) = match after {
            Some(after) => (after.row + 1 - after.size, after.id),
            None => (parent.row, parent.id + parent.size),
        };
        while end > start {
            let row = end - 1;
            self.hop()?;
            let children = match self.cells.leaves_before(row) {
                Some(first_row) => {
                    let count = end - first_row.max(start);
                    Children { last: Node { row, id: end_id - 1, size: 1 }, count }
                }
                None => {
                    let size = self.cells.integer(row, Column::Size)?;
                    if size < 1 || size as u64 > end - start {
                        return Err(self.cells.damaged(row, "its subtree reaches beyond its parent's"));
                    }
                    let size = size as u64;
                    Children { last: Node { row, id: end_id - size, size }, count: 1 }
                }
            };
            let passed = children.last.size * children.count;
            end -= passed;
            end_id -= passed;
            if visit(children).is_break() {
                return Ok(());
            }
        }
        Ok(())
    }

    /// Counts a hop, and fails if the walk is cancelled. Loops over nodes that are no walk call it for each.
    #[inline]
    pub(crate) fn hop(&mut self) -> Result<()> {
        self.hops += 1;
        if self.hops.is_multiple_of(HOPS_PER_LOOK) && self.cancel.is_set() {
            return Err(Failure::Cancelled);
        }
        Ok(())
    }

    /// How many children a node has.
    pub(crate) fn child_count(&mut self, parent: Node) -> Result<u64> {
        let mut count = 0;
        self.children_backward(parent, |children| {
            count += children.count;
            ControlFlow::Continue(())
        })?;
        Ok(count)
    }

    /// How many children a node has, unless finding out takes more than so many hops.
    pub(crate) fn child_count_within(&mut self, parent: Node, hops_max: u64) -> Result<Option<u64>> {
        let (mut count, mut hops) = (0, 0);
        self.children_backward(parent, |children| {
            count += children.count;
            hops += 1;
            if hops > hops_max { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        })?;
        Ok((hops <= hops_max).then_some(count))
    }

    /// Children `range` of a node, first child first; `count` is the number of its children.
    pub(crate) fn children(
        &mut self,
        parent: Node,
        count: u64,
        range: std::ops::Range<u64>,
    ) -> Result<Vec<Node>> {
        let mut found = Vec::new();
        let mut end = count;
        self.children_backward(parent, |children| {
            let start = end.saturating_sub(children.count);
            for index in (range.start.max(start)..range.end.min(end)).rev() {
                found.push(children.back(end - 1 - index));
            }
            end = start;
            if end <= range.start { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        })?;
        found.reverse();
        Ok(found)
    }

    /// The place of a child among its siblings, from 0, and the number of siblings, the child included.
    pub(crate) fn index(&mut self, parent: Node, child: Node) -> Result<(u64, u64)> {
        let (mut count, mut after) = (0, 0);
        self.children_backward(parent, |children| {
            count += children.count;
            after += children.count.min(children.last.id.saturating_sub(child.id));
            ControlFlow::Continue(())
        })?;
        // Siblings before the child have smaller node_ids and add nothing; its own run adds those behind it.
        Ok((count - 1 - after, count))
    }

    /// The move that led to a row's node.
    pub(crate) fn last_move(&mut self, row: u64) -> Result<i64> {
        self.cells.integer(row, Column::LastMove)
    }

    /// Whether the node was open when the log ended.
    pub(crate) fn is_unfinished(&mut self, row: u64) -> Result<bool> {
        Ok(self.cells.integer(row, Column::Status)? & i64::from(status::UNFINISHED) != 0)
    }

    /// How many nodes were left out right below.
    pub(crate) fn left_out(&mut self, row: u64) -> Result<u64> {
        Ok(self.cells.integer(row, Column::LeftOut)?.cast_unsigned())
    }

    /// The value of an attribute; [`Value::Missing`] where there is none.
    pub(crate) fn value(&mut self, row: u64, attribute: usize) -> Result<Value> {
        self.cells.value(row, attribute)
    }

    fn size(&mut self, row: u64) -> Result<u64> {
        let size = self.cells.integer(row, Column::Size)?;
        if size < 1 || size as u64 > row + 1 {
            return Err(self.cells.damaged(row, "its subtree's size is impossible"));
        }
        Ok(size as u64)
    }
}

#[cfg(test)]
mod tests;
