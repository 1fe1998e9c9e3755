//! Parquet files, a chunk of rows at a time, by the types that they declare.

use std::panic::{AssertUnwindSafe, catch_unwind};

use gt_log::Kind;
use parquet::basic::{ConvertedType, LogicalType, Type as Physical};
use parquet::errors::ParquetError;
use parquet::file::metadata::ParquetMetaData;
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::schema::types::{ColumnDescPtr, ColumnDescriptor};

use super::pages::Source;
use super::parquet_column::{ColumnSource, Span};
use super::table::{CHUNK_ROWS, Chunk, Input, Step, Table, Visit};
use crate::description::{Description, KEY};
use crate::{Error, ErrorKind, Result, RowPlace};

pub(super) struct ParquetTable {
    source: Source,
    metadata: ParquetMetaData,
    names: Vec<String>,
    description: Option<Description>,
}

impl ParquetTable {
    pub(super) fn open(input: &Input) -> Result<Self> {
        let source = Source::open(input)?;
        let metadata = guarded(|| Ok(SerializedFileReader::new(source.clone())?.metadata().clone()))?;
        let file = metadata.file_metadata();
        if file.num_rows() <= 0 {
            return Err(ErrorKind::Empty.into());
        }
        let names = file.schema_descr().columns().iter().map(|column| column.path().string()).collect();
        let entries = file.key_value_metadata().map(Vec::as_slice).unwrap_or_default();
        let text = entries.iter().find(|entry| entry.key == KEY).and_then(|entry| entry.value.as_deref());
        let description = text.map(Description::parse).transpose()?;
        Ok(Self { source, metadata, names, description })
    }

    fn column(&self, column: usize) -> ColumnDescPtr {
        self.metadata.file_metadata().schema_descr().column(column)
    }

    /// Reads a row group; whether to go on.
    fn read_group(
        &self,
        group: usize,
        wanted: &[Option<Kind>],
        first_row: u64,
        step: Step<'_>,
        visit: Visit<'_>,
    ) -> Result<bool> {
        let metadata = self.metadata.row_group(group);
        let rows = u64::try_from(metadata.num_rows()).unwrap_or(0);
        let named = |column: usize| move |error: Error| error.in_column(&self.names[column]);
        let mut columns = Vec::new();
        for (column, kind) in wanted.iter().enumerate() {
            let Some(kind) = kind else { continue };
            let chunk = metadata.columns().get(column).ok_or_else(|| broken("a row group lacks a column"))?;
            let open = || ColumnSource::open(&self.source, self.column(column), chunk, rows, wanted.len());
            columns.push((column, *kind, guarded(open).map_err(named(column))?));
        }
        let mut chunk = Chunk::new(wanted.len());
        let mut done = 0;
        while done < rows {
            let count = (rows - done).min(CHUNK_ROWS as u64) as usize;
            chunk.clear();
            let first = first_row + done + 1;
            chunk.places.extend((first..first + count as u64).map(RowPlace::Row));
            for (column, kind, source) in &mut columns {
                let cells = &mut chunk.columns[*column];
                let read = guarded_result(|| source.read(*kind, Span { count, first }, cells));
                read.map_err(named(*column))?;
            }
            done += count as u64;
            step(first_row + done, self.metadata.file_metadata().num_rows() as u64)?;
            if !visit(&chunk)? {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

impl Table for ParquetTable {
    fn names(&self) -> &[String] {
        &self.names
    }

    fn description(&self) -> Option<&Description> {
        self.description.as_ref()
    }

    fn kinds(&mut self, columns: &[usize], _step: Step<'_>) -> Result<Vec<Kind>> {
        let kind = |&column: &usize| {
            let descriptor = self.column(column);
            kind_of(&descriptor).map_err(|error| error.in_column(&self.names[column]))
        };
        columns.iter().map(kind).collect()
    }

    fn read(&mut self, wanted: &[Option<Kind>], step: Step<'_>, visit: Visit<'_>) -> Result<()> {
        for (column, kind) in wanted.iter().enumerate() {
            if kind.is_some() {
                kind_of(&self.column(column)).map_err(|error| error.in_column(&self.names[column]))?;
            }
        }
        let mut first_row = 0_u64;
        for group in 0..self.metadata.num_row_groups() {
            if !self.read_group(group, wanted, first_row, &mut *step, &mut *visit)? {
                return Ok(());
            }
            let rows = u64::try_from(self.metadata.row_group(group).num_rows()).unwrap_or(0);
            first_row = first_row.saturating_add(rows);
        }
        if first_row == 0 { Err(ErrorKind::Empty.into()) } else { Ok(()) }
    }
}

/// The type of attribute that a column's declared type comes to.
pub(super) fn kind_of(column: &ColumnDescriptor) -> Result<Kind> {
    let unsupported = |name: String| Err(ErrorKind::UnsupportedType { name }.into());
    if column.max_rep_level() > 0 {
        return unsupported("list".to_owned());
    }
    if let Some(logical) = column.logical_type_ref() {
        return match (column.physical_type(), logical) {
            (_, LogicalType::Integer(integer)) => match (integer.bit_width, integer.is_signed) {
                (8, true) => Ok(Kind::I8),
                (16, true) => Ok(Kind::I16),
                (32, true) => Ok(Kind::I32),
                (64, true) => Ok(Kind::I64),
                (8, false) => Ok(Kind::U8),
                (16, false) => Ok(Kind::U16),
                (32, false) => Ok(Kind::U32),
                (64, false) => Ok(Kind::U64),
                _ => unsupported(format!("integer of {} bits", integer.bit_width)),
            },
            (Physical::BYTE_ARRAY, LogicalType::String | LogicalType::Enum | LogicalType::Json) => {
                Ok(Kind::Text)
            }
            (physical, LogicalType::Unknown) => plain_kind(physical),
            (_, other) => unsupported(format!("{other:?}")),
        };
    }
    match column.converted_type() {
        ConvertedType::NONE => plain_kind(column.physical_type()),
        ConvertedType::INT_8 => Ok(Kind::I8),
        ConvertedType::INT_16 => Ok(Kind::I16),
        ConvertedType::INT_32 => Ok(Kind::I32),
        ConvertedType::INT_64 => Ok(Kind::I64),
        ConvertedType::UINT_8 => Ok(Kind::U8),
        ConvertedType::UINT_16 => Ok(Kind::U16),
        ConvertedType::UINT_32 => Ok(Kind::U32),
        ConvertedType::UINT_64 => Ok(Kind::U64),
        ConvertedType::UTF8 | ConvertedType::ENUM | ConvertedType::JSON => Ok(Kind::Text),
        other => unsupported(other.to_string()),
    }
}

fn plain_kind(physical: Physical) -> Result<Kind> {
    match physical {
        Physical::BOOLEAN => Ok(Kind::Bool),
        Physical::INT32 => Ok(Kind::I32),
        Physical::INT64 => Ok(Kind::I64),
        Physical::FLOAT => Ok(Kind::F32),
        Physical::DOUBLE => Ok(Kind::F64),
        Physical::BYTE_ARRAY => Ok(Kind::Text),
        Physical::INT96 | Physical::FIXED_LEN_BYTE_ARRAY => {
            Err(ErrorKind::UnsupportedType { name: physical.to_string() }.into())
        }
    }
}

pub(super) fn broken(what: impl Into<String>) -> Error {
    ErrorKind::Broken { format: "Parquet", what: what.into() }.into()
}

impl From<ParquetError> for Error {
    fn from(error: ParquetError) -> Self {
        let text = error.to_string();
        if let Some((_, name)) = text.split_once("Disabled feature at compile time: ") {
            return ErrorKind::UnsupportedCompression { name: name.to_owned() }.into();
        }
        let what = text.strip_prefix("Parquet error: ").unwrap_or(&text);
        broken(what.trim())
    }
}

/// Runs what reads foreign bytes: a panic in the library, which some broken files cause, is an error as well.
fn guarded<T>(read: impl FnOnce() -> parquet::errors::Result<T>) -> Result<T> {
    guarded_result(|| read().map_err(Error::from))
}

fn guarded_result<T>(read: impl FnOnce() -> Result<T>) -> Result<T> {
    catch_unwind(AssertUnwindSafe(read)).unwrap_or_else(|_| Err(broken("its bytes make no sense")))
}
