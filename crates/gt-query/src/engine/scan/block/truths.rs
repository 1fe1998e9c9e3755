//! Tests of every row, into bitmaps.

use gt_log::{Column, Question};

use super::Scanner;
use crate::engine::Failure;
use crate::engine::scan::bitmap::Bitmap;
use crate::engine::scan::graph::{Number, NumberId, Test, TestId};
use crate::engine::scan::lanes::{masked, within};
use crate::engine::scan::sizes::{Retain, retain};
use crate::syntax::ast::Comparison;

impl Scanner<'_, '_> {
    /// Computes a test.
    pub(in crate::engine::scan) fn test(&mut self, id: TestId) -> Result<(), Failure> {
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
            Test::Known(attribute) => {
                self.columns.load_missing(*attribute)?;
                out.fill(self.rows(), true);
                if let Some(missing) = self.columns.missing(*attribute) {
                    out.and_not_words(missing);
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

    pub(super) fn within(
        &mut self,
        number: NumberId,
        range: (i64, i64),
        out: &mut Bitmap,
    ) -> Result<(), Failure> {
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

    pub(super) fn column_within(
        &mut self,
        column: Column,
        range: (i64, i64),
        out: &mut Bitmap,
    ) -> Result<(), Failure> {
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
    pub(super) fn ask(
        &mut self,
        column: Column,
        question: Question,
        out: &mut Bitmap,
    ) -> Result<bool, Failure> {
        if !self.compiled.asked_once[column.number()] {
            self.columns.load(column)?;
            return Ok(false);
        }
        out.mark(self.rows(), |words| self.columns.select(column, question, words))
    }

    /// The rows below which a number of rows in this range satisfy a test.
    pub(super) fn subtree_within(
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

    pub(super) fn rank(&mut self, test: TestId) {
        if !self.buffers.done.ranks[test] {
            self.buffers.ranks[test].of(&self.buffers.tests[test]);
            self.buffers.done.ranks[test] = true;
        }
    }

    pub(super) fn compare(
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
}
