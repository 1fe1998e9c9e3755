//! Errors in a text or a number from outside.

use std::fmt;
use std::ops::Range;

/// The kind of mistake in an input.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ErrorKind {
    /// The text does not follow the notation.
    Syntax,
    /// The text is well formed, but no such position can be played on.
    ImpossiblePosition,
    /// The move is well formed, but not legal here.
    IllegalMove,
    /// No move of this position has this number in a log.
    UnknownCode,
    /// A game, an evaluation or a setup of this name or size is not offered.
    UnknownName,
}

/// A rejected input: what it was, where it is wrong, and how to fix it.
///
/// `Display` writes one sentence without a full stop, suitable after `error: `.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotationError {
    /// The kind of mistake.
    pub kind: ErrorKind,
    /// The input as it was given.
    pub input: String,
    /// The bytes of `input` that are wrong, if one place is to blame.
    pub span: Option<Range<usize>>,
    /// The problem and what would be right, as the end of a sentence.
    pub problem: String,
}

/// The result of reading a notation.
pub type Result<T> = std::result::Result<T, NotationError>;

impl NotationError {
    pub(crate) fn new(kind: ErrorKind, input: impl Into<String>, problem: impl Into<String>) -> Self {
        Self { kind, input: input.into(), span: None, problem: problem.into() }
    }

    /// The same error with a span.
    #[must_use]
    pub(crate) fn at(mut self, span: Range<usize>) -> Self {
        self.span = Some(span);
        self
    }

    pub(crate) fn syntax(input: &str, problem: impl Into<String>) -> Self {
        Self::new(ErrorKind::Syntax, input, problem)
    }

    pub(crate) fn impossible(input: &str, problem: impl Into<String>) -> Self {
        Self::new(ErrorKind::ImpossiblePosition, input, problem)
    }

    pub(crate) fn illegal(input: &str, problem: impl Into<String>) -> Self {
        Self::new(ErrorKind::IllegalMove, input, problem)
    }
}

impl fmt::Display for NotationError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        const SHOWN_CHARS_MAX: usize = 80;
        let shown: String = self.input.chars().take(SHOWN_CHARS_MAX).collect();
        let more = if shown.len() < self.input.len() { "…" } else { "" };
        write!(out, "`{}{more}`", shown.escape_debug())?;
        if let Some(span) = &self.span {
            let before = self.input.get(..span.start).map_or(span.start, |text| text.chars().count());
            write!(out, ", character {}", before + 1)?;
        }
        write!(out, ": {}", self.problem)
    }
}

impl std::error::Error for NotationError {}

/// The byte range of `part` inside `whole`; `part` must be a slice of `whole`.
pub(crate) fn span_in(whole: &str, part: &str) -> Range<usize> {
    let start = (part.as_ptr() as usize).saturating_sub(whole.as_ptr() as usize).min(whole.len());
    start..(start + part.len()).min(whole.len())
}
