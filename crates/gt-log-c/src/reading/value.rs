//! Values of logs and of queries in C's form.

use std::ffi::c_int;

use gt_log::Kind;
use gt_query::{Type, Value};

use super::handle::Texts;
use crate::abi::{GTL_BOOL, GTL_FLOAT, GTL_INT, GTL_LINE, GTL_TEXT, GTL_UINT, GTL_UNKNOWN, GTValue};

impl GTValue {
    pub(super) const UNKNOWN: Self = Self::plain(GTL_UNKNOWN, 0, 0.0);

    const fn plain(kind: c_int, integer: i64, number: f64) -> Self {
        Self { kind, integer, number, text: std::ptr::null() }
    }

    /// A value of an attribute.
    pub(super) fn of_attribute(value: &gt_log::Value, texts: &mut Texts) -> Self {
        match value {
            gt_log::Value::Int(value) => Self::plain(GTL_INT, *value, *value as f64),
            gt_log::Value::UInt(value) => Self::plain(GTL_UINT, *value as i64, *value as f64),
            gt_log::Value::Float(value) => Self::plain(GTL_FLOAT, *value as i64, *value),
            gt_log::Value::Bool(value) => Self::plain(GTL_BOOL, i64::from(*value), f64::from(*value)),
            gt_log::Value::Text(value) => Self { text: texts.keep(value), ..Self::plain(GTL_TEXT, 0, 0.0) },
            gt_log::Value::Missing => Self::UNKNOWN,
        }
    }

    /// A cell of an answer.
    pub(super) fn of_cell(value: Option<&Value>, texts: &mut Texts) -> Self {
        match value {
            None => Self::UNKNOWN,
            Some(Value::Integer(value)) => match i64::try_from(*value) {
                Ok(value) => Self::plain(GTL_INT, value, value as f64),
                // A larger value comes from an unsigned attribute.
                Err(_) => Self::plain(GTL_UINT, *value as u64 as i64, *value as f64),
            },
            Some(Value::Float(value)) => Self::plain(GTL_FLOAT, *value as i64, *value),
            Some(Value::Boolean(value)) => Self::plain(GTL_BOOL, i64::from(*value), f64::from(*value)),
            Some(Value::Text(value)) => Self { text: texts.keep(value), ..Self::plain(GTL_TEXT, 0, 0.0) },
            Some(Value::Line(line)) => {
                let moves = line.moves();
                let text: Vec<String> = moves.iter().map(i64::to_string).collect();
                let count = moves.len();
                let text = texts.keep(&text.join(" "));
                Self { text, ..Self::plain(GTL_LINE, count as i64, count as f64) }
            }
        }
    }
}

/// The type of an attribute, and the size of its values in bytes.
pub(super) fn type_of_kind(kind: Kind) -> (c_int, usize) {
    let code = match kind {
        Kind::I8 | Kind::I16 | Kind::I32 | Kind::I64 => GTL_INT,
        Kind::U8 | Kind::U16 | Kind::U32 | Kind::U64 => GTL_UINT,
        Kind::F32 | Kind::F64 => GTL_FLOAT,
        Kind::Bool => GTL_BOOL,
        Kind::Text => return (GTL_TEXT, size_of::<*const u8>()),
    };
    (code, kind.width())
}

/// The type of a column of an answer.
pub(super) fn type_of_column(column: Type) -> c_int {
    match column {
        Type::Integer | Type::Bits | Type::Move => GTL_INT,
        Type::Float => GTL_FLOAT,
        Type::Boolean => GTL_BOOL,
        Type::Text => GTL_TEXT,
        Type::Line => GTL_LINE,
    }
}
