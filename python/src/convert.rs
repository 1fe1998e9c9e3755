//! Tables of Arrow into logs.

use std::ops::ControlFlow;
use std::sync::atomic::Ordering;

use arrow_array::{RecordBatch, RecordBatchReader};
use gt_convert::{ImportOptions, import_arrow};
use gt_log::{Existing, Metadata};
use pyo3::prelude::*;

use crate::error::{self, ConvertError};
use crate::work::interruptible;
use crate::{arrow, log};

/// Makes a log of a table: a row a node, with node_id and parent_id. Gives the number of nodes.
#[pyfunction]
#[pyo3(signature = (table, path, *, game = None, aliases = Vec::new(), metadata = Vec::new(), rename = Vec::new(),
    omit = Vec::new(), force = false))]
#[allow(clippy::too_many_arguments)] // They are keywords of a Python function.
pub(crate) fn from_arrow(
    py: Python<'_>,
    table: &Bound<'_, PyAny>,
    path: &Bound<'_, PyAny>,
    game: Option<String>,
    aliases: Vec<(String, i64)>,
    metadata: Vec<(String, String)>,
    rename: Vec<(String, String)>,
    omit: Vec<String>,
    force: bool,
) -> PyResult<u64> {
    let (reader, target) = (arrow::reader(table)?, log::path_of(path)?);
    let mut about = Metadata::new();
    metadata.into_iter().for_each(|(name, value)| about.set(name, value));
    let existing = if force { Existing::Replace } else { Existing::Keep };
    let options = ImportOptions {
        existing,
        game,
        aliases,
        metadata: about,
        renames: rename,
        omit,
        ..ImportOptions::default()
    };
    let schema = reader.schema();
    let batches = reader.collect::<Result<Vec<RecordBatch>, _>>();
    let batches = batches.map_err(|error| ConvertError::new_err(error.to_string()))?;
    let report = interruptible(py, |cancel| {
        import_arrow(schema, batches, &options, &target, &mut |_| match cancel.load(Ordering::Relaxed) {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        })
    })?;
    Ok(report.map_err(|error| error::converting(&error))?.nodes)
}
