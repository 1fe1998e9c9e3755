//! What a book refuses.

use gt_games::saved::SavedError;
use gt_games::{GameKind, NotationError};
use std::fmt;
use std::io;

/// Why a book cannot be read or made. `Display` gives one sentence without a full stop, fit to stand behind the name of
/// the file.
#[derive(Debug)]
pub enum Error {
    /// The file cannot be read or written.
    File(io::Error),
    /// The file is no book, or only a part of one; the sentence says why.
    Damaged(String),
    /// The book is of another game.
    OtherGame {
        /// The game that the book is of.
        found: String,
        /// The game that was asked for.
        wanted: GameKind,
    },
    /// A game of another kind than the book's was to be added.
    GameOfOtherKind {
        /// Its kind.
        found: GameKind,
        /// The book's.
        book: GameKind,
    },
    /// The file does not begin as a book, and could only be one of chess.
    NotBegun(GameKind),
    /// Polyglot's format has no place for this game.
    NotChess(GameKind),
    /// The books to be merged are of different formats.
    OtherFormat,
    /// A move or a position that the game does not have.
    Notation(NotationError),
    /// A game that cannot be read.
    Game(SavedError),
}

/// What may be refused.
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
