//! All nodes in the order of their numbers, a batch at a time.
//!
//! Rows are in postorder. A run of whole sibling subtrees is a run of rows and also a run of numbers, so it is read at once and put into
//! order in memory; only nodes whose subtrees are larger than a batch are taken one by one. This takes the memory of a batch, the open
//! path, and the children of one node.

use super::cells::{Batch, Cells};
use super::nesting::{Ancestor, Nesting};
use super::tree::Tree;
use super::walker::Walker;
use crate::error::{Error, Place, Result};
use crate::format::Column;

/// The number of rows that are put into order at a time.
const BATCH_ROWS: u64 = 1 << 16;

/// Sibling subtrees that are still to be visited: their rows, and the nodes above them.
struct Forest {
    rows: std::ops::Range<u64>,
    ply: i64,
    parent: i64,
}

impl Tree<'_> {
    /// Visits all nodes in the order of their numbers, with the requested columns.
    pub fn preorder<E: From<Error>>(
        &self,
        columns: &[Column],
        mut visit: impl FnMut(&Batch) -> std::result::Result<(), E>,
    ) -> std::result::Result<(), E> {
        let mut sorter = Sorter { walker: Walker::new(*self), columns, batch: Batch::default() };
        sorter.start(0);
        let mut waiting = vec![Forest { rows: 0..self.nodes(), ply: 0, parent: -1 }];
        while let Some(forest) = waiting.pop() {
            if forest.rows.end - forest.rows.start <= BATCH_ROWS {
                sorter.take_forest(&forest)?;
            } else {
                sorter.take_apart(forest, &mut waiting)?;
            }
            if sorter.batch.len() as u64 >= BATCH_ROWS {
                visit(&sorter.batch)?;
                let next = sorter.batch.first_node + sorter.batch.len() as u64;
                sorter.start(next);
            }
        }
        if !sorter.batch.is_empty() {
            visit(&sorter.batch)?;
        }
        Ok(())
    }
}

struct Sorter<'a, 'c> {
    walker: Walker<'a>,
    columns: &'c [Column],
    batch: Batch,
}

impl Sorter<'_, '_> {
    fn start(&mut self, first_node: u64) {
        let cells = self.columns.iter().map(|_| Cells::default()).collect();
        self.batch = Batch { first_node, cells, ..Batch::default() };
    }

    fn next_node(&self) -> i64 {
        (self.batch.first_node + self.batch.len() as u64) as i64
    }

    /// Splits a large forest: takes the root of its first tree, and leaves the nodes below and beside it for later.
    fn take_apart(&mut self, forest: Forest, waiting: &mut Vec<Forest>) -> Result<()> {
        let roots = self.roots(&forest)?;
        let mut groups = grouped(&roots, forest.rows.start);
        // A single tree is too large for a batch: its root now, its children later.
        if let [only] = groups.as_slice()
            && let [root] = roots.as_slice()
        {
            let parent = self.next_node();
            self.take_row(*root, forest.ply, forest.parent)?;
            waiting.push(Forest { rows: only.start..*root, ply: forest.ply + 1, parent });
            return Ok(());
        }
        groups.reverse();
        waiting.extend(groups.into_iter().map(|rows| Forest { rows, ..forest }));
        Ok(())
    }

    /// The rows of the forest's roots, in order.
    fn roots(&mut self, forest: &Forest) -> Result<Vec<u64>> {
        let mut roots = Vec::new();
        let mut end = forest.rows.end;
        while end > forest.rows.start {
            let size = self.walker.size(end - 1)?;
            if size > end - forest.rows.start {
                return Err(self.damaged(end - 1, "its subtree reaches beyond its parent's"));
            }
            roots.push(end - 1);
            end -= size;
        }
        roots.reverse();
        Ok(roots)
    }

    fn take_row(&mut self, row: u64, ply: i64, parent: i64) -> Result<()> {
        self.batch.sizes.push(self.walker.size(row)? as i64);
        self.batch.plies.push(ply);
        self.batch.parents.push(parent);
        for (cells, &column) in self.batch.cells.iter_mut().zip(self.columns) {
            self.walker.append(row..row + 1, column, cells)?;
        }
        Ok(())
    }

    /// Reads a forest's rows and appends them in the order of their numbers.
    fn take_forest(&mut self, forest: &Forest) -> Result<()> {
        let rows = (forest.rows.end - forest.rows.start) as usize;
        let mut sizes = Cells::default();
        self.walker.append(forest.rows.clone(), Column::Size, &mut sizes)?;
        let sizes = sizes.integers;
        let order = self.order(forest, &sizes)?;
        for (cells, &column) in self.batch.cells.iter_mut().zip(self.columns) {
            let mut own = Cells::default();
            std::mem::swap(&mut own.texts, &mut cells.texts);
            own.integers.reserve(rows);
            self.walker.append(forest.rows.clone(), column, &mut own)?;
            cells.texts = std::mem::take(&mut own.texts);
            cells.append(&own, &order);
        }
        self.batch.sizes.extend(order.iter().map(|&place| sizes[place as usize]));
        Ok(())
    }

    /// Appends plies and parents in order, and returns for each number the place of its row in the forest.
    fn order(&mut self, forest: &Forest, sizes: &[i64]) -> Result<Vec<u32>> {
        let rows = sizes.len();
        let mut order = vec![0; rows];
        let (base, start_row) = (self.batch.len(), forest.rows.start);
        self.batch.plies.resize(base + rows, 0);
        self.batch.parents.resize(base + rows, 0);
        // The nodes above the forest contain all of it.
        let mut nesting = Nesting::below(vec![Ancestor { start_row, ply: forest.ply - 1 }]);
        for (local, &size) in sizes.iter().enumerate().rev() {
            let row = start_row + local as u64;
            let placed = nesting.place(row, size).map_err(|what| self.damaged(row, what))?;
            let (placed, parent) = (placed.0, placed.1.filter(|parent| parent.ply >= forest.ply));
            // Before this row come all rows before its subtree, and the nodes above it in the forest.
            let place = (placed.start_row - start_row) as usize + (placed.ply - forest.ply) as usize;
            order[place] = local as u32;
            self.batch.plies[base + place] = placed.ply;
            self.batch.parents[base + place] = parent.map_or(forest.parent, |parent| parent.node());
        }
        Ok(order)
    }

    fn damaged(&self, row: u64, what: &'static str) -> Error {
        Error::Damaged { place: Place::Row { tree: self.walker.tree().number() as u32, row }, what }
    }
}

/// Groups neighbouring subtrees that together fit a batch; a subtree that does not fit is alone.
fn grouped(roots: &[u64], start: u64) -> Vec<std::ops::Range<u64>> {
    let mut groups: Vec<std::ops::Range<u64>> = Vec::new();
    let mut tree_start = start;
    for &root in roots {
        match groups.last_mut() {
            Some(group) if root + 1 - group.start <= BATCH_ROWS => group.end = root + 1,
            _ => groups.push(tree_start..root + 1),
        }
        tree_start = root + 1;
    }
    groups
}
