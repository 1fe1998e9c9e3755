//! Scans in plain words.

use gt_log::{Column, Schema};

use super::graph::{Compiled, Number, NumberId, Test, TestId};
use crate::syntax::ast::Comparison;

/// Says what scans compute.
pub(super) struct Describe<'a> {
    pub(super) compiled: &'a Compiled,
    pub(super) schema: &'a Schema,
}

impl Describe<'_> {
    /// A test.
    pub(super) fn test(&self, id: TestId) -> String {
        match &self.compiled.tests[id] {
            Test::Always(true) => "always".to_owned(),
            Test::Always(false) => "never".to_owned(),
            Test::Within(number, low, high) => {
                let number = self.number(*number);
                if low == high {
                    format!("{number} is {low}")
                } else {
                    format!("{number} is in {low} to {high}")
                }
            }
            Test::Masked(column, mask) => format!("{} & {mask}", self.column(*column)),
            Test::Known(attribute) => format!("{} is known", self.column(Column::Attribute(*attribute))),
            Test::Compare(operator, left, right) => {
                format!("{} {} {}", self.number(*left), symbol(*operator), self.number(*right))
            }
            Test::Not(inner) => format!("not ({})", self.test(*inner)),
            Test::All(tests) => self.joined(tests, " and "),
            Test::Any(tests) => self.joined(tests, " or "),
        }
    }

    fn joined(&self, tests: &[TestId], between: &str) -> String {
        let texts: Vec<String> = tests.iter().map(|test| format!("({})", self.test(*test))).collect();
        texts.join(between)
    }

    fn number(&self, id: NumberId) -> String {
        let pair =
            |left, operator, right| format!("({} {operator} {})", self.number(left), self.number(right));
        match self.compiled.numbers[id] {
            Number::Constant(value) => value.to_string(),
            Number::Column(column) => self.column(column),
            Number::Ply => "the ply, a running sum over the sizes".to_owned(),
            Number::Add(a, b) => pair(a, "+", b),
            Number::Subtract(a, b) => pair(a, "-", b),
            Number::Multiply(a, b) => pair(a, "*", b),
            Number::And(a, b) => pair(a, "&", b),
            Number::Or(a, b) => pair(a, "|", b),
            Number::Truth(test) => format!("[{}]", self.test(test)),
            Number::Where(test, number) => format!("({} where {})", self.number(number), self.test(test)),
            Number::OfParent(inner) => format!("the parent's {}", self.number(inner)),
            Number::SubtreeCount(test) => {
                format!("the difference of two ranks of the bitmap [{}]", self.test(test))
            }
            Number::ChildCount(test) => format!("the number of children with [{}]", self.test(test)),
            Number::PathCount(test) => {
                format!("the number of ancestors with [{}], a running sum from above", self.test(test))
            }
            Number::SubtreeSum(inner) => {
                format!("the difference of two prefix sums of {}", self.number(inner))
            }
        }
    }

    fn column(&self, column: Column) -> String {
        match column {
            Column::Size => "size".to_owned(),
            Column::LastMove => "last_move".to_owned(),
            Column::Status => "status".to_owned(),
            Column::LeftOut => "left_out".to_owned(),
            Column::Attribute(attribute) => {
                let attribute = self.schema.attributes().get(attribute);
                attribute.map_or_else(String::new, |attribute| attribute.name.clone())
            }
        }
    }
}

const fn symbol(operator: Comparison) -> &'static str {
    match operator {
        Comparison::Equal => "=",
        Comparison::NotEqual => "!=",
        Comparison::Less => "<",
        Comparison::LessEqual => "<=",
        Comparison::Greater => ">",
        Comparison::GreaterEqual => ">=",
    }
}
