//! What scans compute: integers and truth values of every row, each made of others before it.
//!
//! ```text
//! best = 0 where best may be missing     All[ Within(best, 0, 0), Known(best) ]
//! ```
//!
//! A scan knows two truth values. A condition of three is two tests: one holds where it is true, the other where it is
//! false. A number that can be unknown comes with a test of where it is known ([`Quantity`]).
//!
//! **Invariant:** no two numbers and no two tests are equal, so that what several queries ask is computed once for a block.

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
    /// 1 where a test holds, else 0.
    Truth(TestId),
    /// The number where a test holds, else 0.
    Where(TestId, NumberId),
    /// The number that stands at the parent; 0 at the root.
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
    /// Whether the row has a value of the attribute.
    Known(usize),
    Compare(Comparison, NumberId, NumberId),
    Not(TestId),
    All(Vec<TestId>),
    Any(Vec<TestId>),
}

/// Something that another thing is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part {
    Number(NumberId),
    Test(TestId),
}

/// A number, and where it is known: everywhere, where no test says it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Quantity {
    pub(super) number: NumberId,
    pub(super) known: Option<TestId>,
}

/// A value of every row, or unknown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Scalar {
    Number(Quantity),
    /// A truth value: where it is true, and where it is known.
    Truth {
        yes: TestId,
        known: Option<TestId>,
    },
    /// What a value is in its window: exact where it is known and neither of these.
    Bound {
        lower: TestId,
        upper: TestId,
        known: Option<TestId>,
    },
}

/// What crossing nodes gather of an aggregate from a block.
#[derive(Clone, Debug)]
pub(super) struct Gathered {
    pub(super) id: AggregateId,
    pub(super) scope: Scope,
    pub(super) what: GatheredFold,
}

#[derive(Clone, Debug)]
pub(super) enum GatheredFold {
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
pub(super) enum MatchOutput {
    /// Their number, or their node_ids.
    Plain,
    /// A row for each.
    Rows {
        /// The values that a match carries, in the order in which they are wanted.
        cells: Vec<Cell>,
        /// What rows are ordered by, largest first where `true`; none where that is not all integers.
        order: Option<Vec<(Quantity, bool)>>,
        /// So many rows are shown at most.
        limit: usize,
    },
    /// Groups of matches with equal keys.
    Groups {
        keys: Vec<Scalar>,
        /// In the order of the collector's aggregates.
        folds: Vec<Fold>,
    },
}

/// A value of a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Cell {
    Scalar(Scalar),
    /// An attribute of any kind.
    Attribute(usize),
    NodeId,
    /// The parent's node_id.
    Parent,
}

/// An aggregate over the matches of a group that pass a filter.
#[derive(Clone, Copy, Debug)]
pub(super) struct Fold {
    /// Holds only where the argument is known.
    pub(super) filter: TestId,
    pub(super) argument: Part,
}

/// A query that is answered by a scan.
#[derive(Clone, Debug)]
pub(super) struct ScanQuery {
    pub(super) query: usize,
    pub(super) test: TestId,
    /// Whether a row tells alone if it matches and all that is made of it, so that crossing nodes are like any others.
    pub(super) is_local: bool,
    pub(super) output: MatchOutput,
}

/// What is computed for each block.
#[derive(Clone, Debug, Default)]
pub(super) struct Compiled {
    pub(super) numbers: Vec<Number>,
    /// Between which values a number is where it is known, by number.
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
