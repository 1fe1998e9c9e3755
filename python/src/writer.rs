//! Logs written from Python: a writer for the file, one for each tree, and a context for each node.
//!
//! The values of a node come by position (the quickest), as a dict, or as an object with attributes of those names.

mod calls;
mod record;
mod shared;
mod tree;

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use gt_log::{Existing, Header, Kind, Options, Schema};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};

use crate::error::{self, WriteError};
use crate::log::path_of;
use crate::metadata::of_keywords;
use crate::work::guarded;
pub(crate) use calls::register;
use shared::Shared;
pub(crate) use tree::{OpenNode, TreeWriter};

/// A log that is being written. Made by `gt_tools.create`.
#[pyclass(frozen, module = "gt_tools")]
pub(crate) struct LogWriter(Arc<Shared>);

#[pymethods]
impl LogWriter {
    #[new]
    #[pyo3(signature = (path, schema, *, game = "", aliases = Vec::new(), metadata = Vec::new(), force = false,
        append = false))]
    #[allow(clippy::too_many_arguments)] // They are keywords of a Python function.
    fn new(
        py: Python<'_>,
        path: &Bound<'_, PyAny>,
        schema: Vec<(String, String)>,
        game: &str,
        aliases: Vec<(String, i64, Option<String>)>,
        metadata: Vec<(String, String)>,
        force: bool,
        append: bool,
    ) -> PyResult<Self> {
        let path = path_of(path)?;
        let attributes = schema.iter().map(|(name, kind)| Ok((name.clone(), kind_named(name, kind)?)));
        let attributes = attributes.collect::<PyResult<Vec<_>>>()?;
        let refused = |error: gt_log::SchemaError| WriteError::new_err(error.to_string());
        let mut schema = Schema::new(attributes).map_err(refused)?;
        for (name, value, attribute) in aliases {
            schema = match attribute {
                Some(attribute) => schema.with_aliases_of(&attribute, [(name, value)]),
                None => schema.with_aliases([(name, value)]),
            }
            .map_err(refused)?;
        }
        let kinds = schema.attributes().iter().map(|attribute| attribute.kind).collect();
        let names: Vec<String> = schema.attributes().iter().map(|attribute| attribute.name.clone()).collect();
        let keys = names.iter().map(|name| PyString::intern(py, name).unbind()).collect();
        let mut header = Header::new(game, schema);
        for (name, value) in metadata {
            header = header.with(name, value);
        }
        let existing = if force { Existing::Replace } else { Existing::Keep };
        let writer = guarded(|| {
            let writer = match append {
                true => gt_log::LogWriter::append(&path, header),
                false => gt_log::LogWriter::create_with(&path, header, existing),
            };
            writer.map_err(|error| error::writing(&error))
        })?;
        let (writer, game) = (Mutex::new(Some(writer)), game.parse().ok());
        Ok(Self(Arc::new(Shared { writer, kinds, names, keys, game, moves: Mutex::default() })))
    }

    /// The names of the attributes, in the order of positional values.
    #[getter]
    fn attributes(&self) -> Vec<String> {
        self.0.names.clone()
    }

    /// Begins a tree; the keywords are its metadata.
    #[pyo3(signature = (**metadata))]
    fn tree(&self, metadata: Option<&Bound<'_, PyDict>>) -> PyResult<TreeWriter> {
        let metadata = of_keywords(metadata)?;
        let writer = self.0.writer.lock().unwrap_or_else(PoisonError::into_inner);
        let writer = writer.as_ref().ok_or_else(error::closed)?;
        let tree =
            writer.dynamic_tree(&metadata, Options::default()).map_err(|error| error::writing(&error))?;
        Ok(TreeWriter { shared: Arc::clone(&self.0), tree: Mutex::new(Some(tree)) })
    }

    /// Gives names to the numbers of moves.
    fn name_moves(&self, names: HashMap<i64, String>) -> PyResult<()> {
        let writer = self.0.writer.lock().unwrap_or_else(PoisonError::into_inner);
        let writer = writer.as_ref().ok_or_else(error::closed)?;
        let names = names.iter().map(|(number, name)| (*number, name.as_str()));
        writer.name_moves(names).map_err(|error| error::writing(&error))
    }

    /// Closes the log; trees that are not finished are cut off.
    fn close(&self, py: Python<'_>) -> PyResult<()> {
        let writer = self.0.writer.lock().unwrap_or_else(PoisonError::into_inner).take();
        let Some(writer) = writer else { return Ok(()) };
        py.detach(|| guarded(|| writer.finish().map_err(|error| error::writing(&error))))?;
        Ok(())
    }

    fn __enter__(slf: PyRef<'_, Self>) -> PyRef<'_, Self> {
        slf
    }

    fn __exit__(
        &self,
        py: Python<'_>,
        _kind: &Bound<'_, PyAny>,
        _value: &Bound<'_, PyAny>,
        _trace: &Bound<'_, PyAny>,
    ) -> PyResult<()> {
        self.close(py)
    }
}

fn kind_named(attribute: &str, name: &str) -> PyResult<Kind> {
    let found = Kind::ALL.into_iter().find(|kind| kind.name() == name);
    found.ok_or_else(|| {
        let names = Kind::ALL.map(Kind::name).join(", ");
        WriteError::new_err(format!(
            "the attribute `{attribute}` cannot be of type `{name}`; there are {names}"
        ))
    })
}
