//! Values as JSON: what JavaScript's numbers cannot hold comes as text.
//!
//! What is shown is cut where it is longer than anybody reads; exports have the whole of it.

use gt_query::{Type, Value};
use serde_json::{Number, Value as Json, json};

use crate::moves::Notation;

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

/// The characters of a text that are shown.
const TEXT_CHARS_MAX: usize = 2000;
/// The moves of a line that are shown at each of its ends.
const LINE_ENDS: usize = 200;

/// A value of an attribute, cut to what is shown.
pub(crate) fn shown_attribute(value: &gt_log::Value) -> Json {
    match value {
        gt_log::Value::Text(text) => Json::from(cut(text)),
        other => attribute(other),
    }
}

/// The beginning of a text; all of it where it is not too long.
pub(crate) fn cut(text: &str) -> String {
    match text.char_indices().nth(TEXT_CHARS_MAX) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// The moves of a line, cut to what is shown.
pub(crate) fn cut_line(moves: &[String]) -> String {
    if moves.len() <= 2 * LINE_ENDS {
        return moves.join(" ");
    }
    format!("{} … {}", moves[..LINE_ENDS].join(" "), moves[moves.len() - LINE_ENDS..].join(" "))
}

/// A value of a query, cut to what is shown.
pub(crate) fn shown(value: Option<&Value>, value_type: Type, notation: Notation<'_>) -> Json {
    match value {
        Some(Value::Text(text)) => Json::from(cut(text)),
        Some(Value::Line(long)) if long.len() > 2 * LINE_ENDS => {
            let moves = long.moves();
            let (first, last) = (&moves[..LINE_ENDS], &moves[moves.len() - LINE_ENDS..]);
            Json::from(format!("{} … {}", line(first, notation), line(last, notation)))
        }
        other => answer(other, value_type, notation),
    }
}

/// A value of a query; moves in the notation given.
pub(crate) fn answer(value: Option<&Value>, value_type: Type, notation: Notation<'_>) -> Json {
    match value {
        None => Json::Null,
        Some(Value::Integer(number)) if value_type == Type::Move => {
            i64::try_from(*number).map_or_else(|_| integer(*number), |code| Json::from(notation.write(code)))
        }
        Some(Value::Integer(number)) => integer(*number),
        Some(Value::Float(number)) => float(*number),
        Some(Value::Boolean(truth)) => Json::Bool(*truth),
        Some(Value::Text(text)) => Json::from(&**text),
        Some(Value::Line(moves)) => Json::from(line(&moves.moves(), notation)),
    }
}

fn line(moves: &[i64], notation: Notation<'_>) -> String {
    moves.iter().map(|code| notation.write(*code)).collect::<Vec<_>>().join(" ")
}
