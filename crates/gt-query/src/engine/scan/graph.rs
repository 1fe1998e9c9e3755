//! The graph of a scan: values of every row, each computed from earlier ones.
//!
//! ```text
//! best / 50 = [^]depth     Compare(=, best / 50, Of(parent, depth))  where best, depth and a parent are known
//! ```
//!
//! A scan knows two truth values. A three-valued condition is two tests: one holds where it is true, the other where
//! it is false ([`Truth`]). A number that can be unknown comes with a test of where it is known ([`Quantity`]). A
//! value that can overflow comes with tests of where it overflows ([`Errors`]); if the columns' extremes prove that
//! nothing overflows, it has none, and nothing is computed for them.
//!
//! **Invariant:** no two numbers and no two tests are equal, so that parts shared by several queries are computed
//! once per block.

use std::sync::Arc;

use gt_log::Column;

use crate::engine::twins::{Form, Question, TextNumbers};
pub(super) use crate::engine::vector::TextQuestion;
use crate::engine::vector::{self, Lanes, Vector, VectorKind};
use crate::ir::{AggregateId, Expr, Field, Operand, Scope, Step};
use crate::span::Span;
use crate::syntax::ast::{Arithmetic, Comparison};
use crate::value::Value;
use crate::vocabulary::Function;

pub(super) type NumberId = usize;
pub(super) type TestId = usize;

/// The representation of a number's values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Lane {
    /// 64 bits, signed.
    Integer,
    /// Integers that do not fit in 64 signed bits.
    Wide,
    /// NaN where it is unknown.
    Float,
    Text,
}

impl Lane {
    /// The kind of vector for these lanes.
    pub(super) const fn kind(self) -> VectorKind {
        match self {
            Self::Integer => VectorKind::Integer,
            Self::Wide => VectorKind::Wide,
            Self::Float => VectorKind::Float,
            Self::Text => VectorKind::Text,
        }
    }
}

/// A number, or a text, of every row.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Number {
    Constant(Constant),
    /// A stored value: the size, the last move, an attribute.
    Column(Column),
    Ply,
    NodeId,
    /// The node_id of the parent.
    ParentId,
    Index,
    Height,
    /// Converts integers to wide ones, and both to floats.
    Convert(Lane, NumberId),
    /// An operation on two numbers in the same kind of lane.
    Arithmetic(Arithmetic, NumberId, NumberId),
    Function(Elementary, NumberId),
    /// 1 where a test holds, otherwise 0.
    Truth(TestId),
    /// One number where a test holds, another elsewhere.
    Choose(TestId, NumberId, NumberId),
    Least(NumberId, NumberId),
    Greatest(NumberId, NumberId),
    /// The number at a relative; it is the value of this field.
    Of(Relative, NumberId, Field),
    /// An aggregate over relatives.
    Fold(Fold),
    /// An aggregate over the tree or over twins, gathered by an earlier pass.
    Gathered(AggregateId, Lane),
}

/// A function of one number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Elementary {
    Abs,
    Sqrt,
    Log,
    Round,
    Lower,
}

/// A constant for every row.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Constant {
    Integer(i64),
    Wide(i128),
    /// The bits of a float.
    Float(u64),
    Text(Arc<str>),
}

impl Constant {
    /// The constant as an operand.
    pub(super) fn lanes(&self) -> Lanes<'_> {
        match self {
            Self::Integer(value) => Lanes::Integer(*value),
            Self::Wide(value) => Lanes::Wide(*value),
            Self::Float(bits) => Lanes::Float(f64::from_bits(*bits)),
            Self::Text(text) => Lanes::Text(text),
        }
    }

    pub(super) fn value(&self) -> Option<Value> {
        match self {
            Self::Integer(value) => Some(Value::Integer((*value).into())),
            Self::Wide(value) => Some(Value::Integer(*value)),
            Self::Float(bits) => Value::float(f64::from_bits(*bits)),
            Self::Text(text) => Some(Value::Text(text.clone())),
        }
    }

    /// Makes a vector of the constant, for `rows` rows.
    pub(super) fn fill(&self, rows: usize, out: &mut Vector) {
        match self {
            Self::Integer(value) => *out = Vector::Integer(vec![*value; rows]),
            Self::Wide(value) => *out = Vector::Wide(vec![*value; rows]),
            Self::Float(bits) => *out = Vector::Float(vec![f64::from_bits(*bits); rows]),
            Self::Text(_) => {
                let mut single = Vector::default();
                single.set_values(VectorKind::Text, &[self.value()]);
                vector::gather(&vec![0; rows], &single, &Vector::empty(VectorKind::Text), out);
            }
        }
    }
}

/// A truth value of every row.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Test {
    Always(bool),
    /// Whether the integer is in `low ..= high`.
    Within(NumberId, i64, i64),
    /// Whether the column has a bit in common with the mask.
    Masked(Column, i64),
    /// Whether the integer of a column is in a set: a bit for each value from the first on.
    InSet(Column, i64, Arc<[u64]>),
    /// Whether the row has a value of the attribute.
    Known(usize),
    /// Whether a number has a value by itself: a float that is not NaN, an aggregate that took any node.
    HasValue(NumberId),
    /// A comparison of two numbers in the same kind of lane, or of an integer (on the left) and a float.
    Compare(Comparison, NumberId, NumberId),
    /// A question about a text, with another one.
    Text(TextQuestion, NumberId, NumberId),
    /// Whether the result of this operation does not fit in 64 bits.
    Overflows(NumberId),
    /// Whether the test holds at a relative; it tests this aspect of the field.
    Of(Relative, TestId, Field, Aspect),
    /// Whether the relative exists.
    Exists(Relative),
    /// An aspect of an aggregate over the tree or over twins.
    Gathered(AggregateId, Aspect),
    /// Whether the node is one of those that can match.
    Chosen,
    Not(TestId),
    All(Vec<TestId>),
    Any(Vec<TestId>),
}

/// The aspect of a value that a test is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Aspect {
    Known,
    True,
    False,
    /// The value is the overflow of the operator at this place.
    Overflow(Span),
}

/// A node near a row: a step from the base.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Relative {
    pub(super) base: Base,
    pub(super) step: Step,
}

/// The start of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Base {
    Row,
    /// The parent of the row's node, in an aggregate over children, where a row stands for a child.
    Parent,
    /// The node of a pair of siblings.
    First,
    /// The sibling of a pair, at which the node looks.
    Second,
}

/// An aggregate over the children, descendants, ancestors or siblings of every row.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Fold {
    pub(super) scope: Scope,
    pub(super) function: Function,
    /// The nodes that it takes; their arguments are known.
    pub(super) take: TestId,
    /// The argument; a count has none.
    pub(super) argument: Option<NumberId>,
    pub(super) second: Option<NumberId>,
    /// Where the second argument is known, if it can be unknown.
    pub(super) second_known: Option<TestId>,
    /// The bits of a quantile's share.
    pub(super) share: u64,
    /// The aggregate; `None` for a count that is part of another computation.
    pub(super) id: Option<AggregateId>,
    /// Whether `take` and `argument` are of pairs of siblings.
    pub(super) of_pairs: bool,
    /// Set if it counts the nodes whose contribution is the overflow of this operator.
    pub(super) overflow: Option<Span>,
}

/// The pairs that a fold takes: those that fulfil `all` but not `except`. Only counts have an `except`.
#[derive(Clone, Debug, Default)]
pub(super) struct TakenPairs {
    pub(super) all: Conditions,
    pub(super) except: Option<Conditions>,
}

/// Conditions on pairs of a node and a sibling, all of which must hold.
#[derive(Clone, Debug, Default)]
pub(super) struct Conditions {
    pub(super) of_node: Vec<TestId>,
    pub(super) of_sibling: Vec<TestId>,
    /// A comparison of a number of the sibling with one of the node: both integers, or both floats.
    pub(super) compared: Option<(Comparison, NumberId, NumberId)>,
}

/// A part of another number or test.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part {
    Number(NumberId),
    Test(TestId),
}

/// Where a value overflows: the operators with their tests; the first one takes precedence.
pub(super) type Errors = Vec<(Span, TestId)>;

/// A number, and the test of where it is known; without a test it is known everywhere.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Quantity {
    pub(super) number: NumberId,
    pub(super) known: Option<TestId>,
    pub(super) errors: Errors,
}

/// A truth value: where it is true, and where it is false.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Truth {
    pub(super) yes: TestId,
    pub(super) no: TestId,
    pub(super) errors: Errors,
}

/// A value of every row, or unknown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Scalar {
    Number(Quantity),
    Truth(Truth),
}

/// The contribution of nodes to an aggregate.
#[derive(Clone, Debug)]
pub(super) struct Contribution {
    /// The nodes it takes; for `all`, those that violate it.
    pub(super) take: TestId,
    pub(super) argument: Option<Scalar>,
    pub(super) second: Option<Scalar>,
    pub(super) errors: Errors,
}

/// An aggregate over rows: those of a block below a crossing node, of a whole tree, of twins, of matches.
#[derive(Clone, Debug)]
pub(super) struct Gathered {
    pub(super) id: AggregateId,
    pub(super) scope: Scope,
    /// The rows that it takes; if numbers are taken, these are known.
    pub(super) take: TestId,
    pub(super) argument: Option<Scalar>,
    pub(super) second: Option<Scalar>,
    /// Rows whose contribution is an overflow.
    pub(super) errors: Errors,
    /// The only column that it reads, if it can be computed over the values of that column.
    pub(super) column: Option<Column>,
}

/// The parts of an aggregate over twins at each row: keys, values that twins read, and values of the node itself.
#[derive(Clone, Debug)]
pub(super) struct TwinParts {
    pub(super) keys: Vec<Scalar>,
    pub(super) others: Vec<Scalar>,
    pub(super) own: Vec<(Operand, Scalar)>,
}

/// An aggregate over twins that is computed by columns.
#[derive(Clone, Debug)]
pub(in crate::engine) struct TwinColumns {
    /// The keys; empty if another aggregate over the same twins gathers them.
    pub(in crate::engine) keys: Vec<(NumberId, VectorKind)>,
    /// The texts among the keys.
    pub(in crate::engine) texts: Arc<TextNumbers>,
    /// That other aggregate; both are computed together.
    pub(in crate::engine) leader: Option<AggregateId>,
    /// The rows whose keys are all known.
    pub(in crate::engine) keyed: TestId,
    /// The rows that others take as twins, and the rows that take any twins.
    pub(in crate::engine) is_twin: TestId,
    pub(in crate::engine) is_node: TestId,
    /// The numbers that are compared and taken, with the expression of each for a node that is its own twin.
    pub(in crate::engine) numbers: Vec<(NumberId, VectorKind, Expr)>,
    pub(in crate::engine) form: Form,
    pub(in crate::engine) question: Question,
}

impl TwinColumns {
    /// The aggregate `id` and those that are computed together with it; `all` is by aggregate.
    pub(in crate::engine) fn answered_with(
        all: &[Option<Self>],
        id: AggregateId,
    ) -> Vec<(AggregateId, &Self)> {
        let named = all
            .iter()
            .enumerate()
            .filter_map(|(place, columns)| Some((AggregateId(place), columns.as_ref()?)));
        let others = named.clone().filter(|(_, columns)| columns.leader == Some(id));
        named.filter(|(own, _)| *own == id).chain(others).collect()
    }

    /// Of aggregates that are computed together, those whose lanes are gathered; and for each of `together` the index
    /// of its lanes among these. `min` and `max` of one column share lanes.
    pub(in crate::engine) fn gathered<'a>(
        together: &[(AggregateId, &'a Self)],
    ) -> (Vec<(AggregateId, &'a Self)>, Vec<usize>) {
        let mut gathered: Vec<(AggregateId, &Self)> = Vec::new();
        let place = |aggregate: &(AggregateId, &'a Self)| {
            gathered.iter().position(|(_, other)| other.reads_as(aggregate.1)).unwrap_or_else(|| {
                gathered.push(*aggregate);
                gathered.len() - 1
            })
        };
        let places = together.iter().map(place).collect();
        (gathered, places)
    }

    fn reads_as(&self, other: &Self) -> bool {
        let numbers = |columns: &Self| columns.numbers.iter().map(|(number, ..)| *number).collect::<Vec<_>>();
        (self.keyed, self.is_twin, self.is_node) == (other.keyed, other.is_twin, other.is_node)
            && numbers(self) == numbers(other)
    }
}

/// The output of a query for its matches.
#[derive(Clone, Debug)]
pub(super) enum MatchOutput {
    /// Their number, or their node_ids.
    Plain,
    /// A row for each match.
    Rows {
        /// The values that a match carries, in the requested order.
        cells: Vec<Scalar>,
        /// The order keys of the rows; `true` if the largest come first.
        order: Vec<(Scalar, bool)>,
        /// The maximum number of rows shown.
        limit: usize,
    },
    /// Groups of matches with equal keys.
    Groups {
        keys: Vec<Scalar>,
        /// The aggregates, in the collector's order.
        folds: Vec<Gathered>,
        /// The only column that all of them read, if they can be computed over the values of that column.
        column: Option<Column>,
    },
}

/// A query, in the form that scans answer.
#[derive(Clone, Debug)]
pub(super) struct ScanQuery {
    pub(super) query: usize,
    pub(super) test: TestId,
    /// Where an overflow decides whether a row matches.
    pub(super) errors: Errors,
    /// Whether a row alone determines if it matches and its output, so that crossing nodes are like any others.
    pub(super) is_local: bool,
    pub(super) output: MatchOutput,
}

/// The computation for blocks.
#[derive(Clone, Debug, Default)]
pub(super) struct Compiled {
    pub(super) numbers: Vec<Number>,
    /// The lanes, by number.
    pub(super) lanes: Vec<Lane>,
    /// The bounds of an integer where it is known, by number.
    pub(super) bounds: Vec<(i64, i64)>,
    pub(super) tests: Vec<Test>,
    /// By query.
    pub(super) queries: Vec<ScanQuery>,
    /// By aggregate of the program.
    pub(super) gathered: Vec<Option<Gathered>>,
    /// By aggregate of the program, if it is over twins.
    pub(super) twins: Vec<Option<TwinParts>>,
    /// By aggregate of the program, if it is over twins and computed by columns.
    pub(super) twin_columns: Vec<Option<TwinColumns>>,
    /// By derived column of the program.
    pub(super) columns: Vec<Option<Scalar>>,
    /// The only column that a number, and that a test, reads, if it can be computed over the values of that column.
    pub(super) number_of_one: Vec<Option<Column>>,
    pub(super) test_of_one: Vec<Option<Column>>,
    /// By column number, whether the column is used only once.
    pub(super) asked_once: Vec<bool>,
    /// By test, whether only one other test, number or output uses it, and only once.
    pub(super) used_once: Vec<bool>,
    /// Whether a number, and whether a test, is of pairs of siblings.
    pub(super) number_of_pairs: Vec<bool>,
    pub(super) test_of_pairs: Vec<bool>,
    /// By number, the pairs that a fold takes, if it need not look at each pair.
    pub(super) taken_pairs: Vec<Option<TakenPairs>>,
}
