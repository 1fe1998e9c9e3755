//! Values as JSON: what JavaScript's numbers cannot hold comes as text.

use serde_json::{Number, Value as Json, json};

/// The largest integer up to which all are exact in a double.
const EXACT_MAX: i128 = 1 << 53;

pub(crate) fn integer(value: i128) -> Json {
    if value.abs() <= EXACT_MAX {
        return Json::from(value as i64);
    }
    Json::from(value.to_string())
}

pub(crate) fn float(value: f64) -> Json {
    match Number::from_f64(value) {
        Some(number) => Json::Number(number),
        None if value.is_nan() => Json::Null,
        None => json!(if value > 0.0 { "Infinity" } else { "-Infinity" }),
    }
}

/// A value of an attribute.
pub(crate) fn attribute(value: &gt_log::Value) -> Json {
    match value {
        gt_log::Value::Int(value) => integer(i128::from(*value)),
        gt_log::Value::UInt(value) => integer(i128::from(*value)),
        gt_log::Value::Float(value) => float(*value),
        gt_log::Value::Bool(value) => Json::Bool(*value),
        gt_log::Value::Text(value) => Json::from(value.as_str()),
        gt_log::Value::Missing => Json::Null,
    }
}

/// A value of a query; moves in the notation given.
pub(crate) fn answer(
    value: Option<&gt_query::Value>,
    value_type: gt_query::Type,
    notation: crate::moves::Notation,
) -> Json {
    match value {
        None => Json::Null,
        Some(gt_query::Value::Integer(number)) if value_type == gt_query::Type::Move => {
            i64::try_from(*number).map_or_else(|_| integer(*number), |code| Json::from(notation.write(code)))
        }
        Some(gt_query::Value::Integer(number)) => integer(*number),
        Some(gt_query::Value::Float(number)) => float(*number),
        Some(gt_query::Value::Boolean(truth)) => Json::Bool(*truth),
        Some(gt_query::Value::Text(text)) => Json::from(&**text),
        Some(gt_query::Value::Line(line)) => {
            Json::from(line.moves().iter().map(|code| notation.write(*code)).collect::<Vec<_>>().join(" "))
        }
    }
}
