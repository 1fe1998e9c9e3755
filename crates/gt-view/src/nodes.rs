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
//! **Invariant:** what a damaged log says of sizes is checked at every hop; nothing is allocated per node.

use std::ops::ControlFlow;
use std::sync::Arc;

use gt_log::{Column, Error, Kind, Place as Where, Result, Tree, Value, status};

use crate::blocks::{Blocks, Cell, Place, Run};

/// A node, by both of its numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Node {
    pub(crate) row: u64,
    /// The node_id.
    pub(crate) id: u64,
    /// The nodes of its subtree, itself included.
    pub(crate) size: u64,
}

/// A node and the way to it.
#[derive(Clone, Debug)]
pub(crate) struct Located {
    pub(crate) node: Node,
    /// From the root to the parent.
    pub(crate) ancestors: Vec<Node>,
}

impl Located {
    /// The distance from the root.
    pub(crate) fn ply(&self) -> u64 {
        self.ancestors.len() as u64
    }

    pub(crate) fn parent(&self) -> Option<Node> {
        self.ancestors.last().copied()
    }

    /// The nodes from the root to this one.
    pub(crate) fn line(&self) -> impl DoubleEndedIterator<Item = Node> + ExactSizeIterator {
        (0..self.ancestors.len() + 1).map(|ply| self.ancestors.get(ply).copied().unwrap_or(self.node))
    }
}

/// Reads single nodes of a tree through the kept blocks.
pub(crate) struct Nodes<'a> {
    tree: Tree<'a>,
    blocks: &'a Blocks,
    opened: u64,
    /// By column number: the block at hand.
    at_hand: Vec<Option<AtHand>>,
    hops: u64,
}

struct AtHand {
    first_row: u64,
    end_row: u64,
    /// All rows of the block are leaves.
    leaves_only: bool,
    run: Arc<Run>,
}

impl AtHand {
    #[inline]
    fn holds(&self, row: u64) -> bool {
        (self.first_row..self.end_row).contains(&row)
    }

    #[inline]
    fn get(&self, row: u64) -> i64 {
        self.run.values.get((row - self.first_row) as usize)
    }
}

impl<'a> Nodes<'a> {
    pub(crate) fn new(tree: Tree<'a>, blocks: &'a Blocks, opened: u64) -> Self {
        let columns = Column::FIXED + tree.schema().attributes().len();
        Self { tree, blocks, opened, at_hand: (0..columns).map(|_| None).collect(), hops: 0 }
    }

    /// How many steps were made from one node to another.
    pub(crate) fn hops(&self) -> u64 {
        self.hops
    }

    pub(crate) fn root(&mut self) -> Result<Node> {
        let nodes = self.tree.nodes();
        let Some(row) = nodes.checked_sub(1) else { return Err(Error::NoSuchNode { node: 0, nodes }) };
        let size = self.size(row)?;
        if size != nodes {
            return Err(self.damaged(row, "the root's subtree is not the whole tree"));
        }
        Ok(Node { row, id: 0, size })
    }

    /// The node with this node_id.
    pub(crate) fn locate(&mut self, id: u64) -> Result<Located> {
        self.locate_from(None, id)
    }

    /// The same, from a place that is known: the deepest node on the way to it that holds the one looked for.
    pub(crate) fn locate_from(&mut self, known: Option<Located>, id: u64) -> Result<Located> {
        let nodes = self.tree.nodes();
        if id >= nodes {
            return Err(Error::NoSuchNode { node: id, nodes });
        }
        let mut located = match known {
            Some(known) => known,
            None => Located { node: self.root()?, ancestors: Vec::new() },
        };
        let holds = |node: Node| (node.id..node.id + node.size).contains(&id);
        while !holds(located.node) {
            let Some(parent) = located.ancestors.pop() else { break };
            located.node = parent;
        }
        while located.node.id != id {
            let child = self.child_towards(located.node, id)?;
            located.ancestors.push(located.node);
            located.node = child;
        }
        Ok(located)
    }

    /// The child of `parent` whose subtree holds the node with this node_id.
    fn child_towards(&mut self, parent: Node, id: u64) -> Result<Node> {
        let mut found = None;
        self.children_backward(parent, |children| {
            let first = children.first_id();
            if id >= first {
                found = children.get(id);
                return ControlFlow::Break(());
            }
            ControlFlow::Continue(())
        })?;
        found.ok_or_else(|| self.damaged(parent.row, "its children do not fill its subtree"))
    }

    /// Visits the children of a node from the last to the first: one at a time, or a run of leaves at once.
    pub(crate) fn children_backward(
        &mut self,
        parent: Node,
        mut visit: impl FnMut(Children) -> ControlFlow<()>,
    ) -> Result<()> {
        let start = parent.row + 1 - parent.size;
        // The rows from `start` on that were not passed yet; their nodes end before `end_id`.
        let mut end = parent.row;
        let mut end_id = parent.id + parent.size;
        while end > start {
            let row = end - 1;
            self.hops += 1;
            let children = match self.leaves_before(row) {
                Some(first_row) => {
                    let count = end - first_row.max(start);
                    Children { last: Node { row, id: end_id - 1, size: 1 }, count }
                }
                None => {
                    let size = self.integer(row, Column::Size)?;
                    if size < 1 || size as u64 > end - start {
                        return Err(self.damaged(row, "its subtree reaches beyond its parent's"));
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

    /// Children `range` of a node, first child first; `count` is how many there are.
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

    /// The place of a child among its siblings, from 0, and how many they are.
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

    fn size(&mut self, row: u64) -> Result<u64> {
        let size = self.integer(row, Column::Size)?;
        if size < 1 || size as u64 > row + 1 {
            return Err(self.damaged(row, "its subtree's size is impossible"));
        }
        Ok(size as u64)
    }

    /// The move that led to a row's node.
    pub(crate) fn last_move(&mut self, row: u64) -> Result<i64> {
        self.integer(row, Column::LastMove)
    }

    /// Whether the node was open when the log ended.
    pub(crate) fn is_unfinished(&mut self, row: u64) -> Result<bool> {
        Ok(self.integer(row, Column::Status)? & i64::from(status::UNFINISHED) != 0)
    }

    /// How many nodes were left out right below.
    pub(crate) fn left_out(&mut self, row: u64) -> Result<u64> {
        Ok(self.integer(row, Column::LeftOut)?.cast_unsigned())
    }

    /// The value of an attribute.
    pub(crate) fn value(&mut self, row: u64, attribute: usize) -> Result<Value> {
        let (kind, column) = (self.tree.schema().attributes()[attribute].kind, Column::Attribute(attribute));
        if kind != Kind::Text {
            return Ok(Value::of_integer(kind, self.integer(row, column)?, &[]));
        }
        let at_hand = self.at(row, column)?;
        Ok(Value::of_integer(kind, at_hand.get(row), &at_hand.run.texts))
    }

    /// Where the block at hand begins, if it holds this row and nothing but leaves.
    #[inline]
    fn leaves_before(&self, row: u64) -> Option<u64> {
        let at_hand = self.at_hand[Column::Size.number()].as_ref();
        at_hand.filter(|at| at.leaves_only && at.holds(row)).map(|at| at.first_row)
    }

    /// A value: from the block at hand, from the cells that are kept, or from its block, which is then at hand.
    #[inline]
    fn integer(&mut self, row: u64, column: Column) -> Result<i64> {
        if let Some(at_hand) = self.at_hand[column.number()].as_ref().filter(|at| at.holds(row)) {
            return Ok(at_hand.get(row));
        }
        let (tree, number) = (self.tree.number() as u32, column.number() as u32);
        let cell = Cell { opened: self.opened, tree, column: number, row };
        if let Some(value) = self.blocks.cell(cell) {
            return Ok(value);
        }
        let value = self.at(row, column)?.get(row);
        self.blocks.keep_cell(cell, value);
        Ok(value)
    }

    #[inline]
    fn at(&mut self, row: u64, column: Column) -> Result<&AtHand> {
        let number = column.number();
        if !self.at_hand[number].as_ref().is_some_and(|at| at.holds(row)) {
            self.turn_to(row, column)?;
        }
        match &self.at_hand[number] {
            Some(at_hand) => Ok(at_hand),
            None => Err(self.damaged(row, "its block is not there")),
        }
    }

    #[cold]
    fn turn_to(&mut self, row: u64, column: Column) -> Result<()> {
        let block = self.tree.block_of(row);
        let head = self.tree.block(block);
        let place = Place { opened: self.opened, tree: self.tree.number(), block, column: column.number() };
        let run = self.blocks.get(self.tree, place, column)?;
        self.at_hand[column.number()] = Some(AtHand {
            first_row: head.first_row,
            end_row: head.end_row(),
            leaves_only: run.values == gt_log::Decoded::Constant(1),
            run,
        });
        Ok(())
    }

    fn damaged(&self, row: u64, what: &'static str) -> Error {
        Error::Damaged { place: Where::Row { tree: self.tree.number() as u32, row }, what }
    }
}

/// A child, or a run of neighbouring children that all are leaves.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Children {
    /// The last of them.
    pub(crate) last: Node,
    /// How many they are; more than one only where all are leaves.
    pub(crate) count: u64,
}

impl Children {
    /// The node_id of the first of them.
    fn first_id(&self) -> u64 {
        self.last.id + 1 - self.count
    }

    /// The one whose subtree holds this node_id.
    fn get(&self, id: u64) -> Option<Node> {
        if self.count == 1 {
            return (self.last.id..self.last.id + self.last.size).contains(&id).then_some(self.last);
        }
        (self.first_id()..=self.last.id).contains(&id).then(|| self.back(self.last.id - id))
    }

    /// The one so many places before the last.
    pub(crate) fn back(&self, places: u64) -> Node {
        Node { row: self.last.row - places, id: self.last.id - places, size: self.last.size }
    }
}

#[cfg(test)]
mod tests;
