//! Rows that are already in the order of the tree: written as they come.
//!
//! ```text
//! node_id   0 1 2 3 4      each number one more than the last,
//! parent_id - 0 1 1 0      each parent on the path to the last node
//! ```
//!
//! Memory: the open path with its attributes, and a chunk.

use gt_log::Kind;

use super::node::{Cell, Node, Picker, put_cell};
use super::node_writer::{NodeWriter, WrittenTotals};
use super::table::{Chunk, Step, Table};
use crate::{Error, ErrorKind, Result};

/// Writes the rows as they come; `None` if they turn out to be in another order.
pub(super) fn stream(
    table: &mut dyn Table,
    picker: &Picker<'_>,
    node_writer: NodeWriter<'_>,
    rows_max: u64,
    step: Step<'_>,
) -> Result<Option<WrittenTotals>> {
    let mut stream = Stream::new(picker, node_writer, rows_max);
    let mut in_order = true;
    table.read(&picker.wanted(), step, &mut |chunk| {
        in_order = stream.take(chunk)?;
        Ok(in_order)
    })?;
    if !in_order || !stream.leave_to(0)? {
        return Ok(None);
    }
    stream.node_writer.end_tree()?;
    Ok(Some(stream.node_writer.totals))
}

struct Stream<'a> {
    picker: &'a Picker<'a>,
    node_writer: NodeWriter<'a>,
    kinds: Vec<Kind>,
    tree: Option<i64>,
    next_id: i64,
    rows_max: u64,
    rows: u64,
    /// The cells of the open nodes, in sequence.
    cells: Vec<Cell>,
}

impl<'a> Stream<'a> {
    fn new(picker: &'a Picker<'a>, node_writer: NodeWriter<'a>, rows_max: u64) -> Self {
        let kinds: Vec<Kind> = picker.kinds().collect();
        Self { picker, node_writer, tree: None, next_id: 0, rows_max, rows: 0, cells: Vec::new(), kinds }
    }

    /// Takes a chunk's rows, and returns whether they are in order.
    fn take(&mut self, chunk: &Chunk) -> Result<bool> {
        for row in 0..chunk.places.len() {
            let node = self.picker.node(chunk, row)?;
            if !self.make_room(&node)? {
                return Ok(false);
            }
            self.rows += 1;
            if self.rows > self.rows_max {
                return Err(ErrorKind::TooManyRows { rows_max: self.rows_max }.into());
            }
            self.next_id += 1;
            self.node_writer.enter(node)?;
            for attribute in 0..self.kinds.len() {
                self.cells.push(self.picker.cell(chunk, row, attribute));
            }
        }
        Ok(true)
    }

    /// Leaves nodes until the next one's parent is on top, and returns whether that is possible.
    fn make_room(&mut self, node: &Node) -> Result<bool> {
        if self.tree != Some(node.tree) {
            if self.tree.is_some_and(|tree| tree > node.tree) || node.id != 0 || node.parent.is_some() {
                return Ok(false);
            }
            if !self.leave_to(0)? {
                return Ok(false);
            }
            self.node_writer.end_tree()?;
            self.node_writer.begin_tree(node.tree)?;
            (self.tree, self.next_id) = (Some(node.tree), 0);
            return Ok(true);
        }
        if node.id != self.next_id {
            return Ok(false);
        }
        let Some(parent) = node.parent else {
            let earlier_row = self.node_writer.open_node(0).place;
            let error = ErrorKind::SecondRoot { node: node.id, earlier_row };
            return Err(Error::new(error).at(node.place).in_column("parent_id"));
        };
        match self.node_writer.ply_of(parent) {
            None => Ok(false),
            Some(ply) => self.leave_to(ply + 1),
        }
    }

    /// Leaves nodes until only this many are open. A size that contradicts the rows so far may still be
    /// right: more of the subtree may come later, out of order.
    fn leave_to(&mut self, open: usize) -> Result<bool> {
        while self.node_writer.open_nodes() > open {
            let first = self.cells.len() - self.kinds.len();
            let left = self.node_writer.leave(|row| {
                for (kind, cell) in self.kinds.iter().zip(&self.cells[first..]) {
                    put_cell(row, *kind, cell);
                }
            });
            match left {
                Err(error) if matches!(*error.kind, ErrorKind::Contradiction { .. }) => return Ok(false),
                left => left?,
            }
            self.cells.truncate(first);
        }
        Ok(true)
    }
}
