//! Answers as comma-separated values.
//!
//! One answer is a table as it is. Where there may be several, each row begins with its log, tree and query, and a
//! new head, after an empty line, is printed only where the columns are others than before. Moves are numbers,
//! unless texts were asked for; what is unknown is empty. In a file or a pipe texts are exact; on a terminal, characters
//! that would steer it are spelled out.

use std::borrow::Cow;
use std::io::{self, Write};

use gt_query::{Answer, Type, Value};

use super::answered::Answered;
use super::notation::{Notation, shown};
use super::table::Limit;
use crate::printable;

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

    pub(crate) fn print(
        &mut self,
        out: &mut dyn Write,
        answered: &Answered<'_>,
        limit: Limit,
    ) -> io::Result<()> {
        let source = if self.sourced {
            let (log, query) = (self.field(answered.log), self.field(&answered.query_label()));
            format!("{log},{},{query},", answered.tree)
        } else {
            String::new()
        };
        match answered.answer {
            Answer::Count(count) => {
                self.head(out, "count")?;
                writeln!(out, "{source}{count}")
            }
            Answer::Value(value) => {
                self.head(out, "value")?;
                writeln!(
                    out,
                    "{source}{}",
                    value.as_ref().map(|value| self.field(&value.to_string())).unwrap_or_default()
                )
            }
            Answer::Nodes(nodes) => {
                self.head(out, "node_id")?;
                limit.of(nodes).iter().try_for_each(|node| writeln!(out, "{source}{node}"))
            }
            Answer::Rows { columns, rows } => {
                let headings: Vec<String> = columns.iter().map(|(heading, _)| self.field(heading)).collect();
                self.head(out, &headings.join(","))?;
                limit.of(rows).iter().try_for_each(|row| {
                    let cells = row.iter().zip(columns);
                    let cells =
                        cells.map(|(value, (_, kind))| self.cell(value.as_ref(), *kind, answered.notation));
                    writeln!(out, "{source}{}", cells.collect::<Vec<_>>().join(","))
                })
            }
        }
    }

    fn head(&mut self, out: &mut dyn Write, columns: &str) -> io::Result<()> {
        if self.head.as_deref() == Some(columns) {
            return Ok(());
        }
        if self.head.is_some() {
            writeln!(out)?;
        }
        self.head = Some(columns.to_owned());
        writeln!(out, "{}{columns}", if self.sourced { "log,tree,query," } else { "" })
    }

    fn cell(&self, value: Option<&Value>, kind: Type, notation: Option<Notation>) -> String {
        value.map(|value| self.field(&shown(value, kind, notation))).unwrap_or_default()
    }

    fn field(&self, text: &str) -> String {
        let text = if self.on_terminal { printable::line(text) } else { Cow::Borrowed(text) };
        let plain = !text.contains(['"', ',', '\n', '\r']) && text.trim() == text;
        if plain { text.into_owned() } else { format!("\"{}\"", text.replace('"', "\"\"")) }
    }
}
