//! Metadata as dicts, and keywords as metadata.

use gt_log::Metadata;
use pyo3::prelude::*;
use pyo3::types::PyDict;

pub(crate) fn as_dict<'py>(py: Python<'py>, metadata: &Metadata) -> PyResult<Bound<'py, PyDict>> {
    let all = PyDict::new(py);
    for (name, value) in metadata.iter() {
        all.set_item(name, value)?;
    }
    Ok(all)
}

pub(crate) fn of_keywords(keywords: Option<&Bound<'_, PyDict>>) -> PyResult<Metadata> {
    let mut metadata = Metadata::new();
    for (name, value) in keywords.into_iter().flat_map(|keywords| keywords.iter()) {
        metadata.set(name.extract::<String>()?, value.str()?.to_string());
    }
    Ok(metadata)
}
