//! Tables of any columns, such as the rows of a query, as Parquet or Arrow IPC.
//!
//! ```text
//! rows of Values ──push──▶ columns of cells ──batch──▶ a row group of Parquet · a record batch of Arrow
//! ```
//!
//! **Invariant:** memory is that of one batch. A value that does not fit its column's type is an error, never another
//! value; a missing value is null.

mod arrow;
mod columns;
mod parquet;

use std::collections::HashSet;
use std::io::Write;

use gt_log::{Kind, Value};

use crate::error::noun;
use crate::{Error, ErrorKind, Result, RowPlace};
use columns::{BatchWriter, Cells};
pub use columns::{TableColumn, TableType};

/// The number of rows, or bytes of text, at which a batch is written.
const BATCH_ROWS: usize = 1 << 17;
const BATCH_TEXT_BYTES: usize = 1 << 26;

/// A table written row by row.
///
/// ```
/// use gt_convert::{TableColumn, TableFile, TableType};
/// use gt_log::Value;
/// let columns = [TableColumn { name: "best".to_owned(), value_type: TableType::Integer }];
/// let mut bytes = Vec::new();
/// let mut table = TableFile::parquet(&columns, &mut bytes)?;
/// table.row([Value::Int(12)])?;
/// table.row([Value::Missing])?;
/// table.finish()?;
/// assert!(bytes.starts_with(b"PAR1"));
/// # Ok::<(), gt_convert::Error>(())
/// ```
pub struct TableFile<'a> {
    writer: Box<dyn BatchWriter + 'a>,
    columns: Vec<TableColumn>,
    cells: Vec<Cells>,
    /// The number of rows in the batch, and before it.
    rows: usize,
    rows_written: u64,
    text_bytes: usize,
}

impl<'a> TableFile<'a> {
    /// Makes a Parquet file, compressed by zstd.
    ///
    /// # Errors
    /// Returns an error if the head of the file cannot be written.
    pub fn parquet(columns: &[TableColumn], target: &'a mut (dyn Write + Send)) -> Result<Self> {
        Self::new(columns, |columns| Ok(Box::new(parquet::Writer::new(columns, target)?)))
    }

    /// Makes an Arrow IPC file, which readers can open at any batch.
    ///
    /// # Errors
    /// Returns an error if the head of the file cannot be written.
    pub fn arrow_file(columns: &[TableColumn], target: &'a mut dyn Write) -> Result<Self> {
        Self::new(columns, |columns| Ok(Box::new(arrow::file(columns, target)?)))
    }

    /// Makes an Arrow IPC stream, which readers process as it comes.
    ///
    /// # Errors
    /// Returns an error if the head of the stream cannot be written.
    pub fn arrow_stream(columns: &[TableColumn], target: &'a mut dyn Write) -> Result<Self> {
        Self::new(columns, |columns| Ok(Box::new(arrow::stream(columns, target)?)))
    }

    fn new(
        columns: &[TableColumn],
        writer: impl FnOnce(&[TableColumn]) -> Result<Box<dyn BatchWriter + 'a>>,
    ) -> Result<Self> {
        let columns = with_names_of_their_own(columns);
        let cells = columns.iter().map(|column| Cells::new(column.value_type)).collect();
        Ok(Self { writer: writer(&columns)?, columns, cells, rows: 0, rows_written: 0, text_bytes: 0 })
    }

    /// Adds a row: a value for each column.
    ///
    /// # Errors
    /// Returns an error if a value does not fit its column, or the batch cannot be written.
    pub fn row(&mut self, values: impl IntoIterator<Item = Value>) -> Result<()> {
        let mut values = values.into_iter();
        for (cells, column) in self.cells.iter_mut().zip(&self.columns) {
            let value = values.next().unwrap_or(Value::Missing);
            self.text_bytes += if let Value::Text(text) = &value { text.len() } else { 0 };
            cells.push(value).map_err(|value| Error {
                file: None,
                row: Some(RowPlace::Row(self.rows_written + self.rows as u64 + 1)),
                column: Some(column.name.clone()),
                kind: Box::new(refused(value, column.value_type)),
            })?;
        }
        self.rows += 1;
        if self.rows >= BATCH_ROWS || self.text_bytes >= BATCH_TEXT_BYTES {
            self.write_batch()?;
        }
        Ok(())
    }

    /// Writes the rest, and the end of the file.
    ///
    /// # Errors
    /// Returns an error if it cannot be written.
    pub fn finish(mut self) -> Result<()> {
        self.write_batch()?;
        self.writer.finish()
    }

    fn write_batch(&mut self) -> Result<()> {
        if self.rows > 0 {
            self.writer.write(&mut self.cells)?;
            self.rows_written += self.rows as u64;
            (self.rows, self.text_bytes) = (0, 0);
        }
        Ok(())
    }
}

fn refused(value: Value, value_type: TableType) -> ErrorKind {
    let expected = noun(match value_type {
        TableType::Integer => Kind::I64,
        TableType::Unsigned => Kind::U64,
        TableType::Float => Kind::F64,
        TableType::Boolean => Kind::Bool,
        TableType::Text => Kind::Text,
    });
    match value {
        Value::Int(value) => ErrorKind::OutOfRange { value: value.to_string(), expected },
        Value::UInt(value) => ErrorKind::OutOfRange { value: value.to_string(), expected },
        other => ErrorKind::WrongValue { value: format!("{other:?}"), expected },
    }
}

/// Numbers the columns that share a name, which many readers reject.
fn with_names_of_their_own(columns: &[TableColumn]) -> Vec<TableColumn> {
    let mut taken: HashSet<String> = columns.iter().map(|column| column.name.clone()).collect();
    let mut seen = HashSet::new();
    let own_name = |column: &TableColumn| {
        let mut name = column.name.clone();
        if !seen.insert(name.clone()) {
            let mut names = (2..).map(|number| format!("{}_{number}", column.name));
            name = names.find(|name| taken.insert(name.clone())).unwrap_or_default();
        }
        TableColumn { name, ..*column }
    };
    columns.iter().map(own_name).collect()
}
