//! Games in files: PGN for chess, a line of fields for every other game.
//!
//! ```text
//! a file ──read──▶ SavedGame, one after the other ──text──▶ a file
//! [Event …] 1. e4 e5 …                       PGN                     pgn
//! game=amazons⇥moves=d1-d7/g7 …              a line for each game    line
//! ```
//!
//! **Invariant:** the moves of a game that was read can be played from its setup, one after the other.

mod cursor;
mod error;
mod line;
mod pgn;
mod result;

pub use error::SavedError;
pub use result::SavedResult;

use crate::error::Result as NotationResult;
use crate::registry::{AnyGame, GameKind, Setup};
use cursor::Cursor;
use error::Problem;
use pgn::PgnReader;
use std::io::BufRead;

/// The value of an unknown name or tag.
const UNKNOWN: &str = "?";

/// One game that was played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SavedGame {
    /// Which game was played.
    pub kind: GameKind,
    /// The start of the game.
    pub setup: Setup,
    /// Further information, such as `("Event", "…")`, `("Date", "2026.11.16")`.
    pub tags: Vec<(String, String)>,
    /// The players' names, from player 0; `?` or nothing if a name is not known.
    pub players: Vec<String>,
    /// The moves, from the setup on.
    pub moves: Vec<SavedMove>,
    /// The result; `None` while the game goes on.
    pub result: Option<SavedResult>,
    /// Why the game ended, in words: `checkmate`, `time`, `resigned`.
    pub end: Option<String>,
}

/// A move of a saved game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SavedMove {
    /// The move in the game's own notation, as [`AnyGame::play`] accepts it; in chess `e2e4`.
    pub text: String,
    /// A comment on it.
    pub comment: Option<String>,
}

impl SavedMove {
    /// A move without a comment.
    #[must_use]
    pub fn new(text: impl Into<String>) -> Self {
        Self { text: text.into(), comment: None }
    }
}

impl SavedGame {
    /// Makes a game with its usual start and no moves.
    #[must_use]
    pub fn new(kind: GameKind) -> Self {
        Self {
            kind,
            setup: Setup::default(),
            tags: Vec::new(),
            players: Vec::new(),
            moves: Vec::new(),
            result: None,
            end: None,
        }
    }

    /// Returns the game as text: PGN for chess, otherwise one line. [`read`] reads both. PGN cannot hold everything:
    /// white space in comments becomes single spaces, and the names of tags keep only letters, digits and `_`.
    ///
    /// ```
    /// use gt_games::GameKind;
    /// use gt_games::saved::{self, SavedGame, SavedMove};
    ///
    /// let mut game = SavedGame::new(GameKind::TicTacToe);
    /// game.moves = ["b2", "a1"].map(SavedMove::new).to_vec();
    /// assert_eq!(game.text(), "game=tic-tac-toe\tmoves=b2 a1\n");
    /// assert_eq!(saved::read(&game.text(), None).next(), Some(Ok(game)));
    /// ```
    #[must_use]
    pub fn text(&self) -> String {
        match self.kind {
            GameKind::Chess => pgn::text(self),
            GameKind::TicTacToe
            | GameKind::ConnectFour
            | GameKind::Amazons
            | GameKind::ChineseCheckers
            | GameKind::Thorns
            | GameKind::Tree => line::text(self),
        }
    }

    /// Returns the position after the last move.
    ///
    /// # Errors
    /// Returns an error if the setup or a move does not fit the game.
    pub fn position(&self) -> NotationResult<Box<dyn AnyGame>> {
        let mut game = self.kind.open(&self.setup)?;
        self.moves.iter().try_for_each(|mv| game.play(&mv.text))?;
        Ok(game)
    }

    /// Sets the names, without unknown ones at the end.
    fn set_players(&mut self, mut names: Vec<String>) {
        while names.last().is_some_and(|name| name == UNKNOWN) {
            names.pop();
        }
        self.players = names;
    }
}

/// Reads the games of a text, one after the other; with a `kind`, games of another kind are rejected. A game that
/// cannot be read is an error, and reading continues with the next one.
///
/// ```
/// use gt_games::saved;
///
/// let pgn = "[White \"Ann\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n\n1. Ke2 *\n";
/// let mut games = saved::read(pgn, None);
/// let game = games.next().unwrap()?;
/// assert_eq!(game.moves[3].text, "d8h4");
/// let error = games.next().unwrap().unwrap_err();
/// assert!(error.to_string().starts_with("line 5, game 2: `Ke2`: no legal move of white"));
/// assert!(games.next().is_none());
/// # Ok::<(), saved::SavedError>(())
/// ```
pub fn read<T: AsRef<[u8]> + ?Sized>(text: &T, kind: Option<GameKind>) -> Games<&[u8]> {
    read_from(text.as_ref(), kind)
}

/// Like [`read`], from a file or a stream, with one game in memory at a time.
pub fn read_from<R: BufRead>(input: R, kind: Option<GameKind>) -> Games<R> {
    Games { cursor: Cursor::new(input), pgn: PgnReader::new(), kind, games: 0, is_done: false }
}

/// The games of a text; see [`read`].
pub struct Games<R> {
    cursor: Cursor<R>,
    pgn: PgnReader,
    kind: Option<GameKind>,
    /// The number of games begun.
    games: usize,
    /// Whether nothing more can be read.
    is_done: bool,
}

/// A game that was begun, whether or not it can be read.
struct Begun {
    /// The line where it begins.
    line: usize,
    game: Result<SavedGame, Problem>,
}

impl<R: BufRead> Games<R> {
    /// The next game.
    ///
    /// # Errors
    /// Returns an error if the input cannot be read further.
    fn next_game(&mut self) -> Result<Option<Begun>, Problem> {
        self.cursor.begin_game();
        if !self.pgn.has_begun() {
            if !self.cursor.next_text()? {
                return Ok(None);
            }
            if self.cursor.rest().starts_with(line::BEGINNING) {
                let number = self.cursor.number();
                let game = line::read(self.cursor.rest(), number);
                self.cursor.skip_line();
                return Ok(Some(Begun { line: number, game }));
            }
        }
        let written = self.pgn.written(&mut self.cursor)?;
        Ok(written.map(|written| Begun { line: written.line(), game: written.game() }))
    }

    fn check_kind(&self, game: SavedGame, line: usize) -> Result<SavedGame, Problem> {
        match self.kind {
            Some(kind) if kind != game.kind => {
                Err(Problem::new(line, format!("this is a game of {}, not of {kind}", game.kind)))
            }
            _ => Ok(game),
        }
    }
}

impl<R: BufRead> Iterator for Games<R> {
    type Item = Result<SavedGame, SavedError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.is_done {
            return None;
        }
        let read = self.next_game();
        self.is_done = !matches!(read, Ok(Some(_)));
        let game = match read {
            Ok(None) => return None,
            Ok(Some(Begun { line, game })) => game.and_then(|game| self.check_kind(game, line)),
            Err(problem) => Err(problem),
        };
        self.games += 1;
        let number = self.games;
        Some(game.map_err(|Problem { line, text }| SavedError { line, game: number, problem: text }))
    }
}
