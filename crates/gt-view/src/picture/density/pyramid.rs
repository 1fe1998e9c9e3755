//! A large tree's counts, gathered once: for each chunk of node_ids, ply and class, how many of the chunk's nodes lie in
//! or below a node of that ply and class. Pictures whose columns are no narrower than a chunk add chunks up instead of
//! going over all rows.
//!
//! **Invariant:** a quarter of a byte for each node of the tree, or no pyramid at all.

use std::ops::Range;

use gt_log::Tree;

use super::classes::Classes;
use super::grid::Grid;
use super::rows::{Row, scan};
use crate::nodes::Result;
use crate::work::Cancel;

/// A chunk has so many nodes for each count that it takes: two bytes in eight nodes.
const NODES_PER_COUNT: usize = 8;
/// Chunks are no smaller than this: going over many of them takes longer than going over the rows of a few.
const CHUNK_MIN: usize = 1 << 10;
/// Counts up to this fit.
const CHUNK_MAX: usize = 1 << 15;

/// The counts of a tree's chunks.
pub(super) struct Pyramid {
    /// How many node_ids a chunk has, a power of two.
    chunk: u64,
    plies: usize,
    classes: usize,
    counts: Counts,
}

/// Counts of some neighbouring chunks.
struct Counts {
    first: u64,
    /// By chunk, ply and class.
    counts: Vec<u16>,
}

/// What a thread gathers: the counts of nodes smaller than a chunk, and the other nodes.
struct Part {
    counts: Counts,
    large: Vec<Row>,
}

/// How many nodes a chunk of the tree has; none where its counts would not fit.
pub(super) fn chunk_of(tree: Tree<'_>, classes: usize) -> Option<u64> {
    let plies = tree.depth() as usize + 1;
    let chunk = (NODES_PER_COUNT * plies * classes).checked_next_power_of_two()?.max(CHUNK_MIN);
    (chunk <= CHUNK_MAX).then_some(chunk as u64)
}

impl Pyramid {
    pub(super) fn build(tree: Tree<'_>, chunk: u64, classes: &Classes, cancel: &Cancel) -> Result<Self> {
        let (plies, nodes, count) = (tree.depth() as usize + 1, tree.nodes(), classes.count());
        let begin = |rows: Range<u64>| {
            // A node smaller than a chunk begins at most a chunk before its row, and ends at most the depth after it.
            let first = rows.start.saturating_sub(chunk) / chunk;
            let end = (rows.end + plies as u64).min(nodes).div_ceil(chunk);
            let counts = vec![0; (end - first) as usize * plies * count];
            Part { counts: Counts { first, counts }, large: Vec::new() }
        };
        let take = |part: &mut Part, row: Row| {
            if row.size >= chunk || row.ply >= plies as u64 {
                part.large.push(row);
            } else {
                part.counts.add(chunk, plies, count, row);
            }
        };
        let parts = scan(tree, &(0..nodes), classes, cancel, begin, take)?;
        let chunks = nodes.div_ceil(chunk);
        let mut counts = Counts { first: 0, counts: vec![0; chunks as usize * plies * count] };
        for part in parts {
            counts.merge(&part.counts, plies * count);
            for row in part.large.into_iter().filter(|row| row.ply < plies as u64) {
                counts.add(chunk, plies, count, row);
            }
        }
        Ok(Self { chunk, plies, classes: count, counts })
    }

    /// Adds the chunks that lie wholly in a grid's stretch of node_ids; the grid's columns are made of chunks.
    pub(super) fn add_to(&self, grid: &mut Grid, chunks: Range<u64>) {
        let ply = grid.extent.ply;
        for number in chunks {
            let start = number * self.chunk;
            for row in ply as usize..self.plies {
                let place = (number as usize * self.plies + row) * self.classes;
                let counts = &self.counts.counts[place..place + self.classes];
                grid.add_counts(start, row as u64, counts);
            }
        }
    }
}

impl Counts {
    #[inline]
    fn add(&mut self, chunk: u64, plies: usize, classes: usize, row: Row) {
        let end = row.id + row.size;
        let mut number = row.id >> chunk.trailing_zeros();
        let mut start = row.id;
        loop {
            let chunk_end = (number + 1) * chunk;
            let place = ((number - self.first) as usize * plies + row.ply as usize) * classes;
            let count = &mut self.counts[place + usize::from(row.class)];
            *count = count.saturating_add((end.min(chunk_end) - start) as u16);
            if end <= chunk_end {
                return;
            }
            (start, number) = (chunk_end, number + 1);
        }
    }

    fn merge(&mut self, other: &Self, counts_per_chunk: usize) {
        let from = (other.first - self.first) as usize * counts_per_chunk;
        self.counts[from..]
            .iter_mut()
            .zip(&other.counts)
            .for_each(|(count, &more)| *count = count.saturating_add(more));
    }
}
