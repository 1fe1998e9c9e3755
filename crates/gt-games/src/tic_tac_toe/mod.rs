//! Tic-tac-toe. `x` (player 0) begins; three in a line win.
//!
//! ```text
//!  3  6 7 8
//!  2  3 4 5        a square is 3 * rank + file, its mark a bit in its player's set
//!  1  0 1 2
//!     a b c
//! ```
//!
//! Invariant: `x` has as many marks as `o` or one more, which determines who moves.

mod evaluate;
mod noisy;
mod notation;
mod symmetry;

pub use evaluate::Distance;

use crate::zobrist::mix;
use gt_search::{Game, Outcome};

/// The eight lines of three.
pub(crate) const LINES: [u16; 8] = [
    0b000_000_111,
    0b000_111_000,
    0b111_000_000,
    0b001_001_001,
    0b010_010_010,
    0b100_100_100,
    0b100_010_001,
    0b001_010_100,
];

const BOARD: u16 = 0b111_111_111;

/// A position of tic-tac-toe.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TicTacToe {
    marks: [u16; 2],
}

/// The square of a mark.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Square(u8);

impl TicTacToe {
    /// The empty board.
    pub fn new() -> Self {
        Self::default()
    }

    fn has_won(&self, player: usize) -> bool {
        LINES.iter().any(|line| self.marks[player] & line == *line)
    }

    fn empty(&self) -> u16 {
        BOARD & !(self.marks[0] | self.marks[1])
    }
}

impl Game for TicTacToe {
    type Move = Square;
    type Undo = ();

    fn to_move(&self) -> usize {
        usize::from(self.marks[0].count_ones() > self.marks[1].count_ones())
    }

    fn outcome(&self) -> Option<Outcome> {
        let winner = (0..2).find(|&player| self.has_won(player));
        winner.map(Outcome::Win).or_else(|| (self.empty() == 0).then_some(Outcome::Draw))
    }

    fn moves(&self, moves: &mut Vec<Square>) {
        if self.outcome().is_none() {
            let empty = self.empty();
            moves.extend((0..9).filter(|square| empty & 1 << square != 0).map(Square));
        }
    }

    fn make(&mut self, Square(square): Square) {
        self.marks[self.to_move()] |= 1 << square;
    }

    fn undo(&mut self, Square(square): Square, (): ()) {
        self.marks = self.marks.map(|marks| marks & !(1 << square));
    }

    /// One-to-one: the board's eighteen bits, mixed.
    fn hash(&self) -> u64 {
        mix(u64::from(self.marks[0]) | u64::from(self.marks[1]) << 9)
    }

    fn noisy_moves(&self, moves: &mut Vec<Square>) {
        if self.outcome().is_some() {
            return;
        }
        let mover = self.to_move();
        let noisy = match self.winning_squares(mover) {
            0 => self.winning_squares(1 - mover),
            wins => wins,
        };
        moves.extend((0..9).filter(|square| noisy & 1 << square != 0).map(Square));
    }

    /// Whether the opponent would win with the next mark, and the mover cannot win first.
    fn in_check(&self) -> bool {
        let mover = self.to_move();
        self.winning_squares(mover) == 0 && self.winning_squares(1 - mover) != 0
    }

    /// 1 for a1, 2 for b1 … 9 for c3.
    fn encode(&self, Square(square): Square) -> i64 {
        i64::from(square) + 1
    }
}

#[cfg(test)]
mod tests;
