//! A log, opened.

use std::path::PathBuf;
use std::sync::Arc;

use gt_report::{grouped, missing_text};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyList};

use crate::error::{self, LogError};
use crate::handle::Handle;
use crate::html::escaped;
use crate::metadata;
use crate::tree::Tree;
use crate::work::{guarded, interruptible};

/// A log of search trees. Made by `gt_tools.open`.
#[pyclass(frozen, module = "gt_tools")]
pub(crate) struct Log(Arc<Handle>);

#[pymethods]
impl Log {
    /// Opens a log: a path, or the bytes of one.
    #[new]
    fn new(py: Python<'_>, source: &Bound<'_, PyAny>) -> PyResult<Self> {
        if let Ok(bytes) = source.cast::<PyBytes>() {
            let bytes = bytes.as_bytes().to_vec();
            let log = interruptible(py, |_| gt_log::Log::from_bytes(bytes))?;
            let log = log.map_err(|error| error::reading(&error))?;
            return Ok(Self(Arc::new(Handle::new(None, log))));
        }
        let path = path_of(source)?;
        let opened = interruptible(py, |_| gt_log::Log::open(&path))?;
        let log = opened.map_err(|error| error::reading_at(&path, &error))?;
        Ok(Self(Arc::new(Handle::new(Some(path), log))))
    }

    /// Where it is; `None` for one in memory.
    #[getter]
    fn path(&self) -> Option<PathBuf> {
        self.0.path.clone()
    }

    /// The game's name; empty where none was given.
    #[getter]
    fn game(&self) -> PyResult<String> {
        Ok(self.0.log()?.game().to_owned())
    }

    /// The attributes that every node carries: name and type.
    #[getter]
    fn schema<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let (log, schema) = (self.0.log()?, PyDict::new(py));
        for attribute in log.schema().attributes() {
            schema.set_item(&attribute.name, attribute.kind.name())?;
        }
        Ok(schema)
    }

    /// Names for numbers, for use in queries.
    #[getter]
    fn aliases<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let (log, aliases) = (self.0.log()?, PyDict::new(py));
        for alias in log.schema().aliases() {
            aliases.set_item(&alias.name, alias.value)?;
        }
        Ok(aliases)
    }

    /// What is said about the whole log.
    #[getter]
    fn metadata<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        metadata::as_dict(py, self.0.log()?.metadata())
    }

    /// The names that the log has for moves, where its game has no notation here.
    #[getter]
    fn move_names<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let (log, names) = (self.0.log()?, PyDict::new(py));
        for (number, name) in log.move_names() {
            names.set_item(number, name)?;
        }
        Ok(names)
    }

    /// The state it was found in: "whole", or what is missing of it.
    #[getter]
    fn condition(&self) -> PyResult<String> {
        let log = self.0.log()?;
        Ok(missing_text(log.condition()).unwrap_or_else(|| "whole".to_owned()))
    }

    /// Whether it was closed properly and nothing is missing.
    #[getter]
    fn is_whole(&self) -> PyResult<bool> {
        Ok(self.0.log()?.condition().is_whole())
    }

    /// The file's length in bytes, and how many of them belong to no readable part.
    #[getter]
    fn bytes(&self) -> PyResult<(u64, u64)> {
        let log = self.0.log()?;
        Ok((log.condition().bytes, log.condition().bytes_lost))
    }

    /// The version of its format.
    #[getter]
    fn version(&self) -> PyResult<(u16, u16)> {
        Ok(self.0.log()?.version())
    }

    /// Its trees.
    #[getter]
    fn trees<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let count = self.0.log()?.tree_count();
        PyList::new(py, (0..count).map(|number| Tree::new(Arc::clone(&self.0), number)))
    }

    fn __len__(&self) -> PyResult<usize> {
        Ok(self.0.log()?.tree_count())
    }

    /// Checks all of it; raises `LogError` where it is damaged. Gives the number of nodes.
    fn verify(&self, py: Python<'_>) -> PyResult<u64> {
        let log = self.0.log()?;
        let verified = interruptible(py, |_| log.verify(|_| ()))?;
        let verified = verified.map_err(|error| LogError::new_err(format!("{}: {error}", self.0.name())))?;
        Ok(verified.iter().map(|tree| tree.nodes).sum())
    }

    /// Closes the file. What was read before stays; asking for more raises `ClosedError`.
    fn close(&self) {
        self.0.close();
    }

    fn __enter__(slf: PyRef<'_, Self>) -> PyRef<'_, Self> {
        slf
    }

    fn __exit__(&self, _kind: &Bound<'_, PyAny>, _value: &Bound<'_, PyAny>, _trace: &Bound<'_, PyAny>) {
        self.close();
    }

    fn __repr__(&self) -> String {
        let name = self.0.name();
        match self.0.log() {
            Err(_) => format!("<gt_tools.Log {name}, closed>"),
            Ok(log) => {
                let nodes: u64 = log.trees().map(|tree| tree.nodes()).sum();
                let game = if log.game().is_empty() { "no game" } else { log.game() };
                format!("<gt_tools.Log {name}: {game}, {} trees, {} nodes>", log.tree_count(), grouped(nodes))
            }
        }
    }

    fn _repr_html_(&self) -> PyResult<String> {
        guarded(|| {
            let log = self.0.log()?;
            let game = if log.game().is_empty() { "no game" } else { log.game() };
            let mut html = format!("<p><b>{}</b>: {}", escaped(&self.0.name()), escaped(game));
            if let Some(missing) = missing_text(log.condition()) {
                html += &format!("<br>{}", escaped(&missing));
            }
            html += "</p><table><thead><tr><th>tree</th><th>nodes</th><th>depth</th><th>about it</th></tr></thead><tbody>";
            const SHOWN: usize = 20;
            for tree in log.trees().take(SHOWN) {
                let about: Vec<String> =
                    tree.metadata().iter().map(|(name, value)| format!("{name} = {value}")).collect();
                let (number, nodes, depth) = (tree.number(), grouped(tree.nodes()), tree.depth());
                let about = escaped(&about.join(", "));
                html += &format!(
                    "<tr><td>{number}</td><td>{nodes}</td><td>{depth}</td><td style=\"text-align:left\">{about}</td></tr>"
                );
            }
            html += "</tbody></table>";
            if log.tree_count() > SHOWN {
                html += &format!("<p>and {} trees more</p>", log.tree_count() - SHOWN);
            }
            Ok(html)
        })
    }
}

/// A path, from a text or anything with `__fspath__`.
pub(crate) fn path_of(source: &Bound<'_, PyAny>) -> PyResult<PathBuf> {
    source.extract::<PathBuf>().map_err(|_| {
        let kind = source.get_type().name().map_or_else(|_| String::new(), |name| name.to_string());
        LogError::new_err(format!("a path is a text or a pathlib.Path, and this is `{kind}`"))
    })
}
