//! What a game can say and read: positions, moves, drawings, the numbers of a log.

use crate::error::{ErrorKind, NotationError, Result};
use gt_search::Game;

/// The `last_move` of a log's root.
pub const ROOT_CODE: i64 = 0;
/// The `last_move` of a null move, in every game.
pub const NULL_MOVE_CODE: i64 = 65_535;

/// A game whose positions and moves have a text, a drawing, and numbers for a log.
///
/// Laws, checked for every game by the contract suite:
/// - `parse_position(position_text())` gives the position back (not the way to it: a draw by repetition is
///   the one thing that may be lost);
/// - `parse_move(move_text(m))` and `decode(encode(m))` give every legal move `m` back, and what is no move is
///   refused;
/// - no `encode` gives [`ROOT_CODE`] or [`NULL_MOVE_CODE`].
pub trait Notation: Game {
    /// The game's name, as on the command line.
    const NAME: &'static str;

    /// Whether a log may name a node by its parent's move again (a verification search below a null move).
    const LOG_REPEATS_MOVES: bool = false;

    /// Reads a position.
    ///
    /// # Errors
    /// The text does not follow the notation, or no game can be played on from there.
    fn parse_position(text: &str) -> Result<Self>;

    /// The position as text.
    fn position_text(&self) -> String;

    /// Reads a legal move.
    ///
    /// # Errors
    /// The text does not follow the notation, or the move is not legal here.
    fn parse_move(&self, text: &str) -> Result<Self::Move>;

    /// A legal move as text.
    fn move_text(&self, mv: Self::Move) -> String;

    /// A legal move as players write it down, where that is not what [`Notation::move_text`] gives: in chess `Nf3`.
    fn move_written(&self, mv: Self::Move) -> String {
        self.move_text(mv)
    }

    /// The position as a drawing of several lines, each ended, the player to move below.
    fn draw(&self) -> String;

    /// The same position as the root of a search, where a game judges what follows otherwise than in play: in
    /// chess, below it a position that occurs for the second time is drawn already.
    #[must_use]
    fn into_search_root(self) -> Self {
        self
    }

    /// Passes the turn as a log's null move does, which a search other than ours may have made where
    /// [`Game::make_null`] would not.
    fn make_logged_null(&mut self) -> Option<Self::Undo> {
        self.make_null()
    }

    /// The legal moves, as a new list.
    fn legal_moves(&self) -> Vec<Self::Move> {
        let mut moves = Vec::new();
        self.moves(&mut moves);
        moves
    }

    /// The move that a log's `last_move` stands for; in chess also one that is possible beyond a draw.
    ///
    /// # Errors
    /// No legal move has this number.
    fn decode(&self, code: i64) -> Result<Self::Move> {
        let found = self.legal_moves().into_iter().find(|&mv| self.encode(mv) == code);
        found.ok_or_else(|| self.unknown_code(code))
    }

    /// The error that `decode` gives.
    fn unknown_code(&self, code: i64) -> NotationError {
        let problem = format!("no legal move of {} has this number in {}", Self::NAME, self.position_text());
        NotationError::new(ErrorKind::UnknownCode, code.to_string(), problem)
    }
}
