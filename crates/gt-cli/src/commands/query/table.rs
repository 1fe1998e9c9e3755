//! Answers as tables for people.
//!
//! ```text
//! node_id  qsize  @line
//!      17    240  e2e4 e7e5
//!    4711    118  d2d4
//! 2 rows
//! ```
//!
//! Numbers stand to the right, all else to the left; `-` is unknown. Floats in rows are rounded for the eye; the other
//! formats have every digit.

use std::io::{self, Write};

use gt_query::{Answer, Type, Value};
use gt_report::counted;
use unicode_width::UnicodeWidthStr;

use super::answered::Answered;
use crate::printable;

const GAP: &str = "  ";

/// How much of an answer is printed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limit {
    /// At most so many rows.
    pub(crate) rows_max: usize,
    /// What prints all of them.
    pub(crate) mend: &'static str,
}

impl Limit {
    /// The rows that are printed.
    pub(crate) fn of<T>(self, rows: &[T]) -> &[T] {
        &rows[..rows.len().min(self.rows_max)]
    }
}

/// Prints an answer; of a long one only the first rows.
pub(crate) fn print(out: &mut dyn Write, answered: &Answered<'_>, limit: Limit) -> io::Result<()> {
    match answered.answer {
        Answer::Count(count) => writeln!(out, "{count}"),
        // A whole-tree aggregate gives a plain value: the type of a move is not kept with it.
        Answer::Value(value) => {
            writeln!(out, "{}", answered.cell(value.as_ref(), value_type(value.as_ref())))
        }
        Answer::Nodes(nodes) => {
            // They can be millions: no text is kept of any.
            let shown = limit.of(nodes);
            let widest = shown.iter().max().map_or(0, |node| node.to_string().len());
            let width = widest.max("node_id".len());
            writeln!(out, "{:>width$}", "node_id")?;
            shown.iter().try_for_each(|node| writeln!(out, "{node:>width$}"))?;
            foot(out, answered.listed, limit, "node")
        }
        Answer::Rows { columns, rows } => {
            let headings: Vec<(String, bool)> = columns
                .iter()
                .map(|(heading, kind)| (printable::line(heading).into_owned(), to_the_right(*kind)))
                .collect();
            let cells = |row: &Vec<Option<Value>>| {
                let cells = row.iter().zip(columns);
                cells.map(|(value, (_, kind))| cell(answered, value.as_ref(), *kind)).collect()
            };
            align(out, &headings, limit.of(rows).iter().map(cells).collect())?;
            foot(out, answered.listed, limit, "row")
        }
    }
}

fn cell(answered: &Answered<'_>, value: Option<&Value>, kind: Type) -> String {
    match value {
        Some(Value::Float(number)) if number.is_finite() => rounded(*number),
        _ => answered.cell(value, kind),
    }
}

/// A float with three digits after the point, or with six that count where that would lose a small or a large one.
fn rounded(number: f64) -> String {
    let size = number.abs();
    if number == 0.0 || (0.1..1e9).contains(&size) {
        format!("{number:.3}")
    } else if (1e-4..0.1).contains(&size) {
        format!("{number:.6}")
    } else {
        format!("{number:.5e}")
    }
}

fn value_type(value: Option<&Value>) -> Type {
    match value {
        Some(Value::Float(_)) => Type::Float,
        Some(Value::Boolean(_)) => Type::Boolean,
        Some(Value::Text(_)) => Type::Text,
        Some(Value::Line(_)) => Type::Line,
        Some(Value::Integer(_)) | None => Type::Integer,
    }
}

fn to_the_right(value_type: Type) -> bool {
    value_type.is_number() && value_type != Type::Move
}

fn foot(out: &mut dyn Write, rows: u64, limit: Limit, thing: &str) -> io::Result<()> {
    let all = counted(rows, thing);
    if rows <= limit.rows_max as u64 {
        return writeln!(out, "{all}");
    }
    let first = counted(limit.rows_max as u64, thing);
    writeln!(out, "{all}; only {first} printed: {} prints all", limit.mend)
}

fn align(out: &mut dyn Write, headings: &[(String, bool)], rows: Vec<Vec<String>>) -> io::Result<()> {
    let mut widths: Vec<usize> = headings.iter().map(|(heading, _)| heading.width()).collect();
    for row in &rows {
        for (width, cell) in widths.iter_mut().zip(row) {
            *width = cell.width().max(*width);
        }
    }
    let line = |cells: &mut dyn Iterator<Item = &str>| {
        let mut text = String::new();
        for ((cell, width), (_, right)) in cells.zip(&widths).zip(headings) {
            let space = " ".repeat(width - cell.width());
            text += &if *right { format!("{space}{cell}{GAP}") } else { format!("{cell}{space}{GAP}") };
        }
        text.truncate(text.trim_end().len());
        text
    };
    writeln!(out, "{}", line(&mut headings.iter().map(|(heading, _)| heading.as_str())))?;
    rows.iter().try_for_each(|row| writeln!(out, "{}", line(&mut row.iter().map(String::as_str))))
}

#[test]
fn floats_are_rounded_for_the_eye() {
    let shown = [0.0, 54.0, 3.5185185, -0.25, 0.0123456789, 1e-9, -2.5e12].map(rounded);
    assert_eq!(shown, ["0.000", "54.000", "3.519", "-0.250", "0.012346", "1.00000e-9", "-2.50000e12"]);
}
