//! Numbers and tests of one column, computed over a list of its values instead of the rows.
//!
//! ```text
//! dictionary       0.25  1.5  -3.0        best        from -500 to 500
//! abs(score) < 1      1    0     0        best / 50   -10 … 10
//! codes         2 0 0 1
//! rows          0 1 1 0                   one look-up for each row
//! ```
//!
//! When a query is compiled, the values are all that the column can have; when a block is scanned, those that occur in
//! it, if they are far fewer than its rows.

use std::borrow::Cow;
use std::cmp::Ordering;

use gt_log::Column;

use super::graph::{
    Compiled, Constant, Elementary, Gathered, Lane, Number, NumberId, Part, Scalar, Test, TestId,
};
use crate::engine::bits::Bitmap;
use crate::engine::vector::{
    Lanes, Vector, absolute, arithmetic, choose, compare, convert, has_value, logarithm, pick, square_root,
    truth, within,
};

/// The maximum number of parts that are computed over values; a part that is used twice counts twice.
const PARTS_MAX: u32 = 64;

/// The values of the one column that is read.
pub(super) struct OfValues<'a> {
    pub(super) compiled: &'a Compiled,
    pub(super) values: &'a Vector,
    /// Whether the last one stands for the rows that lack a value.
    pub(super) lacks_last: bool,
}

impl OfValues<'_> {
    /// The values for which a test holds.
    pub(super) fn test(&self, test: &Test) -> Bitmap {
        let mut out = Bitmap::default();
        let inner = |test: TestId| self.test(&self.compiled.tests[test]);
        match test {
            Test::Always(holds) => out.fill(self.values.len(), *holds),
            Test::Known(_) => {
                out.fill(self.values.len(), true);
                (0..self.values.len())
                    .rev()
                    .take(self.lacks_last.into())
                    .for_each(|last| out.set(last, false));
            }
            Test::Within(number, low, high) => within(&self.number(*number), *low, *high, &mut out),
            Test::HasValue(number) => has_value(&self.number(*number), &mut out),
            Test::Masked(_, mask) => self.pack(&mut out, |value| u8::from(value & mask != 0)),
            Test::InSet(_, first, words) => self.pack(&mut out, |value| bit_of(words, *first, value)),
            Test::Compare(operator, a, b) => self.with(*a, *b, |a, b| compare(*operator, a, b, &mut out)),
            Test::Not(test) => {
                out = inner(*test);
                out.invert();
            }
            Test::All(tests) => {
                out.fill(self.values.len(), true);
                tests.iter().for_each(|test| out.and(&inner(*test)));
            }
            Test::Any(tests) => {
                out.fill(self.values.len(), false);
                tests.iter().for_each(|test| out.or(&inner(*test)));
            }
            other => unreachable!("{other:?} is no test of one column"),
        }
        out
    }

    /// A number for each of the values.
    pub(super) fn number(&self, id: NumberId) -> Cow<'_, Vector> {
        let mut out = Vector::default();
        let inner = |test: TestId| self.test(&self.compiled.tests[test]);
        match &self.compiled.numbers[id] {
            Number::Column(_) => return Cow::Borrowed(self.values),
            Number::Constant(constant) => constant.fill(self.values.len(), &mut out),
            Number::Convert(lane, number) => convert(&self.number(*number), lane.kind(), &mut out),
            Number::Arithmetic(operator, a, b) => {
                self.with(*a, *b, |a, b| arithmetic(*operator, a, b, &mut out));
            }
            Number::Function(Elementary::Abs, number) => absolute(&self.number(*number), &mut out),
            Number::Function(Elementary::Sqrt, number) => square_root(&self.number(*number), &mut out),
            Number::Function(Elementary::Log, number) => logarithm(&self.number(*number), &mut out),
            Number::Truth(test) => truth(&inner(*test), &mut out),
            Number::Choose(test, a, b) => self.with(*a, *b, |a, b| choose(&inner(*test), a, b, &mut out)),
            Number::Least(a, b) => self.with(*a, *b, |a, b| pick(Ordering::Less, a, b, &mut out)),
            Number::Greatest(a, b) => self.with(*a, *b, |a, b| pick(Ordering::Greater, a, b, &mut out)),
            other => unreachable!("{other:?} is no number of one column"),
        }
        Cow::Owned(out)
    }

    fn with<T>(&self, a: NumberId, b: NumberId, of: impl FnOnce(Lanes<'_>, Lanes<'_>) -> T) -> T {
        let constant = |id: NumberId| match &self.compiled.numbers[id] {
            Number::Constant(constant) => Some(constant.lanes()),
            _ => None,
        };
        let vector = |id: NumberId| if constant(id).is_some() { Cow::default() } else { self.number(id) };
        let vectors = [vector(a), vector(b)];
        let lanes = |id: NumberId, place: usize| constant(id).unwrap_or(Lanes::Vector(&vectors[place]));
        of(lanes(a, 0), lanes(b, 1))
    }

    fn pack(&self, out: &mut Bitmap, holds: impl Fn(i64) -> u8) {
        match self.values {
            Vector::Integer(values) => out.pack(values, holds),
            other => unreachable!("a set of integers is of integers, not of {:?}", other.kind()),
        }
    }
}

/// The bit of a value in a set that has one for each value from `first` on; 0 outside the set.
pub(super) fn bit_of(words: &[u64], first: i64, value: i64) -> u8 {
    let place = value.wrapping_sub(first) as usize;
    words.get(place / 64).map_or(0, |word| (word >> (place % 64) & 1) as u8)
}

impl Compiled {
    /// The only column that a number or test reads, if it can be computed over values; `None` for the column itself.
    pub(super) fn one_column(&self, part: Part) -> Option<Column> {
        if let Part::Number(number) = part
            && let Number::Column(_) | Number::Constant(_) = &self.numbers[number]
        {
            return None;
        }
        let (mut column, mut left) = (None, PARTS_MAX);
        let reads_one = self.reads_one(part, &mut column, &mut left);
        column.filter(|_| reads_one)
    }

    /// Like [`Compiled::one_column`], for a test that is not one of the graph yet.
    pub(super) fn one_column_of(&self, test: &Test) -> Option<Column> {
        let (mut column, mut left) = (None, PARTS_MAX);
        let reads_one = self.test_reads_one(test, &mut column, &mut left);
        column.filter(|_| reads_one)
    }

    /// The only column that keys and aggregates of groups read, if they can be computed over values.
    pub(super) fn one_column_of_groups(&self, keys: &[Scalar], folds: &[Gathered]) -> Option<Column> {
        let (mut column, mut left) = (None, PARTS_MAX);
        let mut reads_one = folds.iter().all(|fold| fold.errors.is_empty());
        let mut read = |part: Part| reads_one = reads_one && self.reads_one(part, &mut column, &mut left);
        keys.iter().for_each(|key| key.each(&mut read));
        folds.iter().for_each(|fold| fold.each(&mut read));
        column.filter(|_| reads_one)
    }

    fn reads_one(&self, part: Part, column: &mut Option<Column>, left: &mut u32) -> bool {
        if *left == 0 {
            return false;
        }
        *left -= 1;
        let number = match part {
            Part::Test(test) => return self.test_reads_one(&self.tests[test], column, left),
            Part::Number(number) => number,
        };
        let of_kind = matches!(self.lanes[number], Lane::Integer | Lane::Float);
        let mut is_one = match &self.numbers[number] {
            Number::Column(found) => return of_kind && *column.get_or_insert(*found) == *found,
            Number::Constant(Constant::Integer(_) | Constant::Float(_))
            | Number::Convert(Lane::Float, _)
            | Number::Arithmetic(..)
            | Number::Function(Elementary::Abs | Elementary::Sqrt | Elementary::Log, _)
            | Number::Truth(_)
            | Number::Choose(..)
            | Number::Least(..)
            | Number::Greatest(..) => of_kind,
            _ => false,
        };
        self.numbers[number].each(&mut |part| is_one = is_one && self.reads_one(part, column, left));
        is_one
    }

    fn test_reads_one(&self, test: &Test, column: &mut Option<Column>, left: &mut u32) -> bool {
        let mut is_one = match test {
            Test::Masked(found, _) | Test::InSet(found, ..) => {
                return *column.get_or_insert(*found) == *found;
            }
            Test::Known(attribute) => {
                let found = Column::Attribute(*attribute);
                return *column.get_or_insert(found) == found;
            }
            Test::Always(_) | Test::Within(..) | Test::Not(_) | Test::All(_) | Test::Any(_) => true,
            Test::HasValue(number) => self.lanes[*number] == Lane::Float,
            Test::Compare(_, left, right) => self.lanes[*left] == self.lanes[*right],
            _ => false,
        };
        test.each(&mut |part| is_one = is_one && self.reads_one(part, column, left));
        is_one
    }
}
