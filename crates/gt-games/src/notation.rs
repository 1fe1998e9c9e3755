//! The texts of a game: positions, moves, drawings, the numbers of a log.

use crate::error::{ErrorKind, NotationError, Result};
use gt_search::Game;

/// The `last_move` of a log's root.
pub const ROOT_CODE: i64 = 0;
/// The `last_move` of a null move, in every game.
pub const NULL_MOVE_CODE: i64 = 65_535;

/// A game whose positions and moves have a text, a drawing, and numbers for a log.
///
/// Laws, checked for every game by the contract suite:
/// - `parse_position(position_text())` gives the position back (without its history: a draw by repetition is the one
///   thing that may be lost);
/// - `parse_move(move_text(m))` and `decode(encode(m))` give every legal move `m` back, and reject everything else;
/// - `encode` never gives [`ROOT_CODE`] or [`NULL_MOVE_CODE`].
pub trait Notation: Game {
    /// The game's name, as on the command line.
    const NAME: &'static str;

    /// Whether a log may repeat a parent's move in its child (a verification search below a null move).
    const LOG_REPEATS_MOVES: bool = false;

    /// Reads a position.
    ///
    /// # Errors
    /// Returns an error if the text does not follow the notation, or the game cannot be continued from there.
    fn parse_position(text: &str) -> Result<Self>;

    /// Returns the position as text.
    fn position_text(&self) -> String;

    /// Reads a legal move.
    ///
    /// # Errors
    /// Returns an error if the text does not follow the notation, or the move is not legal here.
    fn parse_move(&self, text: &str) -> Result<Self::Move>;

    /// Returns a legal move as text.
    fn move_text(&self, mv: Self::Move) -> String;

    /// Returns a legal move as players write it down, if that differs from [`Notation::move_text`]: in chess `Nf3`.
    fn move_written(&self, mv: Self::Move) -> String {
        self.move_text(mv)
    }

    /// Returns the position as a drawing of several lines, each ended, with the player to move below.
    fn draw(&self) -> String;

    /// Returns the same position as the root of a search, for games that judge positions below it differently
    /// than in play: in chess, a position that occurs for the second time below it is already drawn.
    #[must_use]
    fn into_search_root(self) -> Self {
        self
    }

    /// Passes the turn as a log's null move does. A search other than ours may have passed where
    /// [`Game::make_null`] refuses.
    fn make_logged_null(&mut self) -> Option<Self::Undo> {
        self.make_null()
    }

    /// Returns the legal moves as a new list.
    fn legal_moves(&self) -> Vec<Self::Move> {
        let mut moves = Vec::new();
        self.moves(&mut moves);
        moves
    }

    /// Returns the move that a log's `last_move` stands for; in chess also one that is possible only beyond a
    /// draw.
    ///
    /// # Errors
    /// Returns an error if no legal move has this number.
    fn decode(&self, code: i64) -> Result<Self::Move> {
        let found = self.legal_moves().into_iter().find(|&mv| self.encode(mv) == code);
        found.ok_or_else(|| self.unknown_code(code))
    }

    /// The error that `decode` returns.
    fn unknown_code(&self, code: i64) -> NotationError {
        let problem = format!("no legal move of {} has this number in {}", Self::NAME, self.position_text());
        NotationError::new(ErrorKind::UnknownCode, code.to_string(), problem)
    }
}
