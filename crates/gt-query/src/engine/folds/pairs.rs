//! Pairs of nodes with each of their siblings, for conditions that read both.
//!
//! ```text
//! family    a b c       Before:  (b, a) (c, a) (c, b)      After:  (a, b) (a, c) (b, c)
//! ```
//!
//! A wide family has very many pairs, so they come in batches of bounded length.

use std::ops::Range;

use super::relations::Relations;

/// The number of pairs in every batch but the last.
const BATCH: usize = 4096;

/// The remaining pairs of a block. Those of one node are adjacent, in the order in which the siblings were entered; a
/// node may continue in the next batch.
#[derive(Debug, Default)]
pub(in crate::engine) struct Pairs {
    /// All families in sequence, with their ghosts.
    members: Vec<u32>,
    /// Each row with the range of the siblings that it is still to be paired with.
    nodes: Vec<(u32, Range<usize>)>,
    /// The next node.
    place: usize,
}

impl Pairs {
    /// Pairs each row with its earlier siblings. `ghosts` has for each segment the earlier siblings of its first top
    /// in other blocks, in order; or it is empty.
    pub(in crate::engine) fn before(relations: &Relations, ghosts: &[Vec<u32>]) -> Self {
        let mut pairs = Self::default();
        relations.each_family(|segment, family| {
            let start = pairs.members.len();
            pairs.members.extend(ghosts_of(ghosts, segment));
            for &row in family {
                pairs.nodes.push((row, start..pairs.members.len()));
                pairs.members.push(row);
            }
        });
        pairs
    }

    /// Pairs each row with its later siblings. `ghosts` has for each segment the later siblings of its last top in
    /// other blocks, in order; or it is empty.
    pub(in crate::engine) fn after(relations: &Relations, ghosts: &[Vec<u32>]) -> Self {
        let mut pairs = Self::default();
        relations.each_family(|segment, family| {
            let (start, ghosts) = (pairs.members.len(), ghosts_of(ghosts, segment));
            let end = start + family.len() + ghosts.len();
            pairs.members.extend(family.iter().chain(ghosts));
            pairs.nodes.extend(family.iter().zip(start + 1..).map(|(&row, later)| (row, later..end)));
        });
        pairs
    }

    /// Fills `nodes` and `siblings` with the next batch; `false` if there are no more.
    pub(in crate::engine) fn next_batch(&mut self, nodes: &mut Vec<u32>, siblings: &mut Vec<u32>) -> bool {
        nodes.clear();
        siblings.clear();
        while siblings.len() < BATCH
            && let Some((row, places)) = self.nodes.get_mut(self.place)
        {
            let end = places.end.min(places.start + BATCH - siblings.len());
            siblings.extend_from_slice(&self.members[places.start..end]);
            nodes.resize(siblings.len(), *row);
            places.start = end;
            self.place += usize::from(places.start == places.end);
        }
        !siblings.is_empty()
    }
}

fn ghosts_of(ghosts: &[Vec<u32>], segment: Option<usize>) -> &[u32] {
    segment.and_then(|segment| ghosts.get(segment)).map_or(&[], Vec::as_slice)
}
