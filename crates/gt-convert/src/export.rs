//! Exports logs to tables of nodes, one row per node, in preorder.
//!
//! ```text
//! Log ─preorder─▶ batches ─Rows─▶ columns of cells ─▶ Parquet · CSV · JSON Lines
//! ```
//!
//! Memory: a batch, and for Parquet a row group.

mod csv;
mod json_lines;
pub(crate) mod parquet;
pub(crate) mod rows;
mod table_writer;

use std::io::{BufWriter, Write};
use std::path::Path;

use gt_log::{Existing, Log, NewFile, Tree};

use crate::description::Description;
use crate::progress::{OnProgress, report};
use crate::{Error, Format, Progress, Result, Stage};
use csv::CsvWriter;
use json_lines::JsonLinesWriter;
use parquet::ParquetWriter;
use rows::{Plan, Rows};
use table_writer::TableWriter;

/// The trees of a log to export.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Selection {
    /// All of them.
    #[default]
    All,
    /// These, by number; each once, in the log's order.
    Trees(Vec<usize>),
}

/// The result of an export.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ExportReport {
    /// The number of trees.
    pub trees: usize,
    /// The number of rows.
    pub nodes: u64,
}

/// Writes trees of a log to the file `target`. By default the extension determines the format.
///
/// The table is written beside its destination and renamed when it is complete; `existing` decides what happens to an
/// existing file.
pub fn export(
    log: &Log,
    selection: &Selection,
    format: Option<Format>,
    target: &Path,
    existing: Existing,
    on_progress: &mut OnProgress<'_>,
) -> Result<ExportReport> {
    let format = match format {
        Some(format) => format,
        None => Format::of_path(target)?,
    };
    let new = NewFile::at(target, existing).map_err(|error| Error::of_target(error, target))?;
    let in_target = |error: std::io::Error| Error::from(error).in_file(target);
    let mut file = BufWriter::with_capacity(1 << 18, new.create().map_err(in_target)?);
    let report = export_to(log, selection, format, &mut file, on_progress)?;
    file.flush().map_err(in_target)?;
    drop(file);
    new.keep().map_err(|error| Error::of_target(error, target))?;
    Ok(report)
}

/// Writes trees of a log to any sequential writer.
///
/// ```
/// use gt_convert::{Format, Selection, export_to, unwatched};
/// use gt_log::{Header, Kind, Log, LogWriter, Metadata, Schema, Value};
/// let log = LogWriter::to_memory(Header::new("nim", Schema::new([("best", Kind::I8)])?))?;
/// let mut tree = log.dynamic_tree(&Metadata::new(), Default::default())?;
/// tree.enter(0)?;
/// tree.enter(2)?;
/// tree.leave_values(&[Value::Int(-1)])?;
/// tree.leave_values(&[Value::Int(1)])?;
/// tree.finish()?;
/// let log = Log::from_bytes(log.into_memory()?)?;
///
/// let mut table = Vec::new();
/// export_to(&log, &Selection::All, Format::Csv, &mut table, &mut unwatched)?;
/// let table = String::from_utf8(table)?;
/// assert!(table.ends_with("node_id,parent_id,ply,size,last_move,best\n0,-1,0,2,0,1\n1,0,1,1,2,-1\n"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn export_to(
    log: &Log,
    selection: &Selection,
    format: Format,
    target: &mut (dyn Write + Send),
    on_progress: &mut OnProgress<'_>,
) -> Result<ExportReport> {
    let numbers = selection.numbers(log);
    let trees = numbers.iter().map(|&number| Ok(log.tree(number)?)).collect::<Result<Vec<Tree<'_>>>>()?;
    let plan = Plan::new(log.schema(), &trees)?;
    let description = Description::of(log, &numbers)?;
    let mut writer: Box<dyn TableWriter + '_> = match format {
        Format::Parquet => Box::new(ParquetWriter::new(target, &plan, &description)?),
        Format::Csv => Box::new(CsvWriter::new(target, &plan, &description)?),
        Format::JsonLines => Box::new(JsonLinesWriter::new(target, &plan, &description)?),
    };
    let total: u64 = trees.iter().map(Tree::nodes).sum();
    let mut done = 0;
    for tree in &trees {
        tree.preorder(&plan.columns_read(), |batch| {
            writer.write(&Rows::new(&plan, tree.number(), batch))?;
            done += batch.len() as u64;
            report(on_progress, Progress { stage: Stage::Writing, done, total })
        })?;
    }
    writer.finish()?;
    Ok(ExportReport { trees: trees.len(), nodes: done })
}

impl Selection {
    pub(crate) fn numbers(&self, log: &Log) -> Vec<usize> {
        match self {
            Selection::All => (0..log.tree_count()).collect(),
            Selection::Trees(numbers) => {
                let mut numbers = numbers.clone();
                numbers.sort_unstable();
                numbers.dedup();
                numbers
            }
        }
    }
}
