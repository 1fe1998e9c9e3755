//! All nodes in the order of their numbers, a batch at a time.
//!
//! Rows are in postorder. A run of whole sibling subtrees is a run of rows and also a run of numbers, so it
//! is read at once and put into order in memory; only nodes whose subtrees are larger than a batch are taken
//! one by one. Memory: a batch, the open path, and the children of one node.

use super::tree::Tree;
use super::walker::Walker;
use crate::error::{Error, Place, Result};
use crate::format::Column;

/// How many rows are put into order at a time.
const BATCH_ROWS: u64 = 1 << 16;

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
}

impl Batch {
    /// How many nodes it has.
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

/// Sibling subtrees that are still to be visited: their rows, and what is above them.
struct Forest {
    rows: std::ops::Range<u64>,
    ply: i64,
    parent: i64,
}

impl Tree<'_> {
    /// Visits all nodes in the order of their numbers, with the columns asked for.
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

    /// Splits a large forest: its first tree's root is taken, what is below and beside it waits.
    fn take_apart(&mut self, forest: Forest, waiting: &mut Vec<Forest>) -> Result<()> {
        let roots = self.roots(&forest)?;
        let mut groups = grouped(&roots, forest.rows.start);
        // A single tree too large for a batch: its root now, its children later.
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
                return Err(self.damaged(end - 1));
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
            self.walker.append(row..row + 1, column, &mut cells.integers, &mut cells.texts)?;
        }
        Ok(())
    }

    /// Reads a forest's rows and appends them in the order of their numbers.
    fn take_forest(&mut self, forest: &Forest) -> Result<()> {
        let first_node = self.next_node();
        let rows = (forest.rows.end - forest.rows.start) as usize;
        let mut sizes = Vec::with_capacity(rows);
        self.walker.append(forest.rows.clone(), Column::Size, &mut sizes, &mut Vec::new())?;
        let order = self.order(forest, &sizes, first_node)?;
        for (cells, &column) in self.batch.cells.iter_mut().zip(self.columns) {
            let mut values = Vec::with_capacity(rows);
            self.walker.append(forest.rows.clone(), column, &mut values, &mut cells.texts)?;
            cells.integers.extend(order.iter().map(|&place| values[place as usize]));
        }
        self.batch.sizes.extend(order.iter().map(|&place| sizes[place as usize]));
        Ok(())
    }

    /// Appends plies and parents in order, and gives for each number the place of its row in the forest.
    fn order(&mut self, forest: &Forest, sizes: &[i64], first_node: i64) -> Result<Vec<u32>> {
        let rows = sizes.len();
        let mut order = vec![0; rows];
        let (base, start_row) = (self.batch.len(), forest.rows.start);
        self.batch.plies.resize(base + rows, 0);
        self.batch.parents.resize(base + rows, 0);
        // The ancestors of the row at hand: first row of the subtree, ply, number, number of its last unvisited node.
        let mut ancestors = vec![(0_i64, forest.ply - 1, forest.parent, first_node + rows as i64 - 1)];
        for row in (0..rows as i64).rev() {
            while ancestors.len() > 1 && ancestors.last().is_some_and(|&(start, ..)| start > row) {
                ancestors.pop();
            }
            let Some(&mut (start, ply, parent, ref mut last)) = ancestors.last_mut() else { break };
            let size = sizes[row as usize];
            if size < 1 || row + 1 - size < start {
                return Err(self.damaged(start_row + row as u64));
            }
            let node = *last + 1 - size;
            let own_last = *last;
            *last -= size;
            let place = (node - first_node) as usize;
            order[place] = row as u32;
            self.batch.plies[base + place] = ply + 1;
            self.batch.parents[base + place] = parent;
            if size > 1 {
                ancestors.push((row + 1 - size, ply + 1, node, own_last));
            }
        }
        Ok(order)
    }

    fn damaged(&self, row: u64) -> Error {
        let place = Place::Row { tree: self.walker.tree().number() as u32, row };
        Error::Damaged { place, what: "its subtree reaches beyond its parent's" }
    }
}

/// Runs of neighbouring subtrees that together fit a batch; a subtree that does not is alone.
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
