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

/// What a query makes of its matches.
#[derive(Clone, Debug)]
pub(super) enum Make {
    /// Their number, or their node_ids.
    Plain,
    /// A row for each.
    Rows {
        /// The values that a match carries, in the order in which they are wanted.
        cells: Vec<Cell>,
        /// What rows are ordered by, largest first where `true`; none where that is not all integers.
        order: Option<Vec<(NumberId, bool)>>,
        /// So many rows are shown at most.
        limit: usize,
    },
    /// Groups of matches with equal keys.
    Groups {
        keys: Vec<Key>,
        /// In the order of the collector's aggregates.
        folds: Vec<Fold>,
    },
}

/// A value of a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Cell {
    Number(NumberId),
    Test(TestId),
    /// An attribute of any kind.
    Attribute(usize),
    NodeId,
    /// The parent's node_id.
    Parent,
    /// The moves from the root.
    Line,
}

/// What matches are grouped by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Key {
    Number(NumberId),
    Test(TestId),
}

/// An aggregate over the matches of a group that pass a filter.
#[derive(Clone, Copy, Debug)]
pub(super) struct Fold {
    pub(super) filter: TestId,
    pub(super) argument: Key,
}

/// A query that is answered by a scan.
#[derive(Clone, Debug)]
pub(super) struct ScanQuery {
    pub(super) query: usize,
    pub(super) test: TestId,
    /// Whether a row tells alone if it matches and all that is made of it, so that crossing nodes are like any others.
    pub(super) is_local: bool,
    pub(super) make: Make,
}

/// What is computed for each block.
#[derive(Clone, Debug, Default)]
pub(super) struct Compiled {
    pub(super) numbers: Vec<Number>,
    /// Between which values a number is, by number.
    pub(super) bounds: Vec<(i64, i64)>,
    pub(super) tests: Vec<Test>,
    /// How large numbers and tests are when they are written out, by number and by test.
    pub(super) number_sizes: Vec<u64>,
    pub(super) test_sizes: Vec<u64>,
    pub(super) queries: Vec<ScanQuery>,
    pub(super) gathered: Vec<Gathered>,
    /// The columns that are asked about once only, by number.
    pub(super) asked_once: Vec<bool>,
}

impl Compiled {
    /// How large a number is when it is written out: equal parts are one, but not for who goes over it part by part.
    pub(super) fn size_of_number(&self, number: &Number) -> u64 {
        let of = |id: &NumberId| self.number_sizes[*id];
        let parts = match number {
            Number::Constant(_) | Number::Column(_) | Number::Ply => 0,
            Number::Add(a, b) | Number::Subtract(a, b) | Number::Multiply(a, b) => {
                of(a).saturating_add(of(b))
            }
            Number::And(a, b) | Number::Or(a, b) => of(a).saturating_add(of(b)),
            Number::OfParent(number) | Number::SubtreeSum(number) => of(number),
            Number::SubtreeCount(test) | Number::ChildCount(test) | Number::PathCount(test) => {
                self.test_sizes[*test]
            }
        };
        parts.saturating_add(1)
    }

    /// The same of a test.
    pub(super) fn size_of_test(&self, test: &Test) -> u64 {
        let of = |id: &NumberId| self.number_sizes[*id];
        let parts = match test {
            Test::Always(_) | Test::Masked(..) => 0,
            Test::Within(number, ..) => of(number),
            Test::Compare(_, a, b) => of(a).saturating_add(of(b)),
            Test::Not(test) => self.test_sizes[*test],
            Test::All(tests) | Test::Any(tests) => {
                tests.iter().fold(0, |sum: u64, test| sum.saturating_add(self.test_sizes[*test]))
            }
        };
        parts.saturating_add(1)
    }

    /// The same of the largest part of what is made of matches.
    pub(super) fn size_of_make(&self, make: &Make) -> u64 {
        let key = |key: &Key| match key {
            Key::Number(number) => self.number_sizes[*number],
            Key::Test(test) => self.test_sizes[*test],
        };
        let sizes: Vec<u64> = match make {
            Make::Plain => Vec::new(),
            Make::Rows { cells, order, .. } => {
                let cells = cells.iter().map(|cell| match cell {
                    Cell::Number(number) => self.number_sizes[*number],
                    Cell::Test(test) => self.test_sizes[*test],
                    Cell::Attribute(_) | Cell::NodeId | Cell::Parent | Cell::Line => 1,
                });
                cells.chain(order.iter().flatten().map(|(number, _)| self.number_sizes[*number])).collect()
            }
            Make::Groups { keys, folds } => {
                let folds = folds.iter().map(|fold| self.test_sizes[fold.filter].max(key(&fold.argument)));
                keys.iter().map(key).chain(folds).collect()
            }
        };
        sizes.into_iter().max().unwrap_or(0)
    }

    /// The same of the largest part of what crossing nodes gather.
    pub(super) fn size_of_gathered(&self, gathered: &Gathered) -> u64 {
        match gathered.what {
            What::Count(test) | What::Truth(test, _) => self.test_sizes[test],
            What::Sum(number) => self.number_sizes[number],
            What::Extreme { filter, number, .. } => self.test_sizes[filter].max(self.number_sizes[number]),
        }
    }

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
        let made = self.queries.iter().any(|query| self.make_has(&query.make, &is_it));
        asked.count() == 1 && !read_by_tests && !read_by_numbers && !gathered && !made
    }

    fn make_has(&self, make: &Make, is_it: &dyn Fn(NumberId) -> bool) -> bool {
        let key = |key: &Key| matches!(key, Key::Number(number) if is_it(*number));
        match make {
            Make::Plain => false,
            Make::Rows { cells, order, .. } => {
                let cell = |cell: &Cell| match cell {
                    Cell::Number(number) => is_it(*number),
                    Cell::Attribute(attribute) => self
                        .numbers
                        .iter()
                        .position(|number| *number == Number::Column(Column::Attribute(*attribute)))
                        .is_some_and(is_it),
                    _ => false,
                };
                cells.iter().any(cell) || order.iter().flatten().any(|(number, _)| is_it(*number))
            }
            Make::Groups { keys, folds } => {
                keys.iter().any(key) || folds.iter().any(|fold| key(&fold.argument))
            }
        }
    }

    /// Whether blocks need values of crossing nodes.
    pub(super) fn reads_crossing_nodes(&self) -> bool {
        let gathered = self.gathered.iter().any(|gathered| match gathered.what {
            What::Count(test) | What::Truth(test, _) => self.test_reads(test),
            What::Sum(number) => self.number_reads(number),
            What::Extreme { filter, number, .. } => self.test_reads(filter) || self.number_reads(number),
        });
        gathered
            || self.queries.iter().any(|query| self.test_reads(query.test) || self.make_reads(&query.make))
    }

    fn make_reads(&self, make: &Make) -> bool {
        let key_reads = |key: &Key| match key {
            Key::Number(number) => self.number_reads(*number),
            Key::Test(test) => self.test_reads(*test),
        };
        match make {
            Make::Plain => false,
            Make::Rows { cells, order, .. } => {
                let cells = cells.iter().any(|cell| match cell {
                    Cell::Number(number) => self.number_reads(*number),
                    Cell::Test(test) => self.test_reads(*test),
                    Cell::Line => true,
                    Cell::Attribute(_) | Cell::NodeId | Cell::Parent => false,
                });
                cells || order.iter().flatten().any(|(number, _)| self.number_reads(*number))
            }
            Make::Groups { keys, folds } => {
                keys.iter().any(key_reads)
                    || folds.iter().any(|fold| self.test_reads(fold.filter) || key_reads(&fold.argument))
            }
        }
    }

    /// Whether a row's columns alone tell all that is made of it.
    pub(super) fn make_is_local(&self, make: &Make) -> bool {
        let key = |key: &Key| match key {
            Key::Number(number) => self.number_has_only(*number, &is_stored),
            Key::Test(test) => self.test_is_local(*test),
        };
        match make {
            Make::Plain => true,
            Make::Rows { .. } => false,
            Make::Groups { keys, folds } => {
                let fold = |fold: &Fold| self.test_is_local(fold.filter) && key(&fold.argument);
                keys.iter().all(key) && folds.iter().all(fold)
            }
        }
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
        self.test_has_only(id, &is_stored)
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

fn is_stored(number: &Number) -> bool {
    matches!(number, Number::Constant(_) | Number::Column(_))
}
