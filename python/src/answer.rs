//! Answers: counts, values, nodes and rows, as numbers, arrays and tables.

use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::{Float64Type, Int64Type, UInt64Type};
use arrow_array::{Array, ArrayRef, Int64Array, RecordBatch};
use arrow_schema::{DataType, SchemaRef};
use gt_query::Value;
use gt_report::grouped;
use pyo3::IntoPyObjectExt;
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyDict, PyList, PyTuple};

use crate::error::QueryError;
use crate::html::escaped;
use crate::{arrow, values};

/// What an answer holds.
pub(crate) enum Content {
    Count(u64),
    /// With the number of nodes that it is made of.
    Value(Option<Value>, u64),
    Nodes(Arc<Vec<i64>>),
    Rows(Vec<RecordBatch>),
}

/// The answer to a query.
#[pyclass(frozen, module = "gt_tools")]
pub(crate) struct Answer {
    pub(crate) name: String,
    pub(crate) text: String,
    pub(crate) schema: SchemaRef,
    pub(crate) content: Content,
    pub(crate) seconds: f64,
}

impl Answer {
    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    /// An answer of rows, made elsewhere.
    pub(crate) fn of_rows(text: &str, schema: SchemaRef, batches: Vec<RecordBatch>, seconds: f64) -> Self {
        let content = Content::Rows(batches);
        Self { name: "1".to_owned(), text: text.to_owned(), schema, content, seconds }
    }

    fn batches(&self) -> PyResult<Vec<RecordBatch>> {
        let column = |array: ArrayRef| {
            RecordBatch::try_new(Arc::clone(&self.schema), vec![array]).map(|batch| vec![batch])
        };
        let row = |value: Option<Value>| values::batch(&self.schema, &[vec![value]]).map(|batch| vec![batch]);
        let made = match &self.content {
            Content::Count(count) => row(Some(Value::Integer((*count).into()))),
            Content::Value(value, _) => row(value.clone()),
            Content::Nodes(ids) => column(Arc::new(Int64Array::from(ids.as_ref().clone()))),
            Content::Rows(batches) => Ok(batches.clone()),
        };
        made.map_err(|error| QueryError::new_err(error.to_string()))
    }

    /// The first rows, as Python's values.
    fn first_rows<'py>(&self, py: Python<'py>, most: usize) -> PyResult<Vec<Bound<'py, PyTuple>>> {
        let mut rows = Vec::new();
        if let Content::Nodes(ids) = &self.content {
            return ids.iter().take(most).map(|id| PyTuple::new(py, [*id])).collect();
        }
        for batch in self.batches()? {
            for row in 0..batch.num_rows() {
                if rows.len() == most {
                    return Ok(rows);
                }
                let cells = batch.columns().iter().map(|array| cell(py, array, row));
                rows.push(PyTuple::new(py, cells.collect::<PyResult<Vec<_>>>()?)?);
            }
        }
        Ok(rows)
    }
}

/// A cell of a batch that was made here.
fn cell(py: Python<'_>, array: &ArrayRef, row: usize) -> PyResult<Py<PyAny>> {
    if array.is_null(row) {
        return Ok(py.None());
    }
    match array.data_type() {
        DataType::UInt64 => array.as_primitive::<UInt64Type>().value(row).into_py_any(py),
        DataType::Float64 => array.as_primitive::<Float64Type>().value(row).into_py_any(py),
        DataType::Boolean => array.as_boolean().value(row).into_py_any(py),
        DataType::Utf8 => array.as_string::<i32>().value(row).into_py_any(py),
        _ => array.as_primitive::<Int64Type>().value(row).into_py_any(py),
    }
}

#[pymethods]
impl Answer {
    /// The query on one line.
    #[getter]
    fn text(&self) -> &str {
        &self.text
    }

    /// How many: the number that was asked for, or how many nodes or rows there are; of a value, of how many nodes it is made.
    #[getter]
    fn count(&self) -> u64 {
        match &self.content {
            Content::Count(count) | Content::Value(_, count) => *count,
            Content::Nodes(ids) => ids.len() as u64,
            Content::Rows(batches) => batches.iter().map(|batch| batch.num_rows() as u64).sum(),
        }
    }

    /// The value of a query that asks for one (`node: max(best)`), or the count; `None` is unknown.
    #[getter]
    fn value(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        match &self.content {
            Content::Count(count) => count.into_py_any(py),
            Content::Value(value, _) => values::of_answer(py, value.as_ref()),
            Content::Nodes(_) | Content::Rows(_) => {
                Err(QueryError::new_err("this answer is a table; read it as one, or ask for count(…)"))
            }
        }
    }

    /// The node_ids, as a NumPy array that shares the answer's memory.
    #[getter]
    fn nodes<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        let py = slf.py();
        let Content::Nodes(ids) = &slf.get().content else {
            let sentence =
                "this answer lists no nodes; a query without `select` and without an aggregate does";
            return Err(QueryError::new_err(sentence));
        };
        py.import("numpy")?.call_method1("asarray", (Ids(Arc::clone(ids)),))
    }

    /// The names of its columns.
    #[getter]
    fn columns(&self) -> Vec<String> {
        self.schema.fields().iter().map(|field| field.name().clone()).collect()
    }

    /// How long the queries of its text took, in seconds.
    #[getter]
    fn seconds(&self) -> f64 {
        self.seconds
    }

    /// Its rows as tuples, one for each node of a list; a million at most, for more there is Arrow.
    fn rows<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        const MOST: u64 = 1_000_000;
        if self.__len__() as u64 > MOST {
            return Err(QueryError::new_err(format!(
                "{} rows are too many for a list of Python's; read the answer as Arrow, or end the query with `limit N`",
                grouped(self.__len__() as u64)
            )));
        }
        PyList::new(py, self.first_rows(py, usize::MAX)?)
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        Ok(self.rows(py)?.try_iter()?.into_any())
    }

    /// How many rows its table has.
    fn __len__(&self) -> usize {
        match &self.content {
            Content::Count(_) | Content::Value(..) => 1,
            Content::Nodes(_) | Content::Rows(_) => usize::try_from(self.count()).unwrap_or(usize::MAX),
        }
    }

    fn __int__(&self) -> u64 {
        self.count()
    }

    fn __bool__(&self) -> bool {
        self.count() > 0
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
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        let _ = requested_schema;
        arrow::batches(py, &self.schema, self.batches()?)
    }

    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        arrow::schema(py, &self.schema)
    }

    fn __repr__(&self) -> String {
        let what = match &self.content {
            Content::Count(count) => grouped(*count),
            Content::Value(Some(value), _) => value.to_string(),
            Content::Value(None, _) => "unknown".to_owned(),
            Content::Nodes(ids) => format!("{} nodes", grouped(ids.len() as u64)),
            Content::Rows(_) => format!("{} rows of {}", grouped(self.count()), self.columns().join(", ")),
        };
        format!("<gt_tools.Answer {what}>")
    }

    fn _repr_html_(&self, py: Python<'_>) -> PyResult<String> {
        const SHOWN: usize = 20;
        if let Content::Count(_) | Content::Value(..) = self.content {
            return Ok(format!(
                "<p><code>{}</code>: <b>{}</b></p>",
                escaped(&self.text),
                self.first_value(py)?
            ));
        }
        let heads: String = self.columns().iter().map(|name| format!("<th>{}</th>", escaped(name))).collect();
        let mut rows = String::new();
        for row in self.first_rows(py, SHOWN)? {
            rows += "<tr>";
            for cell in row.iter() {
                let text = if cell.is_none() { "–".to_owned() } else { cell.str()?.to_string() };
                rows += &format!("<td>{}</td>", escaped(&text));
            }
            rows += "</tr>";
        }
        let more = match self.__len__().saturating_sub(SHOWN) {
            0 => String::new(),
            more => format!("<p>and {} rows more</p>", grouped(more as u64)),
        };
        Ok(format!("<table><thead><tr>{heads}</tr></thead><tbody>{rows}</tbody></table>{more}"))
    }
}

impl Answer {
    fn first_value(&self, py: Python<'_>) -> PyResult<String> {
        let value = self.value(py)?;
        let text = value.bind(py).str()?.to_string();
        Ok(if value.is_none(py) { "unknown".to_owned() } else { escaped(&text) })
    }
}

/// Node_ids that NumPy reads where they are.
#[pyclass(frozen, module = "gt_tools")]
pub(crate) struct Ids(Arc<Vec<i64>>);

#[pymethods]
impl Ids {
    #[getter]
    fn __array_interface__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let interface = PyDict::new(py);
        interface.set_item("version", 3)?;
        interface.set_item("shape", (self.0.len(),))?;
        interface.set_item("typestr", if cfg!(target_endian = "little") { "<i8" } else { ">i8" })?;
        interface.set_item("data", (self.0.as_ptr() as usize, true))?;
        Ok(interface)
    }
}
