//! Arrow over the PyCapsule interface, in both directions: the only place of this crate with `unsafe`.

use arrow_array::ffi_stream::{ArrowArrayStreamReader, FFI_ArrowArrayStream};
use arrow_array::{RecordBatch, RecordBatchIterator, RecordBatchReader};
use arrow_schema::SchemaRef;
use arrow_schema::ffi::FFI_ArrowSchema;
use pyo3::prelude::*;
use pyo3::types::PyCapsule;

use crate::error::{ConvertError, GtError};

const STREAM: &std::ffi::CStr = c"arrow_array_stream";
const SCHEMA: &std::ffi::CStr = c"arrow_schema";

/// A stream of record batches as a capsule.
pub(crate) fn stream<'py>(
    py: Python<'py>,
    batches: Box<dyn RecordBatchReader + Send>,
) -> PyResult<Bound<'py, PyCapsule>> {
    PyCapsule::new_with_value(py, FFI_ArrowArrayStream::new(batches), STREAM)
}

/// Batches that are all there, as a capsule.
pub(crate) fn batches<'py>(
    py: Python<'py>,
    schema: &SchemaRef,
    batches: Vec<RecordBatch>,
) -> PyResult<Bound<'py, PyCapsule>> {
    let batches = RecordBatchIterator::new(batches.into_iter().map(Ok), SchemaRef::clone(schema));
    stream(py, Box::new(batches))
}

/// A schema as a capsule.
pub(crate) fn schema<'py>(py: Python<'py>, schema: &SchemaRef) -> PyResult<Bound<'py, PyCapsule>> {
    let exported = FFI_ArrowSchema::try_from(&**schema);
    let exported = exported.map_err(|error| GtError::new_err(error.to_string()))?;
    PyCapsule::new_with_value(py, exported, SCHEMA)
}

/// A table as another package has it: what the package's function makes of it.
pub(crate) fn taken_by<'py>(
    table: &Bound<'py, PyAny>,
    package: &str,
    function: &str,
) -> PyResult<Bound<'py, PyAny>> {
    let module = table.py().import(package);
    let module = module.map_err(|_| ConvertError::new_err(format!("{package} is not installed here")))?;
    module.call_method1(function, (table,))
}

/// What an object with `__arrow_c_stream__` streams.
pub(crate) fn reader(table: &Bound<'_, PyAny>) -> PyResult<ArrowArrayStreamReader> {
    let method = "__arrow_c_stream__";
    if !table.hasattr(method)? {
        let kind = table.get_type().name()?;
        return Err(ConvertError::new_err(format!(
            "a table of Arrow is needed (a frame of Polars or pandas, a table of pyarrow), and this is `{kind}`"
        )));
    }
    let capsule = table.call_method0(method)?;
    let capsule = capsule.cast::<PyCapsule>().map_err(PyErr::from)?;
    let pointer = capsule.pointer_checked(Some(STREAM))?;
    // SAFETY: a capsule of this name holds an `ArrowArrayStream` by the Arrow PyCapsule interface, and lives for as long as
    // `capsule` does. The reader takes the stream over and leaves a released one, which the capsule's destructor passes by.
    let reader = unsafe { ArrowArrayStreamReader::from_raw(pointer.as_ptr().cast()) };
    reader.map_err(|error| ConvertError::new_err(error.to_string()))
}
