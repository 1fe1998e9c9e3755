//! The shape of one block: its subtrees, the rows with children, the crossing nodes, the plies.

use std::ops::Range;

use gt_log::{BlockHead, Column, Question, Scratch, Tree};

use crate::engine::Failure;
use crate::engine::bits::{Bitmap, BlockRows};
use crate::engine::columns::Columns;
use crate::engine::crossing::{JointId, Regions, Skeleton, regions};
use crate::engine::scan::lanes::within;
use crate::engine::scan::runs::{Open, Parent, Rows};
use crate::engine::scan::sizes::sizes_into;
use crate::engine::scan::sums::Sums;

/// The buffers that a thread reuses from block to block.
#[derive(Default)]
pub(in crate::engine) struct ShapeRoom {
    scratch: Scratch,
    sizes: Vec<u32>,
    plies: Sums,
    branches: Bitmap,
    crossing: Bitmap,
    /// Some rows, as a bitmap and as a list.
    chosen: Bitmap,
    listed: Vec<u32>,
    passing: Bitmap,
}

/// One block of a tree; each part of its shape is computed on first use.
pub(in crate::engine) struct Shape<'a> {
    pub(in crate::engine) tree: Tree<'a>,
    pub(in crate::engine) block: usize,
    pub(in crate::engine) head: &'a BlockHead,
    pub(in crate::engine) skeleton: &'a Skeleton,
    pub(in crate::engine) regions: Regions,
    pub(in crate::engine) columns: Columns<'a>,
    room: ShapeRoom,
    has_branches: bool,
    has_sizes: bool,
    has_plies: bool,
}

impl<'a> Shape<'a> {
    /// Makes the shape of a block of which only columns are read.
    pub(in crate::engine) fn of_columns(
        tree: Tree<'a>,
        block: usize,
        skeleton: &'a Skeleton,
        mut room: ShapeRoom,
    ) -> Self {
        let columns = Columns::new(tree, block, std::mem::take(&mut room.scratch));
        Self {
            tree,
            block,
            head: tree.block(block),
            skeleton,
            regions: Regions::default(),
            columns,
            room,
            has_branches: false,
            has_sizes: false,
            has_plies: false,
        }
    }

    /// Makes the shape of a block with its crossing nodes and segments.
    ///
    /// # Errors
    /// Returns an error if the log is damaged or cannot be read.
    pub(in crate::engine) fn new(
        tree: Tree<'a>,
        block: usize,
        skeleton: &'a Skeleton,
        room: ShapeRoom,
    ) -> Result<Self, Failure> {
        let mut shape = Self::of_columns(tree, block, skeleton, room);
        shape.columns.load(Column::Size)?;
        shape.regions = regions(tree, block, skeleton, &shape.columns)?;
        Ok(shape)
    }

    /// Returns the buffers, for the next block.
    pub(in crate::engine) fn into_room(self) -> ShapeRoom {
        ShapeRoom { scratch: self.columns.into_scratch(), ..self.room }
    }

    pub(in crate::engine) fn rows(&self) -> usize {
        self.head.rows as usize
    }

    /// The rows with children, and crossing nodes; the sizes must be loaded.
    pub(in crate::engine) fn branches(&mut self) -> Result<&Bitmap, Failure> {
        if !self.has_branches {
            self.columns.load(Column::Size)?;
            let rows = self.rows();
            let mut branches = std::mem::take(&mut self.room.branches);
            self.column_within(Column::Size, (2, i64::MAX), false, &mut branches)?;
            self.room.crossing.fill(rows, false);
            for &row in &self.regions.closed {
                branches.set(row, true);
                self.room.crossing.set(row, true);
            }
            self.room.branches = branches;
            self.has_branches = true;
        }
        Ok(&self.room.branches)
    }

    /// The rows of crossing nodes; branches must have been computed.
    pub(in crate::engine) fn crossing(&self) -> &Bitmap {
        &self.room.crossing
    }

    /// The branches, which must have been computed.
    pub(in crate::engine) fn known_branches(&self) -> &Bitmap {
        &self.room.branches
    }

    /// The sizes of the rows as numbers, and the branches.
    pub(in crate::engine) fn sizes(&mut self) -> Result<&[u32], Failure> {
        self.branches()?;
        if !self.has_sizes {
            sizes_into(self.columns.get(Column::Size), self.rows(), &mut self.room.sizes);
            self.has_sizes = true;
        }
        Ok(&self.room.sizes)
    }

    /// The sizes, which must have been computed.
    pub(in crate::engine) fn known_sizes(&self) -> &[u32] {
        &self.room.sizes
    }

    /// The size of a row's subtree; sizes must have been computed.
    pub(in crate::engine) fn size(&self, row: usize) -> usize {
        self.room.sizes[row] as usize
    }

    /// The ply of each inner row.
    pub(in crate::engine) fn plies(&mut self) -> Result<&Sums, Failure> {
        if !self.has_plies {
            self.branches()?;
            let (skeleton, rows, most) = (self.skeleton, self.rows(), self.head.ply_max);
            let (room, sizes, regions) = (&mut self.room, self.columns.get(Column::Size), &self.regions);
            let ply = |joint: JointId| skeleton.joints[joint].ply() as i64 + 1;
            let begun = room.plies.begin_plies(most, sizes, regions, ply, &mut room.chosen);
            if begun {
                room.chosen.and(&room.branches);
            } else {
                room.plies.begin(rows, most, regions, ply);
                room.chosen.copy_from(&room.branches);
            }
            room.chosen.and_not(&room.crossing);
            room.chosen.rows_into(&mut room.listed);
            if begun {
                room.plies.give_starts(&room.listed, sizes);
            } else {
                room.plies.give(&room.listed, sizes);
            }
            room.plies.sum_up();
            self.has_plies = true;
        }
        Ok(&self.room.plies)
    }

    /// The plies, which must have been computed.
    pub(in crate::engine) fn known_plies(&self) -> &Sums {
        &self.room.plies
    }

    /// The number of ancestors of each row that satisfy a test, as running sums: each such ancestor adds one to the
    /// interval of its descendants. Crossing nodes contribute what `of` returns.
    pub(in crate::engine) fn path_counts(
        &mut self,
        test: &Bitmap,
        of: impl Fn(JointId) -> i64,
        sums: &mut Sums,
    ) -> Result<(), Failure> {
        self.branches()?;
        let (rows, most) = (self.rows(), self.head.ply_max);
        let (room, sizes) = (&mut self.room, self.columns.get(Column::Size));
        sums.begin(rows, most, &self.regions, of);
        // The regions account for the contributions of crossing nodes.
        room.chosen.copy_from(&room.branches);
        room.chosen.and(test);
        room.chosen.and_not(&room.crossing);
        room.chosen.rows_into(&mut room.listed);
        sums.give(&room.listed, sizes);
        sums.sum_up();
        Ok(())
    }

    /// Calls `visit` with each run of inner nodes; sizes must have been computed.
    pub(in crate::engine) fn each_run(&self, mut visit: impl FnMut(Parent, u64, Range<usize>)) {
        let rows = Rows {
            branches: &self.room.branches,
            sizes: &self.room.sizes,
            regions: &self.regions,
            crossing: &self.room.crossing,
            skeleton: self.skeleton,
        };
        let mut stack: Vec<Open> = Vec::with_capacity(64);
        rows.each_run(&mut stack, &mut visit);
    }

    /// The rows whose value of a column is in a range; if the column is used only once, it is read in its stored
    /// form.
    ///
    /// # Errors
    /// Returns an error if the log is damaged or cannot be read.
    pub(in crate::engine) fn column_within(
        &mut self,
        column: Column,
        range: (i64, i64),
        once: bool,
        out: &mut Bitmap,
    ) -> Result<(), Failure> {
        let head = &self.head.columns[column.number()];
        let bounds = (head.min, head.max);
        if self.decides(column, range) || !self.ask(column, Question::Within(range.0, range.1), once, out)? {
            within(self.columns.get(column), self.rows(), range, bounds, out);
        }
        Ok(())
    }

    /// Whether the head of the block proves that all values of a column are in a range, or that none is.
    pub(in crate::engine) fn decides(&self, column: Column, (low, high): (i64, i64)) -> bool {
        let head = &self.head.columns[column.number()];
        high < head.min || head.max < low || (low <= head.min && head.max <= high)
    }

    /// Tests the packed column and returns `true`, or loads it and returns `false`.
    ///
    /// # Errors
    /// Returns an error if the log is damaged or cannot be read.
    pub(in crate::engine) fn ask(
        &mut self,
        column: Column,
        question: Question,
        once: bool,
        out: &mut Bitmap,
    ) -> Result<bool, Failure> {
        if !once {
            self.columns.load(column)?;
            return Ok(false);
        }
        let rows = self.rows();
        out.mark(rows, |words| self.columns.select(column, question, None, words))
    }

    /// Tests the packed column in the rows of `out` alone, keeps those that pass, and returns `true`; or loads the
    /// column and returns `false`.
    ///
    /// # Errors
    /// Returns an error if the log is damaged or cannot be read.
    pub(in crate::engine) fn ask_among(
        &mut self,
        column: Column,
        question: Question,
        out: &mut Bitmap,
    ) -> Result<bool, Failure> {
        let (rows, mut passing) = (self.rows(), std::mem::take(&mut self.room.passing));
        let asked =
            passing.mark(rows, |words| self.columns.select(column, question, Some(out.words()), words));
        if let Ok(true) = asked {
            std::mem::swap(out, &mut passing);
        }
        self.room.passing = passing;
        asked
    }

    /// Lists the rows of a bitmap; if `inner` is set, without crossing nodes, and branches must have been computed.
    pub(in crate::engine) fn list(&mut self, rows: &Bitmap, inner: bool) {
        let room = &mut self.room;
        room.chosen.copy_from(rows);
        if inner {
            room.chosen.and_not(&room.crossing);
        }
        room.chosen.rows_into(&mut room.listed);
    }

    /// Lists these rows, without crossing nodes; branches must have been computed.
    pub(in crate::engine) fn list_rows(&mut self, rows: &BlockRows) {
        let (count, room) = (self.head.rows as usize, &mut self.room);
        rows.copy_into(count, &mut room.chosen);
        room.chosen.and_not(&room.crossing);
        room.chosen.rows_into(&mut room.listed);
    }

    /// The current list.
    pub(in crate::engine) fn listed(&self) -> &[u32] {
        &self.room.listed
    }

    /// Takes the current list, so that it is kept while others are made.
    pub(in crate::engine) fn take_listed(&mut self) -> Vec<u32> {
        std::mem::take(&mut self.room.listed)
    }
}
