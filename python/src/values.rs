//! Values of logs and queries as Python's, and answers as Arrow arrays.

use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use arrow_array::builder::{BooleanBuilder, Float64Builder, Int64Builder, StringBuilder, UInt64Builder};
use arrow_array::{ArrayRef, RecordBatch, RecordBatchOptions};
use arrow_schema::{ArrowError, DataType, Field, Schema, SchemaRef};
use gt_fleet::{Column, Row};
use gt_query::{MoveCodec, Type, Value};
use pyo3::IntoPyObjectExt;
use pyo3::prelude::*;

/// A value of a log.
pub(crate) fn of_log(py: Python<'_>, value: &gt_log::Value) -> PyResult<Py<PyAny>> {
    match value {
        gt_log::Value::Missing => Ok(py.None()),
        gt_log::Value::Int(number) => number.into_py_any(py),
        gt_log::Value::UInt(number) => number.into_py_any(py),
        gt_log::Value::Float(number) => number.into_py_any(py),
        gt_log::Value::Bool(truth) => truth.into_py_any(py),
        gt_log::Value::Text(text) => text.into_py_any(py),
    }
}

/// A value of an answer.
pub(crate) fn of_answer(py: Python<'_>, value: Option<&Value>) -> PyResult<Py<PyAny>> {
    match value {
        None => Ok(py.None()),
        Some(Value::Integer(number)) => match i64::try_from(*number) {
            Ok(number) => number.into_py_any(py),
            Err(_) => u64::try_from(*number).unwrap_or(u64::MAX).into_py_any(py),
        },
        Some(Value::Float(number)) => number.into_py_any(py),
        Some(Value::Boolean(truth)) => truth.into_py_any(py),
        Some(Value::Text(text)) => text.into_py_any(py),
        Some(Value::Line(line)) => line.moves().into_py_any(py),
    }
}

/// Names of their own for columns: of two with one name the second is `NAME_2`.
pub(crate) fn own_names(headings: impl Iterator<Item = String>) -> Vec<String> {
    let headings: Vec<String> = headings.collect();
    let mut taken: HashSet<String> = headings.iter().cloned().collect();
    // The number that the next column with this heading is tried with.
    let mut numbers: HashMap<&str, usize> = HashMap::new();
    let name = |heading| match numbers.entry(heading) {
        Entry::Vacant(first) => {
            first.insert(2);
            heading.to_owned()
        }
        Entry::Occupied(mut number) => loop {
            let name = format!("{heading}_{}", number.get());
            *number.get_mut() += 1;
            if taken.insert(name.clone()) {
                return name;
            }
        },
    };
    headings.iter().map(String::as_str).map(name).collect()
}

/// The Arrow schema of answers with these columns.
pub(crate) fn schema(columns: &[Column]) -> SchemaRef {
    let names = own_names(columns.iter().map(|column| column.heading.clone()));
    let field = |(name, column): (String, &Column)| Field::new(name, data_type(column), true);
    Arc::new(Schema::new(names.into_iter().zip(columns).map(field).collect::<Vec<_>>()))
}

pub(crate) fn data_type(column: &Column) -> DataType {
    match column.value_type {
        Type::Integer | Type::Bits if column.is_unsigned => DataType::UInt64,
        Type::Integer | Type::Bits | Type::Move => DataType::Int64,
        Type::Float => DataType::Float64,
        Type::Boolean => DataType::Boolean,
        Type::Text | Type::Line => DataType::Utf8,
    }
}

/// Rows as a batch of this schema; lines become texts.
pub(crate) fn batch(schema: &SchemaRef, rows: &[Row]) -> Result<RecordBatch, ArrowError> {
    let arrays = schema.fields().iter().enumerate().map(|(place, field)| {
        let cells = rows.iter().map(|row| row.get(place).and_then(Option::as_ref));
        array(field.data_type(), cells)
    });
    let options = RecordBatchOptions::new().with_row_count(Some(rows.len()));
    RecordBatch::try_new_with_options(Arc::clone(schema), arrays.collect(), &options)
}

fn array<'v>(data_type: &DataType, cells: impl Iterator<Item = Option<&'v Value>>) -> ArrayRef {
    match data_type {
        DataType::UInt64 => {
            let mut builder = UInt64Builder::new();
            cells.for_each(|cell| {
                builder.append_option(cell.and_then(integer).and_then(|n| u64::try_from(n).ok()));
            });
            Arc::new(builder.finish())
        }
        DataType::Float64 => {
            let mut builder = Float64Builder::new();
            cells.for_each(|cell| builder.append_option(cell.and_then(Value::as_float)));
            Arc::new(builder.finish())
        }
        DataType::Boolean => {
            let mut builder = BooleanBuilder::new();
            cells.for_each(|cell| {
                builder.append_option(match cell {
                    Some(Value::Boolean(truth)) => Some(*truth),
                    _ => None,
                });
            });
            Arc::new(builder.finish())
        }
        DataType::Utf8 => {
            let mut builder = StringBuilder::new();
            cells.for_each(|cell| builder.append_option(cell.map(text)));
            Arc::new(builder.finish())
        }
        _ => {
            let mut builder = Int64Builder::new();
            cells.for_each(|cell| {
                builder.append_option(cell.and_then(integer).and_then(|n| i64::try_from(n).ok()));
            });
            Arc::new(builder.finish())
        }
    }
}

fn integer(value: &Value) -> Option<i128> {
    if let Value::Integer(number) = value { Some(*number) } else { None }
}

fn text(value: &Value) -> String {
    match value {
        Value::Text(text) => text.to_string(),
        Value::Line(line) => line.moves().iter().map(i64::to_string).collect::<Vec<_>>().join(" "),
        other => other.to_string(),
    }
}

/// Puts moves and lines into words, as far as the codec has some.
pub(crate) fn put_into_words(rows: &mut [Row], columns: &[Column], codec: &dyn MoveCodec) {
    let word = |number: i64| codec.text(number).unwrap_or_else(|| number.to_string());
    for (place, column) in columns.iter().enumerate() {
        if !matches!(column.value_type, Type::Move | Type::Line) {
            continue;
        }
        for cell in rows.iter_mut().filter_map(|row| row.get_mut(place)) {
            let text = match cell {
                Some(Value::Integer(number)) => i64::try_from(*number).map(word).ok(),
                Some(Value::Line(line)) => {
                    Some(line.moves().into_iter().map(word).collect::<Vec<_>>().join(" "))
                }
                _ => None,
            };
            if let Some(text) = text {
                *cell = Some(Value::text(&text));
            }
        }
    }
}
