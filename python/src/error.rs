//! The exceptions: one class above all, and one for each kind of thing that can be wrong.

use std::path::Path;

use gt_fleet::Unanswered;
use pyo3::create_exception;
use pyo3::exceptions::PyException;
use pyo3::prelude::*;

create_exception!(
    gt_tools,
    GtError,
    PyException,
    "Something that GT-Tools could not do; the sentence says why."
);
create_exception!(gt_tools, LogError, GtError, "A log cannot be read: it is missing, damaged, or no log.");
create_exception!(gt_tools, ClosedError, LogError, "The log was closed.");
create_exception!(
    gt_tools,
    QueryError,
    GtError,
    "A query is wrong, or does not fit the log; the place is marked."
);
create_exception!(gt_tools, WriteError, GtError, "A log or a record cannot be written.");
create_exception!(gt_tools, GameError, GtError, "No such game, position or move.");
create_exception!(
    gt_tools,
    ConvertError,
    GtError,
    "A table cannot be made into a log, or a log into a table."
);

pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let py = module.py();
    module.add("GtError", py.get_type::<GtError>())?;
    module.add("LogError", py.get_type::<LogError>())?;
    module.add("ClosedError", py.get_type::<ClosedError>())?;
    module.add("QueryError", py.get_type::<QueryError>())?;
    module.add("WriteError", py.get_type::<WriteError>())?;
    module.add("GameError", py.get_type::<GameError>())?;
    module.add("ConvertError", py.get_type::<ConvertError>())
}

/// An error of reading a log.
pub(crate) fn reading(error: &gt_log::Error) -> PyErr {
    LogError::new_err(error.to_string())
}

/// The same, of the log at this path.
pub(crate) fn reading_at(path: &Path, error: &gt_log::Error) -> PyErr {
    LogError::new_err(format!("{}: {error}", path.display()))
}

/// An error of writing a log.
pub(crate) fn writing(error: &gt_log::Error) -> PyErr {
    match error {
        gt_log::Error::Closed => ClosedError::new_err(error.to_string()),
        gt_log::Error::Exists { .. } => WriteError::new_err(format!("{error}; force=True replaces it")),
        _ => WriteError::new_err(error.to_string()),
    }
}

pub(crate) fn game(error: &gt_games::NotationError) -> PyErr {
    GameError::new_err(error.to_string())
}

/// An error of a conversion; the words of the command line become those of the function.
pub(crate) fn converting(error: &gt_convert::Error) -> PyErr {
    let sentence = error.to_string().replace("--omit COLUMN", "omit=[…]").replace("--format", "format=");
    let sentence = sentence.replace("`--rename COLUMN=", "rename={…: ").replace("--rename ", "rename: ");
    match &*error.kind {
        gt_convert::ErrorKind::Log(gt_log::Error::Exists { .. }) => {
            WriteError::new_err(format!("{sentence}; force=True replaces it"))
        }
        _ => ConvertError::new_err(sentence),
    }
}

pub(crate) fn unanswered(error: &Unanswered) -> PyErr {
    match error {
        Unanswered::Log(sentence) => LogError::new_err(sentence.clone()),
        // The sentence begins a line of its own, so that the marks below the query stand where they should.
        Unanswered::Query(drawn) | Unanswered::Overflow(drawn) if drawn.contains('\n') => {
            QueryError::new_err(format!("\n{}", drawn.trim_end()))
        }
        Unanswered::Query(sentence) | Unanswered::Overflow(sentence) => QueryError::new_err(sentence.clone()),
        Unanswered::Stopped => QueryError::new_err(error.to_string()),
    }
}

pub(crate) fn closed() -> PyErr {
    ClosedError::new_err("the log is closed")
}
