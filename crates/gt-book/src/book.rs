//! An open book.

use crate::book_move::BookMove;
use crate::error::{Error, Result};
use crate::own::{self, OwnBook};
use crate::polyglot::PolyglotBook;
use gt_games::{AnyGame, GameKind};
use std::fmt;
use std::fs::File;
use std::io::{Read, Seek};
use std::path::Path;

/// The file format of a book.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Polyglot's, for chess.
    Polyglot,
    /// Ours, for every game.
    Own,
}

impl Format {
    /// Returns the usual format for a game.
    #[must_use]
    pub fn of(kind: GameKind) -> Self {
        match kind {
            GameKind::Chess => Self::Polyglot,
            GameKind::TicTacToe
            | GameKind::ConnectFour
            | GameKind::Amazons
            | GameKind::ChineseCheckers
            | GameKind::Thorns
            | GameKind::Tree => Self::Own,
        }
    }

    /// Returns its name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Polyglot => "polyglot",
            Self::Own => "gtb",
        }
    }
}

impl fmt::Display for Format {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.name())
    }
}

/// A book in a file, which is searched on disk.
#[derive(Debug)]
pub struct Book {
    kind: GameKind,
    bytes: u64,
    pub(crate) content: Content,
}

#[derive(Debug)]
pub(crate) enum Content {
    Polyglot(PolyglotBook),
    Own(OwnBook),
}

/// The properties of a book.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BookInfo {
    /// The game.
    pub game: GameKind,
    /// The format.
    pub format: Format,
    /// The format's version, if it has one.
    pub version: Option<(u16, u16)>,
    /// The number of positions.
    pub positions: u64,
    /// The number of moves in all positions together.
    pub moves: u64,
    /// The number of games it was built from, if recorded.
    pub games: Option<u64>,
    /// The length of the file.
    pub bytes: u64,
}

impl Book {
    /// Opens a book of a game. The file is read through once, and not held in memory.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read, is not a complete book, or is a book of another game.
    pub fn open(path: &Path, kind: GameKind) -> Result<Self> {
        let mut file = File::open(path)?;
        let bytes = file.metadata()?.len();
        let mut beginning = Vec::new();
        (&file).take(own::MAGIC.len() as u64).read_to_end(&mut beginning)?;
        file.rewind()?;
        let content = if beginning == own::MAGIC {
            Content::Own(OwnBook::open(file, bytes, kind)?)
        } else if kind == GameKind::Chess {
            Content::Polyglot(PolyglotBook::open(file, bytes)?)
        } else {
            return Err(Error::NotBegun(kind));
        };
        Ok(Self { kind, bytes, content })
    }

    /// Opens a book of any game; one in Polyglot's format is a chess book.
    ///
    /// # Errors
    /// Returns the errors of [`Book::open`].
    pub fn open_any(path: &Path) -> Result<Self> {
        let mut head = Vec::new();
        File::open(path)?.take(own::HEAD_BYTES as u64).read_to_end(&mut head)?;
        Self::open(path, own::game_of(&head)?.unwrap_or(GameKind::Chess))
    }

    /// Whether a file is a book, by its first bytes, or by a name that ends in `.bin`.
    #[must_use]
    pub fn is_book(path: &Path, beginning: &[u8]) -> bool {
        let has_name = path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("bin"));
        has_name || beginning.starts_with(&own::MAGIC)
    }

    /// Returns the book's game.
    #[must_use]
    pub fn kind(&self) -> GameKind {
        self.kind
    }

    /// Returns the properties of the book.
    #[must_use]
    pub fn info(&self) -> BookInfo {
        let (game, bytes) = (self.kind, self.bytes);
        match &self.content {
            Content::Polyglot(book) => BookInfo {
                game,
                format: Format::Polyglot,
                version: None,
                positions: book.seen.positions,
                moves: book.records.count(),
                games: None,
                bytes,
            },
            Content::Own(book) => BookInfo {
                game,
                format: Format::Own,
                version: Some(book.head.version),
                positions: book.seen.positions,
                moves: book.records.count(),
                games: Some(book.head.games),
                bytes,
            },
        }
    }

    /// Returns the legal moves of a position that the book has, the heaviest first.
    ///
    /// # Errors
    /// Returns an error if the file can no longer be read, or the position is of another game.
    pub fn moves(&self, game: &dyn AnyGame) -> Result<Vec<BookMove>> {
        if game.kind() != self.kind {
            return Err(Error::OtherGame { found: self.kind.name().to_owned(), wanted: game.kind() });
        }
        if game.outcome().is_some() {
            // A draw by repetition depends on the way to the position, which the book does not know.
            return Ok(Vec::new());
        }
        let mut moves = match &self.content {
            Content::Polyglot(book) => book.moves(game)?,
            Content::Own(book) => book.moves(game)?,
        };
        let share = |mv: &BookMove| f64::from(mv.weight) / mv.alike as f64;
        let total: f64 = moves.iter().map(share).sum();
        for mv in &mut moves {
            mv.chance = if total > 0.0 { share(mv) / total } else { 0.0 };
        }
        moves.sort_by(|one, other| other.weight.cmp(&one.weight).then_with(|| one.text.cmp(&other.text)));
        Ok(moves)
    }

    /// Returns one of the book's moves for a position, with a probability in proportion to its weight; `None` if the
    /// book has none with a weight.
    ///
    /// # Errors
    /// Returns the errors of [`Book::moves`].
    pub fn choose(&self, game: &dyn AnyGame, rng: &mut fastrand::Rng) -> Result<Option<String>> {
        let moves: Vec<BookMove> = self.moves(game)?.into_iter().filter(|mv| mv.weight > 0).collect();
        let mut drawn = rng.f64();
        let place = moves.iter().position(|mv| {
            drawn -= mv.chance;
            drawn < 0.0
        });
        // The probabilities may add up to slightly less than 1.
        let chosen = place.unwrap_or(moves.len().saturating_sub(1));
        Ok(moves.into_iter().nth(chosen).map(|mv| mv.text))
    }
}
