//! What tables of endgames refuse.

use gt_games::NotationError;
use std::fmt;
use std::io;

/// Why a table cannot be read, built or asked. `Display` gives one sentence without a full stop.
#[derive(Debug)]
pub enum Error {
    /// The file cannot be read or written.
    File(io::Error),
    /// The file is no table, or only a part of one; the sentence says why.
    Damaged(String),
    /// No ending has this material.
    Material {
        /// The text.
        text: String,
        /// What is wrong with it.
        problem: String,
    },
    /// What was asked for is not in the tables at hand, or beyond what they can be built for; the sentence says why.
    Unfit(String),
    /// A position that the game does not have.
    Notation(NotationError),
}

/// What may be refused.
pub type Result<T> = std::result::Result<T, Error>;

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
