//! The faults of a program.

use std::fmt;
use std::time::Duration;

/// The reason why a program gave no move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fault {
    /// The system cannot start it.
    NotStarted {
        /// The program's name.
        program: String,
        /// The system's error.
        problem: String,
    },
    /// It does not answer.
    Hangs {
        /// The first word of the question.
        asked: &'static str,
        /// The time waited.
        waited: Duration,
        /// Its last line on standard error.
        words: Option<String>,
    },
    /// It has ended, or closed its input or output.
    Ended {
        /// Its exit status in words.
        how: String,
        /// Its last line on standard error.
        words: Option<String>,
    },
    /// It wrote a line without an end.
    Garbage,
    /// It lacks an option that was to be set.
    NoSetting {
        /// The option's name.
        name: String,
        /// The options that it has.
        known: Vec<String>,
    },
    /// It answered with something that is not a legal move.
    IllegalMove {
        /// The answer.
        text: String,
        /// The error from the rules.
        problem: String,
    },
    /// It answered without a move, although there are some.
    NoMove,
    /// The caller aborted the search.
    GivenUp,
}

impl Fault {
    /// Whether the program can play another game.
    #[must_use]
    pub fn leaves_it_usable(&self) -> bool {
        match self {
            Self::IllegalMove { .. } | Self::NoMove => true,
            Self::NotStarted { .. }
            | Self::Hangs { .. }
            | Self::Ended { .. }
            | Self::Garbage
            | Self::NoSetting { .. }
            | Self::GivenUp => false,
        }
    }

    /// Returns the kind of fault in a word or two, for tables.
    #[must_use]
    pub fn kind(&self) -> &'static str {
        match self {
            Self::NotStarted { .. } | Self::NoSetting { .. } => "not started",
            Self::Hangs { .. } => "hangs",
            Self::Ended { .. } => "crash",
            Self::Garbage => "garbage",
            Self::IllegalMove { .. } => "illegal move",
            Self::NoMove => "no move",
            Self::GivenUp => "given up",
        }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotStarted { program, problem } => write!(out, "cannot start `{program}`: {problem}"),
            Self::Hangs { asked, waited, words } => {
                write!(out, "hangs: no answer to `{asked}` within {:.1} s", waited.as_secs_f64())?;
                write_last_words(out, words)
            }
            Self::Ended { how, words } => {
                write!(out, "crash: {how}")?;
                write_last_words(out, words)
            }
            Self::Garbage => out.write_str("garbage: a line of output that does not end"),
            Self::NoSetting { name, known } if known.is_empty() => {
                write!(out, "has no option `{name}`, nor any other")
            }
            Self::NoSetting { name, known } => {
                write!(out, "has no option `{name}`; it has {}", known.join(", "))
            }
            Self::IllegalMove { text, problem } => write!(out, "illegal move {text}: {problem}"),
            Self::NoMove => out.write_str("no move, though there are legal ones"),
            Self::GivenUp => out.write_str("the search was given up"),
        }
    }
}

fn write_last_words(out: &mut fmt::Formatter<'_>, words: &Option<String>) -> fmt::Result {
    match words {
        Some(words) => write!(out, "; it said: {words}"),
        None => Ok(()),
    }
}

impl std::error::Error for Fault {}
