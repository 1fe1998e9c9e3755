//! Bound expressions with their types, and their values where they are constant.

use crate::evaluate::{NoNode, evaluate};
use crate::ir::{Expr, Operation, Origin};
use crate::span::Span;
use crate::value::{Overflow, Type, Value};

/// An expression and its type.
#[derive(Clone, Debug)]
pub(super) struct Typed {
    pub(super) expr: Expr,
    pub(super) value_type: Type,
}

/// `None` if an error was recorded.
pub(super) type Bound = Option<Typed>;

pub(super) fn constant(value: Value) -> Bound {
    let value_type = value.type_of();
    Some(Typed { expr: Expr::Constant(Some(value)), value_type })
}

pub(super) fn boolean(expr: Expr) -> Typed {
    Typed { expr, value_type: Type::Boolean }
}

/// The type after arithmetic: moves and bits become plain integers.
pub(super) fn plain(value_type: Type) -> Type {
    if value_type == Type::Float { Type::Float } else { Type::Integer }
}

/// The type of a value that is only passed on: bits become plain integers.
pub(super) fn shown(value_type: Type) -> Type {
    if value_type == Type::Bits { Type::Integer } else { value_type }
}

/// The expression, or its value if all its parts are constant.
pub(super) fn fold(expr: Expr) -> Result<Expr, Overflow> {
    let constant = expr.each().iter().all(|inner| matches!(inner, Expr::Constant(_)));
    if constant { evaluate(&expr, &NoNode).map(Expr::Constant) } else { Ok(expr) }
}

/// Joins terms with `and` or `or`, without those that change nothing.
pub(super) fn joined(operation: Operation, mut terms: Vec<Expr>, span: Span) -> Expr {
    let truth = |value| Expr::Constant(Some(Value::Boolean(value)));
    let decisive = operation == Operation::Or;
    if terms.contains(&truth(decisive)) {
        return truth(decisive);
    }
    terms.retain(|term| *term != truth(!decisive));
    terms.dedup();
    match terms.len() {
        0 => truth(!decisive),
        1 => terms.remove(0),
        _ => Expr::Apply(operation, terms, Origin(span)),
    }
}
