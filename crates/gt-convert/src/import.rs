//! Imports tables of nodes into logs.
//!
//! ```text
//! file ─Table─▶ chunks of rows ─Picker─▶ nodes ─┬─ in preorder ──────▶ Stream ──▶ NodeWriter ─▶ log
//!                                               └─ in another order ─▶ Collected ─▶ NodeWriter ─▶ log
//! ```
//!
//! Rows are assumed to be in preorder until one is not; then the file is read again and sorted in memory. The
//! log is written beside its destination and renamed when it is complete.

mod arrow;
mod collect;
mod csv;
mod header;
mod infer;
mod input;
mod json_lines;
mod layout;
mod links;
mod node;
mod node_writer;
mod options;
mod parquet;
mod records;
mod stream;
mod table;
mod text;

use std::path::Path;

use arrow_array::RecordBatch;
use arrow_schema::SchemaRef;
use bytes::Bytes;
use gt_log::{Header, LogWriter, NewFile, Schema};

use crate::description::Description;
use crate::progress::{OnProgress, report};
use crate::{Error, ErrorKind, Format, Progress, Result, Stage, unwatched};
use arrow::ArrowTable;
use collect::collect;
use csv::CsvTable;
use header::header;
use input::Input;
use json_lines::JsonLinesTable;
use layout::Layout;
use node::Picker;
use node_writer::{NodeWriter, WrittenTotals};
pub use options::{ImportOptions, Limits};
use parquet::ParquetTable;
use stream::stream;
use table::{Step, Table};

/// The result of an import.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ImportReport {
    /// The number of trees.
    pub trees: u64,
    /// The total number of nodes.
    pub nodes: u64,
    /// The number of nodes marked unfinished.
    pub unfinished: u64,
    /// The number of nodes left out below them, by the file.
    pub left_out: u64,
    /// The attributes, in order.
    pub schema: Schema,
    /// Whether the rows were not in the tree's order, and had to be sorted.
    pub sorted: bool,
    /// Whether nodes got other numbers than their node_id in the file.
    pub renumbered: bool,
    /// Attributes in the file's description that have no column.
    pub attributes_lost: Vec<String>,
}

/// Makes a log at `target` from the table in `source`. By default the extension determines the format.
///
/// The log is written beside its destination and renamed when it is complete. An existing file is kept, unless
/// [`ImportOptions::existing`] says otherwise.
///
/// ```
/// use gt_convert::{ImportOptions, import, unwatched};
/// let folder = tempfile::tempdir()?;
/// let (source, target) = (folder.path().join("nodes.csv"), folder.path().join("nodes.gtf"));
/// std::fs::write(&source, "node_id,parent_id,last_move,best\n0,-1,0,3\n1,0,12,-3\n")?;
/// let report = import(&source, None, &ImportOptions::default(), &target, &mut unwatched)?;
/// assert_eq!(report.nodes, 2);
/// assert_eq!(gt_log::Log::open(&target)?.schema().attributes()[0].name, "best");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn import(
    source: &Path,
    format: Option<Format>,
    options: &ImportOptions,
    target: &Path,
    on_progress: &mut OnProgress<'_>,
) -> Result<ImportReport> {
    let format = match format {
        Some(format) => format,
        None => Format::of_path(source)?,
    };
    let new = NewFile::at(target, options.existing).map_err(|error| Error::of_target(error, target))?;
    let input = Input::File(source.to_owned());
    into_new_file(new, target, |create| {
        run(input, format, options, create, on_progress).map_err(|error| error.in_file(source))
    })
}

/// Makes a log at `target` from record batches with the columns of an export (see [`crate::NodeBatches`]) or other columns with these
/// names.
///
/// The log is written beside its destination, as by [`import`].
///
/// # Errors
/// Returns an error if a column has no counterpart in a log, the rows do not form a tree, or the log cannot
/// be written.
pub fn import_arrow(
    schema: SchemaRef,
    batches: Vec<RecordBatch>,
    options: &ImportOptions,
    target: &Path,
    on_progress: &mut OnProgress<'_>,
) -> Result<ImportReport> {
    let new = NewFile::at(target, options.existing).map_err(|error| Error::of_target(error, target))?;
    let table = ArrowTable::new(schema, batches)?;
    let bytes = table.bytes();
    into_new_file(new, target, |create| import_table(Box::new(table), bytes, options, create, on_progress))
}

/// Begins a log; a second call begins it anew.
type Create<'a> = &'a mut dyn FnMut(Header) -> Result<LogWriter>;

/// Lets `fill` write a log beside its destination, and renames it.
fn into_new_file(
    new: NewFile,
    target: &Path,
    fill: impl FnOnce(Create<'_>) -> Result<(LogWriter, ImportReport)>,
) -> Result<ImportReport> {
    let mut begun = false;
    let mut create = |header| {
        if std::mem::replace(&mut begun, true) && new.draft() == target {
            return Err(Error::new(ErrorKind::NotRewritable).in_file(target));
        }
        let file = new.create().map_err(|error| Error::from(error).in_file(target))?;
        Ok(LogWriter::to_writer(file, header)?)
    };
    let (log, report) = fill(&mut create)?;
    log.finish().map_err(|error| Error::of_target(error, target))?;
    new.keep().map_err(|error| Error::of_target(error, target))?;
    Ok(report)
}

/// Makes a log in memory from a small table in memory, of at most a million rows.
pub fn import_bytes(bytes: &[u8], format: Format) -> Result<Vec<u8>> {
    let limits = Limits { rows_max: Some(1 << 20), sort_bytes_max: Some(1 << 28) };
    let options = ImportOptions { limits, ..ImportOptions::default() };
    let input = Input::Memory(Bytes::copy_from_slice(bytes));
    let mut create = |header| Ok(LogWriter::to_memory(header)?);
    let (log, _) = run(input, format, &options, &mut create, &mut unwatched)?;
    Ok(log.into_memory()?)
}

fn run(
    input: Input,
    format: Format,
    options: &ImportOptions,
    create: Create<'_>,
    on_progress: &mut OnProgress<'_>,
) -> Result<(LogWriter, ImportReport)> {
    let file_bytes = input.bytes()?;
    let mut step = |done, total| report(on_progress, Progress { stage: Stage::Looking, done, total });
    let table = open(input, format, &mut step)?;
    import_table(table, file_bytes, options, create, on_progress)
}

fn import_table(
    mut table: Box<dyn Table>,
    file_bytes: u64,
    options: &ImportOptions,
    create: Create<'_>,
    on_progress: &mut OnProgress<'_>,
) -> Result<(LogWriter, ImportReport)> {
    let mut stage = Stage::Looking;
    let mut step = |done, total| report(on_progress, Progress { stage, done, total });
    // 1. Find the columns and their meaning.
    let description = table.description().cloned();
    let description = description.as_ref();
    let names = table.names().to_vec();
    let layout = Layout::new(&names, description, options)?;
    let columns: Vec<usize> = layout.attributes.iter().map(|(_, column)| *column).collect();
    let kinds = table.kinds(&columns, &mut step)?;
    let header = header(&names, &layout, &kinds, description, options)?;
    let picker = Picker::new(&names, &layout, &kinds);
    let grant = options.limits.grant(file_bytes, picker.columns());

    // 2. Write rows in preorder as they come.
    stage = Stage::Reading;
    let mut step = |done, total| report(on_progress, Progress { stage, done, total });
    let mut begin = || begin(create(header.clone())?, description);
    let mut log = begin()?;
    let node_writer = NodeWriter::new(&log, description, picker.has_trees());
    let streamed = stream(&mut *table, &picker, node_writer, grant.rows_max, &mut step)?;

    // 3. Sort rows in another order first, and begin the log anew: the first log must be gone before.
    let sorted = streamed.is_none();
    let planted = match streamed {
        Some(planted) => planted,
        None => {
            drop(log);
            log = begin()?;
            let node_writer = NodeWriter::new(&log, description, picker.has_trees());
            collect(&mut *table, &picker, node_writer, grant, &mut step)?
        }
    };
    let report = import_report(planted, sorted, header.schema, description);
    if report.nodes == 0 { Err(ErrorKind::Empty.into()) } else { Ok((log, report)) }
}

/// Gives a new log the file's names for moves.
fn begin(log: LogWriter, description: Option<&Description>) -> Result<LogWriter> {
    let names = description.map(|description| description.move_names.as_slice()).unwrap_or_default();
    log.name_moves(names.iter().map(|(code, name)| (*code, name.as_str())))?;
    Ok(log)
}

/// Opens a table of this format.
fn open(input: Input, format: Format, step: Step<'_>) -> Result<Box<dyn Table>> {
    if input.bytes()? == 0 {
        return Err(ErrorKind::Empty.into());
    }
    Ok(match format {
        Format::Parquet => Box::new(ParquetTable::open(&input)?),
        Format::Csv => Box::new(CsvTable::open(input)?),
        Format::JsonLines => Box::new(JsonLinesTable::open(input, step)?),
    })
}

fn import_report(
    planted: WrittenTotals,
    sorted: bool,
    schema: Schema,
    description: Option<&Description>,
) -> ImportReport {
    let described = description.map(|description| description.attributes.as_slice()).unwrap_or_default();
    let lost = described.iter().filter(|(name, _)| schema.position(name).is_none());
    ImportReport {
        trees: planted.trees,
        nodes: planted.nodes,
        unfinished: planted.unfinished,
        left_out: planted.left_out,
        sorted,
        renumbered: planted.renumbered,
        attributes_lost: lost.map(|(name, _)| name.clone()).collect(),
        schema,
    }
}
