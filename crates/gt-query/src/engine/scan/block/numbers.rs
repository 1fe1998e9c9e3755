//! Numbers of every row, into lists.

use gt_log::Column;

use super::Scanner;
use crate::engine::Failure;
use crate::engine::scan::graph::{Number, NumberId, TestId};
use crate::engine::scan::joints::Joints;
use crate::engine::scan::runs::Parent;
use crate::engine::skeleton::JointId;

impl Scanner<'_, '_> {
    /// Computes a number for each row.
    pub(in crate::engine::scan) fn number(&mut self, id: NumberId) -> Result<(), Failure> {
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
            Number::Truth(test) => {
                self.test(test)?;
                let bits = &self.buffers.tests[test];
                out.clear();
                out.extend((0..self.head.rows as usize).map(|row| i64::from(bits.get(row))));
            }
            Number::Where(test, number) => {
                self.test(test)?;
                self.number(number)?;
                let (bits, numbers) = (&self.buffers.tests[test], &self.buffers.numbers[number]);
                let kept = numbers.iter().enumerate();
                out.clear();
                out.extend(kept.map(|(row, number)| if bits.get(row) { *number } else { 0 }));
            }
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

    pub(super) fn zip(
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

    pub(super) fn of_parent(&mut self, number: NumberId, out: &mut Vec<i64>) -> Result<(), Failure> {
        self.number(number)?;
        self.sizes()?;
        zeros(out, self.rows());
        let (compiled, plan, skeleton, details) = (self.compiled, self.plan, self.skeleton, self.details);
        let joints = Joints { compiled, plan, skeleton, details };
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
    pub(super) fn path_count(&mut self, id: NumberId, test: TestId) -> Result<(), Failure> {
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
    pub(in crate::engine::scan) fn plies(&mut self) -> Result<(), Failure> {
        if self.buffers.done.plies {
            return Ok(());
        }
        self.shape()?;
        let buffers = &mut *self.buffers;
        let (skeleton, rows) = (self.skeleton, self.head.rows as usize);
        let sizes = self.columns.get(Column::Size);
        let ply = |joint: JointId| skeleton.joints[joint].ply as i64 + 1;
        let (most, regions) = (self.head.ply_max, self.regions);
        let begun = buffers.plies.begin_plies(most, sizes, regions, ply, &mut buffers.chosen);
        if begun {
            buffers.chosen.and(&buffers.branches);
        } else {
            buffers.plies.begin(rows, most, regions, ply);
            buffers.chosen.copy_from(&buffers.branches);
        }
        buffers.chosen.and_not(&buffers.crossing);
        buffers.chosen.rows_into(&mut buffers.listed);
        if begun {
            buffers.plies.give_starts(&buffers.listed, sizes);
        } else {
            buffers.plies.give(&buffers.listed, sizes);
        }
        buffers.plies.sum_up();
        self.buffers.done.plies = true;
        Ok(())
    }

    pub(super) fn child_count(&mut self, test: TestId, out: &mut Vec<i64>) -> Result<(), Failure> {
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

    pub(super) fn subtree_count(&mut self, test: TestId, out: &mut Vec<i64>) -> Result<(), Failure> {
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

    pub(super) fn subtree_sum(&mut self, number: NumberId, out: &mut Vec<i64>) -> Result<(), Failure> {
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
}

fn zeros(out: &mut Vec<i64>, rows: usize) {
    out.clear();
    out.resize(rows, 0);
}
