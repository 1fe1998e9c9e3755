//! JSON Lines: the description as the first object, then one object per node.

use std::io::Write;

use gt_log::Kind;
use serde_json::json;

use super::rows::{Plan, RowCells, Rows};
use super::table_writer::TableWriter;
use crate::description::{Description, JSON_KEY};
use crate::{Result, literal};

pub(super) struct JsonLinesWriter<'a> {
    target: &'a mut (dyn Write + Send),
    /// The text before each value: `{"node_id":` for the first, `,"name":` for the others.
    leads: Vec<Vec<u8>>,
    line: Vec<u8>,
}

impl<'a> JsonLinesWriter<'a> {
    pub(super) fn new(
        target: &'a mut (dyn Write + Send),
        plan: &Plan,
        description: &Description,
    ) -> Result<Self> {
        writeln!(target, "{}", json!({ JSON_KEY: description.to_json() }))?;
        let lead = |(place, name): (usize, &String)| {
            format!("{}{}:", if place == 0 { "{" } else { "," }, json!(name)).into_bytes()
        };
        let leads = plan.columns.iter().map(|column| &column.name).enumerate().map(lead).collect();
        Ok(Self { target, leads, line: Vec::new() })
    }

    fn write_cell(&mut self, cells: &RowCells<'_>, row: usize) -> Result<()> {
        let out = &mut self.line;
        match cells.kind {
            _ if cells.is_missing(row) => out.extend_from_slice(b"null"),
            Kind::Text => serde_json::to_writer(out, cells.text(row)).map_err(std::io::Error::from)?,
            kind if literal::is_word(kind, cells.integers[row]) => {
                out.push(b'"');
                literal::write(out, kind, cells.integers[row]);
                out.push(b'"');
            }
            kind => literal::write(out, kind, cells.integers[row]),
        }
        Ok(())
    }
}

impl TableWriter for JsonLinesWriter<'_> {
    fn write(&mut self, rows: &Rows<'_>) -> Result<()> {
        for row in 0..rows.count {
            self.line.clear();
            for (column, cells) in rows.columns.iter().enumerate() {
                self.line.extend_from_slice(&self.leads[column]);
                self.write_cell(cells, row)?;
            }
            self.line.extend_from_slice(b"}\n");
            self.target.write_all(&self.line)?;
        }
        Ok(())
    }

    fn finish(self: Box<Self>) -> Result<()> {
        Ok(self.target.flush()?)
    }
}
