//! The scans of one block: tests into bitmaps, numbers into lists, each once and only where it is needed.

use std::ops::Range;

use gt_log::{BlockHead, Column, Question, Scratch};

use super::bitmap::{Bitmap, Ranks};
use super::graph::{Compiled, Number, NumberId, Test, TestId};
use super::groups::Tables;
use super::joints::Joints;
use super::lanes::{masked, within};
use super::runs::{Open, Parent, Rows};
use super::sizes::{Retain, retain, sizes_into};
use super::sums::Sums;
use crate::engine::Failure;
use crate::engine::columns::Columns;
use crate::engine::plan::Plan;
use crate::engine::skeleton::{JointId, Skeleton};
use crate::engine::survey::Regions;
use crate::ir::Program;
use crate::syntax::ast::Comparison;

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
    /// What the children of crossing nodes start from, by number and crossing node.
    pub(super) paths: &'a [Vec<i64>],
    pub(super) regions: &'a Regions,
    pub(super) head: &'a BlockHead,
    pub(super) columns: &'a mut Columns<'c>,
    pub(super) buffers: &'a mut Buffers,
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

    /// The list that was made.
    pub(super) fn listed(&self) -> &[u32] {
        &self.listed
    }

    pub(super) fn size(&self, row: usize) -> usize {
        self.sizes[row] as usize
    }
}

impl Scanner<'_, '_> {
    fn rows(&self) -> usize {
        self.head.rows as usize
    }

    /// Computes a test.
    pub(super) fn test(&mut self, id: TestId) -> Result<(), Failure> {
        if self.buffers.done.tests[id] {
            return Ok(());
        }
        let compiled = self.compiled;
        let mut out = std::mem::take(&mut self.buffers.tests[id]);
        match &compiled.tests[id] {
            Test::Always(value) => out.fill(self.rows(), *value),
            Test::Within(number, low, high) => self.within(*number, (*low, *high), &mut out)?,
            Test::Masked(column, mask) => {
                let rows = self.rows();
                if !self.ask(*column, Question::AnyBit(*mask), &mut out)? {
                    masked(self.columns.get(*column), rows, *mask, &mut out);
                }
            }
            Test::Compare(operator, left, right) => self.compare(*operator, *left, *right, &mut out)?,
            Test::Not(inner) => {
                self.test(*inner)?;
                out.copy_from(&self.buffers.tests[*inner]);
                out.invert();
            }
            Test::All(tests) | Test::Any(tests) => {
                let is_all = matches!(compiled.tests[id], Test::All(_));
                out.fill(self.rows(), is_all);
                for &inner in tests {
                    self.test(inner)?;
                    if is_all {
                        out.and(&self.buffers.tests[inner]);
                    } else {
                        out.or(&self.buffers.tests[inner]);
                    }
                }
            }
        }
        self.buffers.tests[id] = out;
        self.buffers.done.tests[id] = true;
        Ok(())
    }

    fn within(&mut self, number: NumberId, range: (i64, i64), out: &mut Bitmap) -> Result<(), Failure> {
        match self.compiled.numbers[number] {
            Number::Column(column) => self.column_within(column, range, out),
            Number::SubtreeCount(test) => self.subtree_within(test, range, out),
            Number::ChildCount(_) => {
                self.number(number)?;
                let contains_zero = range.0 <= 0 && 0 <= range.1;
                let numbers = &self.buffers.numbers[number];
                // Only rows with children can have any that count.
                out.copy_from(&self.buffers.branches);
                out.retain(|row| ((range.0..=range.1).contains(&numbers[row])) != contains_zero);
                if contains_zero {
                    out.invert();
                }
                Ok(())
            }
            Number::PathCount(test) => {
                self.path_count(number, test)?;
                self.buffers.sums.within(self.head.rows as usize, range, out);
                Ok(())
            }
            _ => {
                self.number(number)?;
                out.pack(&self.buffers.numbers[number], |value| {
                    u8::from((range.0..=range.1).contains(&value))
                });
                Ok(())
            }
        }
    }

    fn column_within(&mut self, column: Column, range: (i64, i64), out: &mut Bitmap) -> Result<(), Failure> {
        let head = &self.head.columns[column.number()];
        let bounds = (head.min, head.max);
        let decided =
            range.1 < head.min || head.max < range.0 || (range.0 <= head.min && head.max <= range.1);
        if decided || !self.ask(column, Question::Within(range.0, range.1), out)? {
            within(self.columns.get(column), self.rows(), range, bounds, out);
        }
        Ok(())
    }

    /// Answers a question from the packed column and gives `true`; or loads it.
    fn ask(&mut self, column: Column, question: Question, out: &mut Bitmap) -> Result<bool, Failure> {
        if !self.compiled.asked_once[column.number()] {
            self.columns.load(column)?;
            return Ok(false);
        }
        out.mark(self.rows(), |words| self.columns.select(column, question, words))
    }

    /// The rows below which a number of rows in this range satisfy a test.
    fn subtree_within(
        &mut self,
        test: TestId,
        (low, high): (i64, i64),
        out: &mut Bitmap,
    ) -> Result<(), Failure> {
        self.test(test)?;
        self.columns.load(Column::Size)?;
        let contains_zero = low <= 0 && 0 <= high;
        // Below a row there are no more than its size says.
        let least_size = if contains_zero { 2 } else { low.saturating_add(1) };
        self.column_within(Column::Size, (least_size, i64::MAX), out)?;
        let rows = self.rows() as i64;
        let is_some = if contains_zero { low == 0 && high == 0 } else { low == 1 && high >= rows };
        let limits = (low.clamp(0, rows + 1) as u32, high.clamp(0, rows) as u32);
        if !is_some {
            self.rank(test);
        }
        let (bitmap, ranks) = (&self.buffers.tests[test], &self.buffers.ranks[test]);
        let question = Retain { bitmap, ranks, limits, contains_zero, is_some };
        retain(self.columns.get(Column::Size), &question, out);
        if contains_zero {
            out.invert();
        }
        Ok(())
    }

    fn rank(&mut self, test: TestId) {
        if !self.buffers.done.ranks[test] {
            self.buffers.ranks[test].of(&self.buffers.tests[test]);
            self.buffers.done.ranks[test] = true;
        }
    }

    fn compare(
        &mut self,
        operator: Comparison,
        left: NumberId,
        right: NumberId,
        out: &mut Bitmap,
    ) -> Result<(), Failure> {
        self.number(left)?;
        self.number(right)?;
        let pairs = || self.buffers.numbers[left].iter().zip(&self.buffers.numbers[right]);
        let bytes = &mut self.buffers.bytes;
        bytes.clear();
        match operator {
            Comparison::Equal => bytes.extend(pairs().map(|(a, b)| u8::from(a == b))),
            Comparison::NotEqual => bytes.extend(pairs().map(|(a, b)| u8::from(a != b))),
            Comparison::Less => bytes.extend(pairs().map(|(a, b)| u8::from(a < b))),
            Comparison::LessEqual => bytes.extend(pairs().map(|(a, b)| u8::from(a <= b))),
            Comparison::Greater => bytes.extend(pairs().map(|(a, b)| u8::from(a > b))),
            Comparison::GreaterEqual => bytes.extend(pairs().map(|(a, b)| u8::from(a >= b))),
        }
        out.pack(bytes, |byte| byte);
        Ok(())
    }

    /// Computes a number for each row.
    pub(super) fn number(&mut self, id: NumberId) -> Result<(), Failure> {
        if self.buffers.done.numbers[id] {
            return Ok(());
        }
        let mut out = std::mem::take(&mut self.buffers.numbers[id]);
        match self.compiled.numbers[id] {
            Number::Constant(value) => {
                out.clear();
                out.resize(self.rows(), value);
            }
            Number::Column(column) => {
                self.columns.load(column)?;
                self.columns.get(column).widen_into(self.rows(), &mut out);
            }
            Number::Add(a, b) => self.zip(a, b, &mut out, i64::wrapping_add)?,
            Number::Subtract(a, b) => self.zip(a, b, &mut out, i64::wrapping_sub)?,
            Number::Multiply(a, b) => self.zip(a, b, &mut out, i64::wrapping_mul)?,
            Number::And(a, b) => self.zip(a, b, &mut out, |a, b| a & b)?,
            Number::Or(a, b) => self.zip(a, b, &mut out, |a, b| a | b)?,
            Number::OfParent(number) => self.of_parent(number, &mut out)?,
            Number::Ply => {
                self.plies()?;
                self.buffers.plies.numbers_into(self.rows(), &mut out);
            }
            Number::PathCount(test) => {
                self.path_count(id, test)?;
                self.buffers.sums.numbers_into(self.rows(), &mut out);
            }
            Number::ChildCount(test) => self.child_count(test, &mut out)?,
            Number::SubtreeCount(test) => self.subtree_count(test, &mut out)?,
            Number::SubtreeSum(number) => self.subtree_sum(number, &mut out)?,
        }
        self.buffers.numbers[id] = out;
        self.buffers.done.numbers[id] = true;
        Ok(())
    }

    fn zip(
        &mut self,
        left: NumberId,
        right: NumberId,
        out: &mut Vec<i64>,
        of: impl Fn(i64, i64) -> i64,
    ) -> Result<(), Failure> {
        self.number(left)?;
        self.number(right)?;
        let (left, right) = (&self.buffers.numbers[left], &self.buffers.numbers[right]);
        out.clear();
        out.extend(left.iter().zip(right).map(|(left, right)| of(*left, *right)));
        Ok(())
    }

    fn of_parent(&mut self, number: NumberId, out: &mut Vec<i64>) -> Result<(), Failure> {
        self.number(number)?;
        self.sizes()?;
        zeros(out, self.rows());
        let joints = Joints { compiled: self.compiled, plan: self.plan, skeleton: self.skeleton };
        self.each_run(|buffers, parent, _, range| {
            let value = match parent {
                Parent::Row(row) => buffers.numbers[number][row],
                Parent::Joint(joint) => joint.map_or(0, |joint| joints.number(number, joint)),
            };
            out[range].fill(value);
        });
        Ok(())
    }

    /// How many ancestors of each row satisfy a test, into the running sums: each that does adds one to the interval
    /// of its descendants.
    fn path_count(&mut self, id: NumberId, test: TestId) -> Result<(), Failure> {
        self.test(test)?;
        self.shape()?;
        let buffers = &mut *self.buffers;
        let (paths, rows) = (&self.paths[id], self.head.rows as usize);
        let sizes = self.columns.get(Column::Size);
        buffers.sums.begin(rows, self.head.ply_max, self.regions, |joint| paths[joint]);
        // What crossing nodes give, the regions account for.
        buffers.chosen.copy_from(&buffers.branches);
        buffers.chosen.and(&buffers.tests[test]);
        buffers.chosen.and_not(&buffers.crossing);
        buffers.chosen.rows_into(&mut buffers.listed);
        buffers.sums.give(&buffers.listed, sizes);
        buffers.sums.sum_up();
        Ok(())
    }

    /// The ply of each inner row.
    pub(super) fn plies(&mut self) -> Result<(), Failure> {
        if self.buffers.done.plies {
            return Ok(());
        }
        self.shape()?;
        let buffers = &mut *self.buffers;
        let (skeleton, rows) = (self.skeleton, self.head.rows as usize);
        let sizes = self.columns.get(Column::Size);
        let ply = |joint: JointId| skeleton.joints[joint].ply as i64 + 1;
        buffers.chosen.copy_from(&buffers.branches);
        buffers.chosen.and_not(&buffers.crossing);
        buffers.chosen.rows_into(&mut buffers.listed);
        let branches = (&buffers.listed[..], sizes);
        buffers.plies.plies(self.head.ply_max, branches, (rows, self.regions), ply);
        self.buffers.done.plies = true;
        Ok(())
    }

    fn child_count(&mut self, test: TestId, out: &mut Vec<i64>) -> Result<(), Failure> {
        self.test(test)?;
        self.sizes()?;
        zeros(out, self.rows());
        self.each_run(|buffers, parent, _, range| {
            if let Parent::Row(row) = parent {
                let bitmap = &buffers.tests[test];
                out[row] += match range.len() {
                    1 => i64::from(bitmap.get(range.start)),
                    _ => bitmap.count_in(range) as i64,
                };
            }
        });
        Ok(())
    }

    fn subtree_count(&mut self, test: TestId, out: &mut Vec<i64>) -> Result<(), Failure> {
        self.test(test)?;
        self.rank(test);
        self.sizes()?;
        zeros(out, self.rows());
        let buffers = &*self.buffers;
        let (bitmap, ranks) = (&buffers.tests[test], &buffers.ranks[test]);
        buffers.branches.each(|row| {
            let start = (row + 1).saturating_sub(buffers.size(row));
            out[row] = i64::from(ranks.rank(bitmap, row) - ranks.rank(bitmap, start));
        });
        Ok(())
    }

    fn subtree_sum(&mut self, number: NumberId, out: &mut Vec<i64>) -> Result<(), Failure> {
        self.number(number)?;
        self.sizes()?;
        zeros(out, self.rows());
        let buffers = &mut *self.buffers;
        buffers.prefix.clear();
        buffers.prefix.push(0);
        let mut sum = 0_i64;
        buffers.prefix.extend(buffers.numbers[number].iter().map(|value| {
            sum = sum.wrapping_add(*value);
            sum
        }));
        let buffers = &*buffers;
        buffers.branches.each(|row| {
            let start = (row + 1).saturating_sub(buffers.size(row));
            out[row] = buffers.prefix[row].wrapping_sub(buffers.prefix[start]);
        });
        Ok(())
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

fn zeros(out: &mut Vec<i64>, rows: usize) {
    out.clear();
    out.resize(rows, 0);
}
