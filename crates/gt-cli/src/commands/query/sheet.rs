//! One table of many answers, row by row: for people, as CSV, as JSON, as Parquet or Arrow.
//!
//! A table for people is printed when all rows are there, as wide as they need; the other formats write rows as they come.

use std::io::{self, Write};

use gt_convert::{CsvLine, TableColumn, TableFile, TableType};
use gt_fleet::{Column, Row};
use gt_log::Value as Cell;
use gt_query::{Type, Value};
use gt_report::counted;
use unicode_width::UnicodeWidthStr;

use super::columnar::failed;
use super::table::rounded;
use crate::failure::Failure;
use crate::printable;

/// What stands above the rows.
pub(super) struct Title {
    pub(super) columns: Vec<Column>,
    /// Whether a terminal shows it.
    pub(super) on_terminal: bool,
}

/// A table that takes rows.
pub(super) struct Sheet<'o> {
    title: Title,
    form: Form<'o>,
}

enum Form<'o> {
    Table(&'o mut dyn Write, Vec<Row>),
    Csv(&'o mut dyn Write),
    Json(&'o mut dyn Write),
    File(TableFile<'o>),
}

impl<'o> Sheet<'o> {
    pub(super) fn table(title: Title, out: &'o mut dyn Write) -> Self {
        Self { title, form: Form::Table(out, Vec::new()) }
    }

    pub(super) fn json(title: Title, out: &'o mut dyn Write) -> Self {
        Self { title, form: Form::Json(out) }
    }

    pub(super) fn csv(title: Title, out: &'o mut dyn Write) -> io::Result<Self> {
        let mut line = CsvLine::new();
        for column in &title.columns {
            line.text(&column.heading);
        }
        out.write_all(line.end())?;
        Ok(Self { title, form: Form::Csv(out) })
    }

    pub(super) fn parquet(title: Title, file: &'o mut (dyn Write + Send)) -> io::Result<Self> {
        let columns = table_columns(&title.columns);
        let file = TableFile::parquet(&columns, file).map_err(io::Error::other)?;
        Ok(Self { title, form: Form::File(file) })
    }

    pub(super) fn arrow_file(title: Title, file: &'o mut dyn Write) -> io::Result<Self> {
        let columns = table_columns(&title.columns);
        let file = TableFile::arrow_file(&columns, file).map_err(io::Error::other)?;
        Ok(Self { title, form: Form::File(file) })
    }

    pub(super) fn arrow_stream(title: Title, out: &'o mut dyn Write) -> io::Result<Self> {
        let columns = table_columns(&title.columns);
        let file = TableFile::arrow_stream(&columns, out).map_err(io::Error::other)?;
        Ok(Self { title, form: Form::File(file) })
    }

    pub(super) fn row(&mut self, row: Row) -> Result<(), Failure> {
        match &mut self.form {
            Form::Table(_, rows) => rows.push(row),
            Form::Csv(out) => out.write_all(csv_line(&row, self.title.on_terminal).end())?,
            Form::Json(out) => writeln!(out, "{}", printable::json(&json_object(&self.title.columns, &row)))?,
            Form::File(file) => file.row(row.iter().map(|value| cell(value.as_ref()))).map_err(failed)?,
        }
        Ok(())
    }

    /// Prints what waits, at most so many rows of it, and ends the table.
    pub(super) fn finish(self, rows_max: usize) -> Result<(), Failure> {
        match self.form {
            Form::Table(out, rows) => Ok(aligned(out, &self.title.columns, &rows, rows_max)?),
            Form::Csv(_) | Form::Json(_) => Ok(()),
            Form::File(file) => file.finish().map_err(failed),
        }
    }
}

fn table_columns(columns: &[Column]) -> Vec<TableColumn> {
    let table_type = |column: &Column| match column.value_type {
        Type::Integer | Type::Bits if column.is_unsigned => TableType::Unsigned,
        Type::Integer | Type::Bits | Type::Move => TableType::Integer,
        Type::Float => TableType::Float,
        Type::Boolean => TableType::Boolean,
        Type::Text | Type::Line => TableType::Text,
    };
    let named =
        |column: &Column| TableColumn { name: column.heading.clone(), value_type: table_type(column) };
    columns.iter().map(named).collect()
}

fn cell(value: Option<&Value>) -> Cell {
    match value {
        None => Cell::Missing,
        Some(Value::Integer(number)) => i64::try_from(*number).map_or(Cell::UInt(*number as u64), Cell::Int),
        Some(Value::Float(number)) => Cell::Float(*number),
        Some(Value::Boolean(truth)) => Cell::Bool(*truth),
        Some(Value::Text(text)) => Cell::Text(text.to_string()),
        Some(line @ Value::Line(_)) => Cell::Text(line.to_string()),
    }
}

fn csv_line(row: &Row, on_terminal: bool) -> CsvLine {
    let mut line = CsvLine::new();
    for value in row {
        match value {
            None => line.missing(),
            Some(Value::Text(text)) if on_terminal => line.text(&printable::line(text)),
            Some(Value::Text(text)) => line.text(text),
            Some(other) => line.bare(other),
        };
    }
    line
}

fn json_object(columns: &[Column], row: &Row) -> String {
    let value = |value: &Option<Value>| match value {
        None => serde_json::Value::Null,
        Some(Value::Integer(number)) => {
            i64::try_from(*number).map_or_else(|_| (*number as u64).into(), serde_json::Value::from)
        }
        Some(Value::Float(number)) if number.is_finite() => (*number).into(),
        Some(Value::Float(number)) => (if *number > 0.0 { "Infinity" } else { "-Infinity" }).into(),
        Some(Value::Boolean(truth)) => (*truth).into(),
        Some(Value::Text(text)) => text.to_string().into(),
        Some(line @ Value::Line(_)) => line.to_string().into(),
    };
    let name = |column: &Column| serde_json::Value::from(column.heading.clone()).to_string();
    let fields = columns.iter().zip(row).map(|(column, cell)| format!("{}:{}", name(column), value(cell)));
    format!("{{{}}}", fields.collect::<Vec<_>>().join(","))
}

/// Columns below each other, numbers to the right; one that has no value in any row and is the last is left out.
fn aligned(out: &mut dyn Write, columns: &[Column], rows: &[Row], rows_max: usize) -> io::Result<()> {
    let is_empty = |place: usize| rows.iter().all(|row| row.get(place).is_none_or(Option::is_none));
    let has_errors =
        columns.last().is_none_or(|last| last.heading != "error") || !is_empty(columns.len() - 1);
    let columns = &columns[..columns.len() - usize::from(!has_errors)];
    let shown = |value: &Option<Value>| match value {
        None => "-".to_owned(),
        Some(Value::Float(number)) if number.is_finite() => rounded(*number),
        // Of an error that is drawn over several lines the first is the sentence.
        Some(Value::Text(text)) => printable::line(text.lines().next().unwrap_or("")).into_owned(),
        Some(other) => other.to_string(),
    };
    let printed = &rows[..rows.len().min(rows_max)];
    let cells: Vec<Vec<String>> = printed.iter().map(|row| row.iter().map(shown).collect()).collect();
    let width = |(place, column): (usize, &Column)| {
        let widest =
            cells.iter().filter_map(|row| row.get(place)).map(|cell| cell.width()).max().unwrap_or(0);
        widest.max(printable::line(&column.heading).width())
    };
    let widths: Vec<usize> = columns.iter().enumerate().map(width).collect();
    let line = |cells: &[String]| {
        let mut text = String::new();
        for ((cell, width), column) in cells.iter().zip(&widths).zip(columns) {
            let space = " ".repeat(width.saturating_sub(cell.width()));
            let right = column.value_type.is_number() && column.value_type != Type::Move;
            text += &if right { format!("{space}{cell}  ") } else { format!("{cell}{space}  ") };
        }
        text.trim_end().to_owned()
    };
    let headings: Vec<String> =
        columns.iter().map(|column| printable::line(&column.heading).into_owned()).collect();
    writeln!(out, "{}", line(&headings))?;
    cells.iter().try_for_each(|cells| writeln!(out, "{}", line(cells)))?;
    let all = counted(rows.len() as u64, "row");
    match rows.len() > rows_max {
        true => writeln!(out, "{all}; only {rows_max} printed: `--limit 0` prints all"),
        false => writeln!(out, "{all}"),
    }
}
