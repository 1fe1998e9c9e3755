//! The relatives among the rows of a block, as index vectors.
//!
//! ```text
//! row       0 1 2 3 4 5 6       row 6 is the parent of 3, 4 and 5, row 3 that of 0, 1 and 2; going from the end, a
//! size      1 1 1 4 1 1 7       row is a child of the row after it, a sibling of it, or it was announced by the
//! parent    3 3 3 6 6 6 .       sibling whose subtree starts right after it
//! ```
//!
//! Indexes below the number of rows are rows; higher ones are *ghosts*: crossing nodes and nodes of other blocks,
//! numbered by the caller. [`NOBODY`] stands for a relative that does not exist. Crossing nodes have no relatives
//! here, even if their rows are in the block.
//!
//! **Invariant:** if there are [`Relations`], the sizes form a forest: the subtrees of the children of each row, and
//! those of the tops of each segment, are adjacent and leave no gap.

use std::cell::OnceCell;
use std::hint::select_unpredictable;
use std::ops::Range;

use crate::engine::bits::Bitmap;
use crate::engine::crossing::Regions;

/// The index of a relative that does not exist.
pub(in crate::engine) const NOBODY: u32 = u32::MAX;

/// The relatives of a segment's tops outside of the segment.
#[derive(Clone, Copy, Debug)]
pub(in crate::engine) struct Surroundings {
    /// The ghost of the crossing parent; [`NOBODY`] for the root's own segment.
    pub(in crate::engine) parent: u32,
    /// The ghost of the sibling before the first top.
    pub(in crate::engine) before: u32,
    /// The ghost of the sibling after the last top.
    pub(in crate::engine) after: u32,
    /// The `@index` of the first top.
    pub(in crate::engine) first_index: i64,
}

/// The relations of the rows of a block; all but parents are computed on demand.
#[derive(Debug)]
pub(in crate::engine) struct Relations {
    sizes: Vec<u32>,
    surroundings: Vec<Surroundings>,
    /// The rows of each segment.
    pub(super) segments: Vec<Range<usize>>,
    parents: Vec<u32>,
    previous: OnceCell<Vec<u32>>,
    next: OnceCell<Vec<u32>>,
    first_children: OnceCell<Vec<u32>>,
}

impl Relations {
    /// Computes the relations of rows with these sizes; `surroundings` has one entry for each segment.
    ///
    /// # Errors
    /// Returns the row whose size does not fit those around it.
    pub(in crate::engine) fn new(
        sizes: Vec<u32>,
        regions: &Regions,
        surroundings: Vec<Surroundings>,
    ) -> Result<Self, usize> {
        let segments: Vec<_> =
            regions.segments.iter().map(|region| region.first_start..region.last_row + 1).collect();
        debug_assert_eq!(segments.len(), surroundings.len());
        let mut parents = vec![NOBODY; sizes.len()];
        let mut announced = vec![0; sizes.len() + 1];
        let mut end = 0;
        for (rows, around) in segments.iter().zip(&surroundings) {
            if rows.start < end || rows.end > sizes.len() || rows.is_empty() {
                return Err(rows.start);
            }
            end = rows.end;
            adopt(&sizes, rows.clone(), around.parent, &mut parents, &mut announced)?;
        }
        let [previous, next, first_children] = [(); 3].map(|()| OnceCell::new());
        Ok(Self { sizes, surroundings, segments, parents, previous, next, first_children })
    }

    /// The number of rows in the block.
    pub(in crate::engine) fn rows(&self) -> usize {
        self.sizes.len()
    }

    /// Whether there are fewer pairs of siblings than rows, judged by a part of the rows.
    pub(in crate::engine) fn has_few_pairs(&self) -> bool {
        let Some(segment) = self.segments.iter().max_by_key(|rows| rows.len()) else { return true };
        let mut indexes: Vec<usize> = Vec::with_capacity(PAIRED_MAX);
        for row in segment.clone().take(PAIRED_MAX) {
            let before = indexes.get(self.sibling_before(row, segment).wrapping_sub(segment.start));
            indexes.push(before.map_or(0, |before| before + 1));
        }
        4 * indexes.iter().sum::<usize>() <= 3 * indexes.len()
    }

    pub(in crate::engine) fn parents(&self) -> &[u32] {
        &self.parents
    }

    pub(in crate::engine) fn previous(&self) -> &[u32] {
        self.previous.get_or_init(|| {
            let mut previous = vec![NOBODY; self.rows()];
            for (segment, around) in self.segments.iter().zip(&self.surroundings) {
                for row in segment.clone() {
                    let before = self.sibling_before(row, segment);
                    previous[row] = select_unpredictable(before < self.rows(), before as u32, NOBODY);
                }
                if let Some(first) = self.tops_of(segment.clone()).last() {
                    previous[first] = around.before;
                }
            }
            previous
        })
    }

    pub(in crate::engine) fn next(&self) -> &[u32] {
        self.next.get_or_init(|| {
            let mut next = vec![NOBODY; self.rows() + 1];
            for (segment, around) in self.segments.iter().zip(&self.surroundings) {
                for row in segment.clone() {
                    next[self.sibling_before(row, segment)] = row as u32;
                }
                next[segment.end - 1] = around.after;
            }
            next.truncate(self.rows());
            next
        })
    }

    pub(in crate::engine) fn first_children(&self) -> &[u32] {
        self.first_children.get_or_init(|| {
            let mut first = vec![NOBODY; self.rows() + 1];
            for segment in &self.segments {
                for row in segment.clone() {
                    let is_first = self.sibling_before(row, segment) == self.rows();
                    first[select_unpredictable(is_first, self.family_of(row), self.rows())] = row as u32;
                }
            }
            first.truncate(self.rows());
            first
        })
    }

    pub(in crate::engine) fn last_children(&self) -> Vec<u32> {
        let mut last = vec![NOBODY; self.rows()];
        for row in self.segments.iter().cloned().flatten() {
            last[row] = select_unpredictable(self.sizes[row] > 1, (row as u32).wrapping_sub(1), NOBODY);
        }
        last
    }

    /// The number of each row's children among some rows.
    pub(in crate::engine) fn count_children(&self, among: &Bitmap, out: &mut Vec<i64>) {
        out.clear();
        out.resize(self.rows() + 1, 0);
        for row in self.segments.iter().cloned().flatten() {
            out[self.family_of(row)] += i64::from(among.get(row));
        }
        out.truncate(self.rows());
    }

    /// `@index` of each row.
    pub(in crate::engine) fn indexes(&self) -> Vec<i64> {
        let mut next = vec![0; self.rows() + 1];
        let mut indexes = vec![0; self.rows()];
        for (rows, around) in self.segments.iter().zip(&self.surroundings) {
            next[self.rows()] = around.first_index;
            for row in rows.clone() {
                let next = &mut next[self.family_of(row)];
                indexes[row] = *next;
                *next += 1;
            }
        }
        indexes
    }

    /// `@height` of each row, and for each segment its contribution to the crossing parent's height.
    pub(in crate::engine) fn heights(&self) -> (Vec<u32>, Vec<u32>) {
        let mut heights = vec![0; self.rows() + 1];
        let mut of_parents = Vec::with_capacity(self.segments.len());
        for rows in &self.segments {
            for row in rows.clone() {
                let height = heights[row] + 1;
                let parent = &mut heights[self.family_of(row)];
                *parent = height.max(*parent);
            }
            of_parents.push(std::mem::take(&mut heights[self.rows()]));
        }
        heights.truncate(self.rows());
        (heights, of_parents)
    }

    /// The row of the parent; for tops the number of rows, an index that they share.
    #[inline]
    pub(super) fn family_of(&self, row: usize) -> usize {
        (self.parents[row] as usize).min(self.rows())
    }

    /// The rows of the subtree, the node itself excluded.
    #[inline]
    pub(super) fn below(&self, row: usize) -> Range<usize> {
        row + 1 - self.sizes[row] as usize..row
    }

    /// The nodes whose subtrees make up these rows, last first; the rows are a segment, or all those below a row.
    pub(super) fn tops_of(&self, rows: Range<usize>) -> impl Iterator<Item = usize> {
        let mut end = rows.end;
        std::iter::from_fn(move || {
            let row = end.checked_sub(1).filter(|&row| row >= rows.start)?;
            end = self.below(row).start;
            Some(row)
        })
    }

    /// Calls `visit` with the children of each row that has children, and with the tops of each segment and its index;
    /// in the order of entering.
    pub(super) fn each_family(&self, mut visit: impl FnMut(Option<usize>, &[u32])) {
        let mut family = Vec::new();
        for (place, rows) in self.segments.iter().enumerate() {
            let parents = rows.clone().filter(|&row| self.sizes[row] > 1);
            let inner = parents.map(|row| (None, self.below(row)));
            for (segment, rows) in inner.chain([(Some(place), rows.clone())]) {
                family.clear();
                family.extend(self.tops_of(rows).map(|row| row as u32));
                family.reverse();
                visit(segment, &family);
            }
        }
    }

    /// The row of the sibling before a row of a segment; the number of rows if there is none in the block.
    #[inline]
    pub(super) fn sibling_before(&self, row: usize, segment: &Range<usize>) -> usize {
        let start = self.below(row).start;
        let before = start.max(segment.start + 1) - 1;
        let is_sibling = (start > segment.start) & (self.parents[before] == self.parents[row]);
        // Branch-free: whether a row is a first child is unpredictable.
        select_unpredictable(is_sibling, before, self.rows())
    }
}

/// The number of rows by which the number of pairs is judged.
const PAIRED_MAX: usize = 4096;

/// The number of rows that are tested together for being leaves of one family.
const BULK: usize = 16;

/// Finds the parents of the rows of a segment.
///
/// `announced` has one more entry than there are rows: at `row` are the parent of the row before it and the start of
/// that parent's subtree, once a sibling whose subtree starts at `row` has been found.
fn adopt(
    sizes: &[u32],
    rows: Range<usize>,
    ghost: u32,
    parents: &mut [u32],
    announced: &mut [u64],
) -> Result<(), usize> {
    let entry = |parent: u64, start: usize| parent << 32 | start as u64;
    let family_start = |entry: u64| entry as u32 as usize;
    let mut own = entry(ghost.into(), rows.start);
    let unused = announced.len() - 1;
    let mut end = rows.end;
    while end > rows.start {
        let start = end.saturating_sub(BULK).max(rows.start);
        let (sizes, parents) = (&sizes[start..end], &mut parents[start..end]);
        end = start;
        if start >= family_start(own) && sizes.iter().fold(0, |bits, size| bits | (size ^ 1)) == 0 {
            parents.fill((own >> 32) as u32);
            own = if start > family_start(own) { own } else { announced[start] };
            continue;
        }
        for (place, (parent, &size)) in parents.iter_mut().zip(sizes).enumerate().rev() {
            let row = start + place;
            // The rows below this one, and those before it in its family's interval.
            let (below, room) = (size.wrapping_sub(1) as usize, row - family_start(own));
            if below > room {
                return Err(row);
            }
            *parent = (own >> 32) as u32;
            let waiting = announced[row];
            // Branch-free: the relation of the previous row to this one is unpredictable.
            announced[select_unpredictable(below < room, row - below, unused)] = own;
            let sibling = select_unpredictable(room > 0, own, waiting);
            own = select_unpredictable(below > 0, entry(row as u64, row - below), sibling);
        }
    }
    Ok(())
}
