//! Pixel columns by plies: how many of a column's nodes lie in or below a node of each ply, by colour class.
//!
//! ```text
//! node_ids     first      +step      +2·step            a node of ply p, ids 2 to 9, adds 3 to column 0, 5 to column 1
//! columns        │     0    │     1    │                 and 1 to column 2 of its ply
//! ```
//!
//! **Invariant:** counts are whole numbers of nodes, so what is added and taken away again leaves nothing behind. A
//! column has fewer node_ids than a count holds.

use std::ops::Range;

/// The most counts of a grid: some megabytes.
const COUNTS_MAX: usize = 4 << 20;

/// What a grid covers.
#[derive(Clone, Copy, Debug)]
pub(super) struct Extent {
    /// The node_id that column 0 begins with.
    pub(super) first: u64,
    /// How many node_ids a column has.
    pub(super) step: u64,
    pub(super) columns: usize,
    /// The ply of row 0.
    pub(super) ply: u64,
    pub(super) plies: usize,
    pub(super) classes: usize,
    columns_per_id: f64,
}

impl Extent {
    /// The extent of some node_ids in about `width` columns, which begin at multiples of `unit`.
    pub(super) fn of(
        ids: &Range<u64>,
        width: u64,
        unit: u64,
        ply: u64,
        plies: usize,
        classes: usize,
    ) -> Self {
        let columns_max = (COUNTS_MAX / (plies * classes).max(1)).clamp(16, 1 << 13) as u64;
        let wanted = (ids.end - ids.start).div_ceil(width.clamp(1, columns_max));
        let step = (wanted.div_ceil(unit).max(1) * unit).min(u64::from(u32::MAX) / unit * unit);
        let first = ids.start / unit * unit;
        let columns = (ids.end - first).div_ceil(step) as usize;
        Self { first, step, columns, ply, plies, classes, columns_per_id: 1.0 / step as f64 }
    }

    /// The column of a node_id.
    #[inline]
    pub(super) fn column_of(&self, id: u64) -> usize {
        let offset = id - self.first;
        // Dividing takes longer than all the rest. Where the first guess is off, it is off by one.
        let guess = (offset as f64 * self.columns_per_id) as u64;
        let column = guess - u64::from(guess * self.step > offset);
        (column + u64::from((column + 1) * self.step <= offset)) as usize
    }

    /// The node_ids of a column.
    pub(super) fn ids_of(&self, column: usize) -> Range<u64> {
        let start = self.first + column as u64 * self.step;
        start..start + self.step
    }
}

/// The counts.
#[derive(Clone, Debug)]
pub(super) struct Grid {
    pub(super) extent: Extent,
    /// By ply, column and class.
    counts: Vec<u32>,
    /// Whether a node lies deeper than the last row.
    pub(super) has_deeper: bool,
}

impl Grid {
    pub(super) fn new(extent: Extent) -> Self {
        Self { extent, counts: vec![0; extent.plies * extent.columns * extent.classes], has_deeper: false }
    }

    /// The counts of a column at a row, by class.
    pub(super) fn at(&self, row: usize, column: usize) -> &[u32] {
        let start = (row * self.extent.columns + column) * self.extent.classes;
        &self.counts[start..start + self.extent.classes]
    }

    /// Adds a node's ids, all within the grid.
    #[inline]
    pub(super) fn add(&mut self, ids: Range<u64>, ply: u64, class: u8) {
        self.each(ids, ply, class, u32::saturating_add);
    }

    /// Adds counts by class of a ply; the nodes from `start` on that they are of lie in one column.
    pub(super) fn add_counts(&mut self, start: u64, ply: u64, counts: &[u16]) {
        let row = (ply - self.extent.ply) as usize;
        if row >= self.extent.plies {
            self.has_deeper |= counts.iter().any(|&count| count > 0);
            return;
        }
        let place = (row * self.extent.columns + self.extent.column_of(start)) * self.extent.classes;
        let own = self.counts[place..].iter_mut();
        own.zip(counts).for_each(|(count, &more)| *count = count.saturating_add(more.into()));
    }

    /// Takes away what was added.
    pub(super) fn subtract(&mut self, ids: Range<u64>, ply: u64, class: u8) {
        self.each(ids, ply, class, u32::saturating_sub);
    }

    #[inline]
    fn each(&mut self, ids: Range<u64>, ply: u64, class: u8, change: impl Fn(u32, u32) -> u32) {
        let Extent { first, step, columns, classes, .. } = self.extent;
        if ply < self.extent.ply || ids.is_empty() {
            return;
        }
        let row = (ply - self.extent.ply) as usize;
        if row >= self.extent.plies {
            self.has_deeper = true;
            return;
        }
        let mut column = self.extent.column_of(ids.start);
        let mut start = ids.start;
        let mut end = first + (column as u64 + 1) * step;
        loop {
            let place = (row * columns + column) * classes + usize::from(class);
            let count = &mut self.counts[place];
            *count = change(*count, (ids.end.min(end) - start) as u32);
            if ids.end <= end {
                return;
            }
            (start, end, column) = (end, end + step, column + 1);
        }
    }

    /// Adds the counts of another grid of the same extent.
    pub(super) fn merge(&mut self, other: &Self) {
        let pairs = self.counts.iter_mut().zip(&other.counts);
        pairs.for_each(|(count, &more)| *count = count.saturating_add(more));
        self.has_deeper |= other.has_deeper;
    }
}
