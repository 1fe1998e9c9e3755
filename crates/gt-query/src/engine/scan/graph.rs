//! What scans compute: integers and truth values of every row, each made of others before it.
//!
//! **Invariant:** no two are equal, so that what several queries ask is computed once for a block.

use gt_log::Column;

use crate::ir::{AggregateId, Scope};
use crate::syntax::ast::Comparison;

pub(super) type NumberId = usize;
pub(super) type TestId = usize;

/// An integer of every row.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Number {
    Constant(i64),
    /// What is stored: the size, the last move, an attribute.
    Column(Column),
    Ply,
    Add(NumberId, NumberId),
    Subtract(NumberId, NumberId),
    Multiply(NumberId, NumberId),
    And(NumberId, NumberId),
    Or(NumberId, NumberId),
    /// The number that stands at the parent.
    OfParent(NumberId),
    /// How many descendants, children or ancestors satisfy a test.
    SubtreeCount(TestId),
    ChildCount(TestId),
    PathCount(TestId),
    /// The sum over the descendants.
    SubtreeSum(NumberId),
}

/// A truth value of every row.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Test {
    Always(bool),
    /// Whether the number is in `low ..= high`.
    Within(NumberId, i64, i64),
    /// Whether the column has a bit in common with the mask.
    Masked(Column, i64),
    Compare(Comparison, NumberId, NumberId),
    Not(TestId),
    All(Vec<TestId>),
    Any(Vec<TestId>),
}

/// What crossing nodes gather of an aggregate from a block.
#[derive(Clone, Debug)]
pub(super) struct Gathered {
    pub(super) id: AggregateId,
    pub(super) scope: Scope,
    pub(super) what: What,
}

#[derive(Clone, Debug)]
pub(super) enum What {
    /// So many `true`s.
    Count(TestId),
    /// This truth value, where some satisfy the test.
    Truth(TestId, bool),
    Sum(NumberId),
    Extreme {
        largest: bool,
        filter: TestId,
        number: NumberId,
    },
}

/// A query that is answered by a scan.
#[derive(Clone, Debug)]
pub(super) struct ScanQuery {
    pub(super) query: usize,
    pub(super) test: TestId,
    /// Whether a row tells alone if it matches, so that crossing nodes are like any others.
    pub(super) is_local: bool,
}

/// What is computed for each block.
#[derive(Clone, Debug, Default)]
pub(super) struct Compiled {
    pub(super) numbers: Vec<Number>,
    /// Between which values a number is, by number.
    pub(super) bounds: Vec<(i64, i64)>,
    pub(super) tests: Vec<Test>,
    pub(super) queries: Vec<ScanQuery>,
    pub(super) gathered: Vec<Gathered>,
    /// The columns that are asked about once only, by number.
    pub(super) asked_once: Vec<bool>,
}

impl Compiled {
    /// Whether a column is asked about once only, so that it need not be decoded.
    pub(super) fn is_asked_once(&self, column: Column) -> bool {
        let is_it = |number: NumberId| self.numbers[number] == Number::Column(column);
        let asked = self.tests.iter().filter(|test| match test {
            Test::Within(number, ..) => is_it(*number),
            Test::Masked(masked, _) => *masked == column,
            _ => false,
        });
        let read_by_tests = self
            .tests
            .iter()
            .any(|test| matches!(test, Test::Compare(_, left, right) if is_it(*left) || is_it(*right)));
        let read_by_numbers = self.numbers.iter().any(|number| match *number {
            Number::Add(a, b) | Number::Subtract(a, b) | Number::Multiply(a, b) => is_it(a) || is_it(b),
            Number::And(a, b) | Number::Or(a, b) => is_it(a) || is_it(b),
            Number::OfParent(number) | Number::SubtreeSum(number) => is_it(number),
            _ => false,
        });
        let gathered = self.gathered.iter().any(|gathered| match gathered.what {
            What::Sum(number) | What::Extreme { number, .. } => is_it(number),
            What::Count(_) | What::Truth(..) => false,
        });
        asked.count() == 1 && !read_by_tests && !read_by_numbers && !gathered
    }

    /// Whether blocks need values of crossing nodes.
    pub(super) fn reads_crossing_nodes(&self) -> bool {
        let gathered = self.gathered.iter().any(|gathered| match gathered.what {
            What::Count(test) | What::Truth(test, _) => self.test_reads(test),
            What::Sum(number) => self.number_reads(number),
            What::Extreme { filter, number, .. } => self.test_reads(filter) || self.number_reads(number),
        });
        gathered || self.queries.iter().any(|query| self.test_reads(query.test))
    }

    fn test_reads(&self, id: TestId) -> bool {
        match &self.tests[id] {
            Test::Always(_) | Test::Masked(..) => false,
            Test::Within(number, ..) => self.number_reads(*number),
            Test::Compare(_, a, b) => self.number_reads(*a) || self.number_reads(*b),
            Test::Not(test) => self.test_reads(*test),
            Test::All(tests) | Test::Any(tests) => tests.iter().any(|test| self.test_reads(*test)),
        }
    }

    fn number_reads(&self, id: NumberId) -> bool {
        match self.numbers[id] {
            Number::OfParent(_) | Number::PathCount(_) => true,
            Number::Constant(_) | Number::Column(_) | Number::Ply => false,
            Number::Add(a, b) | Number::Subtract(a, b) | Number::Multiply(a, b) => {
                self.number_reads(a) || self.number_reads(b)
            }
            Number::And(a, b) | Number::Or(a, b) => self.number_reads(a) || self.number_reads(b),
            Number::SubtreeCount(test) | Number::ChildCount(test) => self.test_reads(test),
            Number::SubtreeSum(number) => self.number_reads(number),
        }
    }

    /// Whether a row's columns alone tell the test.
    pub(super) fn test_is_local(&self, id: TestId) -> bool {
        self.test_has_only(id, &|number| matches!(number, Number::Constant(_) | Number::Column(_)))
    }

    /// Whether the columns and the ply of a row tell the test.
    pub(super) fn test_is_told_alone(&self, id: TestId) -> bool {
        self.test_has_only(id, &|number| {
            matches!(number, Number::Constant(_) | Number::Column(_) | Number::Ply)
        })
    }

    fn test_has_only(&self, id: TestId, leaf: &dyn Fn(&Number) -> bool) -> bool {
        match &self.tests[id] {
            Test::Always(_) | Test::Masked(..) => true,
            Test::Within(number, ..) => self.number_has_only(*number, leaf),
            Test::Compare(_, a, b) => self.number_has_only(*a, leaf) && self.number_has_only(*b, leaf),
            Test::Not(test) => self.test_has_only(*test, leaf),
            Test::All(tests) | Test::Any(tests) => tests.iter().all(|test| self.test_has_only(*test, leaf)),
        }
    }

    fn number_has_only(&self, id: NumberId, leaf: &dyn Fn(&Number) -> bool) -> bool {
        match &self.numbers[id] {
            Number::Add(a, b) | Number::Subtract(a, b) | Number::Multiply(a, b) => {
                self.number_has_only(*a, leaf) && self.number_has_only(*b, leaf)
            }
            Number::And(a, b) | Number::Or(a, b) => {
                self.number_has_only(*a, leaf) && self.number_has_only(*b, leaf)
            }
            number => leaf(number),
        }
    }
}
