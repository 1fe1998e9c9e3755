//! Errors of an engine.

use std::fmt;
use std::path::PathBuf;

use gt_games::NotationError;

/// The reason why an engine refused a request; nothing was changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Error {
    /// The game does not have this position or move.
    Notation(NotationError),
    /// The algorithm does not fit the game.
    Unfit(String),
    /// The opening book cannot be used.
    Book {
        /// Its file.
        path: PathBuf,
        /// The reason.
        problem: String,
    },
    /// This is not possible now.
    NotNow(&'static str),
    /// The engine's thread has ended.
    Gone,
}

/// The result of a request.
pub type Result<T> = std::result::Result<T, Error>;

impl fmt::Display for Error {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Notation(error) => error.fmt(out),
            Self::Unfit(sentence) => out.write_str(sentence),
            Self::Book { path, problem } => write!(out, "{}: {problem}", path.display()),
            Self::NotNow(sentence) => out.write_str(sentence),
            Self::Gone => out.write_str("the engine has ended"),
        }
    }
}

impl std::error::Error for Error {}

impl From<NotationError> for Error {
    fn from(error: NotationError) -> Self {
        Self::Notation(error)
    }
}
