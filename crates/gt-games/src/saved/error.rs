//! Errors in reading a saved game.

use std::fmt;

/// A rejected game, and where. The games after it can still be read.
///
/// `Display` writes one sentence without a full stop, suitable after the name of the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SavedError {
    /// The line, from 1.
    pub line: usize,
    /// The number of the game in the file, from 1.
    pub game: usize,
    /// The problem.
    pub problem: String,
}

impl fmt::Display for SavedError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "line {}, game {}: {}", self.line, self.game, self.problem)
    }
}

impl std::error::Error for SavedError {}

/// A problem in a line, before its game is known.
#[derive(Clone, Debug)]
pub(super) struct Problem {
    pub(super) line: usize,
    pub(super) text: String,
}

impl Problem {
    pub(super) fn new(line: usize, text: impl Into<String>) -> Self {
        Self { line, text: text.into() }
    }
}
