//! Rows in any order: collected, sorted by tree and node_id, linked, and written from the root down.
//!
//! Children are in the order of their node_ids.

use std::collections::HashMap;

use gt_log::{Kind, Marks};

use super::links::{CollectedRow, Group, NONE};
use super::node::{Node, Picker, put_cell};
use super::node_writer::{NodeWriter, WrittenTotals};
use super::options::Grant;
use super::records::Records;
use super::table::{CHUNK_ROWS, Step, Table};
use crate::{ErrorKind, Result};

/// Collects all rows and writes their trees.
pub(super) fn collect(
    table: &mut dyn Table,
    picker: &Picker<'_>,
    mut node_writer: NodeWriter<'_>,
    grant: Grant,
    step: Step<'_>,
) -> Result<WrittenTotals> {
    let mut collected = Collected::new(picker);
    table.read(&picker.wanted(), &mut *step, &mut |chunk| {
        for row in 0..chunk.places.len() {
            collected.add(picker.node(chunk, row)?);
            collected.records.push((0..collected.records.width()).map(|a| picker.cell(chunk, row, a)));
        }
        collected.check(grant)?;
        Ok(true)
    })?;
    let order = collected.order();
    let mut start = 0;
    while start < order.len() {
        let tree = collected.rows[order[start]].tree;
        let rest = &order[start..];
        let count = rest.partition_point(|&row| collected.rows[row].tree == tree);
        let mut step = |left: usize| step((start + left) as u64, order.len() as u64);
        collected.write_tree(&rest[..count], &mut node_writer, &mut step)?;
        start += count;
    }
    Ok(node_writer.totals)
}

struct Collected {
    rows: Vec<CollectedRow>,
    records: Records,
    /// The values that only some rows have.
    stated: HashMap<usize, (Option<i64>, Option<i64>)>,
    marks: HashMap<usize, Marks>,
}

impl Collected {
    fn new(picker: &Picker<'_>) -> Self {
        Self {
            rows: Vec::new(),
            records: Records::new(picker.kinds().collect::<Vec<Kind>>()),
            stated: HashMap::new(),
            marks: HashMap::new(),
        }
    }

    fn add(&mut self, node: Node) {
        let Node { place, tree, id, parent, last_move, size, ply, marks } = node;
        if size.is_some() || ply.is_some() {
            self.stated.insert(self.rows.len(), (size, ply));
        }
        if marks != Marks::default() {
            self.marks.insert(self.rows.len(), marks);
        }
        self.rows.push(CollectedRow { place, tree, id, parent, last_move });
    }

    fn node(&self, row: usize) -> Node {
        let CollectedRow { place, tree, id, parent, last_move } = self.rows[row];
        let (size, ply) = self.stated.get(&row).copied().unwrap_or_default();
        let marks = self.marks.get(&row).copied().unwrap_or_default();
        Node { place, tree, id, parent, last_move, size, ply, marks }
    }

    fn check(&self, grant: Grant) -> Result<()> {
        // A row, its index in the order, and its two links.
        let row_bytes = size_of::<CollectedRow>() + 3 * size_of::<usize>();
        let map_bytes = (self.stated.len() + self.marks.len()) * 64;
        let bytes = self.rows.len() * row_bytes + self.records.bytes() + map_bytes;
        if self.rows.len() as u64 > grant.rows_max {
            return Err(ErrorKind::TooManyRows { rows_max: grant.rows_max }.into());
        }
        if bytes as u64 > grant.bytes_max {
            return Err(ErrorKind::TooLargeToSort { bytes_max: grant.bytes_max }.into());
        }
        Ok(())
    }

    /// The indices of all rows, by tree and node_id.
    fn order(&self) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.rows.len()).collect();
        order.sort_by_key(|&row| (self.rows[row].tree, self.rows[row].id));
        order
    }

    /// Writes one tree, whose rows are given by ascending node_id; `step` is called with the number of nodes
    /// left so far.
    fn write_tree(
        &self,
        order: &[usize],
        node_writer: &mut NodeWriter<'_>,
        step: &mut dyn FnMut(usize) -> Result<()>,
    ) -> Result<()> {
        let group = Group { rows: &self.rows, order };
        let (root, links) = group.links()?;
        node_writer.begin_tree(self.rows[order[root]].tree)?;
        let mut open = vec![root];
        let mut left = 0_usize;
        node_writer.enter(self.node(order[root]))?;
        let mut next = links.first_child[root];
        while let Some(&place) = open.last() {
            if next != NONE {
                open.push(next);
                node_writer.enter(self.node(order[next]))?;
                next = links.first_child[next];
            } else {
                node_writer.leave(|row| {
                    self.records.visit(order[place], |kind, cell| put_cell(row, kind, &cell));
                })?;
                left += 1;
                if left.is_multiple_of(CHUNK_ROWS) || left == order.len() {
                    step(left)?;
                }
                open.pop();
                next = links.next_sibling[place];
            }
        }
        if left < order.len() {
            return Err(group.cycle());
        }
        node_writer.end_tree()
    }
}
