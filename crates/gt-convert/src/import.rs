//! Tables of nodes into logs.
//!
//! ```text
//! file ─Table─▶ chunks of rows ─Picker─▶ nodes ─┬─ in preorder ──────▶ Stream ──▶ Planter ─▶ log
//!                                               └─ in another order ─▶ Collected ─▶ Planter ─▶ log
//! ```
//!
//! Rows are taken to be in preorder until they are seen not to be; then the file is read again and sorted in
//! memory. The log is written beside its place and moved there when it is whole.

mod collect;
mod csv;
mod infer;
mod json_fields;
mod json_lines;
mod node;
mod page_header;
mod page_walk;
mod pages;
mod parquet;
mod parquet_column;
mod plant;
mod records;
mod stream;
mod table;

use std::path::Path;

use bytes::Bytes;
use gt_log::{Header, Kind, LogWriter, Metadata, NODES_MAX, Schema};

use crate::description::Description;
use crate::layout::Layout;
use crate::replace::Replacement;
use crate::{Error, ErrorKind, Format, Progress, Result, Stage};
use collect::{Grant, collect};
use node::Picker;
use plant::{Planted, Planter};
use stream::stream;
use table::Input;

/// A chunk is handed on when its rows have so many bytes of text.
const CHUNK_BYTES: usize = 1 << 23;

/// What the importer is told beside the file.
#[derive(Clone, Debug, Default)]
pub struct ImportOptions {
    /// The game; by default what the file says, or none.
    pub game: Option<String>,
    /// Names for numbers, added to those that the file brings; the same name again replaces its number.
    pub aliases: Vec<(String, i64)>,
    /// About the log, added to what the file brings; the same key again replaces its value.
    pub metadata: Metadata,
    /// Columns that are to be called otherwise: `(column, name)`. A column can be made `node_id` or any other
    /// part of the structure so. One that is given its own name is an attribute even if its name says
    /// otherwise (`size`).
    pub renames: Vec<(String, String)>,
    /// Columns that are left out.
    pub omit: Vec<String>,
    /// Whether an attribute without a value is 0, false or the empty text; an error otherwise.
    pub fill_missing: bool,
    /// How much a file may ask for.
    pub limits: Limits,
}

/// How much a file may ask for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The most rows.
    pub rows_max: u64,
    /// The most memory for sorting rows that are not in the tree's order; without it 4 GiB, or a thousand
    /// times the file's length where that is more.
    pub sort_bytes_max: Option<u64>,
}

impl Default for Limits {
    fn default() -> Self {
        Self { rows_max: NODES_MAX, sort_bytes_max: None }
    }
}

/// What an import came to.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ImportReport {
    /// How many trees.
    pub trees: u64,
    /// How many nodes in all.
    pub nodes: u64,
    /// How many of them are marked unfinished.
    pub unfinished: u64,
    /// How many nodes are said to have been left out below them.
    pub left_out: u64,
    /// The attributes, in order.
    pub schema: Schema,
    /// Whether the rows were in another order than the tree's, and were sorted.
    pub sorted: bool,
    /// Whether nodes got other numbers than their node_id in the file.
    pub renumbered: bool,
    /// Attributes that the file says its log had, and that have no column.
    pub attributes_lost: Vec<String>,
}

/// Makes a log at `target` of the table in `source`. Without a format, the extension tells it.
///
/// ```
/// use gt_convert::{ImportOptions, import};
/// let folder = tempfile::tempdir()?;
/// let (source, target) = (folder.path().join("nodes.csv"), folder.path().join("nodes.gtf"));
/// std::fs::write(&source, "node_id,parent_id,last_move,best\n0,-1,0,3\n1,0,12,-3\n")?;
/// let report = import(&source, None, &ImportOptions::default(), &target, &mut |_| ())?;
/// assert_eq!(report.nodes, 2);
/// assert_eq!(gt_log::Log::open(&target)?.schema().attributes()[0].name, "best");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn import(
    source: &Path,
    format: Option<Format>,
    options: &ImportOptions,
    target: &Path,
    progress: &mut dyn FnMut(Progress),
) -> Result<ImportReport> {
    let format = match format {
        Some(format) => format,
        None => Format::of_path(source)?,
    };
    let replacement = Replacement::of(target);
    let mut create = |header| {
        let file = replacement.create().map_err(|error| Error::from(error).in_file(target))?;
        Ok(LogWriter::to_writer(file, header)?)
    };
    let input = Input::File(source.to_owned());
    let (log, report) =
        run(input, format, options, &mut create, progress).map_err(|error| error.in_file(source))?;
    log.finish()?;
    replacement.keep().map_err(|error| Error::from(error).in_file(target))?;
    Ok(report)
}

/// Makes a log in memory of a table in memory: small ones, of at most a million rows.
pub fn import_bytes(bytes: &[u8], format: Format) -> Result<Vec<u8>> {
    let limits = Limits { rows_max: 1 << 20, sort_bytes_max: Some(1 << 28) };
    let options = ImportOptions { limits, ..ImportOptions::default() };
    let input = Input::Memory(Bytes::copy_from_slice(bytes));
    let mut create = |header| Ok(LogWriter::to_memory(header)?);
    let (log, _) = run(input, format, &options, &mut create, &mut |_| ())?;
    Ok(log.into_memory()?)
}

fn run(
    input: Input,
    format: Format,
    options: &ImportOptions,
    create: &mut dyn FnMut(Header) -> Result<LogWriter>,
    progress: &mut dyn FnMut(Progress),
) -> Result<(LogWriter, ImportReport)> {
    let grant = grant(&input, options)?;
    let mut stage = Stage::Looking;
    let mut step = |done, total| {
        progress(Progress { stage, done, total });
        Ok(())
    };
    // 1. What columns are there, and what do they mean?
    let mut table = table::open(input, format, &mut step)?;
    let description = table.description().cloned();
    let names = table.names().to_vec();
    let layout = Layout::new(&names, description.as_ref(), options)?;
    let columns: Vec<usize> = layout.attributes.iter().map(|(_, column)| *column).collect();
    let kinds = table.kinds(&columns, &mut step)?;
    let header = header(&layout, &kinds, description.as_ref(), options)?;
    let picker = Picker::new(&names, &layout, &kinds, options.fill_missing);

    // 2. Rows in preorder are written as they come.
    stage = Stage::Reading;
    let mut step = |done, total| {
        progress(Progress { stage, done, total });
        Ok(())
    };
    let mut log = create(header.clone())?;
    let planter = Planter::new(&log, description.as_ref(), picker.has_trees());
    let streamed = stream(&mut *table, &picker, planter, grant.rows_max, &mut step)?;

    // 3. Others are sorted first.
    let sorted = streamed.is_none();
    let planted = match streamed {
        Some(planted) => planted,
        None => {
            log = create(header.clone())?;
            let planter = Planter::new(&log, description.as_ref(), picker.has_trees());
            collect(&mut *table, &picker, planter, grant, &mut step)?
        }
    };
    let report = report(planted, sorted, header.schema, description.as_ref());
    if report.nodes == 0 { Err(ErrorKind::Empty.into()) } else { Ok((log, report)) }
}

fn grant(input: &Input, options: &ImportOptions) -> Result<Grant> {
    const SORT_BYTES_MIN: u64 = 1 << 32;
    const SORT_EXPANSION: u64 = 1000;
    let by_length = input.bytes()?.saturating_mul(SORT_EXPANSION).max(SORT_BYTES_MIN);
    let bytes_max = options.limits.sort_bytes_max.unwrap_or(by_length);
    Ok(Grant { rows_max: options.limits.rows_max, bytes_max })
}

/// The log's header: what the file says of its log, and what the options add.
fn header(
    layout: &Layout,
    kinds: &[Kind],
    description: Option<&Description>,
    options: &ImportOptions,
) -> Result<Header> {
    let mut header = description.cloned().unwrap_or_default();
    for (name, value) in &options.aliases {
        match header.aliases.iter_mut().find(|(own, _)| own == name) {
            Some(alias) => alias.1 = *value,
            None => header.aliases.push((name.clone(), *value)),
        }
    }
    for (key, value) in options.metadata.iter() {
        header.metadata.set(key, value);
    }
    let attributes = layout.attributes.iter().map(|(name, _)| name.as_str()).zip(kinds.iter().copied());
    let schema = Schema::new(attributes).and_then(|schema| schema.with_aliases(header.aliases));
    Ok(Header {
        game: options.game.clone().unwrap_or(header.game),
        schema: schema.map_err(ErrorKind::Schema)?,
        metadata: header.metadata,
        ..Header::default()
    })
}

fn report(planted: Planted, sorted: bool, schema: Schema, description: Option<&Description>) -> ImportReport {
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
