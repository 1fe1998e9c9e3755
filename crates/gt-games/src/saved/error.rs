//! Why a saved game could not be read.

use std::fmt;

/// A game that was refused, and where. The games after it can still be read.
///
/// `Display` gives one sentence without a full stop, fit to stand behind the name of the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SavedError {
    /// The line, from 1.
    pub line: usize,
    /// Which game of the file it is, from 1.
    pub game: usize,
    /// What is wrong.
    pub problem: String,
}

impl fmt::Display for SavedError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "line {}, game {}: {}", self.line, self.game, self.problem)
    }
}

impl std::error::Error for SavedError {}

/// A problem in a line, before it is known which game it belongs to.
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
