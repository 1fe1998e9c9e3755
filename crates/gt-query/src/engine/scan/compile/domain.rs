//! Turns tests of one column into ranges of its values, by trying out all possible values when a query is compiled.
//!
//! ```text
//! best / 50 = 2      ──▶  best in 100 to 149
//! best % 7 = 3       ──▶  best in a set of values, a bit for each
//! abs(best) > 900    ──▶  best up to -901, or from 901 on
//! ```
//!
//! So the column is tested in its stored form, and nothing is computed for its rows.

use gt_log::Column;

use super::Compiler;
use crate::engine::scan::graph::{Constant, Elementary, Lane, Number, NumberId, Part, Test, TestId};
use crate::syntax::ast::{Arithmetic, Comparison};

/// The largest number of values that are tried out.
const VALUES_MAX: i64 = 1 << 16;
/// The number of ranges above which a set is used.
const RANGES_MAX: usize = 3;

/// The result of a number for one value of the column.
#[derive(Clone, Copy)]
enum Tried {
    Integer(i64),
    Float(f64),
}

impl Compiler<'_> {
    /// An equivalent test of the values of one column.
    pub(super) fn over_domain(&mut self, test: &Test) -> Option<TestId> {
        let mut column = None;
        let mut left = 64;
        let mut is_one = match test {
            // This is already a range of the column.
            Test::Within(number, ..) => !matches!(self.compiled.numbers[*number], Number::Column(_)),
            Test::Compare(_, left, right) => self.compiled.lanes[*left] == self.compiled.lanes[*right],
            _ => false,
        };
        test.each(&mut |part| is_one = is_one && self.reads_one(part, &mut column, &mut left));
        let column = column.filter(|_| is_one)?;
        let number = self.column(column);
        let (low, high) = self.compiled.bounds[number];
        let count = high.checked_sub(low).filter(|span| *span < VALUES_MAX)? + 1;
        if count as u64 > self.tree.nodes().saturating_mul(4) {
            return None;
        }
        let holds: Vec<bool> = (low..=high).map(|value| self.try_test(test, value)).collect();
        let mut ranges: Vec<(i64, i64)> = Vec::new();
        for (value, _) in (low..=high).zip(&holds).filter(|(_, holds)| **holds) {
            match ranges.last_mut() {
                Some((_, last)) if *last + 1 == value => *last = value,
                _ => ranges.push((value, value)),
            }
        }
        if ranges.len() <= RANGES_MAX {
            let tests = ranges.into_iter().map(|(low, high)| self.within(number, low, high)).collect();
            return Some(self.any(tests));
        }
        let word =
            |bits: &[bool]| bits.iter().enumerate().fold(0, |word, (bit, set)| word | u64::from(*set) << bit);
        let words = holds.chunks(64).map(word).collect();
        Some(self.put_test(Test::InSet(column, low, words)))
    }

    /// Whether a part uses only integers of one column, and is small enough to be tried out.
    fn reads_one(&self, part: Part, column: &mut Option<Column>, left: &mut u32) -> bool {
        if *left == 0 {
            return false;
        }
        *left -= 1;
        let mut is_one = match part {
            Part::Number(number) => match &self.compiled.numbers[number] {
                Number::Column(found) => {
                    let is_integer = self.compiled.lanes[number] == Lane::Integer;
                    return is_integer && *column.get_or_insert(*found) == *found;
                }
                Number::Constant(Constant::Integer(_) | Constant::Float(_))
                | Number::Convert(Lane::Float, _)
                | Number::Arithmetic(..)
                | Number::Function(Elementary::Abs | Elementary::Sqrt | Elementary::Log, _)
                | Number::Truth(_)
                | Number::Choose(..)
                | Number::Least(..)
                | Number::Greatest(..) => matches!(self.compiled.lanes[number], Lane::Integer | Lane::Float),
                _ => false,
            },
            Part::Test(test) => match &self.compiled.tests[test] {
                Test::Masked(found, _) | Test::InSet(found, ..) => {
                    return *column.get_or_insert(*found) == *found;
                }
                Test::Always(_) | Test::Within(..) | Test::Not(_) | Test::All(_) | Test::Any(_) => true,
                Test::Compare(_, left, right) => self.compiled.lanes[*left] == self.compiled.lanes[*right],
                _ => false,
            },
        };
        let mut note = |part| is_one = is_one && self.reads_one(part, column, left);
        match part {
            Part::Number(number) => self.compiled.numbers[number].each(&mut note),
            Part::Test(test) => self.compiled.tests[test].each(&mut note),
        }
        is_one
    }

    fn try_test(&self, test: &Test, value: i64) -> bool {
        let inner = |test: &TestId| self.try_test(&self.compiled.tests[*test], value);
        match test {
            Test::Always(holds) => *holds,
            Test::Within(number, low, high) => match self.try_number(*number, value) {
                Tried::Integer(number) => (*low..=*high).contains(&number),
                Tried::Float(_) => false,
            },
            Test::Masked(_, mask) => value & mask != 0,
            Test::InSet(_, first, words) => {
                let place = value.wrapping_sub(*first) as usize;
                words.get(place / 64).is_some_and(|word| word >> (place % 64) & 1 == 1)
            }
            Test::Compare(operator, left, right) => {
                match (self.try_number(*left, value), self.try_number(*right, value)) {
                    (Tried::Integer(left), Tried::Integer(right)) => operator.holds(left.cmp(&right)),
                    (Tried::Float(left), Tried::Float(right)) => compare_floats(*operator, left, right),
                    _ => false,
                }
            }
            Test::Not(test) => !inner(test),
            Test::All(tests) => tests.iter().all(inner),
            Test::Any(tests) => tests.iter().any(inner),
            _ => false,
        }
    }

    #[allow(clippy::cast_precision_loss)] // As for every integer that meets a float.
    fn try_number(&self, number: NumberId, value: i64) -> Tried {
        let of = |number: &NumberId| self.try_number(*number, value);
        match &self.compiled.numbers[number] {
            Number::Constant(Constant::Integer(constant)) => Tried::Integer(*constant),
            Number::Constant(Constant::Float(bits)) => Tried::Float(f64::from_bits(*bits)),
            Number::Convert(_, inner) => match of(inner) {
                Tried::Integer(inner) => Tried::Float(inner as f64),
                float @ Tried::Float(_) => float,
            },
            Number::Arithmetic(operator, left, right) => match (of(left), of(right)) {
                (Tried::Integer(left), Tried::Integer(right)) => {
                    Tried::Integer(integers(*operator, left, right))
                }
                (Tried::Float(left), Tried::Float(right)) => Tried::Float(floats(*operator, left, right)),
                _ => Tried::Float(f64::NAN),
            },
            Number::Function(function, inner) => match (function, of(inner)) {
                (Elementary::Abs, Tried::Integer(inner)) => Tried::Integer(inner.wrapping_abs()),
                (Elementary::Abs, Tried::Float(inner)) => Tried::Float(inner.abs()),
                (Elementary::Sqrt, Tried::Float(inner)) => Tried::Float(inner.sqrt() + 0.0),
                (Elementary::Log, Tried::Float(inner)) if inner > 0.0 => Tried::Float(inner.ln() + 0.0),
                _ => Tried::Float(f64::NAN),
            },
            Number::Truth(test) => Tried::Integer(self.try_test(&self.compiled.tests[*test], value).into()),
            Number::Choose(test, first, second) => {
                if self.try_test(&self.compiled.tests[*test], value) {
                    of(first)
                } else {
                    of(second)
                }
            }
            Number::Least(left, right) | Number::Greatest(left, right) => {
                let greatest = matches!(self.compiled.numbers[number], Number::Greatest(..));
                match (of(left), of(right)) {
                    (Tried::Integer(left), Tried::Integer(right)) => {
                        Tried::Integer(if greatest { left.max(right) } else { left.min(right) })
                    }
                    (Tried::Float(left), Tried::Float(right)) if !left.is_nan() && !right.is_nan() => {
                        Tried::Float(if greatest { left.max(right) } else { left.min(right) })
                    }
                    _ => Tried::Float(f64::NAN),
                }
            }
            _ => Tried::Integer(value),
        }
    }
}

fn integers(operator: Arithmetic, left: i64, right: i64) -> i64 {
    match operator {
        Arithmetic::BitAnd => left & right,
        Arithmetic::BitOr => left | right,
        Arithmetic::Add => left.wrapping_add(right),
        Arithmetic::Subtract => left.wrapping_sub(right),
        Arithmetic::Multiply => left.wrapping_mul(right),
        // Another test marks it as unknown.
        Arithmetic::Divide | Arithmetic::Remainder if right == 0 => 0,
        Arithmetic::Divide => left.wrapping_div(right),
        Arithmetic::Remainder => left.wrapping_rem(right),
    }
}

fn floats(operator: Arithmetic, left: f64, right: f64) -> f64 {
    match operator {
        Arithmetic::Add => left + right + 0.0,
        Arithmetic::Subtract => left - right + 0.0,
        Arithmetic::Multiply => left * right + 0.0,
        Arithmetic::Divide if right != 0.0 => left / right + 0.0,
        Arithmetic::Remainder if right != 0.0 => left % right + 0.0,
        Arithmetic::Divide | Arithmetic::Remainder | Arithmetic::BitAnd | Arithmetic::BitOr => f64::NAN,
    }
}

fn compare_floats(operator: Comparison, left: f64, right: f64) -> bool {
    left.partial_cmp(&right).is_some_and(|order| operator.holds(order))
}
