//! Pairs of nodes with each of their siblings, for conditions that read both.
//!
//! ```text
//! family    a b c d       Before:  (b, a) (c, b) (d, c) ──▶ (c, a) (d, b) ──▶ (d, a)
//! ```
//!
//! A batch pairs each of its nodes with the sibling one step further than the batch before it did, and replaces nodes
//! that have no further siblings with new ones. A wide family has very many pairs, but a batch is bounded.

use std::ops::Range;

use super::relations::Relations;

/// The largest number of pairs in a batch.
const BATCH: usize = 4096;

/// The remaining pairs of a block; those of a node come in any order.
#[derive(Debug)]
pub(in crate::engine) struct Pairs {
    /// The next sibling of each row; not a row if there is none in the block.
    links: Vec<u32>,
    /// The rows that have not been taken up.
    rows: Range<u32>,
    /// The ghosts of all segments in sequence; and the tops, each with the ghosts with which it must still be paired.
    ghosts: Vec<u32>,
    tops: Vec<(u32, Range<usize>)>,
}

impl Pairs {
    /// Pairs each row with its earlier siblings, or its later ones. `ghosts` has, for each segment, the siblings of its
    /// tops in other blocks; or it is empty.
    pub(in crate::engine) fn new(relations: &Relations, is_before: bool, ghosts: &[Vec<u32>]) -> Self {
        let links = if is_before { relations.previous() } else { relations.next() };
        let rows = 0..relations.rows() as u32;
        let mut pairs = Self { links: links.to_vec(), rows, ghosts: Vec::new(), tops: Vec::new() };
        for (segment, ghosts) in
            relations.segments.iter().zip(ghosts).filter(|(_, ghosts)| !ghosts.is_empty())
        {
            let start = pairs.ghosts.len();
            pairs.ghosts.extend(ghosts);
            let tops = relations.tops_of(segment.clone());
            pairs.tops.extend(tops.map(|row| (row as u32, start..start + ghosts.len())));
        }
        pairs
    }

    /// Replaces the batch in `nodes` and `siblings`, which are empty at first, with the next one; returns `false` if
    /// there is none.
    pub(in crate::engine) fn next_batch(&mut self, nodes: &mut Vec<u32>, siblings: &mut Vec<u32>) -> bool {
        let mut kept = 0;
        for place in 0..nodes.len() {
            // Ghosts have no links, and all pairs with rows come before them.
            let sibling = self.links.get(siblings[place] as usize).copied().unwrap_or(u32::MAX);
            (nodes[kept], siblings[kept]) = (nodes[place], sibling);
            kept += usize::from(self.is_row(sibling));
        }
        nodes.resize(BATCH, 0);
        siblings.resize(BATCH, 0);
        while kept < BATCH
            && let Some(row) = self.rows.next()
        {
            let sibling = self.links[row as usize];
            (nodes[kept], siblings[kept]) = (row, sibling);
            kept += usize::from(self.is_row(sibling));
        }
        nodes.truncate(kept);
        siblings.truncate(kept);
        while kept == 0
            && siblings.len() < BATCH
            && let Some((row, places)) = self.tops.last_mut()
        {
            let end = places.end.min(places.start + BATCH - siblings.len());
            siblings.extend_from_slice(&self.ghosts[places.start..end]);
            nodes.resize(siblings.len(), *row);
            places.start = end;
            if places.start == places.end {
                self.tops.pop();
            }
        }
        !siblings.is_empty()
    }

    #[inline]
    fn is_row(&self, sibling: u32) -> bool {
        (sibling as usize) < self.links.len()
    }
}
