//! Answers as comma-separated values.
//!
//! One answer is a table as it is. Where there may be several, each row begins with its log, tree and query, and a
//! new head, after an empty line, is printed only where the columns are others than before. Moves are numbers,
//! unless texts were asked for; values that aliases name are names, and decided ones mates, unless numbers were; what is
//! unknown is empty, and an empty text two quotes. In a file or a pipe texts are exact; on a terminal, characters that
//! would steer it are spelled out.

use std::borrow::Cow;
use std::io::{self, Write};

use super::about::About;
use crate::printable;
use gt_convert::{CsvLine, csv_text};
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
        let headings = about.columns.iter().map(|column| self.shown(&column.heading));
        let columns = headings.map(|heading| csv_text(&heading).into_owned()).collect::<Vec<_>>().join(",");
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
        let query = about.query_label();
        let mut line = CsvLine::new();
        for row in rows {
            self.source(&mut line, about, &query);
            for cell in about.cells(row) {
                match cell.value {
                    Some(value) => line.text(&self.shown(&about.wording.text(value, &cell))),
                    None => line.missing(),
                };
            }
            out.write_all(line.end())?;
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
        let query = about.query_label();
        let mut line = CsvLine::new();
        numbers.try_for_each(|number| {
            self.source(&mut line, about, &query);
            out.write_all(line.bare(number).end())
        })
    }

    /// Begins a line with the source of a row, where rows name it.
    fn source(&self, line: &mut CsvLine, about: &About<'_>, query: &str) {
        if self.sourced {
            line.text(&self.shown(about.log)).bare(about.tree).text(&self.shown(query));
        }
    }

    fn shown<'t>(&self, text: &'t str) -> Cow<'t, str> {
        if self.on_terminal { printable::line(text) } else { Cow::Borrowed(text) }
    }
}
