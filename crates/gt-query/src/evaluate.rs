//! The value of one expression at one node.
//!
//! Logic is three-valued: `and` is false if anything is, `or` is true if anything is, whatever the rest; else
//! unknown wins. An overflow ranks between: it yields to what decides (`false` in `and`, `true` in `or`), and wins
//! over unknown. So the result never depends on the order of evaluation, and a guard (`x != 0 and …`) guards from
//! either side.

use std::fmt;

use crate::ir::{AggregateId, Expr, Operand};
use crate::span::Span;
use crate::syntax::ast::Comparison;
use crate::value::{BoundKind, Overflow, Value, integer};

/// A value, unknown, or an overflow.
pub type Evaluated = Result<Option<Value>, Overflow>;

/// Why a query that was bound has no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunError {
    /// The query's name, or its number in the file, from 1.
    pub query: String,
    /// Where in the query text it happened.
    pub span: Span,
}

impl fmt::Display for RunError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "query {}: a result is outside the 64-bit integers", self.query)
    }
}

impl std::error::Error for RunError {}

/// What an expression is evaluated in: a node and what is known of it.
pub trait Frame {
    /// The value of an operand; unknown where the node is not there.
    fn read(&self, operand: Operand) -> Evaluated;
    /// The value of an aggregate.
    fn aggregate(&self, id: AggregateId) -> Evaluated;
    /// The value of a group's key.
    fn key(&self, index: usize) -> Evaluated {
        let _ = index;
        Ok(None)
    }
}

/// The frame of constants, in which nothing can be read.
pub struct NoNode;

impl Frame for NoNode {
    fn read(&self, _: Operand) -> Evaluated {
        Ok(None)
    }
    fn aggregate(&self, _: AggregateId) -> Evaluated {
        Ok(None)
    }
}

/// Evaluates an expression.
///
/// # Errors
/// An overflow that nothing absorbs.
pub fn evaluate(expr: &Expr, frame: &dyn Frame) -> Evaluated {
    match expr {
        Expr::Constant(value) => Ok(value.clone()),
        Expr::Read(operand) => frame.read(*operand),
        Expr::Aggregate(id) => frame.aggregate(*id),
        Expr::Key(index) => frame.key(*index),
        Expr::Negate(inner, origin) => signed(evaluate(inner, frame)?, origin.0, |v| -v, |v| -v),
        Expr::Abs(inner, origin) => signed(evaluate(inner, frame)?, origin.0, i128::abs, f64::abs),
        Expr::Arithmetic(operator, left, right, origin) => {
            let (left, right) = (evaluate(left, frame)?, evaluate(right, frame)?);
            let Some((left, right)) = left.zip(right) else { return Ok(None) };
            operator.apply(&left, &right, origin.0)
        }
        Expr::Compare(operator, left, right) => {
            Ok(compare(*operator, &evaluate(left, frame)?, &evaluate(right, frame)?))
        }
        Expr::In(item, list) => {
            let item = evaluate(item, frame)?;
            join(
                true,
                list.iter().map(|value| Ok(compare(Comparison::Equal, &item, &evaluate(value, frame)?))),
            )
        }
        Expr::NotZero(inner) => {
            Ok(evaluate(inner, frame)?.map(|value| Value::Boolean(value != Value::Integer(0))))
        }
        Expr::Known(inner) => Ok(Some(Value::Boolean(evaluate(inner, frame)?.is_some()))),
        Expr::Bound(bound) => {
            let [value, alpha, beta] = bound.each().map(|number| evaluate(number, frame));
            let (value, alpha, beta) = (value?, alpha?, beta?);
            let kind = value
                .zip(alpha.zip(beta))
                .map(|(value, (alpha, beta))| BoundKind::of(value.order(&alpha), value.order(&beta)));
            Ok(kind.map(BoundKind::value))
        }
        Expr::Not(inner) => Ok(match evaluate(inner, frame)? {
            Some(Value::Boolean(value)) => Some(Value::Boolean(!value)),
            _ => None,
        }),
        Expr::And(list) => join(false, list.iter().map(|inner| evaluate(inner, frame))),
        Expr::Or(list) => join(true, list.iter().map(|inner| evaluate(inner, frame))),
    }
}

/// Whether a filter lets the node through: only what is true passes.
///
/// # Errors
/// An overflow that nothing absorbs.
pub fn passes(expr: &Expr, frame: &dyn Frame) -> Result<bool, Overflow> {
    Ok(evaluate(expr, frame)? == Some(Value::Boolean(true)))
}

fn compare(operator: Comparison, left: &Option<Value>, right: &Option<Value>) -> Option<Value> {
    let (left, right) = (left.as_ref()?, right.as_ref()?);
    Some(Value::Boolean(operator.holds(left.order(right))))
}

/// `or` where `decisive` is true, `and` where it is false.
fn join(decisive: bool, terms: impl Iterator<Item = Evaluated>) -> Evaluated {
    let mut result = Ok(Some(Value::Boolean(!decisive)));
    for term in terms {
        match term {
            Ok(Some(Value::Boolean(value))) if value == decisive => {
                return Ok(Some(Value::Boolean(decisive)));
            }
            Ok(Some(_)) => {}
            Ok(None) if result.is_ok() => result = Ok(None),
            Err(overflow) if result.is_ok() => result = Err(overflow),
            _ => {}
        }
    }
    result
}

fn signed(
    value: Option<Value>,
    span: Span,
    of_integer: impl Fn(i128) -> i128,
    of_float: impl Fn(f64) -> f64,
) -> Evaluated {
    match value {
        Some(Value::Integer(value)) => integer(of_integer(value), span),
        Some(Value::Float(value)) => Ok(Value::float(of_float(value))),
        _ => Ok(None),
    }
}
