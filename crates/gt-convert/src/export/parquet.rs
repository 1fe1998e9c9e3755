//! Parquet: every attribute in its own type, compressed by zstd, in row groups of moderate size.

use std::io::Write;
use std::sync::Arc;

use gt_log::Kind;
use parquet::basic::{Compression, Encoding, LogicalType, Repetition, Type as Physical, ZstdLevel};
use parquet::data_type::{
    BoolType, ByteArray, ByteArrayType, DataType, DoubleType, FloatType, Int32Type, Int64Type,
};
use parquet::file::metadata::KeyValue;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
use parquet::schema::types::{ColumnPath, Type};

use super::rows::{Plan, PlannedColumn, RowCells, Rows};
use super::table_writer::TableWriter;
use crate::Result;
use crate::description::{Description, KEY};
use crate::role::Role;

/// The number of rows, or bytes of text, at which a row group is written.
const GROUP_ROWS: usize = 1 << 17;
const GROUP_TEXT_BYTES: usize = 1 << 26;

/// The writer's name in Parquet files.
pub(crate) const WRITER: &str = concat!("GT-Tools ", env!("CARGO_PKG_VERSION"));

pub(crate) fn compression() -> Compression {
    Compression::ZSTD(ZstdLevel::default())
}

pub(super) struct ParquetWriter<'a> {
    writer: SerializedFileWriter<&'a mut (dyn Write + Send)>,
    columns: Vec<Pending>,
    rows: usize,
    text_bytes: usize,
}

/// The next row group's values of a column.
struct Pending {
    values: Values,
    /// For each row whether it has a value; only for columns in which rows may lack one.
    levels: Option<Vec<i16>>,
}

enum Values {
    Bool(Vec<bool>),
    Int32(Vec<i32>),
    Int64(Vec<i64>),
    Float(Vec<f32>),
    Double(Vec<f64>),
    Text(Vec<ByteArray>),
}

impl<'a> ParquetWriter<'a> {
    pub(super) fn new(
        target: &'a mut (dyn Write + Send),
        plan: &Plan,
        description: &Description,
    ) -> Result<Self> {
        let mut fields = Vec::with_capacity(plan.columns.len());
        let mut columns = Vec::with_capacity(plan.columns.len());
        for column in &plan.columns {
            fields.push(Arc::new(field(column)?));
            let levels = column.is_optional.then(Vec::new);
            columns.push(Pending { values: Values::new(column.kind), levels });
        }
        let schema = Type::group_type_builder("schema").with_fields(fields).build()?;
        let description = KeyValue::new(KEY.to_owned(), Some(description.to_json().to_string()));
        let mut properties = WriterProperties::builder();
        // Numbers that grow by one or two are small as differences.
        for role in [Role::NodeId, Role::ParentId] {
            if let Some(column) = plan.columns.iter().find(|column| column.role == role) {
                let path = ColumnPath::from(column.name.as_str());
                properties = properties
                    .set_column_dictionary_enabled(path.clone(), false)
                    .set_column_encoding(path, Encoding::DELTA_BINARY_PACKED);
            }
        }
        let properties = properties
            .set_compression(compression())
            .set_created_by(WRITER.to_owned())
            .set_key_value_metadata(Some(vec![description]))
            .build();
        let writer = SerializedFileWriter::new(target, Arc::new(schema), Arc::new(properties))?;
        Ok(Self { writer, columns, rows: 0, text_bytes: 0 })
    }

    fn write_group(&mut self) -> Result<()> {
        if self.rows == 0 {
            return Ok(());
        }
        let mut group = self.writer.next_row_group()?;
        for column in &mut self.columns {
            column.write(&mut group)?;
        }
        group.close()?;
        (self.rows, self.text_bytes) = (0, 0);
        Ok(())
    }
}

impl TableWriter for ParquetWriter<'_> {
    fn write(&mut self, rows: &Rows<'_>) -> Result<()> {
        for (pending, cells) in self.columns.iter_mut().zip(&rows.columns) {
            self.text_bytes += pending.take(cells, rows.count);
        }
        self.rows += rows.count;
        if self.rows >= GROUP_ROWS || self.text_bytes >= GROUP_TEXT_BYTES {
            self.write_group()?;
        }
        Ok(())
    }

    fn finish(mut self: Box<Self>) -> Result<()> {
        self.write_group()?;
        self.writer.close()?;
        Ok(())
    }
}

fn field(column: &PlannedColumn) -> parquet::errors::Result<Type> {
    let integer = |bits, signed| Some(LogicalType::integer(bits, signed));
    let (physical, logical) = match column.kind {
        Kind::I8 => (Physical::INT32, integer(8, true)),
        Kind::I16 => (Physical::INT32, integer(16, true)),
        Kind::I32 => (Physical::INT32, None),
        Kind::I64 => (Physical::INT64, None),
        Kind::U8 => (Physical::INT32, integer(8, false)),
        Kind::U16 => (Physical::INT32, integer(16, false)),
        Kind::U32 => (Physical::INT32, integer(32, false)),
        Kind::U64 => (Physical::INT64, integer(64, false)),
        Kind::F32 => (Physical::FLOAT, None),
        Kind::F64 => (Physical::DOUBLE, None),
        Kind::Bool => (Physical::BOOLEAN, None),
        Kind::Text => (Physical::BYTE_ARRAY, Some(LogicalType::String)),
    };
    let repetition = if column.is_optional { Repetition::OPTIONAL } else { Repetition::REQUIRED };
    Type::primitive_type_builder(&column.name, physical)
        .with_repetition(repetition)
        .with_logical_type(logical)
        .build()
}

impl Values {
    fn new(kind: Kind) -> Self {
        match kind {
            Kind::Bool => Values::Bool(Vec::new()),
            Kind::I64 | Kind::U64 => Values::Int64(Vec::new()),
            Kind::F32 => Values::Float(Vec::new()),
            Kind::F64 => Values::Double(Vec::new()),
            Kind::Text => Values::Text(Vec::new()),
            _ => Values::Int32(Vec::new()),
        }
    }
}

impl Pending {
    /// Appends cells, and returns the number of bytes of text in them.
    fn take(&mut self, cells: &RowCells<'_>, count: usize) -> usize {
        let mut text_bytes = 0;
        // A text that occurs in many rows is held once.
        let mut texts: Vec<Option<ByteArray>> = vec![None; cells.texts.len()];
        for row in 0..count {
            if let Some(levels) = &mut self.levels {
                let is_missing = cells.is_missing(row);
                levels.push(i16::from(!is_missing));
                if is_missing {
                    continue;
                }
            }
            let integer = cells.integers[row];
            match &mut self.values {
                Values::Bool(values) => values.push(integer != 0),
                Values::Int32(values) => values.push(integer as i32),
                Values::Int64(values) => values.push(integer),
                Values::Float(values) => values.push(f32::from_bits(integer as u32)),
                Values::Double(values) => values.push(f64::from_bits(integer as u64)),
                Values::Text(values) => match texts.get_mut(integer as usize) {
                    None => values.push(ByteArray::from("")),
                    Some(text) => {
                        let text = text.get_or_insert_with(|| ByteArray::from(cells.text(row)));
                        text_bytes += text.len();
                        values.push(text.clone());
                    }
                },
            }
        }
        text_bytes
    }

    fn write(&mut self, group: &mut SerializedRowGroupWriter<'_, &mut (dyn Write + Send)>) -> Result<()> {
        let levels = self.levels.as_deref();
        match &mut self.values {
            Values::Bool(values) => write_column::<BoolType>(group, values, levels)?,
            Values::Int32(values) => write_column::<Int32Type>(group, values, levels)?,
            Values::Int64(values) => write_column::<Int64Type>(group, values, levels)?,
            Values::Float(values) => write_column::<FloatType>(group, values, levels)?,
            Values::Double(values) => write_column::<DoubleType>(group, values, levels)?,
            Values::Text(values) => write_column::<ByteArrayType>(group, values, levels)?,
        }
        if let Some(levels) = &mut self.levels {
            levels.clear();
        }
        Ok(())
    }
}

/// Writes the next column of a row group, and empties `values`.
pub(crate) fn write_column<T: DataType>(
    group: &mut SerializedRowGroupWriter<'_, &mut (dyn Write + Send)>,
    values: &mut Vec<T::T>,
    levels: Option<&[i16]>,
) -> parquet::errors::Result<()> {
    if let Some(mut column) = group.next_column()? {
        column.typed::<T>().write_batch(values, levels, None)?;
        column.close()?;
    }
    values.clear();
    Ok(())
}
