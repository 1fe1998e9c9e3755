//! Errors of the experiments.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

/// An error, and its place.
#[derive(Debug)]
pub struct Error {
    /// The file or folder that it is about.
    pub path: PathBuf,
    /// The kind of error.
    pub kind: ErrorKind,
}

/// The kinds of errors.
#[derive(Debug)]
pub enum ErrorKind {
    /// A file or a folder cannot be created, written or removed.
    File(io::Error),
    /// A log cannot be written or read.
    Log(gt_log::Error),
    /// A query cannot be answered on a log; the reason in a form for people.
    Query(String),
    /// A position cannot be read.
    Position(gt_games::NotationError),
    /// No log in the folder belongs to a position of the suite.
    NoLogs,
}

/// The result of this crate's functions.
pub type Result<T> = std::result::Result<T, Error>;

impl Error {
    pub(crate) fn new(path: &Path, kind: impl Into<ErrorKind>) -> Self {
        Self { path: path.to_owned(), kind: kind.into() }
    }

    /// Makes a conversion for `map_err`.
    pub(crate) fn about<K: Into<ErrorKind>>(path: &Path) -> impl FnOnce(K) -> Self {
        move |kind| Self::new(path, kind)
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: ", self.path.display())?;
        match &self.kind {
            ErrorKind::File(error) => error.fmt(f),
            ErrorKind::Log(error) => error.fmt(f),
            ErrorKind::Query(reason) => reason.fmt(f),
            ErrorKind::Position(error) => error.fmt(f),
            ErrorKind::NoLogs => f.write_str(
                "no log (*.gtf) here is of positions 15 to 23 of the suite; a log says so by its metadata `position` or `id` \
                 (LCTII.17), or by its name (pos17.gtf), and has the depth of each tree in `nominal_depth` or in the attribute `depth`",
            ),
        }
    }
}

impl std::error::Error for Error {}

impl From<io::Error> for ErrorKind {
    fn from(error: io::Error) -> Self {
        Self::File(error)
    }
}

impl From<gt_log::Error> for ErrorKind {
    fn from(error: gt_log::Error) -> Self {
        Self::Log(error)
    }
}

impl From<gt_log::SchemaError> for ErrorKind {
    fn from(error: gt_log::SchemaError) -> Self {
        Self::Log(error.into())
    }
}

impl From<gt_query::engine::Failure> for ErrorKind {
    fn from(failure: gt_query::engine::Failure) -> Self {
        Self::Query(failure.to_string())
    }
}

impl From<gt_games::NotationError> for ErrorKind {
    fn from(error: gt_games::NotationError) -> Self {
        Self::Position(error)
    }
}
