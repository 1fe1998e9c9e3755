//! What a node's value says: the value itself, or only that it is at least or at most so much.
//!
//! ```text
//! best >= beta    the search was cut off: the value is at least `best`   lower
//! best <= alpha   no move reached alpha: the value is at most `best`     upper
//! otherwise       the value                                              exact
//! ```
//!
//! Window and value are the node's own, so that nothing has to be known of its parent or of who is to move.

use gt_log::{Kind, Schema, Value};
use gt_query::{BoundKind, VALUE_NAMES};
use serde::Serialize;

/// How a value is to be read; in JSON, GTQL's word for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub(crate) enum Bound {
    Exact,
    Lower,
    Upper,
}

impl From<BoundKind> for Bound {
    fn from(kind: BoundKind) -> Self {
        match kind {
            BoundKind::Exact => Self::Exact,
            BoundKind::Lower => Self::Lower,
            BoundKind::Upper => Self::Upper,
        }
    }
}

/// The attributes that hold a node's window and value, by their places in the schema.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Window {
    pub(crate) alpha: usize,
    pub(crate) beta: usize,
    pub(crate) value: usize,
}

impl Window {
    /// The window and the value of a log's nodes, if it has them.
    pub(crate) fn of(schema: &Schema) -> Option<Self> {
        Self::with_prefix(schema, "")
    }

    /// The window and the value in attributes whose names begin with a prefix.
    pub(crate) fn with_prefix(schema: &Schema, prefix: &str) -> Option<Self> {
        let is_number = |place: &usize| !matches!(schema.attributes()[*place].kind, Kind::Bool | Kind::Text);
        let position = |name: &&str| schema.position(&format!("{prefix}{name}"));
        let place = |names: &[&str]| names.iter().filter_map(position).find(is_number);
        Some(Self { alpha: place(&["alpha"])?, beta: place(&["beta"])?, value: place(&VALUE_NAMES)? })
    }
}

impl Bound {
    /// How a value is to be read after a search with this window; nothing if one of them is unknown.
    pub(crate) fn of(alpha: &Value, beta: &Value, value: &Value) -> Option<Self> {
        Some(BoundKind::of(order(value, alpha)?, order(value, beta)?).into())
    }
}

/// The order of two numbers; nothing if one is none.
fn order(left: &Value, right: &Value) -> Option<std::cmp::Ordering> {
    match (whole(left), whole(right)) {
        (Some(left), Some(right)) => Some(left.cmp(&right)),
        _ => real(left)?.partial_cmp(&real(right)?),
    }
}

/// The number that a value is, if it is a whole one.
pub(crate) fn whole(value: &Value) -> Option<i128> {
    match value {
        Value::Int(number) => Some(i128::from(*number)),
        Value::UInt(number) => Some(i128::from(*number)),
        _ => None,
    }
}

fn real(value: &Value) -> Option<f64> {
    match value {
        Value::Float(number) => Some(*number),
        other => whole(other).map(|number| number as f64),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bound_is_written_in_gtqls_word() {
        for kind in [BoundKind::Exact, BoundKind::Lower, BoundKind::Upper] {
            assert_eq!(serde_json::to_value(Bound::from(kind)).unwrap(), kind.text());
        }
    }

    #[test]
    fn a_value_outside_its_window_is_a_bound() {
        let bound = |alpha: i64, beta: i64, value: i64| {
            Bound::of(&Value::Int(alpha), &Value::Int(beta), &Value::Int(value))
        };
        assert_eq!(bound(-10, 10, 0), Some(Bound::Exact));
        assert_eq!(bound(-10, 10, 10), Some(Bound::Lower));
        assert_eq!(bound(-10, 10, 99), Some(Bound::Lower));
        assert_eq!(bound(-10, 10, -10), Some(Bound::Upper));
        assert_eq!(bound(-10, 10, -99), Some(Bound::Upper));
        assert_eq!(bound(i64::MIN, i64::MAX, 0), Some(Bound::Exact));
        let float = |value: f64| Bound::of(&Value::Float(-0.5), &Value::Float(0.5), &Value::Float(value));
        assert_eq!((float(0.0), float(0.5)), (Some(Bound::Exact), Some(Bound::Lower)));
        assert_eq!((float(f64::NEG_INFINITY), float(f64::NAN)), (Some(Bound::Upper), None));
    }
}
