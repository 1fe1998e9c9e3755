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
//! formats have every digit. Columns are as wide as their first rows need: a wider cell further down moves what is
//! right of it.

use std::io::{self, Write};

use gt_query::Value;
use gt_report::counted;
use unicode_width::UnicodeWidthStr;

use super::about::About;
use super::content::{Nodes, Streamed};
use super::wording::Cell;
use crate::printable;
use gt_fleet::Row;

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

pub(crate) fn value(out: &mut dyn Write, about: &About<'_>, value: Option<&Value>) -> io::Result<()> {
    about.columns.iter().try_for_each(|column| writeln!(out, "{}", about.cell(Cell::alone(value, column))))
}

/// They can be millions: no text is kept of any.
pub(crate) fn nodes(out: &mut dyn Write, nodes: &Nodes, listed: u64, limit: Limit) -> io::Result<()> {
    let widest = nodes.max_of_first(limit.rows_max).map_or(0, |node| node.to_string().len());
    let width = widest.max("node_id".len());
    writeln!(out, "{:>width$}", "node_id")?;
    nodes.iter().take(limit.rows_max).try_for_each(|node| writeln!(out, "{node:>width$}"))?;
    foot(out, listed, limit, "node")
}

/// Writes rows below each other.
pub(crate) fn rows(
    out: &mut dyn Write,
    about: &About<'_>,
    streamed: &mut Streamed,
    rows: &[Row],
) -> io::Result<()> {
    let cells = |row: &Row| about.cells(row).map(|of| cell(about, of)).collect();
    let rows: Vec<Vec<String>> = rows.iter().map(cells).collect();
    let widths = streamed.widths.get_or_insert_with(|| {
        let mut widths = heading_widths(about);
        for row in &rows {
            widths.iter_mut().zip(row).for_each(|(width, cell)| *width = cell.width().max(*width));
        }
        widths
    });
    rows.iter().try_for_each(|row| line(out, about, widths, row.iter().map(String::as_str)))
}

/// Writes the headings of rows, some of which may have been made already.
pub(crate) fn head(out: &mut dyn Write, about: &About<'_>, streamed: &Streamed) -> io::Result<()> {
    let widths = streamed.widths.clone().unwrap_or_else(|| heading_widths(about));
    let headings: Vec<_> = about.columns.iter().map(|column| printable::line(&column.heading)).collect();
    line(out, about, &widths, headings.iter().map(AsRef::as_ref))
}

pub(crate) fn foot(out: &mut dyn Write, rows: u64, limit: Limit, thing: &str) -> io::Result<()> {
    let all = counted(rows, thing);
    if rows <= limit.rows_max as u64 {
        return writeln!(out, "{all}");
    }
    let first = counted(limit.rows_max as u64, thing);
    writeln!(out, "{all}; only {first} printed: {} prints all", limit.mend)
}

fn heading_widths(about: &About<'_>) -> Vec<usize> {
    about.columns.iter().map(|column| printable::line(&column.heading).width()).collect()
}

fn line<'c>(
    out: &mut dyn Write,
    about: &About<'_>,
    widths: &[usize],
    cells: impl Iterator<Item = &'c str>,
) -> io::Result<()> {
    let mut text = String::new();
    for ((cell, width), column) in cells.zip(widths).zip(&about.columns) {
        let space = " ".repeat(width.saturating_sub(cell.width()));
        let (left, right) = if about.is_to_the_right(column) { (&*space, "") } else { ("", &*space) };
        text.extend([left, cell, right, GAP]);
    }
    writeln!(out, "{}", text.trim_end())
}

fn cell(about: &About<'_>, cell: Cell<'_>) -> String {
    match cell.value {
        Some(Value::Float(number)) if number.is_finite() => rounded(*number),
        _ => about.cell(cell),
    }
}

/// A float with three digits after the point, or with six that count where that would lose a small or a large one.
pub(super) fn rounded(number: f64) -> String {
    let size = number.abs();
    if number == 0.0 || (0.1..1e9).contains(&size) {
        format!("{number:.3}")
    } else if (1e-4..0.1).contains(&size) {
        format!("{number:.6}")
    } else {
        format!("{number:.5e}")
    }
}

#[test]
fn floats_are_rounded_for_the_eye() {
    let shown = [0.0, 54.0, 3.5185185, -0.25, 0.0123456789, 1e-9, -2.5e12].map(rounded);
    assert_eq!(shown, ["0.000", "54.000", "3.519", "-0.250", "0.012346", "1.00000e-9", "-2.50000e12"]);
}
