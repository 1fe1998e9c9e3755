//! Prints answers in the format that was asked for, with their source where there are several.
//!
//! ```text
//! rows, as they are found ──rows──▶ their turn: printed · another answer stands before: they wait as text
//! other answers ──print──▶ printed
//! ```
//!
//! **Invariant:** answers are printed in the order of the queries, each whole, whatever order their rows come in.

use std::io::{self, IsTerminal, Write};

use gt_log::Tree;
use gt_query::Value;
use gt_report::Mates;

use super::about::{About, Totals};
use super::columnar::Columnar;
use super::content::{Content, Nodes, Streamed};
use super::csv::Csv;
use super::format::{Format, Moves};
use super::result_files::{self, ResultFiles};
use super::source::Source;
use super::table::Limit;
use super::wording::Wording;
use super::{json, table};
use crate::failure::Failure;
use crate::moves::Namers;
use crate::printable;
use gt_fleet::Notation;
use gt_fleet::Row;

/// How the answers of one call are printed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PrintOptions {
    pub(crate) format: Format,
    /// Where nothing is said, as people or programs read the format.
    pub(crate) moves: Option<Moves>,
    /// Whether numbers stay numbers that have a name.
    pub(crate) raw: bool,
    /// Whether there is more than one answer, so that each needs its source.
    pub(crate) several: bool,
    pub(crate) limit: Limit,
}

impl PrintOptions {
    /// How moves are printed.
    pub(crate) fn moves(&self) -> Moves {
        self.moves.unwrap_or(if self.raw { Moves::Number } else { self.format.moves() })
    }

    /// What names the moves of a tree by more than their numbers.
    pub(crate) fn namers<'t>(&self, source: &Source, tree: Tree<'t>) -> Namers<'t> {
        Namers::new(&source.log, tree, self.moves())
    }

    /// The words that are used of those that a log has.
    pub(crate) fn wording<'a>(
        &self,
        source: &'a Source,
        tree: Tree<'_>,
        namers: &'a Namers<'a>,
    ) -> Wording<'a> {
        let in_words = matches!(self.format, Format::Table | Format::Csv) && !self.raw;
        Wording {
            notation: Notation::of(&source.log).filter(|_| self.moves() != Moves::Number),
            namers: Some(namers),
            aliases: in_words.then(|| source.log.schema()),
            mates: Mates::of(&source.log, tree).filter(|_| in_words),
        }
    }
}

/// Where answers go, if not into a text.
pub(crate) enum Target<'o> {
    Text,
    /// For [`Format::Gti`].
    Files(ResultFiles),
    /// For [`Format::Parquet`] and [`Format::Arrow`].
    Table(Columnar<'o>),
}

/// Prints the answers of one call.
pub(crate) struct Printer<'o> {
    pub(crate) options: PrintOptions,
    csv: Csv,
    target: Target<'o>,
    printed: usize,
}

impl<'o> Printer<'o> {
    pub(crate) fn new(options: PrintOptions, target: Target<'o>, on_terminal: bool) -> Self {
        Self { options, csv: Csv::new(options.several, on_terminal), target, printed: 0 }
    }

    /// Prints an answer.
    pub(crate) fn print(
        &mut self,
        out: &mut dyn Write,
        about: &About<'_>,
        content: Content,
        totals: Totals,
    ) -> Result<(), Failure> {
        match &mut self.target {
            Target::Files(files) => {
                let path = files.write(about, content, totals)?;
                return Ok(writeln!(out, "{}", printable::path(&path))?);
            }
            Target::Table(table) => return table_rows(table, about, content),
            Target::Text => {}
        }
        match content {
            Content::Rows(rows) => {
                let mut streamed = Streamed::default();
                self.rows(out, about, &mut streamed, self.options.limit.of(&rows), true)?;
                self.end_rows(out, about, streamed, totals)?;
            }
            Content::Streamed(streamed) => self.end_rows(out, about, streamed, totals)?,
            other @ (Content::Count(_) | Content::Value(_) | Content::Nodes(_)) => {
                self.whole(out, about, &other, totals)?;
            }
        }
        Ok(())
    }

    /// Takes rows of an answer; `is_turn` if no answer before it is to be printed any more.
    pub(crate) fn rows(
        &mut self,
        out: &mut dyn Write,
        about: &About<'_>,
        streamed: &mut Streamed,
        rows: &[Row],
        is_turn: bool,
    ) -> Result<(), Failure> {
        if let Target::Table(table) = &mut self.target {
            return rows.iter().try_for_each(|row| table.row(about, row));
        }
        let mut text = Vec::new();
        match self.options.format {
            Format::Table => table::rows(&mut text, about, streamed, rows)?,
            Format::Json => json::rows(&mut text, about, streamed, rows)?,
            Format::Csv => self.csv.rows(&mut text, about, rows)?,
            Format::Gti => result_files::rows(&mut text, about, rows)?,
            // These have no rows as text.
            Format::Ids | Format::Parquet | Format::Arrow => {}
        }
        streamed.rows += rows.len() as u64;
        // A result file says first how many rows it has.
        if is_turn && self.options.format != Format::Gti {
            self.begin_rows(out, about, streamed)?;
            return Ok(out.write_all(&text)?);
        }
        streamed.wait(&text).map_err(|error| {
            let folder = std::env::temp_dir();
            Failure::about(&folder, format!("rows cannot be kept there until they are printed: {error}"))
        })
    }

    /// Tells, where the format can, that a query has no answer.
    pub(crate) fn error(
        &self,
        out: &mut dyn Write,
        about: &About<'_>,
        streamed: Option<&Streamed>,
        error: &str,
    ) -> io::Result<()> {
        match self.options.format {
            Format::Json => json::error(out, about, streamed.is_some_and(|rows| rows.has_begun), error),
            Format::Table | Format::Csv | Format::Ids | Format::Gti | Format::Parquet | Format::Arrow => {
                Ok(())
            }
        }
    }

    /// Ends what is written into a table.
    pub(crate) fn finish(self) -> Result<(), Failure> {
        match self.target {
            Target::Table(table) => table.finish(),
            Target::Text | Target::Files(_) => Ok(()),
        }
    }

    /// How many nodes or rows of an answer are printed at most.
    pub(crate) fn rows_max(&self) -> Option<usize> {
        self.options.format.is_text().then_some(self.options.limit.rows_max)
    }

    fn begin_rows(
        &mut self,
        out: &mut dyn Write,
        about: &About<'_>,
        streamed: &mut Streamed,
    ) -> io::Result<()> {
        if std::mem::replace(&mut streamed.has_begun, true) {
            return Ok(());
        }
        match self.options.format {
            Format::Json => json::begin_rows(out, about)?,
            Format::Csv => self.csv.head(out, about)?,
            Format::Table | Format::Ids | Format::Gti | Format::Parquet | Format::Arrow => {
                self.heading(out, about)?;
                table::head(out, about, streamed)?;
            }
        }
        self.printed += 1;
        Ok(())
    }

    fn end_rows(
        &mut self,
        out: &mut dyn Write,
        about: &About<'_>,
        mut streamed: Streamed,
        totals: Totals,
    ) -> io::Result<()> {
        self.begin_rows(out, about, &mut streamed)?;
        streamed.release(out)?;
        match self.options.format {
            Format::Table => table::foot(out, totals.listed, self.options.limit, "row"),
            Format::Json => json::end_rows(out, totals),
            Format::Csv | Format::Ids | Format::Gti | Format::Parquet | Format::Arrow => Ok(()),
        }
    }

    /// Prints an answer that is no table.
    fn whole(
        &mut self,
        out: &mut dyn Write,
        about: &About<'_>,
        content: &Content,
        totals: Totals,
    ) -> io::Result<()> {
        let limit = self.options.limit;
        match self.options.format {
            Format::Json => json::print(out, about, content, totals, limit)?,
            Format::Csv => {
                self.csv.head(out, about)?;
                match content {
                    Content::Count(count) => self.csv.numbers(out, about, std::iter::once(*count))?,
                    Content::Nodes(nodes) => {
                        self.csv.numbers(out, about, nodes.iter().take(limit.rows_max))?
                    }
                    Content::Value(value) => self.csv.rows(out, about, [&vec![value.clone()]])?,
                    Content::Rows(_) | Content::Streamed(_) => {}
                }
            }
            Format::Table | Format::Ids => {
                self.heading(out, about)?;
                match content {
                    Content::Nodes(nodes) if self.options.format == Format::Ids => ids(out, nodes, limit)?,
                    Content::Nodes(nodes) => table::nodes(out, nodes, totals.listed, limit)?,
                    Content::Count(count) => writeln!(out, "{count}")?,
                    Content::Value(value) => table::value(out, about, value.as_ref())?,
                    Content::Rows(_) | Content::Streamed(_) => {}
                }
            }
            // Their targets have taken it.
            Format::Gti | Format::Parquet | Format::Arrow => {}
        }
        self.printed += 1;
        Ok(())
    }

    /// What an answer is of, where there are several.
    fn heading(&self, out: &mut dyn Write, about: &About<'_>) -> io::Result<()> {
        if !self.options.several {
            return Ok(());
        }
        if self.printed > 0 {
            writeln!(out)?;
        }
        let mark = if self.options.format == Format::Ids { "# " } else { "" };
        writeln!(out, "{mark}{}", printable::line(&about.label()))
    }
}

fn ids(out: &mut dyn Write, nodes: &Nodes, limit: Limit) -> io::Result<()> {
    nodes.iter().take(limit.rows_max).try_for_each(|node| writeln!(out, "{node}"))
}

/// Whether a terminal shows what is printed.
pub(crate) fn on_terminal() -> bool {
    io::stdout().is_terminal()
}

/// An answer as rows of a table.
fn table_rows(table: &mut Columnar<'_>, about: &About<'_>, content: Content) -> Result<(), Failure> {
    let integer = |number: u64| vec![Some(Value::Integer(number.into()))];
    match content {
        Content::Count(count) => table.row(about, &integer(count)),
        Content::Value(value) => table.row(about, &vec![value]),
        Content::Nodes(nodes) => nodes.iter().try_for_each(|node| table.row(about, &integer(node))),
        Content::Rows(rows) => rows.iter().try_for_each(|row| table.row(about, row)),
        // They were taken as they came.
        Content::Streamed(_) => Ok(()),
    }
}
