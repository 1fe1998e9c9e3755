//! The scans of one block: tests into bitmaps, numbers into lists, each once and only where it is needed.

mod numbers;
mod truths;

use std::ops::Range;

use gt_log::{BlockHead, Column, Scratch};

use super::bitmap::{Bitmap, Ranks};
use super::graph::{Compiled, NumberId, Part, Scalar, TestId};
use super::groups::Tables;
use super::runs::{Open, Parent, Rows};
use super::sizes::sizes_into;
use super::sums::Sums;
use crate::engine::Failure;
use crate::engine::columns::Columns;
use crate::engine::details::Details;
use crate::engine::matches::BlockRows;
use crate::engine::plan::Plan;
use crate::engine::skeleton::Skeleton;
use crate::engine::survey::Regions;
use crate::ir::Program;
use crate::value::{BoundKind, Value};

/// What a thread keeps from block to block, so that nothing is allocated for each.
#[derive(Default)]
pub(in crate::engine) struct Buffers {
    tests: Vec<Bitmap>,
    ranks: Vec<Ranks>,
    numbers: Vec<Vec<i64>>,
    done: Done,
    sizes: Vec<u32>,
    plies: Sums,
    sums: Sums,
    branches: Bitmap,
    crossing: Bitmap,
    /// Some rows, and the same as a list.
    chosen: Bitmap,
    listed: Vec<u32>,
    bytes: Vec<u8>,
    prefix: Vec<i64>,
    pub(super) tables: Tables,
    pub(super) scratch: Scratch,
}

/// What has been computed for the block at hand.
#[derive(Default)]
struct Done {
    tests: Vec<bool>,
    ranks: Vec<bool>,
    numbers: Vec<bool>,
    shape: bool,
    sizes: bool,
    plies: bool,
}

/// The scans of one block.
pub(super) struct Scanner<'a, 'c> {
    pub(super) program: &'a Program,
    pub(super) plan: &'a Plan,
    pub(super) compiled: &'a Compiled,
    pub(super) skeleton: &'a Skeleton,
    /// Of crossing nodes, where they are surveyed first.
    pub(super) details: &'a Details,
    /// What the children of crossing nodes start from, by number and crossing node.
    pub(super) paths: &'a [Vec<i64>],
    pub(super) regions: &'a Regions,
    pub(super) head: &'a BlockHead,
    pub(super) columns: &'a mut Columns<'c>,
    pub(super) buffers: &'a mut Buffers,
}

/// The value that the code of a scalar stands for.
pub(super) fn value_of(scalar: &Scalar, code: i64) -> Option<Value> {
    match scalar {
        Scalar::Number(_) => Some(Value::Integer(code.into())),
        Scalar::Truth { .. } => Some(Value::Boolean(code != 0)),
        Scalar::Bound { .. } => BoundKind::ALL.get(code as usize).map(|kind| kind.value()),
    }
}

impl Buffers {
    /// Forgets the block before.
    pub(super) fn begin(&mut self, compiled: &Compiled) {
        self.tests.resize_with(compiled.tests.len(), Bitmap::default);
        self.ranks.resize_with(compiled.tests.len(), Ranks::default);
        self.numbers.resize_with(compiled.numbers.len(), Vec::new);
        for (list, length) in [
            (&mut self.done.tests, compiled.tests.len()),
            (&mut self.done.ranks, compiled.tests.len()),
            (&mut self.done.numbers, compiled.numbers.len()),
        ] {
            list.clear();
            list.resize(length, false);
        }
        self.done.shape = false;
        self.done.sizes = false;
        self.done.plies = false;
    }

    /// The rows that satisfy a test, which has been computed.
    pub(super) fn test(&self, id: TestId) -> &Bitmap {
        &self.tests[id]
    }

    /// The numbers of the rows, which have been computed.
    pub(super) fn numbers(&self, id: NumberId) -> &[i64] {
        &self.numbers[id]
    }

    /// The plies of the rows, which have been computed.
    pub(super) fn plies(&self) -> &Sums {
        &self.plies
    }

    /// Lists the inner nodes that satisfy a test, which has been computed, as the shape has.
    pub(super) fn list_inner(&mut self, id: TestId) {
        self.chosen.copy_from(&self.tests[id]);
        self.chosen.and_not(&self.crossing);
        self.chosen.rows_into(&mut self.listed);
    }

    /// Lists all rows that satisfy a test, which has been computed.
    pub(super) fn list_all(&mut self, id: TestId) {
        self.tests[id].rows_into(&mut self.listed);
    }

    /// Lists these rows, but for crossing nodes; the shape has been computed.
    pub(super) fn list_rows(&mut self, rows: &BlockRows) {
        match rows {
            BlockRows::None => return self.listed.clear(),
            BlockRows::All => self.chosen.fill(self.crossing.rows(), true),
            BlockRows::Few(rows) => {
                self.chosen.fill(self.crossing.rows(), false);
                rows.iter().for_each(|&row| self.chosen.set(row as usize, true));
            }
            BlockRows::Many(words) => self.chosen.mark(self.crossing.rows(), |own| {
                own.clear();
                own.extend_from_slice(words);
            }),
        }
        self.chosen.and_not(&self.crossing);
        self.chosen.rows_into(&mut self.listed);
    }

    /// The list that was made.
    pub(super) fn listed(&self) -> &[u32] {
        &self.listed
    }

    /// What a scalar is at a row, as a number; none where it is not known. It has been computed.
    pub(super) fn code(&self, scalar: &Scalar, row: usize) -> Option<i64> {
        if scalar.known().is_some_and(|known| !self.tests[known].get(row)) {
            return None;
        }
        Some(match *scalar {
            Scalar::Number(quantity) => self.numbers[quantity.number][row],
            Scalar::Truth { yes, .. } => i64::from(self.tests[yes].get(row)),
            Scalar::Bound { lower, upper, .. } => {
                let (lower, upper) = (self.tests[lower].get(row), self.tests[upper].get(row));
                i64::from(lower) + 2 * i64::from(upper)
            }
        })
    }

    pub(super) fn size(&self, row: usize) -> usize {
        self.sizes[row] as usize
    }
}

impl Scanner<'_, '_> {
    fn rows(&self) -> usize {
        self.head.rows as usize
    }

    /// Computes a number or a test.
    pub(super) fn part(&mut self, part: Part) -> Result<(), Failure> {
        match part {
            Part::Number(number) => self.number(number),
            Part::Test(test) => self.test(test),
        }
    }

    /// Computes what a scalar is made of.
    pub(super) fn scalar(&mut self, scalar: &Scalar) -> Result<(), Failure> {
        let mut computed = Ok(());
        scalar.each(&mut |part| {
            if computed.is_ok() {
                computed = self.part(part);
            }
        });
        computed
    }

    /// Calls `visit` with each run of inner nodes; the shape has been computed.
    pub(super) fn each_run(&self, mut visit: impl FnMut(&Buffers, Parent, u64, Range<usize>)) {
        let buffers = &*self.buffers;
        let rows = Rows {
            branches: &buffers.branches,
            sizes: &buffers.sizes,
            regions: self.regions,
            crossing: &buffers.crossing,
            skeleton: self.skeleton,
        };
        let mut stack: Vec<Open> = Vec::with_capacity(64);
        rows.each_run(&mut stack, |parent, ply, range| visit(buffers, parent, ply, range));
    }

    /// Computes which rows have children, and which are crossing nodes; loads the sizes.
    pub(super) fn shape(&mut self) -> Result<(), Failure> {
        if self.buffers.done.shape {
            return Ok(());
        }
        self.columns.load(Column::Size)?;
        let rows = self.rows();
        let mut branches = std::mem::take(&mut self.buffers.branches);
        self.column_within(Column::Size, (2, i64::MAX), &mut branches)?;
        let buffers = &mut *self.buffers;
        buffers.crossing.fill(rows, false);
        for &row in &self.regions.closed {
            branches.set(row, true);
            buffers.crossing.set(row, true);
        }
        buffers.branches = branches;
        self.buffers.done.shape = true;
        Ok(())
    }

    /// Computes the sizes of the rows as numbers, and the shape.
    pub(super) fn sizes(&mut self) -> Result<(), Failure> {
        self.shape()?;
        if !self.buffers.done.sizes {
            let rows = self.rows();
            sizes_into(self.columns.get(Column::Size), rows, &mut self.buffers.sizes);
            self.buffers.done.sizes = true;
        }
        Ok(())
    }
}
