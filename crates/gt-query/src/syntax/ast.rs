//! The syntax tree of a query file, with the places of its parts in the text.
//!
//! Two trees are equal if their contents are equal; spans do not count.

pub use crate::operation::{Arithmetic, Comparison, Operation};
use crate::span::Span;
use crate::vocabulary::{Function, Part, Relative};

/// A query file: derived columns and queries, in the order written.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct QueryFile {
    /// Its items.
    pub items: Vec<Item>,
}

/// An item of a query file.
#[derive(Clone, Debug, PartialEq)]
pub enum Item {
    /// `let name = value`.
    Let(Let),
    /// A query.
    Query(Box<Query>),
}

/// A derived column.
#[derive(Clone, Debug, PartialEq)]
pub struct Let {
    /// Its name.
    pub name: Name,
    /// Its value.
    pub value: Expr,
}

/// A word and its place.
#[derive(Clone, Debug)]
pub struct Name {
    /// The word.
    pub text: String,
    /// Its place.
    pub span: Span,
}

impl PartialEq for Name {
    fn eq(&self, other: &Self) -> bool {
        self.text == other.text
    }
}

/// The nodes that a part or an aggregate is about.
#[derive(Clone, Debug, PartialEq)]
pub struct Scope {
    /// The keyword.
    pub part: Part,
    /// The keys of `twin(A, B)`; empty for the others.
    pub keys: Vec<Expr>,
}

/// A query; parts and clauses that are not written are absent.
#[derive(Clone, Debug, Default)]
pub struct Query {
    /// The span from its first to its last token.
    pub span: Span,
    /// The name given on the line above it.
    pub name: Option<Name>,
    /// `node: …`, `child: …` and so on, in the order of [`Part`].
    pub parts: Vec<(Scope, Expr)>,
    /// `group by …`.
    pub group_by: Vec<Expr>,
    /// `select …`.
    pub select: Vec<Selected>,
    /// `order by …`.
    pub order_by: Vec<OrderKey>,
    /// `limit …`.
    pub limit: Option<Expr>,
}

impl PartialEq for Query {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
            && self.parts == other.parts
            && self.group_by == other.group_by
            && self.select == other.select
            && self.order_by == other.order_by
            && self.limit == other.limit
    }
}

impl Query {
    /// Returns the expression of the part, if it is written.
    #[must_use]
    pub fn part(&self, part: Part) -> Option<&Expr> {
        self.parts.iter().find(|(scope, _)| scope.part == part).map(|(_, expr)| expr)
    }

    /// Returns every expression of the query; those of `select` come before those that may use their names.
    pub fn each(&self) -> impl Iterator<Item = &Expr> {
        let parts = self.parts.iter().flat_map(|(scope, expr)| scope.keys.iter().chain([expr]));
        let select = self.select.iter().map(|selected| &selected.expr);
        let order = self.order_by.iter().map(|key| &key.expr);
        parts.chain(select).chain(&self.group_by).chain(order).chain(&self.limit)
    }
}

/// A column of `select`.
#[derive(Clone, Debug, PartialEq)]
pub struct Selected {
    /// The value to show.
    pub expr: Expr,
    /// `as name`.
    pub name: Option<Name>,
}

/// One key of `order by`.
#[derive(Clone, Debug, PartialEq)]
pub struct OrderKey {
    /// The value to order by.
    pub expr: Expr,
    /// Whether the largest come first.
    pub descending: bool,
}

/// An expression.
#[derive(Clone, Debug)]
pub struct Expr {
    /// Its kind.
    pub kind: ExprKind,
    /// Its place.
    pub span: Span,
    depth: u32,
}

impl PartialEq for Expr {
    fn eq(&self, other: &Self) -> bool {
        self.kind == other.kind
    }
}

/// The kinds of expressions.
#[derive(Clone, Debug, PartialEq)]
pub enum ExprKind {
    /// `*`, always true.
    Wildcard,
    /// A whole number, sign included.
    Integer(i128),
    /// A floating-point number, sign included.
    Float(f64),
    /// A text.
    Text(String),
    /// `$x`.
    Parameter(String),
    /// An attribute, alias or derived column, of the node or of a relative.
    Name(Option<Relative>, String),
    /// `@ply`, without the `@`.
    Structure(Option<Relative>, String),
    /// `max(best where type & PVNode)`; a query writes the scope only in a `let`.
    Aggregate {
        /// The scope, if it is written.
        scope: Option<Scope>,
        /// The function.
        function: Function,
        /// The arguments at each node; the second argument of a function with two comes last.
        arguments: Vec<Expr>,
        /// The condition on the nodes.
        filter: Option<Box<Expr>>,
    },
    /// An operator or a function. `A is unknown` is `not A is known`.
    Apply(Operation, Vec<Expr>),
    /// Text that could not be read; its error is recorded.
    Invalid,
}

impl Expr {
    /// Makes an expression at a place.
    #[must_use]
    pub fn new(kind: ExprKind, span: Span) -> Self {
        let mut depth = 0;
        kind.each(&mut |inner| depth = depth.max(inner.depth));
        Self { kind, span, depth: depth + 1 }
    }

    /// Returns its depth; a number or a name has depth 1.
    #[must_use]
    pub const fn depth(&self) -> u32 {
        self.depth
    }

    /// Returns the first (leftmost) aggregate in it, including itself.
    #[must_use]
    pub fn aggregate(&self) -> Option<&Expr> {
        if matches!(self.kind, ExprKind::Aggregate { .. }) {
            return Some(self);
        }
        let mut found = None;
        self.kind.each(&mut |inner| found = found.or_else(|| inner.aggregate()));
        found
    }
}

impl ExprKind {
    /// Calls `visit` with each expression directly inside, left to right.
    pub fn each<'a>(&'a self, visit: &mut dyn FnMut(&'a Expr)) {
        match self {
            Self::Aggregate { scope, arguments, filter, .. } => {
                scope.iter().flat_map(|scope| &scope.keys).chain(arguments).for_each(&mut *visit);
                filter.iter().for_each(|filter| visit(filter));
            }
            Self::Apply(_, arguments) => arguments.iter().for_each(visit),
            Self::Wildcard
            | Self::Integer(_)
            | Self::Float(_)
            | Self::Text(_)
            | Self::Parameter(_)
            | Self::Name(..)
            | Self::Structure(..)
            | Self::Invalid => {}
        }
    }
}
