//! Answers as comma-separated values.
//!
//! One answer is a table as it is. Where there may be several, each row begins with its log, tree and query, and a
//! new head, after an empty line, is printed only where the columns are others than before. Moves are numbers,
//! unless texts were asked for; values that aliases name are names, and decided ones mates, unless numbers were; what is
//! unknown is empty. In a file or a pipe texts are exact; on a terminal, characters that would steer it are spelled out.

use std::borrow::Cow;
use std::io::{self, Write};

use super::about::About;
use super::wording::Cell;
use crate::printable;
use gt_fleet::Row;

/// Prints answers one after the other.
pub(crate) struct Csv {
    /// Whether rows name their source.
    sourced: bool,
    /// Whether a terminal shows them.
    on_terminal: bool,
    head: Option<String>,
}

impl Csv {
    pub(crate) fn new(sourced: bool, on_terminal: bool) -> Self {
        Self { sourced, on_terminal, head: None }
    }

    /// Writes the names of the columns, unless those before are the same.
    pub(crate) fn head(&mut self, out: &mut dyn Write, about: &About<'_>) -> io::Result<()> {
        let columns: Vec<String> = about.columns.iter().map(|column| self.field(&column.heading)).collect();
        let columns = columns.join(",");
        if self.head.as_ref() == Some(&columns) {
            return Ok(());
        }
        if self.head.is_some() {
            writeln!(out)?;
        }
        writeln!(out, "{}{columns}", if self.sourced { "log,tree,query," } else { "" })?;
        self.head = Some(columns);
        Ok(())
    }

    /// Writes rows of an answer.
    pub(crate) fn rows<'r>(
        &self,
        out: &mut dyn Write,
        about: &About<'_>,
        rows: impl IntoIterator<Item = &'r Row>,
    ) -> io::Result<()> {
        let source = self.source(about);
        for row in rows {
            let text = |cell: Cell<'_>| {
                cell.value.map(|value| self.field(&about.wording.text(value, &cell))).unwrap_or_default()
            };
            writeln!(out, "{source}{}", about.cells(row).map(text).collect::<Vec<_>>().join(","))?;
        }
        Ok(())
    }

    /// Writes nodes or a number, one on a line.
    pub(crate) fn numbers(
        &self,
        out: &mut dyn Write,
        about: &About<'_>,
        mut numbers: impl Iterator<Item = u64>,
    ) -> io::Result<()> {
        let source = self.source(about);
        numbers.try_for_each(|number| writeln!(out, "{source}{number}"))
    }

    fn source(&self, about: &About<'_>) -> String {
        if !self.sourced {
            return String::new();
        }
        format!("{},{},{},", self.field(about.log), about.tree, self.field(&about.query_label()))
    }

    fn field(&self, text: &str) -> String {
        let text = if self.on_terminal { printable::line(text) } else { Cow::Borrowed(text) };
        let plain = !text.contains(['"', ',', '\n', '\r']) && text.trim() == text;
        if plain { text.into_owned() } else { format!("\"{}\"", text.replace('"', "\"\"")) }
    }
}
