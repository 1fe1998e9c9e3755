//! A tree that is being written, and its open nodes as contexts.

use std::sync::{Arc, Mutex, PoisonError};

use gt_log::Row;
use pyo3::Borrowed;
use pyo3::exceptions::PyAttributeError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyFloat, PyInt, PyString};

use super::record::{Arguments, put_in_order, put_named};
use super::shared::Shared;
use crate::error;
use crate::metadata::of_keywords;
use crate::work::guarded;

/// A tree that is being written: `enter` on the way down, `leave` on the way up; [`calls`](super::calls) gives it these.
#[pyclass(module = "gt_tools")]
pub(crate) struct TreeWriter {
    pub(super) shared: Arc<Shared>,
    /// Nothing when it is finished. The lock is never held by two: each call has the writer for itself.
    pub(super) tree: Mutex<Option<gt_log::TreeWriter>>,
}

impl TreeWriter {
    fn writer(&mut self) -> &mut Option<gt_log::TreeWriter> {
        self.tree.get_mut().unwrap_or_else(PoisonError::into_inner)
    }

    fn open(&mut self) -> PyResult<&mut gt_log::TreeWriter> {
        self.writer().as_mut().ok_or_else(finished)
    }

    /// The search goes down a move.
    #[inline(always)]
    pub(super) fn enter(&mut self, last_move: Borrowed<'_, '_, PyAny>) -> PyResult<()> {
        let number = self.shared.number(&last_move)?;
        self.enter_number(number)
    }

    /// Leaves the node entered last: with values by position, a dict, or an object with such attributes.
    #[inline(always)]
    pub(super) fn leave(&mut self, values: Arguments<'_, '_>) -> PyResult<()> {
        if let [record] = values {
            if let Ok(record) = record.cast::<PyDict>() {
                return self.leave_with_dict(&record);
            }
            // An object of a dataclass, say; numbers and texts have no dictionary of their own.
            if !is_plain(record) {
                let shared = Arc::clone(&self.shared);
                let put = |row: &mut Row<'_>| put_named(&shared, row, 0, |name| record.getattr_opt(name));
                return self.store(put);
            }
        }
        let tree =
            self.tree.get_mut().unwrap_or_else(PoisonError::into_inner).as_mut().ok_or_else(finished)?;
        let shared = &self.shared;
        let left = tree.leave_with(|_, row| put_in_order(shared, row, values));
        left.map_err(|error| error::writing(&error))
    }

    fn leave_with_dict(&mut self, record: &Bound<'_, PyDict>) -> PyResult<()> {
        let tree =
            self.tree.get_mut().unwrap_or_else(PoisonError::into_inner).as_mut().ok_or_else(finished)?;
        let (shared, py) = (&self.shared, record.py());
        let left = tree
            .leave_with(|_, row| put_named(shared, row, record.len(), |name| record.get_item(name.bind(py))));
        left.map_err(|error| error::writing(&error))
    }

    fn store(&mut self, put: impl FnOnce(&mut Row<'_>) -> Result<(), String>) -> PyResult<()> {
        self.open()?.leave_with(|_, row| put(row)).map_err(|error| error::writing(&error))
    }

    #[inline(always)]
    fn enter_number(&mut self, number: i64) -> PyResult<()> {
        self.open()?.enter(number).map_err(|error| error::writing(&error))
    }
}

fn finished() -> PyErr {
    error::ClosedError::new_err("the tree is finished")
}

fn is_plain(value: &Bound<'_, PyAny>) -> bool {
    value.is_none()
        || value.is_instance_of::<PyInt>()
        || value.is_instance_of::<PyFloat>()
        || value.is_instance_of::<PyString>()
        // NumPy's numbers.
        || value.hasattr("dtype").unwrap_or(false)
}

#[pymethods]
impl TreeWriter {
    /// A node as a context: entered with it, left at its end with the values that were set.
    #[pyo3(signature = (last_move = None, /, **values))]
    fn node(
        slf: &Bound<'_, Self>,
        last_move: Option<Bound<'_, PyAny>>,
        values: Option<Bound<'_, PyDict>>,
    ) -> PyResult<OpenNode> {
        let number = match &last_move {
            None => 0,
            Some(last_move) => slf.borrow().shared.number(last_move)?,
        };
        let values = values.unwrap_or_else(|| PyDict::new(slf.py()));
        Ok(OpenNode { tree: slf.clone().unbind(), number, values: values.unbind() })
    }

    /// How many nodes are open.
    #[getter]
    fn open_nodes(&mut self) -> usize {
        self.writer().as_ref().map_or(0, gt_log::TreeWriter::open_nodes)
    }

    /// Sends all that was left to the file.
    fn flush(&mut self) -> PyResult<()> {
        self.open()?.flush().map_err(|error| error::writing(&error))
    }

    /// Ends the tree, with more to say about it; gives the number of its nodes.
    #[pyo3(signature = (**metadata))]
    fn finish(&mut self, metadata: Option<&Bound<'_, PyDict>>) -> PyResult<u64> {
        let metadata = of_keywords(metadata)?;
        let tree = self.writer().take().ok_or_else(finished)?;
        Ok(guarded(|| tree.finish_with(&metadata).map_err(|error| error::writing(&error)))?.nodes)
    }

    /// Ends a tree whose search was broken off: open nodes are marked unfinished.
    #[pyo3(signature = (**metadata))]
    fn abandon(&mut self, metadata: Option<&Bound<'_, PyDict>>) -> PyResult<u64> {
        let metadata = of_keywords(metadata)?;
        let tree = self.writer().take().ok_or_else(finished)?;
        Ok(guarded(|| tree.abandon(&metadata).map_err(|error| error::writing(&error)))?.nodes)
    }

    fn __enter__(slf: PyRef<'_, Self>) -> PyRef<'_, Self> {
        slf
    }

    /// Finishes the tree, or abandons it where an exception ends the block.
    fn __exit__(
        &mut self,
        kind: &Bound<'_, PyAny>,
        _value: &Bound<'_, PyAny>,
        _trace: &Bound<'_, PyAny>,
    ) -> PyResult<()> {
        if self.writer().is_none() {
            return Ok(());
        }
        if kind.is_none() { self.finish(None).map(drop) } else { self.abandon(None).map(drop) }
    }
}

/// A node that is open, with the values that it will be left with.
#[pyclass(frozen, module = "gt_tools")]
pub(crate) struct OpenNode {
    tree: Py<TreeWriter>,
    number: i64,
    values: Py<PyDict>,
}

#[pymethods]
impl OpenNode {
    fn __enter__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, Self>> {
        let this = slf.get();
        this.tree.bind(slf.py()).try_borrow_mut()?.enter_number(this.number)?;
        Ok(slf.clone())
    }

    /// Leaves the node; where an exception ends the block, it is marked unfinished.
    fn __exit__(
        &self,
        py: Python<'_>,
        kind: &Bound<'_, PyAny>,
        _value: &Bound<'_, PyAny>,
        _trace: &Bound<'_, PyAny>,
    ) -> PyResult<()> {
        let mut tree = self.tree.bind(py).try_borrow_mut()?;
        if kind.is_none() {
            return tree.leave_with_dict(self.values.bind(py));
        }
        tree.open()?.leave_unfinished().map_err(|error| error::writing(&error))
    }

    fn __setattr__(&self, py: Python<'_>, name: &str, value: Bound<'_, PyAny>) -> PyResult<()> {
        self.__setitem__(py, name, value)
    }

    fn __setitem__(&self, py: Python<'_>, name: &str, value: Bound<'_, PyAny>) -> PyResult<()> {
        let names = &self.tree.bind(py).try_borrow()?.shared.names;
        if !names.iter().any(|own| own == name) {
            let names = names.join(", ");
            return Err(PyAttributeError::new_err(format!(
                "the log has no attribute `{name}`; it has {names}"
            )));
        }
        self.values.bind(py).set_item(name, value)
    }

    fn __getattr__<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyAny>> {
        let value = self.values.bind(py).get_item(name)?;
        value.ok_or_else(|| PyAttributeError::new_err(format!("`{name}` has not been set")))
    }
}
