//! `/api/runs/RUN/export`: a whole result as CSV, JSON or a result file, written piece by piece.

use std::io::Write;
use std::sync::Arc;

use serde_json::json;

use super::result_file;
use super::results::{Content, ResultSet, node_columns, node_rows};
use super::runs::Run;
use crate::calls::Subject;
use crate::error::{Answer, Kind, Refusal};
use crate::logs::Logs;
use crate::values::{self, Scalar};
use crate::work::Cancel;

/// The format of an export.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Format {
    Table(TableFormat),
    ResultFile,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TableFormat {
    Csv,
    Json,
}

/// The most rows of an export.
const ROWS_MAX: u64 = 1_000_000;
/// The number of node_ids that are read at a time.
const IDS_AT_ONCE: u64 = 4096;

/// Writes a result of a run.
pub(crate) fn export(
    logs: &Logs,
    run: &Arc<Run>,
    result: &ResultSet,
    format: Format,
    cancel: &Cancel,
    out: &mut dyn Write,
) -> Answer<()> {
    let mut subject = Subject::new(logs, &run.opened, run.question.tree, cancel)?;
    let format = match format {
        Format::Table(format) => format,
        Format::ResultFile => return result_file::write(logs, &subject, run, result, out),
    };
    match &result.content {
        Content::Failed(sentence) => Err(Refusal::new(Kind::Conflict, sentence.clone())),
        Content::Rows { columns, rows, .. } => {
            let names = columns.iter().map(|(name, _)| name.clone()).collect();
            let mut table = Table::begin(format, names, out)?;
            for row in rows {
                let cells = row.iter().zip(columns);
                let cells =
                    cells.map(|(cell, (_, kind))| values::answer(cell.as_ref(), *kind, subject.notation));
                table.row(cells.collect())?;
            }
            table.end()
        }
        Content::Nodes | Content::Ordered(_) => {
            let names = node_columns(&subject).into_iter().map(|(name, ..)| name).collect();
            let mut table = Table::begin(format, names, out)?;
            let count = result.count().min(ROWS_MAX);
            let mut start = 0;
            while start < count {
                let end = (start + IDS_AT_ONCE).min(count);
                for row in node_rows(&mut subject, &ids(result, start, end), values::attribute)? {
                    table.row(row)?;
                }
                start = end;
            }
            table.end()
        }
    }
}

fn ids(result: &ResultSet, start: u64, end: u64) -> Vec<u64> {
    match (&result.content, &result.matches) {
        (Content::Ordered(ids), _) => ids[start as usize..end as usize].to_vec(),
        (_, Some(matches)) => matches.slice(start..end),
        _ => Vec::new(),
    }
}

/// A table that is being written.
struct Table<'o> {
    format: TableFormat,
    out: &'o mut dyn Write,
    rows: u64,
}

impl<'o> Table<'o> {
    fn begin(format: TableFormat, names: Vec<String>, out: &'o mut dyn Write) -> Answer<Self> {
        let table = Self { format, out, rows: 0 };
        let written = match format {
            TableFormat::Csv => {
                let cells: Vec<String> = names.iter().map(|name| field(name)).collect();
                writeln!(table.out, "{}", cells.join(","))
            }
            TableFormat::Json => write!(table.out, "{{\"columns\":{},\"rows\":[", json!(names)),
        };
        written.map_err(Refusal::closed)?;
        Ok(table)
    }

    fn row(&mut self, cells: Vec<Scalar>) -> Answer<()> {
        let written = match self.format {
            TableFormat::Csv => {
                let cells: Vec<String> = cells.iter().map(cell).collect();
                writeln!(self.out, "{}", cells.join(","))
            }
            TableFormat::Json => {
                write!(self.out, "{}{}", if self.rows > 0 { ",\n" } else { "\n" }, json!(cells))
            }
        };
        self.rows += 1;
        written.map_err(Refusal::closed)
    }

    fn end(self) -> Answer<()> {
        let written = match self.format {
            TableFormat::Csv => Ok(()),
            TableFormat::Json => writeln!(self.out, "\n]}}"),
        };
        written.map_err(Refusal::closed)
    }
}

fn cell(value: &Scalar) -> String {
    match value {
        Scalar::Null => String::new(),
        Scalar::Text(text) => field(text),
        other => other.to_json(),
    }
}

/// A field of CSV: in quotes where it needs them. An empty text does: nothing at all is a missing value.
fn field(text: &str) -> String {
    if text.is_empty() || text.contains(['"', ',', '\n', '\r']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text.to_owned()
    }
}
