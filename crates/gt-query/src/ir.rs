//! Bound queries: the computation, with every name resolved and every type known.
//!
//! A program does not say how: the reference, the live evaluator and the engine each evaluate it in their own way.
//!
//! ```text
//! Program ── columns     the `let`s that are used; each reads only earlier ones
//!         ── twins       the lists of keys by which nodes are twins
//!         ── aggregates  over the nodes of a scope; shared by all queries
//!         ── queries     filters, and what to make of the nodes that pass them all
//! ```
//!
//! **The law of frames.** An expression is evaluated *at a node*. Only inside an aggregate over children, siblings or
//! twins are there two nodes: [`Anchor::Node`] is the one that the aggregate belongs to, [`Anchor::Other`] the child,
//! sibling or twin being looked at. In an aggregate over any other scope, [`Anchor::Node`] is the node being looked
//! at.

mod each;

use crate::error::Note;
pub use crate::evaluate::{Evaluated, Frame, evaluate};
pub use crate::operation::{Arithmetic, Comparison, Operation};
use crate::span::Span;
use crate::value::{Type, Value};
pub use crate::vocabulary::{Function, Part, Structure};

/// The index of a derived column in [`Program::columns`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ColumnId(pub usize);

/// The index of an aggregate in [`Program::aggregates`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct AggregateId(pub usize);

/// The index of a list of keys in [`Program::twins`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TwinId(pub usize);

/// All queries of a file, bound to one schema.
#[derive(Clone, Debug, Default)]
pub struct Program {
    /// Derived columns in the order of dependence: the expression of each reads only those before it.
    pub columns: Vec<Column>,
    /// Nodes with equal, known values of these keys are twins; no two lists are equal.
    pub twins: Vec<Vec<Expr>>,
    /// Aggregates in the order of dependence on columns; no two are equal, but over matches where they are written otherwise.
    pub aggregates: Vec<Aggregate>,
    /// Lists of keys; nodes with equal, known values of a list's keys are twins. No two lists are equal.
    pub queries: Vec<Query>,
    /// Aggregates in the order of dependence on columns. No two are equal, except over matches, if they are written
    /// differently.
    pub notes: Vec<Note>,
}

/// A derived column: a value of every node.
#[derive(Clone, Debug)]
pub struct Column {
    /// Its name in the `let`.
    pub name: String,
    /// The type of its values.
    pub value_type: Type,
    /// Its value at a node.
    pub expr: Expr,
}

/// An aggregate: for each node (or each group of matches), one value from many nodes.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Aggregate {
    /// The nodes that it ranges over.
    pub scope: Scope,
    /// The function applied to them.
    pub function: Function,
    /// The argument at each node; for `count`, `any` and `all` a truth value.
    pub argument: Expr,
    /// The second argument of `corr`, `arg_min` and `arg_max`, or the constant share of `quantile`.
    pub second: Option<Expr>,
    /// The condition that a node must satisfy; `Constant(true)` if none was written.
    pub filter: Expr,
    /// The type of the argument.
    pub argument_type: Type,
    /// The type of the result.
    pub value_type: Type,
    /// The place of the aggregate in the text.
    pub origin: Origin,
}

/// The nodes that an aggregate ranges over.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Scope {
    /// The children of the node.
    Child,
    /// The siblings that were searched before it.
    Before,
    /// The siblings that were searched after it.
    After,
    /// Its descendants, excluding itself.
    Subtree,
    /// Its ancestors, excluding itself.
    Path,
    /// All nodes of the tree, including itself.
    Tree,
    /// The other nodes of the tree with equal, known values of these keys. If a key overflows at the node, the
    /// aggregate overflows; if a key overflows at another node, that node is no twin.
    Twin(TwinId),
    /// The nodes of the whole tree that match the query (of one group, with `group by`).
    Matches,
}

impl Scope {
    /// Returns the anchor of the node being looked at, in the frame of an aggregate's argument.
    #[must_use]
    pub const fn anchor(self) -> Anchor {
        match self {
            Self::Child | Self::Before | Self::After | Self::Twin(_) => Anchor::Other,
            Self::Subtree | Self::Path | Self::Tree | Self::Matches => Anchor::Node,
        }
    }
}

/// An expression.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Expr {
    /// A constant; `None` is unknown.
    Constant(Option<Value>),
    /// A value of the node or of a relative.
    Read(Operand),
    /// The value of an aggregate at the node (for [`Scope::Matches`]: of the group).
    Aggregate(AggregateId),
    /// In the result of a grouped query: the value of a key.
    Key(usize),
    /// An operation applied to its arguments.
    Apply(Operation, Vec<Expr>, Origin),
}

/// The place of an expression in the query text. All places compare equal, so that equal expressions do.
#[derive(Clone, Copy, Debug)]
pub struct Origin(pub Span);

impl PartialEq for Origin {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for Origin {}

impl std::hash::Hash for Origin {
    fn hash<H: std::hash::Hasher>(&self, _: &mut H) {}
}

/// A value of the node at which an expression is evaluated, or of a node near it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Operand {
    /// The start of the step.
    pub anchor: Anchor,
    /// The relative to read; the value is unknown if it does not exist.
    pub step: Step,
    /// The value to read from that node.
    pub field: Field,
}

/// The node that a step begins at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Anchor {
    /// The node at which the expression is evaluated.
    Node,
    /// In an aggregate over children, siblings or twins, the child, sibling or twin.
    Other,
}

/// A step to a relative.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Step {
    /// The node itself.
    Here,
    /// Its parent.
    Parent,
    /// Its parent's parent.
    Grandparent,
    /// The sibling this many places after it (before it, if negative); never 0.
    Sibling(i32),
    /// The child at this index, 0 being the first; from the end if negative, -1 being the last.
    Child(i32),
}

/// A value that a node has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Field {
    /// The attribute at this index in the schema.
    Attribute(usize),
    /// `last_move`.
    LastMove,
    /// `node_id`.
    NodeId,
    /// `@ply` and similar.
    Structure(Structure),
    /// A derived column.
    Column(ColumnId),
}

/// A bound query.
#[derive(Clone, Debug)]
pub struct Query {
    /// Its name in the query file.
    pub name: Option<String>,
    /// Its place in the text.
    pub span: Span,
    /// The query on one line, with the `let`s that it uses.
    pub text: String,
    /// The parts that are not always true, in the order of [`Part`]; they hold no aggregate of matches.
    pub filters: Vec<(Part, Expr)>,
    /// The result to make from the nodes for which all filters are true.
    pub outcome: Outcome,
}

impl Query {
    /// Returns the conditions that a match must satisfy.
    pub fn filters(&self) -> impl Iterator<Item = &Expr> + Clone {
        self.filters.iter().map(|(_, filter)| filter)
    }
}

/// The result that a query makes from its matches.
#[derive(Clone, Debug)]
pub enum Outcome {
    /// Their number: `node:count(E)`.
    Count,
    /// One aggregate over them: `node:min(alpha)`.
    Aggregate(AggregateId),
    /// Their node_ids.
    Nodes(Arrangement),
    /// A row for each match.
    Rows {
        /// The cells of the row.
        columns: Vec<ResultColumn>,
        /// Their order.
        arrangement: Arrangement,
    },
    /// A row for each group; without keys, one for all matches.
    Groups {
        /// The keys of a group.
        keys: Vec<Expr>,
        /// Their types.
        key_types: Vec<Type>,
        /// The cells, made of [`Expr::Key`]s and aggregates over [`Scope::Matches`].
        columns: Vec<ResultColumn>,
        /// Their order, by expressions made of the same parts.
        arrangement: Arrangement,
    },
}

/// The order and the maximum number of results.
#[derive(Clone, Debug, Default)]
pub struct Arrangement {
    /// The keys, most important first. Ties are in the order of node_id, groups in that of their keys.
    pub order: Vec<OrderKey>,
    /// The maximum number of results.
    pub limit: Option<usize>,
}

/// A key to order by; unknown values come last in either direction.
#[derive(Clone, Debug)]
pub struct OrderKey {
    /// The value.
    pub expr: Expr,
    /// Whether the largest come first.
    pub descending: bool,
}

/// A column of a result.
#[derive(Clone, Debug)]
pub struct ResultColumn {
    /// The expression as written in `select`.
    pub heading: String,
    /// Its value.
    pub expr: Expr,
    /// Its type; [`Type::Move`] and [`Type::Line`] can be shown in the game's notation.
    pub value_type: Type,
    /// The attribute whose aliases name the values, if it has any; see [`crate::alias_text`].
    pub names: Option<usize>,
}
