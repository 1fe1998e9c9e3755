//! Parquet files, a chunk of rows at a time, by their declared types.
//!
//! ```text
//! footer ─check─▶ library ─▶ columns, row groups
//! page   ─HeaderCheck─▶ library ─▶ CheckedPages ─▶ library ─▶ ColumnSource ─▶ cells
//! ```
//!
//! The library trusts a file's claims, so each part is checked before the library sees it.
//!
//! **Invariant:** a file can make the importer read and decode at most [`Budget`]'s multiple of its length.

mod budget;
mod column;
mod footer;
mod page_header;
mod page_walk;
mod pages;
mod shapes;
mod source;
mod thrift;
mod types;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use gt_log::Kind;
use parquet::file::metadata::ParquetMetaData;
use parquet::file::reader::{FileReader, Length, SerializedFileReader};
use parquet::schema::types::ColumnDescPtr;

use super::input::Input;
use super::table::{CHUNK_ROWS, Chunk, Step, Table, Visit};
use crate::description::{Description, KEY};
use crate::{Error, ErrorKind, Result, RowPlace};
use budget::Budget;
use column::{ColumnSource, Span};
use source::Source;
use types::{broken, kind_of};

pub(super) struct ParquetTable {
    source: Source,
    metadata: ParquetMetaData,
    names: Vec<String>,
    description: Option<Description>,
}

/// A row group to read.
struct Group<'a> {
    number: usize,
    first_row: u64,
    budget: &'a Arc<Budget>,
}

impl ParquetTable {
    pub(super) fn open(input: &Input) -> Result<Self> {
        let source = Source::open(input)?;
        guarded(|| footer::check(&source))?;
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

    /// Reads a row group, and returns whether to continue.
    fn read_group(
        &self,
        group: &Group<'_>,
        wanted: &[Option<Kind>],
        step: Step<'_>,
        visit: Visit<'_>,
    ) -> Result<bool> {
        let metadata = self.metadata.row_group(group.number);
        let first_row = group.first_row;
        let rows = u64::try_from(metadata.num_rows()).unwrap_or(0);
        let named = |column: usize| move |error: Error| error.in_column(&self.names[column]);
        let mut columns = Vec::new();
        for (column, kind) in wanted.iter().enumerate() {
            let Some(kind) = kind else { continue };
            let chunk = metadata.columns().get(column).ok_or_else(|| broken("a row group lacks a column"))?;
            let columns_read = wanted.iter().flatten().count();
            let open = || {
                let descriptor = self.column(column);
                ColumnSource::open(&self.source, descriptor, chunk, rows, columns_read, group.budget)
            };
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
        let budget = &Budget::of_file(self.source.len());
        for number in 0..self.metadata.num_row_groups() {
            let group = Group { number, first_row, budget };
            if !self.read_group(&group, wanted, &mut *step, &mut *visit)? {
                return Ok(());
            }
            let rows = u64::try_from(self.metadata.row_group(number).num_rows()).unwrap_or(0);
            first_row = first_row.saturating_add(rows);
        }
        if first_row == 0 { Err(ErrorKind::Empty.into()) } else { Ok(()) }
    }
}

/// Runs code that reads foreign bytes: a panic in the library, which some broken files cause, becomes an
/// error.
fn guarded<T>(read: impl FnOnce() -> parquet::errors::Result<T>) -> Result<T> {
    guarded_result(|| read().map_err(Error::from))
}

fn guarded_result<T>(read: impl FnOnce() -> Result<T>) -> Result<T> {
    catch_unwind(AssertUnwindSafe(read)).unwrap_or_else(|_| Err(broken("its bytes make no sense")))
}
