//! Rows of numbers below each other.

use std::io::Write;

use crate::failure::Failure;

/// Prints rows: the first column to the left, the others to the right, and behind each row the text that `last` has for it.
pub(crate) fn print_aligned(
    rows: &[Vec<String>],
    last: &[String],
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let cells = |column: usize| rows.iter().filter_map(move |row| row.get(column));
    let widths: Vec<usize> =
        (0..columns).map(|column| cells(column).map(String::len).max().unwrap_or(0)).collect();
    for (number, row) in rows.iter().enumerate() {
        let mut line = String::new();
        for (column, (cell, &width)) in row.iter().zip(&widths).enumerate() {
            line += &if column == 0 { format!("{cell:<width$}") } else { format!("  {cell:>width$}") };
        }
        if let Some(text) = last.get(number) {
            line += &format!("  {text}");
        }
        writeln!(out, "{}", line.trim_end())?;
    }
    Ok(())
}
