//! A table as Arrow IPC: a record batch for each batch.

use std::io::Write;
use std::mem::take;
use std::sync::Arc;

use arrow_array::{ArrayRef, BooleanArray, Float64Array, Int64Array, RecordBatch, StringArray, UInt64Array};
use arrow_ipc::writer::{FileWriter, StreamWriter};
use arrow_schema::{ArrowError, DataType, Field, Schema};

use super::columns::{BatchWriter, Cells, TableColumn, TableType};
use crate::{Error, ErrorKind, Result};

/// A form of Arrow IPC.
trait Ipc {
    fn write(&mut self, batch: &RecordBatch) -> std::result::Result<(), ArrowError>;
    fn finish(&mut self) -> std::result::Result<(), ArrowError>;
}

impl<W: Write> Ipc for FileWriter<W> {
    fn write(&mut self, batch: &RecordBatch) -> std::result::Result<(), ArrowError> {
        FileWriter::write(self, batch)
    }

    fn finish(&mut self) -> std::result::Result<(), ArrowError> {
        FileWriter::finish(self)
    }
}

impl<W: Write> Ipc for StreamWriter<W> {
    fn write(&mut self, batch: &RecordBatch) -> std::result::Result<(), ArrowError> {
        StreamWriter::write(self, batch)
    }

    fn finish(&mut self) -> std::result::Result<(), ArrowError> {
        StreamWriter::finish(self)
    }
}

pub(super) struct Writer<'a> {
    ipc: Box<dyn Ipc + 'a>,
    schema: Arc<Schema>,
}

pub(super) fn file<'a>(columns: &[TableColumn], target: &'a mut dyn Write) -> Result<Writer<'a>> {
    let schema = Arc::new(schema(columns));
    let ipc = Box::new(FileWriter::try_new(target, &schema)?);
    Ok(Writer { ipc, schema })
}

pub(super) fn stream<'a>(columns: &[TableColumn], target: &'a mut dyn Write) -> Result<Writer<'a>> {
    let schema = Arc::new(schema(columns));
    let ipc = Box::new(StreamWriter::try_new(target, &schema)?);
    Ok(Writer { ipc, schema })
}

impl BatchWriter for Writer<'_> {
    fn write(&mut self, cells: &mut [Cells]) -> Result<()> {
        let arrays = cells.iter_mut().map(array).collect();
        let batch = RecordBatch::try_new(Arc::clone(&self.schema), arrays)?;
        Ok(self.ipc.write(&batch)?)
    }

    fn finish(mut self: Box<Self>) -> Result<()> {
        Ok(self.ipc.finish()?)
    }
}

fn schema(columns: &[TableColumn]) -> Schema {
    let field = |column: &TableColumn| {
        let data_type = match column.value_type {
            TableType::Integer => DataType::Int64,
            TableType::Unsigned => DataType::UInt64,
            TableType::Float => DataType::Float64,
            TableType::Boolean => DataType::Boolean,
            TableType::Text => DataType::Utf8,
        };
        Field::new(&column.name, data_type, true)
    };
    Schema::new(columns.iter().map(field).collect::<Vec<_>>())
}

/// Takes the cells as an array.
fn array(cells: &mut Cells) -> ArrayRef {
    match cells {
        Cells::Integer(cells) => Arc::new(Int64Array::from(take(cells))),
        Cells::Unsigned(cells) => Arc::new(UInt64Array::from(take(cells))),
        Cells::Float(cells) => Arc::new(Float64Array::from(take(cells))),
        Cells::Boolean(cells) => Arc::new(BooleanArray::from(take(cells))),
        Cells::Text(cells) => Arc::new(StringArray::from(take(cells))),
    }
}

impl From<ArrowError> for Error {
    fn from(error: ArrowError) -> Self {
        match error {
            ArrowError::IoError(_, error) => error.into(),
            other => ErrorKind::Broken { format: "Arrow", what: other.to_string() }.into(),
        }
    }
}
