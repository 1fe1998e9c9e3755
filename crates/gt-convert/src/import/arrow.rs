//! Arrow record batches as a table: whole numbers, floats, Booleans, texts, and texts in dictionaries.
//!
//! The batches are not copied; a chunk holds the cells of a few thousand rows at a time.

use arrow_array::cast::AsArray;
use arrow_array::types::{
    ArrowDictionaryKeyType, Float32Type, Float64Type, Int8Type, Int16Type, Int32Type, Int64Type, UInt8Type,
    UInt16Type, UInt32Type, UInt64Type,
};
use arrow_array::{Array, RecordBatch};
use arrow_schema::{DataType, SchemaRef};
use gt_log::{Kind, TEXT_BYTES_MAX};

use super::table::{CHUNK_ROWS, Cells, Chunk, Step, Table, Visit};
use crate::description::{Description, KEY};
use crate::error::noun;
use crate::{Error, ErrorKind, Result, RowPlace};

pub(super) struct ArrowTable {
    schema: SchemaRef,
    batches: Vec<RecordBatch>,
    names: Vec<String>,
    description: Option<Description>,
}

impl ArrowTable {
    pub(super) fn new(schema: SchemaRef, batches: Vec<RecordBatch>) -> Result<Self> {
        if batches.iter().all(|batch| batch.num_rows() == 0) {
            return Err(ErrorKind::Empty.into());
        }
        let description = schema.metadata().get(KEY).map(|text| Description::parse(text)).transpose()?;
        let names = schema.fields().iter().map(|field| field.name().clone()).collect();
        Ok(Self { schema, batches, names, description })
    }

    /// The approximate memory of the batches.
    pub(super) fn bytes(&self) -> u64 {
        self.batches.iter().map(|batch| batch.get_array_memory_size() as u64).sum()
    }

    fn rows(&self) -> u64 {
        self.batches.iter().map(|batch| batch.num_rows() as u64).sum()
    }
}

impl Table for ArrowTable {
    fn names(&self) -> &[String] {
        &self.names
    }

    fn description(&self) -> Option<&Description> {
        self.description.as_ref()
    }

    fn kinds(&mut self, columns: &[usize], _step: Step<'_>) -> Result<Vec<Kind>> {
        let kind = |&column: &usize| {
            kind_of(self.schema.field(column).data_type())
                .map_err(|error| error.in_column(&self.names[column]))
        };
        columns.iter().map(kind).collect()
    }

    fn read(&mut self, wanted: &[Option<Kind>], step: Step<'_>, visit: Visit<'_>) -> Result<()> {
        let (rows, mut done) = (self.rows(), 0_u64);
        let mut chunk = Chunk::new(wanted.len());
        for batch in &self.batches {
            let mut first = 0;
            while first < batch.num_rows() {
                let count = CHUNK_ROWS.min(batch.num_rows() - first);
                chunk.clear();
                chunk.places.extend((done + 1..=done + count as u64).map(RowPlace::Row));
                for (column, kind) in wanted.iter().enumerate() {
                    let Some(kind) = *kind else { continue };
                    let part = batch.column(column).slice(first, count);
                    take(&*part, kind, &mut chunk.columns[column]).map_err(|(row, error)| {
                        Error::new(error)
                            .at(RowPlace::Row(done + row as u64 + 1))
                            .in_column(&self.names[column])
                    })?;
                }
                (first, done) = (first + count, done + count as u64);
                step(done, rows)?;
                if !visit(&chunk)? {
                    return Ok(());
                }
            }
        }
        Ok(())
    }
}

/// The attribute type for a column's type.
fn kind_of(data_type: &DataType) -> Result<Kind> {
    Ok(match data_type {
        DataType::Int8 => Kind::I8,
        DataType::Int16 => Kind::I16,
        DataType::Int32 => Kind::I32,
        DataType::Int64 => Kind::I64,
        DataType::UInt8 => Kind::U8,
        DataType::UInt16 => Kind::U16,
        DataType::UInt32 => Kind::U32,
        DataType::UInt64 => Kind::U64,
        DataType::Float32 => Kind::F32,
        DataType::Float64 => Kind::F64,
        DataType::Boolean => Kind::Bool,
        DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View => Kind::Text,
        DataType::Dictionary(_, values) if kind_of(values).is_ok_and(|kind| kind == Kind::Text) => Kind::Text,
        other => return Err(ErrorKind::UnsupportedType { name: other.to_string() }.into()),
    })
}

type Refused = (usize, ErrorKind);

/// Appends an array's values to the cells of a column that is read as `kind`.
fn take(array: &dyn Array, kind: Kind, cells: &mut Cells) -> std::result::Result<(), Refused> {
    /// Integers of one type, each widened.
    macro_rules! integers {
        ($type:ty) => {{
            let values = array.as_primitive::<$type>().values();
            each(array, cells, |row, cells| {
                let value = i128::from(values[row]);
                Ok(cells.push(integer(value, kind)?))
            })
        }};
    }
    match array.data_type() {
        DataType::Int8 => integers!(Int8Type),
        DataType::Int16 => integers!(Int16Type),
        DataType::Int32 => integers!(Int32Type),
        DataType::Int64 => integers!(Int64Type),
        DataType::UInt8 => integers!(UInt8Type),
        DataType::UInt16 => integers!(UInt16Type),
        DataType::UInt32 => integers!(UInt32Type),
        DataType::UInt64 => integers!(UInt64Type),
        DataType::Float32 if kind == Kind::F32 => {
            let values = array.as_primitive::<Float32Type>().values();
            each(array, cells, |row, cells| {
                cells.push(i64::from(values[row].to_bits()));
                Ok(())
            })
        }
        DataType::Float64 if kind == Kind::F64 => {
            let values = array.as_primitive::<Float64Type>().values();
            each(array, cells, |row, cells| {
                cells.push(values[row].to_bits() as i64);
                Ok(())
            })
        }
        DataType::Boolean if kind == Kind::Bool => {
            let values = array.as_boolean().values();
            each(array, cells, |row, cells| {
                cells.push(i64::from(values.value(row)));
                Ok(())
            })
        }
        DataType::Null => each(array, cells, |_, cells| {
            cells.push_missing();
            Ok(())
        }),
        DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View | DataType::Dictionary(..)
            if kind == Kind::Text =>
        {
            texts(array, cells)
        }
        other => Err((0, ErrorKind::WrongValue { value: other.to_string(), expected: noun(kind) })),
    }
}

fn texts(array: &dyn Array, cells: &mut Cells) -> std::result::Result<(), Refused> {
    match array.data_type() {
        DataType::Utf8 => {
            let values = array.as_string::<i32>();
            each(array, cells, |row, cells| text(values.value(row), cells))
        }
        DataType::LargeUtf8 => {
            let values = array.as_string::<i64>();
            each(array, cells, |row, cells| text(values.value(row), cells))
        }
        DataType::Utf8View => {
            let values = array.as_string_view();
            each(array, cells, |row, cells| text(values.value(row), cells))
        }
        DataType::Dictionary(keys, _) => match **keys {
            DataType::Int8 => dictionary::<Int8Type>(array, cells),
            DataType::Int16 => dictionary::<Int16Type>(array, cells),
            DataType::Int32 => dictionary::<Int32Type>(array, cells),
            DataType::Int64 => dictionary::<Int64Type>(array, cells),
            DataType::UInt8 => dictionary::<UInt8Type>(array, cells),
            DataType::UInt16 => dictionary::<UInt16Type>(array, cells),
            DataType::UInt32 => dictionary::<UInt32Type>(array, cells),
            _ => dictionary::<UInt64Type>(array, cells),
        },
        other => Err((0, ErrorKind::UnsupportedType { name: other.to_string() })),
    }
}

/// Texts by their indices in a dictionary; an index may also refer to a missing text.
fn dictionary<K: ArrowDictionaryKeyType>(
    array: &dyn Array,
    cells: &mut Cells,
) -> std::result::Result<(), Refused> {
    let coded = array.as_dictionary::<K>();
    let mut words = Cells::default();
    texts(&**coded.values(), &mut words)?;
    each(array, cells, |row, cells| match coded.key(row) {
        Some(key) if !words.is_missing(key) => text(&words.texts[words.integers[key] as usize], cells),
        _ => {
            cells.push_missing();
            Ok(())
        }
    })
}

/// Calls `push` for the rows with a value; the others are missing.
fn each(
    array: &dyn Array,
    cells: &mut Cells,
    mut push: impl FnMut(usize, &mut Cells) -> std::result::Result<(), ErrorKind>,
) -> std::result::Result<(), Refused> {
    for row in 0..array.len() {
        if array.is_null(row) {
            cells.push_missing();
        } else {
            push(row, cells).map_err(|error| (row, error))?;
        }
    }
    Ok(())
}

fn integer(value: i128, kind: Kind) -> std::result::Result<i64, ErrorKind> {
    let held = match kind {
        Kind::U64 => u64::try_from(value).ok().map(u64::cast_signed),
        _ if kind.is_integer() || kind == Kind::Bool => {
            i64::try_from(value).ok().filter(|value| kind.holds(*value))
        }
        _ => None,
    };
    held.ok_or_else(|| ErrorKind::OutOfRange { value: value.to_string(), expected: noun(kind) })
}

fn text(value: &str, cells: &mut Cells) -> std::result::Result<(), ErrorKind> {
    if value.len() > TEXT_BYTES_MAX {
        return Err(ErrorKind::TextTooLong { bytes: value.len() });
    }
    cells.push_text(value);
    Ok(())
}
