//! What a program can do wrong.

use std::fmt;
use std::time::Duration;

/// Why a program gave no move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fault {
    /// The system does not start it.
    NotStarted {
        /// The program's name.
        program: String,
        /// What the system says.
        problem: String,
    },
    /// It does not answer.
    Hangs {
        /// The first word of what it was asked.
        asked: &'static str,
        /// How long it was waited for.
        waited: Duration,
        /// What it wrote to its standard error last.
        words: Option<String>,
    },
    /// It has ended, or closed its input or output.
    Ended {
        /// Its exit status in words.
        how: String,
        /// What it wrote to its standard error last.
        words: Option<String>,
    },
    /// It wrote a line that has no end.
    Garbage,
    /// It does not have an option that is to be set.
    NoSetting {
        /// The option's name.
        name: String,
        /// Those that it has.
        known: Vec<String>,
    },
    /// It answers with what is not a legal move.
    IllegalMove {
        /// The answer.
        text: String,
        /// What the rules say.
        problem: String,
    },
    /// It answers without a move, though there are some.
    NoMove,
    /// The caller gave up the search.
    GivenUp,
}

impl Fault {
    /// Whether the program can go on with another game.
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

    /// The kind of fault in a word or two, for tables.
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
