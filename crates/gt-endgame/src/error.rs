//! Errors of endgame tables.

use gt_games::NotationError;
use std::fmt;
use std::io;

/// The reason why a table cannot be read, built or used. `Display` writes one sentence without a full stop.
#[derive(Debug)]
pub enum Error {
    /// The file cannot be read or written.
    File(io::Error),
    /// The file is not a complete table; the sentence says why.
    Damaged(String),
    /// No ending has this material.
    Material {
        /// The text.
        text: String,
        /// The problem with it.
        problem: String,
    },
    /// The request is not covered by the available tables, or beyond what can be built; the sentence says why.
    Unfit(String),
    /// The game does not have this position.
    Notation(NotationError),
}

/// The result of this crate's functions.
pub type Result<T> = std::result::Result<T, Error>;

/// The error of a file that is not a complete table.
pub(crate) fn damaged(sentence: impl Into<String>) -> Error {
    Error::Damaged(sentence.into())
}

impl fmt::Display for Error {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File(error) => error.fmt(out),
            Self::Damaged(sentence) | Self::Unfit(sentence) => out.write_str(sentence),
            Self::Material { text, problem } => write!(out, "`{text}`: {problem}"),
            Self::Notation(error) => error.fmt(out),
        }
    }
}

impl std::error::Error for Error {}

impl From<io::Error> for Error {
    fn from(error: io::Error) -> Self {
        Self::File(error)
    }
}

impl From<NotationError> for Error {
    fn from(error: NotationError) -> Self {
        Self::Notation(error)
    }
}
