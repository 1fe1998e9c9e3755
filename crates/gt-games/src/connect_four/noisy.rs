//! Moves that quiescence follows: those that complete four in a line, and those that prevent the opponent's.
//!
//! ```text
//! .  .  .  .        x to move completes four on d1: noisy
//! x  x  x  .  o     o to move must drop on d1: `in_check`, standing pat is no choice
//! ```
//!
//! **Invariant:** a player who can win at once is not in check; a player in check loses unless the move stops every
//! threat.

use super::{Column, ConnectFour};

impl ConnectFour {
    /// The places where a disc of the player, dropped now, completes four in a line.
    pub(super) fn winning_places(&self, player: usize) -> u64 {
        self.layout.completing(self.discs[player]) & self.landings()
    }

    /// The places of noisy moves: wins, or else the places where the opponent would win.
    pub(super) fn noisy_places(&self) -> u64 {
        let mover = usize::from(self.to_move & 1);
        match self.winning_places(mover) {
            0 => self.winning_places(mover ^ 1),
            wins => wins,
        }
    }

    /// Whether the opponent would win with the next disc, and the mover cannot win first.
    pub(super) fn must_defend(&self) -> bool {
        let mover = usize::from(self.to_move & 1);
        self.winning_places(mover) == 0 && self.winning_places(mover ^ 1) != 0
    }

    /// Appends the columns in which one of the places lies.
    pub(super) fn push_columns_of(&self, places: u64, moves: &mut Vec<Column>) {
        let holds_one = |&column: &u8| places & self.layout.column(column) != 0;
        moves.extend((0..self.layout.size.columns() as u8).filter(holds_one).map(Column));
    }
}
