//! Errors in a suite, a baseline or the files they name: one sentence with the place.

use std::fmt;
use std::path::{Path, PathBuf};

/// An error in a suite: the file, the line if there is one, and a sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    /// The file that is wrong.
    pub file: PathBuf,
    /// The line in it, from 1.
    pub line: Option<usize>,
    /// The problem, without the place.
    pub sentence: String,
}

impl Error {
    /// Makes an error about a file as a whole.
    pub(crate) fn of(file: &Path, sentence: impl fmt::Display) -> Self {
        Self { file: file.to_owned(), line: None, sentence: sentence.to_string() }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.file.display())?;
        if let Some(line) = self.line {
            write!(f, ":{line}")?;
        }
        write!(f, ": {}", self.sentence)
    }
}

impl std::error::Error for Error {}

/// The result of this crate's functions.
pub type Result<T> = std::result::Result<T, Error>;
