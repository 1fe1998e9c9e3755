//! The columns of a table, the cells of a batch, and the writer of batches that every format has.

use gt_log::Value;

use crate::Result;

/// The type of a column's values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TableType {
    /// Signed 64-bit integers.
    Integer,
    /// Unsigned 64-bit integers.
    Unsigned,
    /// Doubles.
    Float,
    /// Truth values.
    Boolean,
    /// Texts in UTF-8.
    Text,
}

/// A column; any of its values may be missing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableColumn {
    /// Its name. The second of two columns with the same name is written as `NAME_2`.
    pub name: String,
    /// The type of its values.
    pub value_type: TableType,
}

/// A format's writer of batches.
pub(super) trait BatchWriter {
    /// Writes the columns of a batch, and empties them.
    fn write(&mut self, cells: &mut [Cells]) -> Result<()>;
    fn finish(self: Box<Self>) -> Result<()>;
}

/// The cells of a column in a batch.
pub(super) enum Cells {
    Integer(Vec<Option<i64>>),
    Unsigned(Vec<Option<u64>>),
    Float(Vec<Option<f64>>),
    Boolean(Vec<Option<bool>>),
    Text(Vec<Option<String>>),
}

impl Cells {
    pub(super) fn new(value_type: TableType) -> Self {
        match value_type {
            TableType::Integer => Self::Integer(Vec::new()),
            TableType::Unsigned => Self::Unsigned(Vec::new()),
            TableType::Float => Self::Float(Vec::new()),
            TableType::Boolean => Self::Boolean(Vec::new()),
            TableType::Text => Self::Text(Vec::new()),
        }
    }

    /// Appends a value; returns it if it is not of the column's type.
    pub(super) fn push(&mut self, value: Value) -> std::result::Result<(), Value> {
        match (self, value) {
            (Self::Integer(cells), Value::Missing) => cells.push(None),
            (Self::Unsigned(cells), Value::Missing) => cells.push(None),
            (Self::Float(cells), Value::Missing) => cells.push(None),
            (Self::Boolean(cells), Value::Missing) => cells.push(None),
            (Self::Text(cells), Value::Missing) => cells.push(None),
            (Self::Integer(cells), Value::Int(value)) => cells.push(Some(value)),
            (Self::Integer(cells), Value::UInt(value)) => {
                cells.push(Some(i64::try_from(value).map_err(|_| Value::UInt(value))?));
            }
            (Self::Unsigned(cells), Value::UInt(value)) => cells.push(Some(value)),
            (Self::Unsigned(cells), Value::Int(value)) => {
                cells.push(Some(u64::try_from(value).map_err(|_| Value::Int(value))?));
            }
            (Self::Float(cells), Value::Float(value)) => cells.push(Some(value)),
            (Self::Boolean(cells), Value::Bool(value)) => cells.push(Some(value)),
            (Self::Text(cells), Value::Text(value)) => cells.push(Some(value)),
            (_, other) => return Err(other),
        }
        Ok(())
    }
}
