//! Answers as comma-separated values.
//!
//! One answer is a table as it is. Where there may be several, each row begins with its log, tree and query, and a
//! new head, after an empty line, is printed only where the columns are others than before. Moves stay numbers; what
//! is unknown is empty.

use std::io::{self, Write};

use gt_query::{Answer, Value};

use super::answered::Answered;

/// Prints answers one after the other.
pub(crate) struct Csv {
    /// Whether rows name their source.
    sourced: bool,
    head: Option<String>,
}

impl Csv {
    pub(crate) fn new(sourced: bool) -> Self {
        Self { sourced, head: None }
    }

    pub(crate) fn print(&mut self, out: &mut dyn Write, answered: &Answered<'_>) -> io::Result<()> {
        let source = if self.sourced {
            let (log, query) = (field(answered.log), field(&answered.query_label()));
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
                writeln!(out, "{source}{}", cell(value.as_ref()))
            }
            Answer::Nodes(nodes) => {
                self.head(out, "node_id")?;
                nodes.iter().try_for_each(|node| writeln!(out, "{source}{node}"))
            }
            Answer::Rows { columns, rows } => {
                let headings: Vec<String> = columns.iter().map(|(heading, _)| field(heading)).collect();
                self.head(out, &headings.join(","))?;
                rows.iter().try_for_each(|row| {
                    let cells: Vec<String> = row.iter().map(|value| cell(value.as_ref())).collect();
                    writeln!(out, "{source}{}", cells.join(","))
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
}

fn cell(value: Option<&Value>) -> String {
    value.map(|value| field(&value.to_string())).unwrap_or_default()
}

fn field(text: &str) -> String {
    let plain = !text.contains(['"', ',', '\n', '\r']) && text.trim() == text;
    if plain { text.to_owned() } else { format!("\"{}\"", text.replace('"', "\"\"")) }
}
