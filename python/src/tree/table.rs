//! Columns of a tree as a stream of Arrow.

use std::sync::Arc;

use gt_convert::{NodeBatches, Selection};
use pyo3::prelude::*;
use pyo3::types::PyCapsule;

use crate::handle::Handle;
use crate::work::guarded;
use crate::{arrow, error};

/// Columns of a tree, for readers of Arrow.
#[pyclass(frozen, module = "gt_tools")]
pub(crate) struct Table {
    pub(super) handle: Arc<Handle>,
    pub(super) number: usize,
    pub(super) columns: Option<Vec<String>>,
}

impl Table {
    pub(super) fn checked(&self) -> PyResult<arrow_schema::SchemaRef> {
        let (log, selection) = (self.handle.log()?, Selection::Trees(vec![self.number]));
        guarded(|| {
            NodeBatches::schema_of(&log, &selection, self.columns.as_deref())
                .map_err(|error| error::converting(&error))
        })
    }
}

#[pymethods]
impl Table {
    /// The names of its columns.
    #[getter]
    fn columns(&self) -> PyResult<Vec<String>> {
        Ok(self.checked()?.fields().iter().map(|field| field.name().clone()).collect())
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

    #[pyo3(signature = (requested_schema = None))]
    pub(super) fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        // By the protocol a producer may give its own types where it cannot give those asked for.
        let _ = requested_schema;
        let (log, selection) = (self.handle.log()?, Selection::Trees(vec![self.number]));
        let batches = guarded(|| {
            NodeBatches::new(log, &selection, self.columns.as_deref())
                .map_err(|error| error::converting(&error))
        })?;
        arrow::stream(py, Box::new(batches))
    }

    pub(super) fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        arrow::schema(py, &self.checked()?)
    }

    fn __repr__(&self) -> String {
        let columns = self.columns().unwrap_or_default().join(", ");
        format!("<gt_tools.Table of tree {} of {}: {columns}>", self.number, self.handle.name())
    }
}
