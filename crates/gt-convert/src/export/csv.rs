//! Comma-separated values: the description as a comment, a line of names, one line per node.

use std::io::Write;

use gt_log::Kind;

use super::rows::{Plan, Rows};
use super::table_writer::TableWriter;
use crate::csv_line::CsvLine;
use crate::description::{Description, KEY};
use crate::{Result, literal};

pub(super) struct CsvWriter<'a> {
    target: &'a mut (dyn Write + Send),
    line: CsvLine,
}

impl<'a> CsvWriter<'a> {
    pub(super) fn new(
        target: &'a mut (dyn Write + Send),
        plan: &Plan,
        description: &Description,
    ) -> Result<Self> {
        writeln!(target, "# {KEY} {}", description.to_json())?;
        let mut line = CsvLine::new();
        for column in &plan.columns {
            line.text(&column.name);
        }
        target.write_all(line.end())?;
        Ok(Self { target, line })
    }
}

impl TableWriter for CsvWriter<'_> {
    fn write(&mut self, rows: &Rows<'_>) -> Result<()> {
        for row in 0..rows.count {
            for cells in &rows.columns {
                if cells.is_missing(row) {
                    self.line.missing();
                } else if cells.kind == Kind::Text {
                    self.line.text(cells.text(row));
                } else {
                    literal::write(self.line.field(), cells.kind, cells.integers[row]);
                }
            }
            self.target.write_all(self.line.end())?;
        }
        Ok(())
    }

    fn finish(self: Box<Self>) -> Result<()> {
        Ok(self.target.flush()?)
    }
}
