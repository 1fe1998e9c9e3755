//! A table as Parquet: a row group for each batch.

use std::io::Write;
use std::sync::Arc;

use parquet::basic::{LogicalType, Repetition, Type as Physical};
use parquet::data_type::{BoolType, ByteArray, ByteArrayType, DataType, DoubleType, Int64Type};
use parquet::file::properties::WriterProperties;
use parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
use parquet::schema::types::Type;

use super::columns::{BatchWriter, Cells, TableColumn, TableType};
use crate::Result;
use crate::export::parquet::{WRITER, compression, write_column};

pub(super) struct Writer<'a>(SerializedFileWriter<&'a mut (dyn Write + Send)>);

impl<'a> Writer<'a> {
    pub(super) fn new(columns: &[TableColumn], target: &'a mut (dyn Write + Send)) -> Result<Self> {
        let fields = columns.iter().map(|column| Ok(Arc::new(field(column)?))).collect::<Result<_>>()?;
        let schema = Type::group_type_builder("schema").with_fields(fields).build()?;
        let properties = WriterProperties::builder()
            .set_compression(compression())
            .set_created_by(WRITER.to_owned())
            .build();
        Ok(Self(SerializedFileWriter::new(target, Arc::new(schema), Arc::new(properties))?))
    }
}

impl BatchWriter for Writer<'_> {
    fn write(&mut self, cells: &mut [Cells]) -> Result<()> {
        let mut group = self.0.next_row_group()?;
        for cells in cells {
            match cells {
                Cells::Integer(cells) => column::<Int64Type, _>(&mut group, cells, |value| value)?,
                // Parquet stores unsigned integers as the signed ones with the same bits.
                Cells::Unsigned(cells) => column::<Int64Type, _>(&mut group, cells, u64::cast_signed)?,
                Cells::Float(cells) => column::<DoubleType, _>(&mut group, cells, |value| value)?,
                Cells::Boolean(cells) => column::<BoolType, _>(&mut group, cells, |value| value)?,
                Cells::Text(cells) => {
                    column::<ByteArrayType, _>(&mut group, cells, |text| ByteArray::from(text.into_bytes()))?;
                }
            }
        }
        group.close()?;
        Ok(())
    }

    fn finish(self: Box<Self>) -> Result<()> {
        self.0.close()?;
        Ok(())
    }
}

fn field(column: &TableColumn) -> Result<Type> {
    let (physical, logical) = match column.value_type {
        TableType::Integer => (Physical::INT64, None),
        TableType::Unsigned => (Physical::INT64, Some(LogicalType::integer(64, false))),
        TableType::Float => (Physical::DOUBLE, None),
        TableType::Boolean => (Physical::BOOLEAN, None),
        TableType::Text => (Physical::BYTE_ARRAY, Some(LogicalType::String)),
    };
    let builder = Type::primitive_type_builder(&column.name, physical);
    Ok(builder.with_repetition(Repetition::OPTIONAL).with_logical_type(logical).build()?)
}

/// Writes a column, and empties it.
fn column<T: DataType, V>(
    group: &mut SerializedRowGroupWriter<'_, &mut (dyn Write + Send)>,
    cells: &mut Vec<Option<V>>,
    as_written: impl Fn(V) -> T::T,
) -> Result<()> {
    let levels: Vec<i16> = cells.iter().map(|cell| i16::from(cell.is_some())).collect();
    let mut values = cells.drain(..).flatten().map(as_written).collect();
    Ok(write_column::<T>(group, &mut values, Some(&levels))?)
}
