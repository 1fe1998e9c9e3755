//! A log as Python holds it.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use pyo3::prelude::*;

use crate::error;

/// A log that Python holds, its trees and nodes share; closing it closes it for all of them.
pub(crate) struct Handle {
    /// Nothing for a log in memory.
    pub(crate) path: Option<PathBuf>,
    log: Mutex<Option<Arc<gt_log::Log>>>,
}

impl Handle {
    pub(crate) fn new(path: Option<PathBuf>, log: gt_log::Log) -> Self {
        Self { path, log: Mutex::new(Some(Arc::new(log))) }
    }

    /// The log, unless it was closed.
    pub(crate) fn log(&self) -> PyResult<Arc<gt_log::Log>> {
        let log = self.log.lock().unwrap_or_else(PoisonError::into_inner);
        log.clone().ok_or_else(error::closed)
    }

    /// What it is called: its path, or that it is in memory.
    pub(crate) fn name(&self) -> String {
        self.path.as_ref().map_or_else(|| "in memory".to_owned(), |path| path.display().to_string())
    }

    /// Closes the file, for all that share it.
    pub(crate) fn close(&self) {
        let closed = self.log.lock().unwrap_or_else(PoisonError::into_inner).take();
        drop(closed);
    }
}
