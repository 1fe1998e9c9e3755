//! Comma-separated values with a line of names, and comment lines at the top.

mod lexer;
mod record;
mod records;

use gt_log::{Kind, TEXT_BYTES_MAX};

use super::infer::Inference;
use super::input::Input;
use super::table::{CHUNK_BYTES, CHUNK_ROWS, Cells, Chunk, Step, Table, Visit};
use crate::description::{Description, KEY};
use crate::{Error, ErrorKind, Result, RowPlace, literal};
use record::{Field, Record};
use records::Records;

pub(super) struct CsvTable {
    input: Input,
    bytes: u64,
    names: Vec<String>,
    description: Option<Description>,
}

impl CsvTable {
    pub(super) fn open(input: Input) -> Result<Self> {
        let bytes = input.bytes()?;
        let mut description = None;
        let mut records = Records::open(&input, &mut |comment, place| {
            if let Some(text) = comment.trim_ascii().strip_prefix(KEY.as_bytes()) {
                let text = text_of(text, place)?;
                description = Some(Description::parse(text).map_err(|error| error.at(place))?);
            }
            Ok(())
        })?;
        let mut record = Record::default();
        if !records.next(&mut record)? {
            return Err(ErrorKind::Empty.into());
        }
        let names = record.fields().map(|name| Ok(text_of(name.bytes, record.place())?.trim().to_owned()));
        let names = names.collect::<Result<Vec<String>>>()?;
        Ok(Self { input, bytes, names, description })
    }

    /// Visits all records after the names.
    fn records(&self, step: Step<'_>, mut visit: impl FnMut(&Record) -> Result<bool>) -> Result<()> {
        let mut records = Records::open(&self.input, &mut |_, _| Ok(()))?;
        let mut record = Record::default();
        records.next(&mut record)?;
        let mut count = 0_u64;
        while records.next(&mut record)? {
            if record.len() != self.names.len() {
                let what = format!(
                    "the row has {} fields, the line of names {}; texts with commas need quotes",
                    record.len(),
                    self.names.len()
                );
                return Err(broken(what).at(record.place()));
            }
            if !visit(&record)? {
                return Ok(());
            }
            count += 1;
            if count.is_multiple_of(CHUNK_ROWS as u64) {
                step(records.bytes_read(), self.bytes)?;
            }
        }
        Ok(())
    }
}

impl Table for CsvTable {
    fn names(&self) -> &[String] {
        &self.names
    }

    fn description(&self) -> Option<&Description> {
        self.description.as_ref()
    }

    fn kinds(&mut self, columns: &[usize], step: Step<'_>) -> Result<Vec<Kind>> {
        let declared = |column: usize| self.description.as_ref()?.kind_of(&self.names[column]);
        let open: Vec<usize> = columns.iter().copied().filter(|&column| declared(column).is_none()).collect();
        let mut seen = vec![Inference::default(); self.names.len()];
        if !open.is_empty() {
            self.records(step, |record| {
                let place = record.place();
                for &column in &open {
                    let text = text_of(record.field(column).bytes, place)
                        .map_err(|error| error.in_column(&self.names[column]))?;
                    seen[column].see(text, place);
                }
                Ok(true)
            })?;
        }
        let kind = |&column: &usize| match declared(column) {
            Some(kind) => Ok(kind),
            None => seen[column].untyped().map_err(|error| error.in_column(&self.names[column])),
        };
        columns.iter().map(kind).collect()
    }

    fn read(&mut self, wanted: &[Option<Kind>], step: Step<'_>, visit: Visit<'_>) -> Result<()> {
        let mut chunk = Chunk::new(self.names.len());
        let mut text_bytes = 0;
        let mut go_on = true;
        self.records(step, |record| {
            let place = record.place();
            chunk.places.push(place);
            for (column, kind) in wanted.iter().enumerate() {
                let Some(kind) = kind else { continue };
                let cell = take_cell(record.field(column), *kind, place, &mut chunk.columns[column]);
                cell.map_err(|error| error.at(place).in_column(&self.names[column]))?;
            }
            text_bytes += record.bytes();
            if chunk.places.len() == CHUNK_ROWS || text_bytes > CHUNK_BYTES {
                go_on = visit(&chunk)?;
                chunk.clear();
                text_bytes = 0;
            }
            Ok(go_on)
        })?;
        if go_on && !chunk.places.is_empty() {
            visit(&chunk)?;
        }
        Ok(())
    }
}

/// An empty field is a missing value; an empty text is in quotes.
fn take_cell(field: Field<'_>, kind: Kind, place: RowPlace, cells: &mut Cells) -> Result<()> {
    let text = text_of(field.bytes, place)?;
    if kind == Kind::Text && (field.quoted || !text.is_empty()) {
        if text.len() > TEXT_BYTES_MAX {
            return Err(ErrorKind::TextTooLong { bytes: text.len() }.into());
        }
        cells.push_text(text);
    } else if text.trim_ascii().is_empty() {
        cells.push_missing();
    } else {
        cells.push(literal::parse(text, kind)?);
    }
    Ok(())
}

fn text_of(bytes: &[u8], place: RowPlace) -> Result<&str> {
    std::str::from_utf8(bytes).map_err(|_| broken("it is not UTF-8 text".to_owned()).at(place))
}

fn broken(what: String) -> Error {
    ErrorKind::Broken { format: "CSV", what }.into()
}
