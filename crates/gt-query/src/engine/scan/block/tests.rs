//! Tests of every row, as bitmaps.

use gt_log::{Column, Question};

use super::Scanner;
use super::stored::in_set;
use crate::engine::Failure;
use crate::engine::bits::Bitmap;
use crate::engine::scan::graph::{Aspect, Elementary, Fold, Number, NumberId, Test, TestId, TextQuestion};
use crate::engine::scan::lanes::masked;
use crate::engine::scan::sizes::{Retain, retain};
use crate::engine::vector::{self, Vector, absolute_overflows, ask_texts, compare, has_value, overflows};
use crate::evaluate::Evaluated;
use crate::ir::{AggregateId, Scope};
use crate::syntax::ast::Comparison;
use crate::value::Value;
use crate::vocabulary::Function;

impl Scanner<'_> {
    /// Computes a test for each row.
    pub(in crate::engine::scan) fn test(&mut self, id: TestId) -> Result<(), Failure> {
        if self.buffers.done.tests[id] {
            return Ok(());
        }
        let mut out = std::mem::take(&mut self.buffers.tests[id]);
        let computed = self.compute_test(id, &mut out);
        self.buffers.tests[id] = out;
        self.buffers.done.tests[id] = true;
        computed
    }

    fn compute_test(&mut self, id: TestId, out: &mut Bitmap) -> Result<(), Failure> {
        let compiled = self.compiled;
        let rows = if compiled.test_of_pairs[id] { self.pairs[0].len() } else { self.rows() };
        match &compiled.tests[id] {
            Test::Always(value) => out.fill(rows, *value),
            Test::Within(number, low, high) => self.within(*number, (*low, *high), out)?,
            Test::Masked(column, mask) => {
                let once = compiled.asked_once[column.number()];
                if !self.shape.ask(*column, Question::AnyBit(*mask), once, out)? {
                    masked(self.shape.columns.get(*column), rows, *mask, out);
                }
            }
            Test::InSet(column, first, words) => {
                self.shape.columns.load(*column)?;
                in_set(self.shape.columns.get(*column), rows, *first, words, out);
            }
            Test::Known(attribute) => {
                self.shape.columns.load_missing(*attribute)?;
                out.fill(rows, true);
                if let Some(missing) = self.shape.columns.missing(*attribute) {
                    out.and_not_words(missing);
                }
            }
            Test::HasValue(number) => {
                self.number(*number)?;
                match self.vector(*number) {
                    floats @ Vector::Float(_) => has_value(floats, out),
                    _ => out.copy_from(&self.buffers.has_value[*number]),
                }
            }
            Test::Compare(operator, a, b) => self.compare(id, (*operator, *a, *b), out)?,
            Test::Text(question, a, b) => self.ask_text(*question, *a, *b, out)?,
            Test::Overflows(number) => self.overflows(*number, out)?,
            Test::Of(relative, test, field, aspect) => {
                self.test(*test)?;
                self.gather_test(*relative, *test, *field, *aspect, out)?;
            }
            Test::Exists(relative) => {
                let indexes = self.take_indexes(*relative)?;
                out.pack(&indexes, |index| u8::from(index != vector::NOBODY));
                self.give_indexes(*relative, indexes);
            }
            Test::Gathered(aggregate, aspect) => self.gathered_test(*aggregate, *aspect, out)?,
            Test::Chosen => self.chosen(out)?,
            Test::Not(inner) => {
                self.test(*inner)?;
                out.copy_from(&self.buffers.tests[*inner]);
                out.invert();
            }
            Test::All(tests) => self.all(tests, out)?,
            Test::Any(tests) => {
                for (place, &inner) in tests.iter().enumerate() {
                    self.test(inner)?;
                    let inner = &self.buffers.tests[inner];
                    match place {
                        0 => out.copy_from(inner),
                        _ => out.or(inner),
                    }
                }
            }
        }
        Ok(())
    }

    /// The rows that pass all tests. Tests that a packed column answers alone come last, the smallest column first, and
    /// only look at the rows that are left.
    fn all(&mut self, tests: &[TestId], out: &mut Bitmap) -> Result<(), Failure> {
        let (mut asked, mut whole) = (Vec::new(), Vec::new());
        for &test in tests {
            match self.question_of(test) {
                Some((column, question)) => asked.push((test, column, question)),
                None => whole.push(test),
            }
        }
        asked.sort_by_key(|(_, column, _)| self.shape.head.columns[column.number()].stored_bytes);
        if whole.is_empty() {
            whole.extend(asked.drain(..1.min(asked.len())).map(|(test, ..)| test));
        }
        for (place, test) in whole.into_iter().enumerate() {
            self.test(test)?;
            let passing = &self.buffers.tests[test];
            if place == 0 { out.copy_from(passing) } else { out.and(passing) }
        }
        for (test, column, question) in asked {
            if !self.shape.ask_among(column, question, out)? {
                self.test(test)?;
                out.and(&self.buffers.tests[test]);
            }
        }
        Ok(())
    }

    /// The question that a test asks a packed column, if nothing else reads the column or the test.
    fn question_of(&self, test: TestId) -> Option<(Column, Question)> {
        let compiled = self.compiled;
        let (column, question) = match &compiled.tests[test] {
            Test::Within(number, low, high) => match &compiled.numbers[*number] {
                Number::Column(column) => (*column, Question::Within(*low, *high)),
                _ => return None,
            },
            Test::Masked(column, mask) => (*column, Question::AnyBit(*mask)),
            _ => return None,
        };
        let is_free = compiled.asked_once[column.number()] && compiled.used_once[test];
        let is_open = match question {
            Question::Within(low, high) => !self.shape.decides(column, (low, high)),
            Question::AnyBit(_) => true,
        };
        (is_free && is_open && !self.buffers.done.tests[test]).then_some((column, question))
    }

    /// The inner rows whose nodes can match at all.
    fn chosen(&mut self, out: &mut Bitmap) -> Result<(), Failure> {
        let (rows, head) = (self.rows(), self.shape.head);
        let Some(chosen) = self.elsewhere.chosen else {
            out.fill(rows, true);
            return Ok(());
        };
        // No id is smaller than the first row of its subtree, or further from it than the largest ply.
        let ids = head.first_row..head.end_row() + u64::from(head.ply_max) + 1;
        if chosen.within(ids.clone()) == 0 {
            out.fill(rows, false);
            return Ok(());
        }
        let bits = chosen.bits_in(ids.clone());
        let all: Vec<u32> = (0..rows as u32).collect();
        out.pack(&self.ids_of(&all)?, |id: u64| {
            let place = id.wrapping_sub(ids.start);
            bits.get((place / 64) as usize).map_or(0, |word| (word >> (place % 64) & 1) as u8)
        });
        Ok(())
    }

    fn within(&mut self, number: NumberId, range: (i64, i64), out: &mut Bitmap) -> Result<(), Failure> {
        let compiled = self.compiled;
        match &compiled.numbers[number] {
            Number::Column(column) => {
                let once = compiled.asked_once[column.number()];
                self.shape.column_within(*column, range, once, out)
            }
            Number::Fold(fold) if fold.function == Function::Count && !fold.of_pairs => match fold.scope {
                Scope::Subtree => self.subtree_within(fold.take, range, out),
                Scope::Child => {
                    self.number(number)?;
                    let contains_zero = range.0 <= 0 && 0 <= range.1;
                    let Vector::Integer(numbers) = &self.buffers.numbers[number] else { return Ok(()) };
                    // Only rows with children can have children that count.
                    out.copy_from(self.shape.known_branches());
                    out.retain(|row| ((range.0..=range.1).contains(&numbers[row])) != contains_zero);
                    if contains_zero {
                        out.invert();
                    }
                    Ok(())
                }
                Scope::Path => {
                    self.path_count(fold)?;
                    self.buffers.sums.within(self.rows(), range, out);
                    Ok(())
                }
                _ => self.number_within(number, range, out),
            },
            Number::Ply => {
                let rows = self.rows();
                self.shape.plies()?.within(rows, range, out);
                Ok(())
            }
            _ => self.number_within(number, range, out),
        }
    }

    fn number_within(
        &mut self,
        number: NumberId,
        range: (i64, i64),
        out: &mut Bitmap,
    ) -> Result<(), Failure> {
        self.number(number)?;
        vector::within(&self.buffers.numbers[number], range.0, range.1, out);
        Ok(())
    }

    /// The rows below which the number of rows that satisfy a test is in this range.
    fn subtree_within(
        &mut self,
        test: TestId,
        (low, high): (i64, i64),
        out: &mut Bitmap,
    ) -> Result<(), Failure> {
        self.test(test)?;
        self.shape.columns.load(Column::Size)?;
        let contains_zero = low <= 0 && 0 <= high;
        // A row has no more rows below it than its size.
        let least_size = if contains_zero { 2 } else { low.saturating_add(1) };
        self.shape.column_within(Column::Size, (least_size, i64::MAX), false, out)?;
        let rows = self.rows() as i64;
        let is_some = if contains_zero { low == 0 && high == 0 } else { low == 1 && high >= rows };
        let limits = (low.clamp(0, rows + 1) as u32, high.clamp(0, rows) as u32);
        if !is_some {
            self.rank(test);
        }
        let (bitmap, ranks) = (&self.buffers.tests[test], &self.buffers.ranks[test]);
        let question = Retain { bitmap, ranks, limits, contains_zero, is_some };
        retain(self.shape.columns.get(Column::Size), &question, out);
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

    fn compare(
        &mut self,
        id: TestId,
        (operator, a, b): (Comparison, NumberId, NumberId),
        out: &mut Bitmap,
    ) -> Result<(), Failure> {
        if self.test_of_stored(id, out)?
            || self.ask_stored(a, b, |found, text| operator.holds(found.cmp(text)), out)?
        {
            return Ok(());
        }
        self.operand(a)?;
        self.operand(b)?;
        compare(operator, self.lanes(a), self.lanes(b), out);
        Ok(())
    }

    fn ask_text(
        &mut self,
        question: TextQuestion,
        a: NumberId,
        b: NumberId,
        out: &mut Bitmap,
    ) -> Result<(), Failure> {
        if self.ask_stored(a, b, |found, text| question.holds(found, text), out)? {
            return Ok(());
        }
        self.operand(a)?;
        self.operand(b)?;
        ask_texts(question, self.lanes(a), self.lanes(b), out);
        Ok(())
    }

    fn overflows(&mut self, number: NumberId, out: &mut Bitmap) -> Result<(), Failure> {
        match &self.compiled.numbers[number] {
            Number::Arithmetic(operator, a, b) => {
                self.operand(*a)?;
                self.operand(*b)?;
                overflows(*operator, self.lanes(*a), self.lanes(*b), out);
            }
            Number::Function(Elementary::Abs, inner) => {
                self.number(*inner)?;
                absolute_overflows(self.vector(*inner), out);
            }
            _ => {
                self.number(number)?;
                out.copy_from(&self.buffers.overflows[number]);
            }
        }
        Ok(())
    }

    /// An aspect of an aggregate that an earlier pass has gathered.
    fn gathered_test(&mut self, id: AggregateId, aspect: Aspect, out: &mut Bitmap) -> Result<(), Failure> {
        if self.program.aggregates[id.0].scope == Scope::Tree {
            let unknown = Ok(None);
            let value = self.elsewhere.told.get(id.0).unwrap_or(&unknown);
            out.fill(self.rows(), aspect.holds(value));
            return Ok(());
        }
        self.told_test_of_twins(id, aspect, out)
    }

    /// The number of ancestors of each row that satisfy a test, as running sums.
    pub(super) fn path_count(&mut self, fold: &Fold) -> Result<(), Failure> {
        self.test(fold.take)?;
        let mut sums = std::mem::take(&mut self.buffers.sums);
        let details = self.elsewhere.details;
        let of = |joint| {
            let gathered = fold.id.and_then(|id| details.folded(joint)?.gathered.get(id.0));
            gathered.map_or(0, |gathered| gathered.count(fold.overflow))
        };
        let test = std::mem::take(&mut self.buffers.tests[fold.take]);
        let counted = self.shape.path_counts(&test, of, &mut sums);
        self.buffers.tests[fold.take] = test;
        self.buffers.sums = sums;
        counted
    }
}

impl Aspect {
    pub(in crate::engine::scan) fn holds(self, value: &Evaluated) -> bool {
        match (self, value) {
            (Self::Known, Ok(value)) => value.is_some(),
            (Self::True, Ok(value)) => *value == Some(Value::Boolean(true)),
            (Self::False, Ok(value)) => *value == Some(Value::Boolean(false)),
            (Self::Overflow(span), Err(overflow)) => overflow.span == span,
            (Self::Known | Self::True | Self::False, Err(_)) | (Self::Overflow(_), Ok(_)) => false,
        }
    }
}
