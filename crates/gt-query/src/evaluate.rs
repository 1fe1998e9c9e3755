//! The value of one expression at one node.
//!
//! Logic is three-valued: `and` is false if any term is, `or` is true if any term is, whatever the rest; otherwise
//! unknown wins. An overflow ranks between: it yields to a deciding term (`false` in `and`, `true` in `or`), and wins
//! over unknown. So the result never depends on the order of evaluation, and a guard (`x != 0 and …`) works from
//! either side.

use std::cmp::Ordering;
use std::fmt;

use crate::ir::{AggregateId, Expr, Operand, Operation};
use crate::span::Span;
use crate::syntax::ast::Comparison;
use crate::value::{BoundKind, Overflow, Value, integer};

/// A value, unknown, or an overflow.
pub type Evaluated = Result<Option<Value>, Overflow>;

/// The reason why a bound query has no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunError {
    /// The query's name, or its number in the file, from 1.
    pub query: String,
    /// The place in the query text where it happened.
    pub span: Span,
    /// The node at which a filter, cell, key or aggregate of matches was evaluated; `None` if the result is of many
    /// nodes. If several nodes overflow, it is that of the expression first in the text, and then the first in the
    /// tree.
    pub node: Option<u64>,
}

impl fmt::Display for RunError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "query {}: a result is outside the 64-bit integers", self.query)?;
        self.node.map_or(Ok(()), |node| write!(f, ", at node {node}"))
    }
}

impl std::error::Error for RunError {}

/// The context in which an expression is evaluated: a node and its known values.
pub trait Frame {
    /// Returns the value of an operand; unknown if its node does not exist.
    fn read(&self, operand: Operand) -> Evaluated;
    /// Returns the value of an aggregate.
    fn aggregate(&self, id: AggregateId) -> Evaluated;
    /// Returns the value of a group's key.
    fn key(&self, index: usize) -> Evaluated {
        let _ = index;
        Ok(None)
    }
}

/// The frame of constants, in which there is nothing to read.
pub(crate) struct NoNode;

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
/// Returns an overflow that no operator absorbs.
pub fn evaluate(expr: &Expr, frame: &dyn Frame) -> Evaluated {
    match expr {
        Expr::Constant(value) => Ok(value.clone()),
        Expr::Read(operand) => frame.read(*operand),
        Expr::Aggregate(id) => frame.aggregate(*id),
        Expr::Key(index) => frame.key(*index),
        Expr::Apply(operation, arguments, origin) => apply(*operation, arguments, origin.0, frame),
    }
}

fn apply(operation: Operation, arguments: &[Expr], span: Span, frame: &dyn Frame) -> Evaluated {
    let mut each = arguments.iter().map(|argument| evaluate(argument, frame));
    match operation {
        Operation::And => join(false, each),
        Operation::Or => join(true, each),
        Operation::In => {
            let item = each.next().unwrap_or(Ok(None))?;
            join(true, each.map(|value| Ok(compare(Comparison::Equal, &item, &value?))))
        }
        // Only the chosen branch is evaluated.
        Operation::If => match evaluate(&arguments[0], frame)? {
            Some(Value::Boolean(holds)) => evaluate(&arguments[if holds { 1 } else { 2 }], frame),
            _ => Ok(None),
        },
        _ => {
            let mut values = [None, None, None];
            for (value, argument) in values.iter_mut().zip(each) {
                *value = argument?;
            }
            strict(operation, values, span)
        }
    }
}

/// The result of an operation on known values; except for `Known`, it is unknown if any of them is.
///
/// # Errors
/// Returns an overflow if an integer result does not fit in 64 bits.
pub(crate) fn strict(operation: Operation, values: [Option<Value>; 3], span: Span) -> Evaluated {
    let truth = |holds: bool| Ok(Some(Value::Boolean(holds)));
    let of_texts = |holds: fn(&str, &str) -> bool| match &values {
        [Some(Value::Text(text)), Some(Value::Text(part)), _] => truth(holds(text, part)),
        _ => Ok(None),
    };
    let chosen = |order: Ordering| match values.clone() {
        [Some(first), Some(second), _] => {
            Ok(Some(if second.order(&first) == order { second } else { first }))
        }
        _ => Ok(None),
    };
    let of_float = |make: fn(f64) -> f64| {
        Ok(values[0].as_ref().and_then(Value::as_float).map(make).and_then(Value::float))
    };
    match operation {
        Operation::Negate => signed(&values[0], span, |v| -v, |v| -v),
        Operation::Abs => signed(&values[0], span, i128::abs, f64::abs),
        Operation::Sqrt => of_float(f64::sqrt),
        Operation::Log => of_float(|value| if value > 0.0 { value.ln() } else { f64::NAN }),
        Operation::Round => round(&values[0], span),
        Operation::Lower => Ok(match &values[0] {
            Some(Value::Text(text)) => Some(Value::text(&text.to_lowercase())),
            _ => None,
        }),
        Operation::Arithmetic(operator) => match &values {
            [Some(left), Some(right), _] => operator.apply(left, right, span),
            _ => Ok(None),
        },
        Operation::Compare(operator) => Ok(compare(operator, &values[0], &values[1])),
        Operation::StartsWith => of_texts(|text, part| text.starts_with(part)),
        Operation::Contains => of_texts(|text, part| text.contains(part)),
        Operation::NotZero => Ok(values[0].as_ref().map(|value| Value::Boolean(*value != Value::Integer(0)))),
        Operation::Known => truth(values[0].is_some()),
        Operation::Bound => Ok(match &values {
            [Some(value), Some(alpha), Some(beta)] => {
                Some(BoundKind::of(value.order(alpha), value.order(beta)).value())
            }
            _ => None,
        }),
        Operation::Not => Ok(match values[0] {
            Some(Value::Boolean(value)) => Some(Value::Boolean(!value)),
            _ => None,
        }),
        Operation::Least => chosen(Ordering::Less),
        Operation::Greatest => chosen(Ordering::Greater),
        // These do not need all of their arguments: `apply` handles them.
        Operation::And | Operation::Or | Operation::In | Operation::If => Ok(None),
    }
}

/// Whether the node passes a filter; only `true` passes.
///
/// # Errors
/// Returns an overflow that no operator absorbs.
pub(crate) fn passes(expr: &Expr, frame: &dyn Frame) -> Result<bool, Overflow> {
    Ok(evaluate(expr, frame)? == Some(Value::Boolean(true)))
}

fn compare(operator: Comparison, left: &Option<Value>, right: &Option<Value>) -> Option<Value> {
    let (left, right) = (left.as_ref()?, right.as_ref()?);
    Some(Value::Boolean(operator.holds(left.order(right))))
}

/// Joins terms: with `or` if `decisive` is true, with `and` if it is false.
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
    value: &Option<Value>,
    span: Span,
    of_integer: impl Fn(i128) -> i128,
    of_float: impl Fn(f64) -> f64,
) -> Evaluated {
    match value {
        Some(Value::Integer(value)) => integer(of_integer(*value), span),
        Some(Value::Float(value)) => Ok(Value::float(of_float(*value))),
        _ => Ok(None),
    }
}

#[allow(clippy::cast_possible_truncation)] // What is beyond 128 bits is beyond 64 as well.
fn round(value: &Option<Value>, span: Span) -> Evaluated {
    match value {
        Some(Value::Integer(value)) => integer(*value, span),
        Some(Value::Float(value)) if value.is_finite() => integer(value.round() as i128, span),
        _ => Ok(None),
    }
}
