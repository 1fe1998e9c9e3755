//! Moves that quiescence follows: those that complete a line, and those that prevent the opponent's.
//!
//! **Invariant:** a player who can win at once is not in check; a player in check loses unless the move stops every
//! threat.

use super::{LINES, TicTacToe};

impl TicTacToe {
    /// The squares where a mark of the player completes a line.
    pub(super) fn winning_squares(&self, player: usize) -> u16 {
        let marks = self.marks[player];
        let missing = LINES.iter().filter(|line| (marks & *line).count_ones() == 2).map(|line| line & !marks);
        missing.fold(0, |all, square| all | square) & self.empty()
    }
}
