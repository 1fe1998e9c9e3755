//! What is wrong with a suite, a baseline or what they name: one sentence with the place.

use std::fmt;
use std::path::{Path, PathBuf};

/// An error in a suite: the file, the line where there is one, and a sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    /// The file that is wrong.
    pub file: PathBuf,
    /// The line in it, from 1.
    pub line: Option<usize>,
    /// What is wrong, without the place.
    pub sentence: String,
}

impl Error {
    /// An error about a file as a whole.
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

/// What this crate's functions give back.
pub type Result<T> = std::result::Result<T, Error>;
