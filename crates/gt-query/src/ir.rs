//! Bound queries: what is to be computed, with every name resolved and every type known.
//!
//! Nothing here says how: the reference, the live evaluator and the engine each read this in their own way.
//!
//! ```text
//! Program ── columns     the `let`s that are used; each reads only earlier ones
//!         ── twins       the lists of keys by which nodes are twins
//!         ── aggregates  over the nodes of a scope; shared by all queries
//!         ── queries     filters, and what to make of the nodes that pass them all
//! ```
//!
//! **The law of frames.** An expression is evaluated *at a node*. Only inside an aggregate over children, siblings or
//! twins there are two nodes: [`Anchor::Node`] is the one that the aggregate belongs to, [`Anchor::Other`] the child,
//! sibling or twin being looked at. In an aggregate over any other scope, [`Anchor::Node`] is the node being looked at.

mod each;

use crate::error::Note;
pub use crate::evaluate::{Evaluated, Frame, evaluate};
pub use crate::operation::{Arithmetic, Comparison, Operation};
use crate::span::Span;
use crate::value::{Type, Value};
pub use crate::vocabulary::{Function, Part, Structure};

/// The place of a derived column in [`Program::columns`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ColumnId(pub usize);

/// The place of an aggregate in [`Program::aggregates`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct AggregateId(pub usize);

/// The place of a list of keys in [`Program::twins`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TwinId(pub usize);

/// All queries of a file, bound to one schema.
#[derive(Clone, Debug, Default)]
pub struct Program {
    /// Derived columns in the order of dependence: the expression of each reads only those before it.
    pub columns: Vec<Column>,
    /// Nodes with equal, known values of these keys are twins; no two lists are equal.
    pub twins: Vec<Vec<Expr>>,
    /// Aggregates in the order of dependence on columns; no two are equal.
    pub aggregates: Vec<Aggregate>,
    /// The queries, in the order of the file.
    pub queries: Vec<Query>,
    /// What is probably not what was meant, in the order of the text.
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
    /// Over which nodes.
    pub scope: Scope,
    /// What to make of them.
    pub function: Function,
    /// What of each node; for `count`, `any` and `all` a truth value.
    pub argument: Expr,
    /// The second argument of `corr`, `arg_min` and `arg_max`, or the constant share of `quantile`.
    pub second: Option<Expr>,
    /// Only nodes for which this is true; `Constant(true)` where nothing was written.
    pub filter: Expr,
    /// The type of the result.
    pub value_type: Type,
    /// Where the aggregate is written.
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
    /// Its descendants, itself not included.
    Subtree,
    /// Its ancestors, itself not included.
    Path,
    /// All nodes of the tree, itself included.
    Tree,
    /// The other nodes of the tree with equal, known values of these keys. A key that overflows at the node is an
    /// overflow of the aggregate; a node at which one overflows is nobody's twin.
    Twin(TwinId),
    /// The nodes of the whole tree that match the query (of one group, with `group by`).
    Matches,
}

impl Scope {
    /// Where the node being looked at stands in the frame of an aggregate's argument.
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
    /// The same for every node; `None` is unknown.
    Constant(Option<Value>),
    /// A value of the node or of a relative.
    Read(Operand),
    /// The value of an aggregate at the node (for [`Scope::Matches`]: of the group).
    Aggregate(AggregateId),
    /// In the result of a grouped query: the value of a key.
    Key(usize),
    /// What an operation makes of its arguments.
    Apply(Operation, Vec<Expr>, Origin),
}

/// The place of an expression in the query text; all are equal, so that equal expressions are.
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

/// A value of some node near the one an expression is evaluated at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Operand {
    /// Where the step begins.
    pub anchor: Anchor,
    /// Which relative of it; the value is unknown where there is none.
    pub step: Step,
    /// What of that node.
    pub field: Field,
}

/// The node that a step begins at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Anchor {
    /// The node that the expression is evaluated at.
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
    /// The sibling so many places after it (before it, where negative); never 0.
    Sibling(i32),
    /// The child at this place, 0 being the first; from the end where negative, -1 being the last.
    Child(i32),
}

/// A value that a node has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Field {
    /// The attribute at this place in the schema.
    Attribute(usize),
    /// `last_move`.
    LastMove,
    /// `node_id`.
    NodeId,
    /// `@ply` and the like.
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
    /// What to make of the nodes for which all filters are true.
    pub outcome: Outcome,
}

impl Query {
    /// What must be true of a match.
    pub fn filters(&self) -> impl Iterator<Item = &Expr> + Clone {
        self.filters.iter().map(|(_, filter)| filter)
    }
}

/// What a query makes of its matches.
#[derive(Clone, Debug)]
pub enum Outcome {
    /// Their number: `node:count(E)`.
    Count,
    /// One aggregate over them: `node:min(alpha)`.
    Aggregate(AggregateId),
    /// Their node_ids.
    Nodes(Arrangement),
    /// A row for each.
    Rows {
        /// The cells of the row.
        columns: Vec<ResultColumn>,
        /// Their order.
        arrangement: Arrangement,
    },
    /// A row for each group; without keys, one for all.
    Groups {
        /// Matches with equal keys are one group.
        keys: Vec<Expr>,
        /// The cells, of [`Expr::Key`]s and aggregates over [`Scope::Matches`].
        columns: Vec<ResultColumn>,
        /// Their order, of the same.
        arrangement: Arrangement,
    },
}

/// In which order, and how many.
#[derive(Clone, Debug, Default)]
pub struct Arrangement {
    /// The keys, most important first. Ties are in the order of node_id, groups in that of their keys.
    pub order: Vec<OrderKey>,
    /// At most so many.
    pub limit: Option<usize>,
}

/// A key to order by; what is unknown comes last either way.
#[derive(Clone, Debug)]
pub struct OrderKey {
    /// The value.
    pub expr: Expr,
    /// Largest first.
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
    /// The attribute whose aliases name the values, where it has some; see [`crate::answer::alias_text`].
    pub names: Option<usize>,
}
