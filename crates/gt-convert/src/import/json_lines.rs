//! JSON Lines: one object per line, all with the same fields.
//!
//! Values are taken as written and parsed here, so a number of any size is exact.

use std::collections::HashMap;

use gt_log::{ATTRIBUTES_MAX, Kind, TEXT_BYTES_MAX};

mod fields;

use super::infer::Inference;
use super::input::Input;
use super::table::{CHUNK_BYTES, CHUNK_ROWS, Cells, Chunk, Step, Table, Visit};
use crate::description::{Description, JSON_KEY};
use crate::error::noun;
use crate::{Error, ErrorKind, Result, RowPlace, literal};
use fields::{Lines, broken, fields};

/// The number of fields above which reading stops: no table has more.
const COLUMNS_MAX: usize = 16 * ATTRIBUTES_MAX;

pub(super) struct JsonLinesTable {
    input: Input,
    bytes: u64,
    names: Vec<String>,
    columns: HashMap<String, usize>,
    inferences: Vec<Inference>,
    /// Whether the description gives each column's type.
    described: Vec<bool>,
    /// The last row that had each field.
    last_seen: Vec<Option<RowPlace>>,
    description: Option<Description>,
}

impl JsonLinesTable {
    /// Reads the whole file for the names and types of its fields.
    pub(super) fn open(input: Input, step: Step<'_>) -> Result<Self> {
        let bytes = input.bytes()?;
        let mut table = Self {
            input,
            bytes,
            names: Vec::new(),
            columns: HashMap::new(),
            inferences: Vec::new(),
            described: Vec::new(),
            last_seen: Vec::new(),
            description: None,
        };
        let mut lines = Lines::open(&table.input, bytes)?;
        let mut rows = 0_u64;
        while let Some((line, place)) = lines.next(step)? {
            if rows == 0
                && table.description.is_none()
                && let Some(description) = described(line)
            {
                table.description = Some(description.map_err(|error| error.at(place))?);
                continue;
            }
            rows += 1;
            fields(line, place, &mut |name, value| table.see(name, value, place))?;
        }
        if rows == 0 {
            return Err(ErrorKind::Empty.into());
        }
        Ok(table)
    }

    fn see(&mut self, name: &str, value: &str, place: RowPlace) -> Result<()> {
        let column = match self.columns.get(name) {
            Some(&column) => column,
            None if self.names.len() == COLUMNS_MAX => {
                return Err(ErrorKind::TooManyColumns { columns: COLUMNS_MAX + 1 }.into());
            }
            None => {
                self.columns.insert(name.to_owned(), self.names.len());
                self.names.push(name.to_owned());
                self.inferences.push(Inference::default());
                let description = self.description.as_ref();
                self.described.push(description.is_some_and(|description| description.has_attribute(name)));
                self.last_seen.push(None);
                self.names.len() - 1
            }
        };
        if self.last_seen[column].replace(place) == Some(place) {
            return Err(field_twice());
        }
        match value.as_bytes().first() {
            _ if self.described[column] => {}
            Some(b'"') => self.inferences[column].see_text(&unquoted(value)?, place),
            Some(b'{' | b'[') => return Err(nested()),
            _ if value == "null" => {}
            _ => self.inferences[column].see(value, place),
        }
        Ok(())
    }
}

impl Table for JsonLinesTable {
    fn names(&self) -> &[String] {
        &self.names
    }

    fn description(&self) -> Option<&Description> {
        self.description.as_ref()
    }

    fn kinds(&mut self, columns: &[usize], _step: Step<'_>) -> Result<Vec<Kind>> {
        let declared = |column: usize| self.description.as_ref()?.kind_of(&self.names[column]);
        let kind = |&column: &usize| match declared(column) {
            Some(kind) => Ok(kind),
            None => self.inferences[column].typed().map_err(|error| error.in_column(&self.names[column])),
        };
        columns.iter().map(kind).collect()
    }

    fn read(&mut self, wanted: &[Option<Kind>], step: Step<'_>, visit: Visit<'_>) -> Result<()> {
        let mut lines = Lines::open(&self.input, self.bytes)?;
        let mut chunk = Chunk::new(self.names.len());
        let mut skip_description = self.description.is_some();
        let mut bytes = 0;
        while let Some((line, place)) = lines.next(step)? {
            if std::mem::take(&mut skip_description) {
                continue;
            }
            bytes += line.len();
            fields(line, place, &mut |name, value| {
                let column = self.columns.get(name).copied();
                let Some((column, kind)) = column.and_then(|column| Some((column, wanted[column]?))) else {
                    return Ok(());
                };
                if chunk.columns[column].integers.len() > chunk.places.len() {
                    return Err(field_twice());
                }
                take_cell(value, kind, &mut chunk.columns[column])
            })?;
            chunk.places.push(place);
            fill_up(&mut chunk, wanted);
            if chunk.places.len() == CHUNK_ROWS || bytes > CHUNK_BYTES {
                if !visit(&chunk)? {
                    return Ok(());
                }
                chunk.clear();
                bytes = 0;
            }
        }
        if !chunk.places.is_empty() {
            visit(&chunk)?;
        }
        Ok(())
    }
}

/// Marks fields that the last row lacks as missing.
fn fill_up(chunk: &mut Chunk, wanted: &[Option<Kind>]) {
    let rows = chunk.places.len();
    for (cells, kind) in chunk.columns.iter_mut().zip(wanted) {
        if kind.is_some() && cells.integers.len() < rows {
            cells.push_missing();
        }
    }
}

fn take_cell(value: &str, kind: Kind, cells: &mut Cells) -> Result<()> {
    match value.as_bytes().first() {
        _ if value == "null" => cells.push_missing(),
        Some(b'{' | b'[') => return Err(nested()),
        Some(b'"') => {
            let text = unquoted(value)?;
            match kind {
                Kind::Text if text.len() > TEXT_BYTES_MAX => {
                    return Err(ErrorKind::TextTooLong { bytes: text.len() }.into());
                }
                Kind::Text => cells.push_text(&text),
                Kind::F32 | Kind::F64 => cells.push(literal::parse(&text, kind)?),
                _ => return Err(ErrorKind::WrongValue { value: text, expected: noun(kind) }.into()),
            }
        }
        _ if kind == Kind::Text => {
            return Err(ErrorKind::WrongValue { value: value.to_owned(), expected: noun(kind) }.into());
        }
        _ => cells.push(literal::parse(value, kind)?),
    }
    Ok(())
}

fn field_twice() -> Error {
    ErrorKind::Broken { format: "JSON Lines", what: "the object has this field twice".to_owned() }.into()
}

fn nested() -> Error {
    ErrorKind::UnsupportedType { name: "object or list".to_owned() }.into()
}

/// The text of a JSON string.
fn unquoted(value: &str) -> Result<String> {
    serde_json::from_str(value).map_err(|error| broken(&error))
}

/// The description in the first line, if it is not a row.
fn described(line: &[u8]) -> Option<Result<Description>> {
    if !line.windows(JSON_KEY.len()).any(|window| window == JSON_KEY.as_bytes()) {
        return None;
    }
    let value: serde_json::Value = serde_json::from_slice(line).ok()?;
    match value.as_object() {
        Some(fields) if fields.len() == 1 => fields.get(JSON_KEY).map(Description::from_json),
        _ => None,
    }
}
