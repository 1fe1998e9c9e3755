//! The viewer, started from Python and shown in a notebook.

use std::path::Path;
use std::sync::{Mutex, PoisonError};

use gt_view::Server;
use pyo3::prelude::*;

use crate::error::LogError;
use crate::html::escaped;
use crate::work::interruptible;

/// A viewer that runs until it is closed, or nobody holds it any more.
#[pyclass(frozen, module = "gt_tools")]
pub(crate) struct Viewer {
    server: Mutex<Option<Server>>,
    url: String,
    width: String,
    height: u32,
}

impl Viewer {
    pub(crate) fn start(
        py: Python<'_>,
        path: Option<&Path>,
        tree: usize,
        port: u16,
        (width, height): (String, u32),
    ) -> PyResult<Self> {
        let path = path.ok_or_else(|| {
            LogError::new_err("the viewer reads files, and this log is in memory; write it to one first")
        })?;
        let started = interruptible(py, |_| Server::start(&[path], port).map_err(|error| error.to_string()))?;
        let server = started.map_err(LogError::new_err)?;
        let url = format!("http://{}/?tree={tree}", server.address());
        Ok(Self { server: Mutex::new(Some(server)), url, width, height })
    }

    fn is_open(&self) -> bool {
        self.server.lock().unwrap_or_else(PoisonError::into_inner).is_some()
    }
}

#[pymethods]
impl Viewer {
    /// Where the page is.
    #[getter]
    fn url(&self) -> &str {
        &self.url
    }

    /// Stops it.
    fn close(&self, py: Python<'_>) {
        let server = self.server.lock().unwrap_or_else(PoisonError::into_inner).take();
        py.detach(|| drop(server));
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
    ) {
        self.close(py);
    }

    fn __repr__(&self) -> String {
        let state = if self.is_open() { "" } else { ", closed" };
        format!("<gt_tools.Viewer {}{state}>", self.url)
    }

    fn _repr_html_(&self) -> String {
        let (url, width, height) = (escaped(&self.url), escaped(&self.width), self.height);
        if !self.is_open() {
            return format!("<p>the viewer of {url} is closed</p>");
        }
        format!(
            "<iframe src=\"{url}\" width=\"{width}\" height=\"{height}\" style=\"border:1px solid #8888\"></iframe>"
        )
    }
}
