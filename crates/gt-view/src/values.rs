//! Values as JSON: what JavaScript's numbers cannot hold comes as text.
//!
//! What is shown is cut where it is longer than anybody reads; exports have the whole of it.

use gt_query::{Type, Value};
use serde::{Serialize, Serializer};

use crate::moves::Notation;

/// The largest integer up to which all are exact in a double.
const EXACT_MAX: i128 = 1 << 53;

/// A value in an answer. Whole numbers that JavaScript's numbers cannot hold, and infinite ones, are texts; what is
/// missing or not a number is `null`.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(untagged)]
pub(crate) enum Scalar {
    #[default]
    Null,
    Boolean(bool),
    // In TypeScript the same as a float, so that it is left out there.
    #[cfg_attr(test, ts(skip))]
    Integer(i64),
    Float(f64),
    Text(String),
}

impl Scalar {
    /// The number that a value is, if it is one.
    pub(crate) fn number(&self) -> Option<f64> {
        match self {
            Self::Integer(number) => Some(*number as f64),
            Self::Float(number) => Some(*number),
            Self::Null | Self::Boolean(_) | Self::Text(_) => None,
        }
    }

    /// The value as JSON.
    pub(crate) fn to_json(&self) -> String {
        serde_json::to_string(self).unwrap_or_default()
    }
}

impl From<&str> for Scalar {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

/// Values by the names of their attributes, in the order of the schema.
#[derive(Debug, Default)]
#[cfg_attr(test, derive(ts_rs::TS), ts(type = "Record<string, Scalar>"))]
pub(crate) struct Attributes(pub(crate) Vec<(String, Scalar)>);

impl Attributes {
    /// The value of the attribute with this name.
    pub(crate) fn get(&self, name: &str) -> Option<&Scalar> {
        self.0.iter().find(|(other, _)| other == name).map(|(_, value)| value)
    }
}

impl Serialize for Attributes {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, value)| (name, value)))
    }
}

pub(crate) fn integer(value: i128) -> Scalar {
    if value.abs() <= EXACT_MAX { Scalar::Integer(value as i64) } else { Scalar::Text(value.to_string()) }
}

pub(crate) fn float(value: f64) -> Scalar {
    match value {
        value if value.is_nan() => Scalar::Null,
        f64::INFINITY => Scalar::from("Infinity"),
        f64::NEG_INFINITY => Scalar::from("-Infinity"),
        value => Scalar::Float(value),
    }
}

/// A value of an attribute.
pub(crate) fn attribute(value: &gt_log::Value) -> Scalar {
    match value {
        gt_log::Value::Int(value) => integer(i128::from(*value)),
        gt_log::Value::UInt(value) => integer(i128::from(*value)),
        gt_log::Value::Float(value) => float(*value),
        gt_log::Value::Bool(value) => Scalar::Boolean(*value),
        gt_log::Value::Text(value) => Scalar::from(value.as_str()),
        gt_log::Value::Missing => Scalar::Null,
    }
}

/// The characters of a text that are shown.
const TEXT_CHARS_MAX: usize = 2000;
/// The moves of a line that are shown at each of its ends.
const LINE_ENDS: usize = 200;

/// A value of an attribute, cut to what is shown.
pub(crate) fn shown_attribute(value: &gt_log::Value) -> Scalar {
    match value {
        gt_log::Value::Text(text) => Scalar::Text(cut(text)),
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
pub(crate) fn shown(value: Option<&Value>, value_type: Type, notation: Notation<'_>) -> Scalar {
    match value {
        Some(Value::Text(text)) => Scalar::Text(cut(text)),
        Some(Value::Line(long)) if long.len() > 2 * LINE_ENDS => {
            let moves = long.moves();
            let (first, last) = (&moves[..LINE_ENDS], &moves[moves.len() - LINE_ENDS..]);
            Scalar::Text(format!("{} … {}", line(first, notation), line(last, notation)))
        }
        other => answer(other, value_type, notation),
    }
}

/// A value of a query; moves in the notation given.
pub(crate) fn answer(value: Option<&Value>, value_type: Type, notation: Notation<'_>) -> Scalar {
    match value {
        None => Scalar::Null,
        Some(Value::Integer(number)) if value_type == Type::Move => i64::try_from(*number)
            .map_or_else(|_| integer(*number), |code| Scalar::Text(notation.write(code))),
        Some(Value::Integer(number)) => integer(*number),
        Some(Value::Float(number)) => float(*number),
        Some(Value::Boolean(truth)) => Scalar::Boolean(*truth),
        Some(Value::Text(text)) => Scalar::from(&**text),
        Some(Value::Line(moves)) => Scalar::Text(line(&moves.moves(), notation)),
    }
}

fn line(moves: &[i64], notation: Notation<'_>) -> String {
    moves.iter().map(|code| notation.write(*code)).collect::<Vec<_>>().join(" ")
}
