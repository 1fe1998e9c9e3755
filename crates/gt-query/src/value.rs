//! Values, their types, and the results of operators on them.
//!
//! - An integer is exact: a node's values are in `i64::MIN ..= u64::MAX`, and every result of arithmetic is in `i64`
//!   or an [overflow](Overflow), never wrapped. `&`, `|` and comparisons accept the whole range.
//! - A float is never NaN and never `-0.0`: NaN is *unknown* (`None`), and zero has one form. So equal floats are
//!   equal bits, and the order of values is total.
//! - A truth value is `Some(true)`, `Some(false)` or unknown, `None`.

use std::cmp::Ordering;
use std::fmt;
use std::sync::Arc;

use crate::line::Line;
use crate::operation::{Arithmetic, Comparison};
use crate::span::Span;

/// The type of an expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Type {
    /// A whole number.
    Integer,
    /// A whole number made by `&` or `|`, which is also a truth value: whether it is not 0.
    Bits,
    /// A floating-point number.
    Float,
    /// True or false.
    Boolean,
    /// A text.
    Text,
    /// A move: a whole number that texts in the game's notation stand for.
    Move,
    /// A sequence of moves.
    Line,
}

impl Type {
    /// Whether values are whole numbers.
    #[must_use]
    pub const fn is_integer(self) -> bool {
        matches!(self, Self::Integer | Self::Bits | Self::Move)
    }

    /// Whether values are numbers.
    #[must_use]
    pub const fn is_number(self) -> bool {
        self.is_integer() || matches!(self, Self::Float)
    }
}

impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Integer | Self::Bits => "an integer",
            Self::Float => "a float",
            Self::Boolean => "a truth value",
            Self::Text => "a text",
            Self::Move => "a move",
            Self::Line => "a line of moves",
        })
    }
}

/// A value of an attribute or an expression.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// An integer or a move, in `i64::MIN ..= u64::MAX`.
    Integer(i128),
    /// A float; make it with [`Value::float`].
    Float(f64),
    /// A truth value.
    Boolean(bool),
    /// A text.
    Text(Arc<str>),
    /// The moves from the root to a node.
    Line(Line),
}

// No float is NaN.
impl Eq for Value {}

impl std::hash::Hash for Value {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        match self {
            Self::Integer(value) => value.hash(state),
            Self::Float(value) => value.to_bits().hash(state),
            Self::Boolean(value) => value.hash(state),
            Self::Text(value) => value.hash(state),
            Self::Line(value) => value.hash(state),
        }
    }
}

/// An overflow: the result of the operator at this place does not fit into a 64-bit integer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Overflow {
    /// The place of the operator's expression in the query text.
    pub span: Span,
    /// The node at which the query was evaluated, if there is one.
    pub node: Option<u64>,
}

impl Overflow {
    /// Makes an overflow of the expression at this place.
    #[must_use]
    pub const fn new(span: Span) -> Self {
        Self { span, node: None }
    }

    /// Adds the node at which the query was evaluated.
    #[must_use]
    pub const fn at(self, node: u64) -> Self {
        Self { node: Some(node), ..self }
    }
}

impl Value {
    /// Makes a float; `None` (unknown) if it is not a number.
    #[must_use]
    pub fn float(value: f64) -> Option<Self> {
        // Adding zero turns -0.0 into 0.0 and leaves everything else.
        (!value.is_nan()).then_some(Self::Float(value + 0.0))
    }

    /// Makes a text.
    #[must_use]
    pub fn text(value: &str) -> Self {
        Self::Text(value.into())
    }

    /// Returns the value of a parameter given as text: an integer, a float, `true` or `false`, or else the
    /// text.
    ///
    /// ```
    /// use gt_query::Value;
    /// assert_eq!(Value::of_parameter("8"), Value::Integer(8));
    /// assert_eq!(Value::of_parameter("e2e4"), Value::text("e2e4"));
    /// ```
    #[must_use]
    pub fn of_parameter(text: &str) -> Self {
        let trimmed = text.trim();
        if let Ok(value) = trimmed.parse::<i64>() {
            return Self::Integer(value.into());
        }
        if let Ok(value) = trimmed.parse::<u64>() {
            return Self::Integer(value.into());
        }
        let numeric = trimmed.starts_with(|c: char| c.is_ascii_digit() || matches!(c, '-' | '+' | '.'));
        match trimmed.parse::<f64>() {
            Ok(value) if numeric && value.is_finite() => Self::Float(value + 0.0),
            _ if trimmed == "true" || trimmed == "false" => Self::Boolean(trimmed == "true"),
            _ => Self::text(text),
        }
    }

    /// Returns the type, as far as the value alone determines it.
    #[must_use]
    pub const fn type_of(&self) -> Type {
        match self {
            Self::Integer(_) => Type::Integer,
            Self::Float(_) => Type::Float,
            Self::Boolean(_) => Type::Boolean,
            Self::Text(_) => Type::Text,
            Self::Line(_) => Type::Line,
        }
    }

    /// Returns the number as a float, rounded to the nearest.
    #[must_use]
    #[allow(clippy::cast_precision_loss)]
    pub const fn as_float(&self) -> Option<f64> {
        match self {
            Self::Integer(value) => Some(*value as f64),
            Self::Float(value) => Some(*value),
            _ => None,
        }
    }

    /// Returns the order of two values; numbers are compared exactly. Values of different types have an order too, so
    /// that sorting cannot fail.
    #[must_use]
    pub fn order(&self, other: &Self) -> Ordering {
        match (self, other) {
            (Self::Integer(left), Self::Integer(right)) => left.cmp(right),
            (Self::Float(left), Self::Float(right)) => left.total_cmp(right),
            (Self::Integer(left), Self::Float(right)) => order_mixed(*left, *right),
            (Self::Float(left), Self::Integer(right)) => order_mixed(*right, *left).reverse(),
            (Self::Boolean(left), Self::Boolean(right)) => left.cmp(right),
            (Self::Text(left), Self::Text(right)) => left.cmp(right),
            (Self::Line(left), Self::Line(right)) => left.moves().cmp(&right.moves()),
            _ => self.rank().cmp(&other.rank()),
        }
    }

    const fn rank(&self) -> u8 {
        match self {
            Self::Boolean(_) => 0,
            Self::Integer(_) | Self::Float(_) => 1,
            Self::Text(_) => 2,
            Self::Line(_) => 3,
        }
    }
}

impl fmt::Display for Value {
    /// Writes the value as in a query; a move or line as its numbers, which a game's notation can replace.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Integer(value) => write!(f, "{value}"),
            Self::Float(value) => write!(f, "{value:?}"),
            Self::Boolean(value) => write!(f, "{value}"),
            Self::Text(value) => f.write_str(value),
            Self::Line(line) => {
                let words: Vec<String> = line.moves().iter().map(i64::to_string).collect();
                f.write_str(&words.join(" "))
            }
        }
    }
}

/// The order of an integer and a float that is not NaN, without rounding the integer.
#[allow(clippy::cast_possible_truncation)] // The float is whole and within range where it is converted.
pub(crate) fn order_mixed(left: i128, right: f64) -> Ordering {
    const BEYOND: f64 = 1e30;
    if right.abs() >= BEYOND {
        return if right > 0.0 { Ordering::Less } else { Ordering::Greater };
    }
    let whole = right.floor();
    left.cmp(&(whole as i128)).then(if right > whole { Ordering::Less } else { Ordering::Equal })
}

impl Comparison {
    /// Returns the comparison with its sides exchanged.
    #[must_use]
    pub const fn mirrored(self) -> Self {
        match self {
            Self::Less => Self::Greater,
            Self::LessEqual => Self::GreaterEqual,
            Self::Greater => Self::Less,
            Self::GreaterEqual => Self::LessEqual,
            Self::Equal | Self::NotEqual => self,
        }
    }

    /// Whether two values in this order satisfy the comparison.
    #[must_use]
    pub const fn holds(self, order: Ordering) -> bool {
        match self {
            Self::Equal => order.is_eq(),
            Self::NotEqual => order.is_ne(),
            Self::Less => order.is_lt(),
            Self::LessEqual => order.is_le(),
            Self::Greater => order.is_gt(),
            Self::GreaterEqual => order.is_ge(),
        }
    }
}

/// The bound of a node's value, from the window in which it was searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BoundKind {
    /// Within the window: the value itself.
    Exact,
    /// At the upper end of the window or beyond: the true value is at least this.
    Lower,
    /// At the lower end or beyond: the true value is at most this.
    Upper,
}

impl BoundKind {
    /// All of them, in the order of their texts.
    pub const ALL: [Self; 3] = [Self::Exact, Self::Lower, Self::Upper];

    /// Returns the bound of a value from its order relative to alpha and to beta. If the window is empty and both
    /// ends are reached, the search took the cutoff: it is a lower bound.
    #[must_use]
    pub const fn of(to_alpha: Ordering, to_beta: Ordering) -> Self {
        if to_beta.is_ge() {
            Self::Lower
        } else if to_alpha.is_le() {
            Self::Upper
        } else {
            Self::Exact
        }
    }

    /// Returns its text in the language.
    #[must_use]
    pub const fn text(self) -> &'static str {
        match self {
            Self::Exact => "exact",
            Self::Lower => "lower",
            Self::Upper => "upper",
        }
    }

    /// Returns its text as a value.
    #[must_use]
    pub fn value(self) -> Value {
        Value::text(self.text())
    }
}

/// An integer result, if it fits in 64 bits.
///
/// # Errors
/// Returns the overflow of the operator at `span`.
pub(crate) fn integer(value: i128, span: Span) -> Result<Option<Value>, Overflow> {
    if i64::try_from(value).is_ok() { Ok(Some(Value::Integer(value))) } else { Err(Overflow::new(span)) }
}

impl Arithmetic {
    /// Returns the result for two numbers; unknown for a division by zero.
    ///
    /// # Errors
    /// Returns an overflow if an integer result does not fit in 64 bits.
    pub fn apply(self, left: &Value, right: &Value, span: Span) -> Result<Option<Value>, Overflow> {
        match (left, right) {
            (Value::Integer(left), Value::Integer(right)) => self.apply_integers(*left, *right, span),
            _ => Ok(left.as_float().zip(right.as_float()).and_then(|(l, r)| self.apply_floats(l, r))),
        }
    }

    fn apply_integers(self, left: i128, right: i128, span: Span) -> Result<Option<Value>, Overflow> {
        match self {
            // Both sides have at most 65 bits, so nothing below overflows 128.
            Self::BitAnd => Ok(Some(Value::Integer(left & right))),
            Self::BitOr => Ok(Some(Value::Integer(left | right))),
            Self::Add => integer(left + right, span),
            Self::Subtract => integer(left - right, span),
            Self::Multiply => left.checked_mul(right).map_or(Err(Overflow::new(span)), |v| integer(v, span)),
            Self::Divide | Self::Remainder if right == 0 => Ok(None),
            Self::Divide => integer(left / right, span),
            Self::Remainder => integer(left % right, span),
        }
    }

    fn apply_floats(self, left: f64, right: f64) -> Option<Value> {
        match self {
            Self::Add => Value::float(left + right),
            Self::Subtract => Value::float(left - right),
            Self::Multiply => Value::float(left * right),
            Self::Divide | Self::Remainder if right == 0.0 => None,
            Self::Divide => Value::float(left / right),
            Self::Remainder => Value::float(left % right),
            Self::BitAnd | Self::BitOr => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_and_floats_compare_exactly() {
        let big = (1_i128 << 53) + 1;
        assert_eq!(order_mixed(big, 9_007_199_254_740_992.0), Ordering::Greater);
        assert_eq!(order_mixed(2, 2.5), Ordering::Less);
        assert_eq!(order_mixed(-2, -2.5), Ordering::Greater);
        assert_eq!(order_mixed(3, 3.0), Ordering::Equal);
        assert_eq!(order_mixed(i128::from(u64::MAX), f64::INFINITY), Ordering::Less);
        assert_eq!(order_mixed(0, f64::NEG_INFINITY), Ordering::Greater);
    }

    #[test]
    fn results_beyond_64_bits_are_overflows() {
        let span = Span::new(1, 2);
        let apply = |operator: Arithmetic, left: i128, right: i128| {
            operator.apply(&Value::Integer(left), &Value::Integer(right), span)
        };
        let (min, max) = (i128::from(i64::MIN), i128::from(i64::MAX));
        assert!(apply(Arithmetic::Add, max, 1).is_err());
        assert!(apply(Arithmetic::Divide, min, -1).is_err());
        assert_eq!(apply(Arithmetic::Remainder, min, -1), Ok(Some(Value::Integer(0))));
        assert_eq!(apply(Arithmetic::Divide, -7, 2), Ok(Some(Value::Integer(-3))));
        assert_eq!(apply(Arithmetic::Remainder, -7, 2), Ok(Some(Value::Integer(-1))));
        assert_eq!(apply(Arithmetic::Divide, 1, 0), Ok(None));
        let hash = i128::from(u64::MAX);
        assert_eq!(apply(Arithmetic::BitAnd, hash, 255), Ok(Some(Value::Integer(255))));
        assert!(apply(Arithmetic::Multiply, hash, hash).is_err());
    }
}
