//! Bound queries: what is to be computed, with every name resolved and every type known.
//!
//! Nothing here says how: the reference, the live evaluator and the engine each read this in their own way.
//!
//! ```text
//! Program ── columns     the `let`s that are used; each reads only earlier ones
//!         ── aggregates  over children, descendants, ancestors or matches; shared by all queries
//!         ── queries     up to four filters, and what to make of the nodes that pass them all
//! ```
//!
//! **The law of frames.** An expression is evaluated *at a node*. Only inside an aggregate over children there are
//! two nodes: [`Anchor::Node`] is the parent, [`Anchor::Child`] the child being looked at. In an aggregate over
//! descendants, ancestors or matches, [`Anchor::Node`] is that descendant, ancestor or match.

use crate::span::Span;
use crate::syntax::ast::{Arithmetic, Comparison};
use crate::value::{Type, Value};
use crate::vocabulary::{Function, Structure};

/// The place of a derived column in [`Program::columns`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ColumnId(pub usize);

/// The place of an aggregate in [`Program::aggregates`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct AggregateId(pub usize);

/// All queries of a file, bound to one schema.
#[derive(Clone, Debug, Default)]
pub struct Program {
    /// Derived columns in the order of dependence: the expression of each reads only those before it.
    pub columns: Vec<Column>,
    /// Aggregates in the order of dependence on columns; no two are equal.
    pub aggregates: Vec<Aggregate>,
    /// The queries, in the order of the file.
    pub queries: Vec<Query>,
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
    /// Of each node: a truth value for `count`, `any`, `all`, a number for the others.
    pub argument: Expr,
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
    /// Its descendants, itself not included.
    Subtree,
    /// Its ancestors, itself not included.
    Path,
    /// The nodes of the whole tree that match the query (of one group, with `group by`).
    Matches,
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
    /// The opposite number.
    Negate(Box<Expr>, Origin),
    /// The number without its sign.
    Abs(Box<Expr>, Origin),
    /// An arithmetic operator.
    Arithmetic(Arithmetic, Box<Expr>, Box<Expr>, Origin),
    /// A comparison of two numbers, two texts or two truth values.
    Compare(Comparison, Box<Expr>, Box<Expr>),
    /// Whether the value equals one of the list: the same as comparisons with `or` between.
    In(Box<Expr>, Vec<Expr>),
    /// Whether an integer is not 0.
    NotZero(Box<Expr>),
    /// Whether the value is known; itself always is.
    Known(Box<Expr>),
    /// `@bound`: what a value is in its window.
    Bound(Box<Bound>),
    /// Three-valued negation.
    Not(Box<Expr>),
    /// Three-valued conjunction.
    And(Vec<Expr>),
    /// Three-valued disjunction.
    Or(Vec<Expr>),
}

/// A value and the window that the search looked for it in: numbers of one node.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Bound {
    /// What the search found.
    pub value: Expr,
    /// The lower end of the window.
    pub alpha: Expr,
    /// The upper end.
    pub beta: Expr,
}

impl Bound {
    /// The three numbers.
    #[must_use]
    pub const fn each(&self) -> [&Expr; 3] {
        [&self.value, &self.alpha, &self.beta]
    }

    /// The three numbers, to be changed.
    pub const fn each_mut(&mut self) -> [&mut Expr; 3] {
        [&mut self.value, &mut self.alpha, &mut self.beta]
    }
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
    /// In an aggregate over children, the child.
    Child,
}

/// A step to a relative.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum Step {
    Here,
    Parent,
    Grandparent,
    Previous,
    Next,
    FirstChild,
    LastChild,
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
    /// `node:`; each filter is `Constant(true)` where it is not written, and holds no aggregate of matches.
    pub node: Expr,
    /// `child:`.
    pub child: Expr,
    /// `subtree:`.
    pub subtree: Expr,
    /// `path:`.
    pub path: Expr,
    /// What to make of the nodes for which all four are true.
    pub outcome: Outcome,
}

impl Query {
    /// The four filters.
    #[must_use]
    pub const fn filters(&self) -> [&Expr; 4] {
        [&self.node, &self.child, &self.subtree, &self.path]
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
}

impl Expr {
    /// Always true.
    pub const TRUE: Self = Self::Constant(Some(Value::Boolean(true)));

    /// Whether it is always true.
    #[must_use]
    pub fn is_true(&self) -> bool {
        *self == Self::TRUE
    }

    /// Calls `visit` with each expression directly inside.
    pub fn each<'a>(&'a self, visit: &mut dyn FnMut(&'a Expr)) {
        match self {
            Self::Constant(_) | Self::Read(_) | Self::Aggregate(_) | Self::Key(_) => {}
            Self::Negate(inner, _)
            | Self::Abs(inner, _)
            | Self::NotZero(inner)
            | Self::Known(inner)
            | Self::Not(inner) => visit(inner),
            Self::Bound(bound) => bound.each().into_iter().for_each(visit),
            Self::Arithmetic(_, left, right, _) | Self::Compare(_, left, right) => {
                visit(left);
                visit(right);
            }
            Self::In(item, list) => {
                visit(item);
                list.iter().for_each(visit);
            }
            Self::And(list) | Self::Or(list) => list.iter().for_each(visit),
        }
    }

    /// Calls `visit` with each operand and aggregate in it.
    pub fn leaves<'a>(&'a self, visit: &mut dyn FnMut(&'a Expr)) {
        match self {
            Self::Read(_) | Self::Aggregate(_) | Self::Key(_) => visit(self),
            _ => self.each(&mut |inner| inner.leaves(visit)),
        }
    }
}

impl Outcome {
    /// The expressions that are evaluated at each match: cells, keys, what is aggregated.
    #[must_use]
    pub fn per_match<'a>(&'a self, program: &'a Program) -> Vec<&'a Expr> {
        let mut found = Vec::new();
        let aggregated = |exprs: &mut Vec<&'a Expr>, expr: &'a Expr| {
            expr.leaves(&mut |leaf| {
                if let Expr::Aggregate(id) = leaf {
                    let aggregate = &program.aggregates[id.0];
                    exprs.extend([&aggregate.argument, &aggregate.filter]);
                }
            });
        };
        match self {
            Self::Count => {}
            Self::Aggregate(id) => {
                let aggregate = &program.aggregates[id.0];
                found.extend([&aggregate.argument, &aggregate.filter]);
            }
            Self::Nodes(arrangement) => found.extend(arrangement.order.iter().map(|key| &key.expr)),
            Self::Rows { columns, arrangement } => {
                found.extend(columns.iter().map(|column| &column.expr));
                found.extend(arrangement.order.iter().map(|key| &key.expr));
            }
            Self::Groups { keys, columns, arrangement } => {
                found.extend(keys);
                columns.iter().for_each(|column| aggregated(&mut found, &column.expr));
                arrangement.order.iter().for_each(|key| aggregated(&mut found, &key.expr));
            }
        }
        found
    }
}
