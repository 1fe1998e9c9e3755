//! Trees as Arrow record batches: the columns of an export, one row per node, in preorder.
//!
//! ```text
//! Log ─preorder─▶ batches ─Rows─▶ arrays ──channel──▶ NodeBatches ─next─▶ whoever reads
//!      └────────── a thread of its own ──────────┘
//! ```
//!
//! Integers, floats and Booleans have their width in the log's schema. The schema's metadata carry the log's
//! description, so that [`import_arrow`](crate::import_arrow) makes the same log from the table.
//!
//! **Invariant:** memory is that of the few batches that have not been read yet. Dropping the reader ends the thread.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};

use arrow_array::types::{
    Float32Type, Float64Type, Int8Type, Int16Type, Int32Type, Int64Type, UInt8Type, UInt16Type, UInt32Type,
    UInt64Type,
};
use arrow_array::{
    ArrayRef, ArrowPrimitiveType, BooleanArray, PrimitiveArray, RecordBatch, RecordBatchOptions,
    RecordBatchReader, StringArray,
};
use arrow_buffer::{BooleanBuffer, NullBuffer};
use arrow_schema::{ArrowError, DataType, Field, Schema, SchemaRef};
use gt_log::{Kind, Log, Tree};

use crate::description::{Description, KEY};
use crate::export::Selection;
use crate::export::rows::{Plan, PlannedColumn, RowCells, Rows};
use crate::{Error, ErrorKind, Result};

/// The number of batches that wait for the reader.
const BATCHES_AHEAD: usize = 2;

/// The nodes of trees, batch by batch.
///
/// ```
/// use std::sync::Arc;
/// use gt_convert::{NodeBatches, Selection};
/// use gt_log::{Artificial, Log, LogWriter, Options, Shape};
/// let writer = LogWriter::to_memory(Artificial::header()?)?;
/// Artificial { shape: Shape::Full, depth: 4, branching: 3, seed: 1 }.write(&writer, Options::default(), |_| {})?;
/// let log = Arc::new(Log::from_bytes(writer.into_memory()?)?);
/// let rows = NodeBatches::new(log, &Selection::All, None)?.map(|batch| batch.map(|batch| batch.num_rows()));
/// assert_eq!(rows.sum::<Result<usize, _>>()?, 1 + 3 + 9 + 27 + 81);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct NodeBatches {
    schema: SchemaRef,
    batches: Receiver<std::result::Result<RecordBatch, ArrowError>>,
}

impl NodeBatches {
    /// Reads trees of a log, with all their columns, or those named, in that order.
    ///
    /// # Errors
    /// Returns an error if there is no such tree or column, or the log cannot be read.
    pub fn new(log: Arc<Log>, selection: &Selection, columns: Option<&[String]>) -> Result<Self> {
        let numbers = selection.numbers(&log);
        let (plan, schema) = planned(&log, &numbers, columns)?;
        let (sender, batches) = sync_channel(BATCHES_AHEAD);
        let producer = Producer { log, numbers, plan, schema: Arc::clone(&schema), sender };
        std::thread::Builder::new().name("gt-nodes".to_owned()).spawn(move || producer.run())?;
        Ok(Self { schema, batches })
    }

    /// Returns the columns of the table that [`NodeBatches::new`] would give.
    ///
    /// # Errors
    /// Returns the errors of [`NodeBatches::new`].
    pub fn schema_of(log: &Log, selection: &Selection, columns: Option<&[String]>) -> Result<SchemaRef> {
        Ok(planned(log, &selection.numbers(log), columns)?.1)
    }
}

impl Iterator for NodeBatches {
    type Item = std::result::Result<RecordBatch, ArrowError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.batches.recv().ok()
    }
}

impl RecordBatchReader for NodeBatches {
    fn schema(&self) -> SchemaRef {
        Arc::clone(&self.schema)
    }
}

fn planned(log: &Log, numbers: &[usize], columns: Option<&[String]>) -> Result<(Plan, SchemaRef)> {
    let trees = numbers.iter().map(|&number| Ok(log.tree(number)?)).collect::<Result<Vec<Tree<'_>>>>()?;
    let mut plan = Plan::new(log.schema(), &trees)?;
    if let Some(names) = columns {
        plan = only(plan, names)?;
    }
    let description = Description::of(log, numbers)?.to_json().to_string();
    let fields: Vec<Field> = plan.columns.iter().map(field).collect();
    let schema = Schema::new_with_metadata(fields, HashMap::from([(KEY.to_owned(), description)]));
    Ok((plan, Arc::new(schema)))
}

/// The columns with these names, in this order.
fn only(plan: Plan, names: &[String]) -> Result<Plan> {
    let mut held: Vec<Option<PlannedColumn>> = plan.columns.into_iter().map(Some).collect();
    let present: Vec<String> = held.iter().flatten().map(|column| column.name.clone()).collect();
    let mut columns = Vec::with_capacity(names.len());
    for (place, name) in names.iter().enumerate() {
        if names[..place].contains(name) {
            return Err(ErrorKind::ColumnTwice { name: name.clone() }.into());
        }
        let found = present.iter().position(|own| own == name).and_then(|place| held[place].take());
        let unknown =
            || ErrorKind::NoSuchColumn { name: name.clone(), option: "`columns`", present: present.clone() };
        columns.push(found.ok_or_else(unknown)?);
    }
    Ok(Plan { columns })
}

fn field(column: &PlannedColumn) -> Field {
    let data_type = match column.kind {
        Kind::I8 => DataType::Int8,
        Kind::I16 => DataType::Int16,
        Kind::I32 => DataType::Int32,
        Kind::I64 => DataType::Int64,
        Kind::U8 => DataType::UInt8,
        Kind::U16 => DataType::UInt16,
        Kind::U32 => DataType::UInt32,
        Kind::U64 => DataType::UInt64,
        Kind::F32 => DataType::Float32,
        Kind::F64 => DataType::Float64,
        Kind::Bool => DataType::Boolean,
        Kind::Text => DataType::Utf8,
    };
    Field::new(&column.name, data_type, column.is_optional)
}

/// The state of the thread.
struct Producer {
    log: Arc<Log>,
    numbers: Vec<usize>,
    plan: Plan,
    schema: SchemaRef,
    sender: SyncSender<std::result::Result<RecordBatch, ArrowError>>,
}

/// The reason why the thread ends early.
enum Ended {
    /// The reader is gone.
    Unread,
    Failed(Error),
}

impl From<gt_log::Error> for Ended {
    fn from(error: gt_log::Error) -> Self {
        Self::Failed(error.into())
    }
}

impl Producer {
    fn run(self) {
        if let Err(Ended::Failed(error)) = self.send_all() {
            // If the reader is gone, nobody misses the error.
            let _ = self.sender.send(Err(ArrowError::ExternalError(Box::new(error))));
        }
    }

    fn send_all(&self) -> std::result::Result<(), Ended> {
        let columns = self.plan.columns_read();
        for &number in &self.numbers {
            self.log.tree(number)?.preorder(&columns, |batch| {
                let rows = Rows::new(&self.plan, number, batch);
                let arrays = rows.columns.iter().map(|cells| array(cells, rows.count)).collect();
                let options = RecordBatchOptions::new().with_row_count(Some(rows.count));
                let batch = RecordBatch::try_new_with_options(Arc::clone(&self.schema), arrays, &options);
                let batch = batch.map_err(|error| Ended::Failed(error.into()))?;
                self.sender.send(Ok(batch)).map_err(|_| Ended::Unread)
            })?;
        }
        Ok(())
    }
}

fn array(cells: &RowCells<'_>, rows: usize) -> ArrayRef {
    let is_missing = |row: usize| cells.is_missing(row);
    let lacking = (0..rows).any(is_missing);
    let nulls = lacking.then(|| NullBuffer::new(BooleanBuffer::collect_bool(rows, |row| !is_missing(row))));
    match cells.kind {
        Kind::I8 => numbers::<Int8Type>(cells, nulls, |integer| integer as i8),
        Kind::I16 => numbers::<Int16Type>(cells, nulls, |integer| integer as i16),
        Kind::I32 => numbers::<Int32Type>(cells, nulls, |integer| integer as i32),
        Kind::I64 => numbers::<Int64Type>(cells, nulls, |integer| integer),
        Kind::U8 => numbers::<UInt8Type>(cells, nulls, |integer| integer as u8),
        Kind::U16 => numbers::<UInt16Type>(cells, nulls, |integer| integer as u16),
        Kind::U32 => numbers::<UInt32Type>(cells, nulls, |integer| integer as u32),
        Kind::U64 => numbers::<UInt64Type>(cells, nulls, |integer| integer as u64),
        Kind::F32 => numbers::<Float32Type>(cells, nulls, |integer| f32::from_bits(integer as u32)),
        Kind::F64 => numbers::<Float64Type>(cells, nulls, |integer| f64::from_bits(integer as u64)),
        Kind::Bool => {
            let values = BooleanBuffer::collect_bool(rows, |row| cells.integers[row] != 0);
            Arc::new(BooleanArray::new(values, nulls))
        }
        Kind::Text => {
            let texts = (0..rows).map(|row| (!is_missing(row)).then(|| cells.text(row)));
            Arc::new(texts.collect::<StringArray>())
        }
    }
}

fn numbers<T: ArrowPrimitiveType>(
    cells: &RowCells<'_>,
    nulls: Option<NullBuffer>,
    number: impl Fn(i64) -> T::Native,
) -> ArrayRef {
    let values: Vec<T::Native> = cells.integers.iter().map(|&integer| number(integer)).collect();
    Arc::new(PrimitiveArray::<T>::new(values.into(), nulls))
}
