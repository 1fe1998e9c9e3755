//! Comma-separated values with a line of names, and comment lines at the top.

use std::io::{BufRead, BufReader, Cursor, Read};

use csv::{ByteRecord, Reader, ReaderBuilder};
use gt_log::{Kind, TEXT_BYTES_MAX};

use super::infer::Inference;
use super::input::Input;
use super::table::{CHUNK_BYTES, CHUNK_ROWS, Cells, Chunk, Step, Table, Visit};
use crate::description::{Description, KEY};
use crate::{Error, ErrorKind, Result, RowPlace, literal};

pub(super) struct CsvTable {
    input: Input,
    bytes: u64,
    names: Vec<String>,
    description: Option<Description>,
}

impl CsvTable {
    pub(super) fn open(input: Input) -> Result<Self> {
        let bytes = input.bytes()?;
        let mut rows = Rows::open(&input)?;
        let mut record = ByteRecord::new();
        if !rows.next(&mut record)? {
            return Err(ErrorKind::Empty.into());
        }
        let place = rows.place(&record);
        let names = record.iter().map(|name| Ok(text_of(name, place)?.trim().to_owned()));
        let names = names.collect::<Result<Vec<String>>>()?;
        Ok(Self { input, bytes, names, description: rows.description })
    }

    /// Visits all records after the names.
    fn records(
        &self,
        step: Step<'_>,
        mut visit: impl FnMut(&ByteRecord, RowPlace) -> Result<bool>,
    ) -> Result<()> {
        let mut rows = Rows::open(&self.input)?;
        let mut record = ByteRecord::new();
        rows.next(&mut record)?;
        let mut count = 0_u64;
        while rows.next(&mut record)? {
            let place = rows.place(&record);
            if record.len() != self.names.len() {
                let what = format!(
                    "the row has {} fields, the line of names {}; texts with commas need quotes",
                    record.len(),
                    self.names.len()
                );
                return Err(broken(what).at(place));
            }
            if !visit(&record, place)? {
                return Ok(());
            }
            count += 1;
            if count.is_multiple_of(CHUNK_ROWS as u64) {
                step(rows.bytes_read(), self.bytes)?;
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
            self.records(step, |record, place| {
                for &column in &open {
                    let text =
                        text_of(&record[column], place).map_err(|e| e.in_column(&self.names[column]))?;
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
        self.records(step, |record, place| {
            chunk.places.push(place);
            for (column, kind) in wanted.iter().enumerate() {
                let Some(kind) = kind else { continue };
                let cell = take_cell(&record[column], *kind, place, &mut chunk.columns[column]);
                cell.map_err(|error| error.at(place).in_column(&self.names[column]))?;
            }
            text_bytes += record.as_slice().len();
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

fn take_cell(bytes: &[u8], kind: Kind, place: RowPlace, cells: &mut Cells) -> Result<()> {
    let text = text_of(bytes, place)?;
    if kind == Kind::Text {
        if text.len() > TEXT_BYTES_MAX {
            return Err(ErrorKind::TextTooLong { bytes: text.len() }.into());
        }
        cells.push_text(text);
    } else if text.trim_ascii().is_empty() {
        cells.push_missing(kind);
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

/// The records of a file, the line of names among them.
struct Rows {
    reader: Reader<Box<dyn Read>>,
    /// How many lines of comments came before, and how many bytes.
    lines_before: u64,
    bytes_before: u64,
    description: Option<Description>,
}

impl Rows {
    fn open(input: &Input) -> Result<Self> {
        let mut source = BufReader::new(input.open()?);
        let (mut lines_before, mut bytes_before, mut description) = (0, 0, None);
        let mut line = Vec::new();
        // Comments are taken off here: further down, a line that starts with # is a row.
        loop {
            line.clear();
            let bytes = source.read_until(b'\n', &mut line)?;
            let content = match lines_before {
                0 => line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&line),
                _ => &line,
            };
            let Some(comment) = content.strip_prefix(b"#") else {
                let rest = content.to_vec();
                let source: Box<dyn Read> = Box::new(Cursor::new(rest).chain(source));
                let reader = ReaderBuilder::new().has_headers(false).flexible(true).from_reader(source);
                return Ok(Self { reader, lines_before, bytes_before, description });
            };
            lines_before += 1;
            bytes_before += bytes as u64;
            if let Some(text) = comment.trim_ascii().strip_prefix(KEY.as_bytes()) {
                let place = RowPlace::Line(lines_before);
                let text = text_of(text, place)?;
                description = Some(Description::parse(text).map_err(|error| error.at(place))?);
            }
        }
    }

    /// Reads the next record, if there is one.
    fn next(&mut self, record: &mut ByteRecord) -> Result<bool> {
        self.reader.read_byte_record(record).map_err(|error| match error.into_kind() {
            csv::ErrorKind::Io(error) => error.into(),
            other => broken(format!("{other:?}")),
        })
    }

    fn place(&self, record: &ByteRecord) -> RowPlace {
        let line = record.position().map_or(0, csv::Position::line);
        RowPlace::Line(self.lines_before + line)
    }

    fn bytes_read(&self) -> u64 {
        self.bytes_before + self.reader.position().byte()
    }
}
