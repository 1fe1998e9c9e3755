//! What a query file says, as a tree, with the places it says it at.
//!
//! Two trees are equal when they say the same, wherever they say it: spans do not count.

use crate::span::Span;
use crate::vocabulary::{Function, Part, Relative};

/// A query file: derived columns and queries, in the order written.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct QueryFile {
    /// What is in it.
    pub items: Vec<Item>,
}

/// One thing in a query file.
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
    /// What it stands for.
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

/// A query; a part or clause that is not written is `None` or empty.
#[derive(Clone, Debug, Default)]
pub struct Query {
    /// From its first to its last token.
    pub span: Span,
    /// The name given on the line above it.
    pub name: Option<Name>,
    /// `node: …`.
    pub node: Option<Expr>,
    /// `child: …`.
    pub child: Option<Expr>,
    /// `subtree: …`.
    pub subtree: Option<Expr>,
    /// `path: …`.
    pub path: Option<Expr>,
    /// `group by …`.
    pub group_by: Vec<Expr>,
    /// `select …`.
    pub select: Vec<Expr>,
    /// `order by …`.
    pub order_by: Vec<OrderKey>,
    /// `limit …`.
    pub limit: Option<Expr>,
}

impl PartialEq for Query {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
            && Part::all().all(|(_, part)| self.part(part) == other.part(part))
            && self.group_by == other.group_by
            && self.select == other.select
            && self.order_by == other.order_by
            && self.limit == other.limit
    }
}

impl Query {
    /// What the part says, where it is written.
    #[must_use]
    pub fn part(&self, part: Part) -> Option<&Expr> {
        match part {
            Part::Node => self.node.as_ref(),
            Part::Child => self.child.as_ref(),
            Part::Subtree => self.subtree.as_ref(),
            Part::Path => self.path.as_ref(),
            Part::Before | Part::After | Part::Tree | Part::Twin => None,
        }
    }
}

/// One key of `order by`.
#[derive(Clone, Debug, PartialEq)]
pub struct OrderKey {
    /// What to order by.
    pub expr: Expr,
    /// Largest first.
    pub descending: bool,
}

/// An expression.
#[derive(Clone, Debug)]
pub struct Expr {
    /// What it says.
    pub kind: ExprKind,
    /// Where.
    pub span: Span,
    depth: u32,
}

impl PartialEq for Expr {
    fn eq(&self, other: &Self) -> bool {
        self.kind == other.kind
    }
}

/// What an expression says.
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
    /// `max(best where type & PVNode)`; the scope is written in `let` only.
    Aggregate {
        /// Over what, where that is written.
        scope: Option<Part>,
        /// Which function.
        function: Function,
        /// What of each node.
        argument: Box<Expr>,
        /// Of which nodes.
        filter: Option<Box<Expr>>,
    },
    /// `abs(A)`.
    Abs(Box<Expr>),
    /// `-A`.
    Negate(Box<Expr>),
    /// `not E`.
    Not(Box<Expr>),
    /// `E and F and …`, two at least.
    And(Vec<Expr>),
    /// `E or F or …`, two at least.
    Or(Vec<Expr>),
    /// `A + B`, `A < B` …
    Binary(BinaryOperator, Box<Expr>, Box<Expr>),
    /// `A in (B, C)`.
    In(Box<Expr>, Vec<Expr>),
    /// `A is known` where true, `A is unknown` where false.
    Is(Box<Expr>, bool),
    /// What could not be read; an error tells of it.
    Invalid,
}

/// An operator between two values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BinaryOperator {
    /// One that gives a number.
    Arithmetic(Arithmetic),
    /// One that gives a truth value.
    Comparison(Comparison),
}

/// An operator that gives a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum Arithmetic {
    BitAnd,
    BitOr,
    Add,
    Subtract,
    Multiply,
    Divide,
    Remainder,
}

/// An operator that gives a truth value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum Comparison {
    Equal,
    NotEqual,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
}

impl BinaryOperator {
    /// How it is written.
    #[must_use]
    pub const fn spelling(self) -> &'static str {
        match self {
            Self::Arithmetic(operator) => operator.spelling(),
            Self::Comparison(operator) => operator.spelling(),
        }
    }
}

impl Arithmetic {
    /// How it is written.
    #[must_use]
    pub const fn spelling(self) -> &'static str {
        match self {
            Self::BitAnd => "&",
            Self::BitOr => "|",
            Self::Add => "+",
            Self::Subtract => "-",
            Self::Multiply => "*",
            Self::Divide => "/",
            Self::Remainder => "%",
        }
    }
}

impl Comparison {
    /// How it is written.
    #[must_use]
    pub const fn spelling(self) -> &'static str {
        match self {
            Self::Equal => "=",
            Self::NotEqual => "!=",
            Self::Less => "<",
            Self::LessEqual => "<=",
            Self::Greater => ">",
            Self::GreaterEqual => ">=",
        }
    }
}

impl Expr {
    /// An expression at a place.
    #[must_use]
    pub fn new(kind: ExprKind, span: Span) -> Self {
        let mut depth = 0;
        kind.each(&mut |inner| depth = depth.max(inner.depth));
        Self { kind, span, depth: depth + 1 }
    }

    /// How many expressions deep it is; a number or a name is 1.
    #[must_use]
    pub const fn depth(&self) -> u32 {
        self.depth
    }

    /// The first (leftmost) aggregate in it, itself included.
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
            Self::Aggregate { argument, filter, .. } => {
                visit(argument);
                if let Some(filter) = filter {
                    visit(filter);
                }
            }
            Self::Abs(inner) | Self::Negate(inner) | Self::Not(inner) | Self::Is(inner, _) => visit(inner),
            Self::And(list) | Self::Or(list) => list.iter().for_each(visit),
            Self::Binary(_, left, right) => {
                visit(left);
                visit(right);
            }
            Self::In(item, list) => {
                visit(item);
                list.iter().for_each(visit);
            }
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
