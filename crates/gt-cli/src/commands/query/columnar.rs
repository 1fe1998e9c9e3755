//! Answers as one table of Parquet or Arrow, with a type for each column.
//!
//! Where there may be several answers, each row begins with its log, tree and query, as in CSV. Moves are texts where the
//! log has a notation, lines are texts, what is unknown is null.

use gt_convert::{ErrorKind, TableColumn, TableFile, TableType};
use gt_log::Value as Cell;
use gt_query::{Type, Value};

use super::about::About;
use super::wording::{self, Wording};
use crate::failure::Failure;
use gt_fleet::{Column, Row};

/// A table that takes answers one after the other.
pub(crate) struct Columnar<'o> {
    file: TableFile<'o>,
    sourced: bool,
}

/// The columns of a table for answers with these columns; `sourced` for those that name their source.
pub(crate) fn table_columns(columns: &[Column], sourced: bool, wording: Wording<'_>) -> Vec<TableColumn> {
    let table_type = |column: &Column| match column.value_type {
        Type::Integer | Type::Bits if column.is_unsigned => TableType::Unsigned,
        Type::Integer | Type::Bits => TableType::Integer,
        Type::Float => TableType::Float,
        Type::Boolean => TableType::Boolean,
        Type::Move if !wording.has_moves() => TableType::Integer,
        Type::Text | Type::Move | Type::Line => TableType::Text,
    };
    let source = [("log", TableType::Text), ("tree", TableType::Integer), ("query", TableType::Text)];
    let source = source.into_iter().filter(|_| sourced).map(|(name, kind)| (name.to_owned(), kind));
    let own = columns.iter().map(|column| (column.heading.clone(), table_type(column)));
    source.chain(own).map(|(name, value_type)| TableColumn { name, value_type }).collect()
}

impl<'o> Columnar<'o> {
    pub(crate) fn new(file: TableFile<'o>, sourced: bool) -> Self {
        Self { file, sourced }
    }

    pub(crate) fn row(&mut self, about: &About<'_>, row: &Row) -> Result<(), Failure> {
        let source = self.sourced.then(|| {
            [Cell::Text(about.log.to_owned()), Cell::UInt(about.tree as u64), Cell::Text(about.query_label())]
        });
        let own = about.cells(row).map(|cell| stored(about.wording, cell));
        self.file.row(source.into_iter().flatten().chain(own)).map_err(failed)
    }

    pub(crate) fn finish(self) -> Result<(), Failure> {
        self.file.finish().map_err(failed)
    }
}

/// What went wrong; where nobody reads any more, that.
pub(crate) fn failed(error: gt_convert::Error) -> Failure {
    match *error.kind {
        ErrorKind::Io(error) => error.into(),
        ErrorKind::OutOfRange { .. } => {
            Failure::new(format!("{error}; `--format json` and csv can hold it, or select something else"))
        }
        _ => Failure::new(error.to_string()),
    }
}

fn stored(wording: Wording<'_>, cell: wording::Cell<'_>) -> Cell {
    match cell.value {
        None => Cell::Missing,
        Some(value @ Value::Integer(_)) if cell.column.value_type == Type::Move && wording.has_moves() => {
            Cell::Text(wording.text(value, &cell))
        }
        // What is above the signed ones is an unsigned one of 64 bits: the language has no other.
        Some(Value::Integer(number)) => i64::try_from(*number).map_or(Cell::UInt(*number as u64), Cell::Int),
        Some(Value::Float(number)) => Cell::Float(*number),
        Some(Value::Boolean(truth)) => Cell::Bool(*truth),
        Some(Value::Text(text)) => Cell::Text(text.to_string()),
        Some(value @ Value::Line(_)) => Cell::Text(wording.text(value, &cell)),
    }
}
