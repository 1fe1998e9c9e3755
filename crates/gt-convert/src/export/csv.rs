//! Comma-separated values: the description as a comment, a line of names, a line a node.

use std::io::Write;

use csv::Writer;
use gt_log::Kind;

use super::TableWriter;
use super::rows::{Plan, Rows};
use crate::description::{Description, KEY};
use crate::{Error, ErrorKind, Result, literal};

pub(super) struct CsvWriter<'a> {
    writer: Writer<&'a mut (dyn Write + Send)>,
    field: Vec<u8>,
}

impl<'a> CsvWriter<'a> {
    pub(super) fn new(
        target: &'a mut (dyn Write + Send),
        plan: &Plan,
        description: &Description,
    ) -> Result<Self> {
        writeln!(target, "# {KEY} {}", description.to_json())?;
        let mut writer = Writer::from_writer(target);
        let names = plan.columns.iter().map(|column| &column.name);
        writer.write_record(names).map_err(csv_error)?;
        Ok(Self { writer, field: Vec::new() })
    }
}

impl TableWriter for CsvWriter<'_> {
    fn write(&mut self, rows: &Rows<'_>) -> Result<()> {
        for row in 0..rows.count {
            for cells in &rows.columns {
                self.field.clear();
                let field: &[u8] = if cells.is_blank(row) {
                    &[]
                } else if cells.kind == Kind::Text {
                    cells.text(row).as_bytes()
                } else {
                    literal::write(&mut self.field, cells.kind, cells.integers[row]);
                    &self.field
                };
                self.writer.write_field(field).map_err(csv_error)?;
            }
            self.writer.write_record(None::<&[u8]>).map_err(csv_error)?;
        }
        Ok(())
    }

    fn finish(mut self: Box<Self>) -> Result<()> {
        Ok(self.writer.flush()?)
    }
}

fn csv_error(error: csv::Error) -> Error {
    match error.into_kind() {
        csv::ErrorKind::Io(error) => error.into(),
        other => ErrorKind::Broken { format: "CSV", what: format!("{other:?}") }.into(),
    }
}
