//! Errors of a book.

use gt_games::saved::SavedError;
use gt_games::{GameKind, NotationError};
use std::fmt;
use std::io;

/// The reason why a book cannot be read or made. `Display` writes one sentence without a full stop, suitable after
/// the name of the file.
#[derive(Debug)]
pub enum Error {
    /// The file cannot be read or written.
    File(io::Error),
    /// The file is not a complete book; the sentence says why.
    Damaged(String),
    /// The book is of another game.
    OtherGame {
        /// The book's game.
        found: String,
        /// The requested game.
        wanted: GameKind,
    },
    /// A game to be added is of another kind than the book's.
    GameOfOtherKind {
        /// Its kind.
        found: GameKind,
        /// The book's kind.
        book: GameKind,
    },
    /// The file does not begin as a book, and could only be a chess book.
    NotBegun(GameKind),
    /// Polyglot's format does not support this game.
    NotChess(GameKind),
    /// The books to be merged have different formats.
    OtherFormat,
    /// The game does not have this move or position.
    Notation(NotationError),
    /// A game that cannot be read.
    Game(SavedError),
}

/// The result of this crate's functions.
pub type Result<T> = std::result::Result<T, Error>;

impl fmt::Display for Error {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File(error) => error.fmt(out),
            Self::Damaged(sentence) => out.write_str(sentence),
            Self::OtherGame { found, wanted } => write!(out, "this is a book of {found}, not of {wanted}"),
            Self::GameOfOtherKind { found, book } => {
                write!(out, "this is a game of {found}, and the book is of {book}")
            }
            Self::NotBegun(kind) => {
                write!(
                    out,
                    "this is no book of {kind}: it does not begin as one, and Polyglot's books are for chess"
                )
            }
            Self::NotChess(kind) => write!(out, "Polyglot's books are for chess, not for {kind}"),
            Self::OtherFormat => out.write_str("a book is merged only into a book of its own format"),
            Self::Notation(error) => error.fmt(out),
            Self::Game(error) => error.fmt(out),
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

impl From<SavedError> for Error {
    fn from(error: SavedError) -> Self {
        Self::Game(error)
    }
}
