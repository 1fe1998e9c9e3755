//! One column of a row group: its values as cells.

use std::collections::HashMap;
use std::sync::Arc;

use gt_log::{Kind, TEXT_BYTES_MAX};
use parquet::column::reader::{ColumnReader, ColumnReaderImpl, get_column_reader};
use parquet::data_type::{ByteArray, ByteArrayType, DataType};
use parquet::errors::Result as ParquetResult;
use parquet::file::metadata::ColumnChunkMetaData;
use parquet::schema::types::ColumnDescPtr;

use super::budget::Budget;
use super::pages::CheckedPages;
use super::source::Source;
use super::types::{broken, kind_of};
use crate::error::noun;
use crate::import::table::Cells;
use crate::literal::{integer_cell, integer_of_float};
use crate::{Error, ErrorKind, Result, RowPlace};

/// Texts can expand from few bytes, so only a few are read at a time.
const TEXT_ROWS: usize = 64;

pub(super) struct ColumnSource {
    reader: ColumnReader,
    descriptor: ColumnDescPtr,
    levels: Vec<i16>,
}

/// The rows being read.
#[derive(Clone, Copy)]
pub(super) struct Span {
    pub(super) count: usize,
    /// The number of the first row.
    pub(super) first: u64,
}

impl ColumnSource {
    pub(super) fn open(
        source: &Source,
        descriptor: ColumnDescPtr,
        chunk: &ColumnChunkMetaData,
        rows: u64,
        columns: usize,
        budget: &Arc<Budget>,
    ) -> ParquetResult<Self> {
        let pages = CheckedPages::open(source, chunk, rows, columns, budget)?;
        let reader = get_column_reader(descriptor.clone(), Box::new(pages));
        Ok(Self { reader, descriptor, levels: Vec::new() })
    }

    /// Appends the cells of the next rows.
    pub(super) fn read(&mut self, wanted: Kind, span: Span, cells: &mut Cells) -> Result<()> {
        let declared = kind_of(&self.descriptor)?;
        let mut target =
            Target { levels: &mut self.levels, level_max: self.descriptor.max_def_level(), span, cells };
        match &mut self.reader {
            ColumnReader::BoolColumnReader(reader) => {
                target.read(reader, |value| integer_as(i128::from(*value), Kind::Bool, wanted))
            }
            ColumnReader::Int32ColumnReader(reader) => target.read(reader, |value| match declared {
                Kind::U8 | Kind::U16 | Kind::U32 => integer_as(i128::from(*value as u32), declared, wanted),
                _ => integer_as(i128::from(*value), declared, wanted),
            }),
            ColumnReader::Int64ColumnReader(reader) => target.read(reader, |value| match declared {
                Kind::U8 | Kind::U16 | Kind::U32 | Kind::U64 => {
                    integer_as(i128::from(*value as u64), declared, wanted)
                }
                _ => integer_as(i128::from(*value), declared, wanted),
            }),
            ColumnReader::FloatColumnReader(reader) => target.read(reader, |value| match wanted {
                Kind::F32 => Ok(Some(i64::from(value.to_bits()))),
                _ => float_as_integer(f64::from(*value), wanted),
            }),
            ColumnReader::DoubleColumnReader(reader) => target.read(reader, |value| match wanted {
                Kind::F64 => Ok(Some(value.to_bits() as i64)),
                _ => float_as_integer(*value, wanted),
            }),
            ColumnReader::ByteArrayColumnReader(reader) if wanted == Kind::Text => target.read_texts(reader),
            _ => Err(ErrorKind::UnsupportedType { name: declared.to_string() }.into()),
        }
    }
}

/// A whole number or Boolean as a cell of the wanted type.
fn integer_as(integer: i128, declared: Kind, wanted: Kind) -> Result<Option<i64>> {
    let fits =
        wanted.is_integer() && declared.is_integer() || wanted == Kind::Bool && matches!(integer, 0 | 1);
    if fits && wanted != Kind::Bool {
        return Ok(Some(integer_cell(integer, wanted)?));
    }
    if fits {
        return Ok(Some(integer as i64));
    }
    Err(ErrorKind::WrongValue { value: integer.to_string(), expected: noun(wanted) }.into())
}

/// A float where a whole number is wanted: tools without missing integers write them this way.
fn float_as_integer(float: f64, wanted: Kind) -> Result<Option<i64>> {
    if float.is_nan() {
        return Ok(None);
    }
    match integer_of_float(float) {
        Some(integer) if wanted.is_integer() => Ok(Some(integer_cell(integer, wanted)?)),
        _ => Err(ErrorKind::WrongValue { value: float.to_string(), expected: noun(wanted) }.into()),
    }
}

/// The destination of cells.
struct Target<'a> {
    levels: &'a mut Vec<i16>,
    level_max: i16,
    span: Span,
    cells: &'a mut Cells,
}

impl Target<'_> {
    fn read<T: DataType>(
        &mut self,
        reader: &mut ColumnReaderImpl<T>,
        cell: impl Fn(&T::T) -> Result<Option<i64>>,
    ) -> Result<()> {
        let mut values = Vec::new();
        self.fill(reader, self.span.count, &mut values)?;
        let mut values = values.iter();
        for row in 0..self.span.count {
            let value = if self.is_there(row) { values.next() } else { None };
            match value.map(&cell).transpose().map_err(|error| self.located(error, row))?.flatten() {
                Some(cell) => self.cells.push(cell),
                None => self.cells.push_missing(),
            }
        }
        Ok(())
    }

    fn read_texts(&mut self, reader: &mut ColumnReaderImpl<ByteArrayType>) -> Result<()> {
        // Equal texts are stored once.
        let mut places: HashMap<Box<str>, i64> = HashMap::new();
        let mut done = 0;
        while done < self.span.count {
            let count = TEXT_ROWS.min(self.span.count - done);
            let mut values = Vec::new();
            self.fill(reader, count, &mut values)?;
            let mut values = values.into_iter();
            for row in 0..count {
                let value = if self.is_there(row) { values.next() } else { None };
                self.take_text(value, &mut places).map_err(|error| self.located(error, done + row))?;
            }
            done += count;
        }
        Ok(())
    }

    fn take_text(&mut self, value: Option<ByteArray>, places: &mut HashMap<Box<str>, i64>) -> Result<()> {
        let Some(value) = value else {
            self.cells.push_missing();
            return Ok(());
        };
        if value.len() > TEXT_BYTES_MAX {
            return Err(ErrorKind::TextTooLong { bytes: value.len() }.into());
        }
        let text = std::str::from_utf8(value.data()).map_err(|_| broken("it is not UTF-8 text"))?;
        match places.get(text) {
            Some(&place) => self.cells.push(place),
            None => {
                places.insert(text.into(), self.cells.texts.len() as i64);
                self.cells.push_text(text);
            }
        }
        Ok(())
    }

    /// Reads the values of `count` rows, and the levels that show which rows have one.
    fn fill<T: DataType>(
        &mut self,
        reader: &mut ColumnReaderImpl<T>,
        count: usize,
        values: &mut Vec<T::T>,
    ) -> Result<()> {
        self.levels.clear();
        let levels = (self.level_max > 0).then_some(&mut *self.levels);
        let (records, _, _) = reader.read_records(count, levels, None, values)?;
        if records != count {
            return Err(broken("it has fewer rows than it says"));
        }
        Ok(())
    }

    fn is_there(&self, row: usize) -> bool {
        self.level_max == 0 || self.levels.get(row) == Some(&self.level_max)
    }

    fn located(&self, error: Error, row: usize) -> Error {
        error.at(RowPlace::Row(self.span.first + row as u64))
    }
}
