//! A cell of an answer.

use gt_query::Value;

/// A cell as a number.
pub(super) fn number(cell: Option<&Value>) -> Option<f64> {
    match cell? {
        Value::Integer(number) => Some(*number as f64),
        Value::Float(number) => Some(*number),
        Value::Boolean(truth) => Some(f64::from(u8::from(*truth))),
        Value::Text(_) | Value::Line(_) => None,
    }
}
