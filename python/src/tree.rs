//! A tree: its columns, its nodes, its answers.

mod table;

use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex};

use gt_convert::{Format, NodeBatches, Selection, export};
use gt_fleet::Question;
use gt_log::{Existing, TreeEnding};
use gt_query::engine::MEMORY_DEFAULT;
use gt_report::grouped;
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyDict};

use crate::answer::Answer;
use crate::ask::Asked;
use crate::error::{self, QueryError};
use crate::handle::Handle;
use crate::html::escaped;
use crate::node::{Node, Walk};
use crate::work::{guarded, interruptible};
use crate::{arrow, chart, metadata, parameters, view};
pub(crate) use table::Table;

/// A tree of a log.
#[pyclass(frozen, module = "gt_tools")]
pub(crate) struct Tree {
    handle: Arc<Handle>,
    number: usize,
    /// Made when a node is asked for.
    walk: Mutex<Option<Arc<Walk>>>,
}

impl Tree {
    pub(crate) fn new(handle: Arc<Handle>, number: usize) -> Self {
        Self { handle, number, walk: Mutex::default() }
    }

    fn with<T>(&self, read: impl FnOnce(gt_log::Tree<'_>) -> PyResult<T>) -> PyResult<T> {
        let log = self.handle.log()?;
        guarded(|| read(log.tree(self.number).map_err(|error| error::reading(&error))?))
    }

    fn selection(&self) -> Selection {
        Selection::Trees(vec![self.number])
    }

    fn walk(&self) -> PyResult<Arc<Walk>> {
        let log = self.handle.log()?;
        let mut walk = self.walk.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        if let Some(walk) = &*walk {
            return Ok(Arc::clone(walk));
        }
        let new = Arc::new(Walk::new(Arc::clone(&self.handle), log, self.number)?);
        Ok(Arc::clone(walk.insert(new)))
    }
}

#[pymethods]
impl Tree {
    /// Its place in the log, from 0.
    #[getter]
    fn number(&self) -> usize {
        self.number
    }

    /// How many nodes it has.
    #[getter]
    fn nodes(&self) -> PyResult<u64> {
        self.with(|tree| Ok(tree.nodes()))
    }

    /// How many of them are leaves.
    #[getter]
    fn leaves(&self) -> PyResult<u64> {
        self.with(|tree| Ok(tree.leaves()))
    }

    /// How many blocks it has in the file.
    #[getter]
    fn blocks(&self) -> PyResult<usize> {
        self.with(|tree| Ok(tree.block_count()))
    }

    /// The greatest distance of a node from the root.
    #[getter]
    fn depth(&self) -> PyResult<u32> {
        self.with(|tree| Ok(tree.depth()))
    }

    /// How many children a node that is not a leaf has on average.
    #[getter]
    fn branching(&self) -> PyResult<f64> {
        self.with(|tree| Ok(tree.branching()))
    }

    /// How many nodes the search had and the log has not.
    #[getter]
    fn left_out(&self) -> PyResult<u64> {
        self.with(|tree| tree.left_out().map_err(|error| error::reading(&error)))
    }

    /// What is said about it.
    #[getter]
    fn metadata<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        self.with(|tree| metadata::as_dict(py, tree.metadata()))
    }

    /// Whether it ended as it should; `False` where the log breaks off inside it.
    #[getter]
    fn is_finished(&self) -> PyResult<bool> {
        let log = self.handle.log()?;
        Ok(log.condition().trees.get(self.number) == Some(&TreeEnding::Finished))
    }

    /// The names of its table's columns.
    #[getter]
    fn columns(&self) -> PyResult<Vec<String>> {
        let log = self.handle.log()?;
        let schema = guarded(|| {
            NodeBatches::schema_of(&log, &self.selection(), None).map_err(|error| error::converting(&error))
        })?;
        Ok(schema.fields().iter().map(|field| field.name().clone()).collect())
    }

    /// A table of some of its columns, in node_id order, for Arrow.
    #[pyo3(signature = (*columns))]
    fn table(&self, columns: Vec<String>) -> PyResult<Table> {
        let columns = (!columns.is_empty()).then_some(columns);
        let table = Table { handle: Arc::clone(&self.handle), number: self.number, columns };
        table.checked()?;
        Ok(table)
    }

    /// The table as one of pyarrow's.
    fn to_arrow<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        arrow::taken_by(slf, "pyarrow", "table")
    }

    /// The table as a frame of Polars'.
    fn to_polars<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        arrow::taken_by(slf, "polars", "DataFrame")
    }

    /// The table as a frame of pandas'; it is made by pyarrow.
    fn to_pandas<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        arrow::taken_by(slf, "pyarrow", "table")?.call_method0("to_pandas")
    }

    /// All of its columns as a stream of Arrow.
    #[pyo3(signature = (requested_schema = None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        self.table(Vec::new())?.__arrow_c_stream__(py, requested_schema)
    }

    /// The schema of that stream.
    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        self.table(Vec::new())?.__arrow_c_schema__(py)
    }

    /// Writes its table as Parquet, and gives the number of rows.
    #[pyo3(signature = (path, *, force = false))]
    fn to_parquet(&self, py: Python<'_>, path: PathBuf, force: bool) -> PyResult<u64> {
        let (log, selection) = (self.handle.log()?, self.selection());
        let existing = if force { Existing::Replace } else { Existing::Keep };
        let report = interruptible(py, |cancel| {
            export(&log, &selection, Some(Format::Parquet), &path, existing, &mut |_| match cancel
                .load(Ordering::Relaxed)
            {
                true => ControlFlow::Break(()),
                false => ControlFlow::Continue(()),
            })
        })?;
        Ok(report.map_err(|error| error::converting(&error))?.nodes)
    }

    /// Its root.
    #[getter]
    fn root(&self) -> PyResult<Node> {
        self.node(0)
    }

    /// The node with this node_id; -1 is the last.
    fn node(&self, node_id: i64) -> PyResult<Node> {
        Node::find(self.walk()?, node_id)
    }

    /// Asks a query of GTQL; keyword arguments are its parameters.
    #[pyo3(signature = (text, *, threads = 0, memory = MEMORY_DEFAULT, **parameters))]
    fn query(
        &self,
        py: Python<'_>,
        text: &str,
        threads: usize,
        memory: usize,
        parameters: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Answer> {
        let mut answers = self.ask(py, text, threads, memory, parameters)?;
        match (answers.pop(), answers.len()) {
            (Some(answer), 0) => Ok(answer),
            (None, _) => Err(QueryError::new_err("there is no query in the text")),
            (Some(_), others) => Err(QueryError::new_err(format!(
                "the text holds {} queries; `queries` answers several",
                others + 1
            ))),
        }
    }

    /// Asks all queries of a text in one pass; the answers by their names, or numbers from 1.
    #[pyo3(signature = (text, *, threads = 0, memory = MEMORY_DEFAULT, **parameters))]
    fn queries<'py>(
        &self,
        py: Python<'py>,
        text: &str,
        threads: usize,
        memory: usize,
        parameters: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyDict>> {
        let answers = PyDict::new(py);
        for answer in self.ask(py, text, threads, memory, parameters)? {
            answers.set_item(answer.name().to_owned(), answer)?;
        }
        Ok(answers)
    }

    /// A chart of where its nodes went; `charts` names those that there are.
    #[pyo3(signature = (name = "nodes-per-ply", *, width = 640.0, height = 320.0))]
    fn plot(&self, py: Python<'_>, name: &str, width: f64, height: f64) -> PyResult<chart::Chart> {
        let log = self.handle.log()?;
        chart::Chart::of(py, &log, self.number, name, (width, height))
    }

    /// The names of the charts that `plot` has for this log.
    #[getter]
    fn charts(&self) -> PyResult<Vec<String>> {
        let log = self.handle.log()?;
        guarded(|| chart::names(&log))
    }

    /// Starts the viewer on this machine's loopback address, and shows it in a notebook.
    #[pyo3(signature = (*, port = 0, width = "100%".to_owned(), height = 640))]
    fn view(&self, py: Python<'_>, port: u16, width: String, height: u32) -> PyResult<view::Viewer> {
        self.handle.log()?;
        view::Viewer::start(py, self.handle.path.as_deref(), self.number, port, (width, height))
    }

    fn __len__(&self) -> PyResult<usize> {
        let nodes = self.nodes()?;
        usize::try_from(nodes).map_err(|_| error::LogError::new_err("the tree is too large to be counted so"))
    }

    fn __repr__(&self) -> String {
        let nodes =
            self.nodes().map_or_else(|_| "closed".to_owned(), |nodes| format!("{} nodes", grouped(nodes)));
        format!("<gt_tools.Tree {} of {}: {nodes}>", self.number, self.handle.name())
    }

    fn _repr_html_(&self) -> PyResult<String> {
        self.with(|tree| {
            let mut rows = vec![
                ("nodes", grouped(tree.nodes())),
                ("leaves", grouped(tree.leaves())),
                ("depth", tree.depth().to_string()),
                ("branching", format!("{:.2}", tree.branching())),
            ];
            rows.extend(tree.metadata().iter().map(|(name, value)| (name, escaped(value))));
            let rows: String = rows
                .iter()
                .map(|(name, value)| {
                    let name = escaped(name);
                    format!("<tr><th style=\"text-align:left\">{name}</th><td style=\"text-align:left\">{value}</td></tr>")
                })
                .collect();
            let name = escaped(&self.handle.name());
            Ok(format!("<p>tree {} of <b>{name}</b></p><table><tbody>{rows}</tbody></table>", self.number))
        })
    }
}

impl Tree {
    fn ask(
        &self,
        py: Python<'_>,
        text: &str,
        threads: usize,
        memory: usize,
        parameters: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Vec<Answer>> {
        let parameters = parameters::of_keywords(parameters)?;
        let question = Question { parameters, ..Question::new(text) };
        let log = self.handle.log()?;
        let asked = Asked { log: &log, number: self.number, question: &question, threads, memory };
        let answers = interruptible(py, |cancel| asked.run(cancel))?;
        answers.map_err(|error| error::unanswered(&error))
    }
}
