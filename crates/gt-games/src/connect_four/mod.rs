//! Connect four, seven columns of six. `x` (player 0) begins; four in a line win.
//!
//! ```text
//!     6 13 20 27 34 41 48    never filled: it keeps columns apart
//!  6  5 12 19 26 33 40 47
//!  .  .  .  .  .  .  .  .    a place is 7 * column + row, so that four in a line are four bits
//!  1  0  7 14 21 28 35 42    at distances of 1 (up), 7 (along), 8 and 6 (the diagonals)
//!     a  b  c  d  e  f  g
//! ```
//!
//! Invariant: `x` has as many discs as `o` or one more; discs have no holes below them.

mod evaluate;
mod notation;
mod symmetry;

pub use evaluate::Threats;

use crate::zobrist::mix;
use gt_search::{Game, Outcome};

const COLUMNS: u32 = 7;
const ROWS: u32 = 6;
/// The lowest place of every column.
const BOTTOM: u64 = 0x0000_0408_1020_4081;
/// All 42 places.
const BOARD: u64 = BOTTOM * ((1 << ROWS) - 1);
/// The distances between neighbours on a line: up, along, and the two diagonals.
const STEPS: [u32; 4] = [1, COLUMNS, COLUMNS + 1, COLUMNS - 1];

/// A position of connect four.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ConnectFour {
    discs: [u64; 2],
    to_move: u8,
}

/// A column to drop a disc into.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Column(u8);

impl ConnectFour {
    /// The empty board.
    pub fn new() -> Self {
        Self::default()
    }

    /// How many discs there are.
    #[inline]
    pub fn discs(&self) -> u32 {
        self.filled().count_ones()
    }

    #[inline]
    fn filled(&self) -> u64 {
        self.discs[0] | self.discs[1]
    }

    /// The lowest empty place of each column that is not full.
    #[inline]
    fn landings(&self) -> u64 {
        // Adding the bottom carries over a column's discs to the first place above them.
        (self.filled() + BOTTOM) & BOARD
    }

    #[inline]
    fn column(column: u8) -> u64 {
        ((1 << ROWS) - 1) << (u32::from(column) * COLUMNS)
    }
}

/// Whether a set holds four in a line.
#[inline]
fn has_four(discs: u64) -> bool {
    STEPS.iter().any(|&step| {
        let pairs = discs & discs >> step;
        pairs & pairs >> (2 * step) != 0
    })
}

impl Game for ConnectFour {
    type Move = Column;
    /// The mover's discs before.
    type Undo = u64;

    #[inline]
    fn to_move(&self) -> usize {
        usize::from(self.to_move)
    }

    #[inline]
    fn outcome(&self) -> Option<Outcome> {
        // Only who has just moved can have completed a line.
        let last = self.to_move ^ 1;
        if has_four(self.discs[usize::from(last & 1)]) {
            return Some(Outcome::Win(usize::from(last)));
        }
        (self.filled() == BOARD).then_some(Outcome::Draw)
    }

    #[inline]
    fn moves(&self, moves: &mut Vec<Column>) {
        if self.outcome().is_none() {
            let landings = self.landings();
            moves.extend(
                (0..COLUMNS as u8).filter(|&column| landings & Self::column(column) != 0).map(Column),
            );
        }
    }

    #[inline]
    fn make(&mut self, Column(column): Column) -> u64 {
        let mover = usize::from(self.to_move & 1);
        let before = self.discs[mover];
        self.discs[mover] = before | self.landings() & Self::column(column);
        self.to_move ^= 1;
        before
    }

    #[inline]
    fn undo(&mut self, _: Column, before: u64) {
        self.to_move ^= 1;
        self.discs[usize::from(self.to_move & 1)] = before;
    }

    /// One-to-one: each column's discs of `x` under a bit that marks its height, mixed. The number of discs
    /// says who moves.
    #[inline]
    fn hash(&self) -> u64 {
        mix(self.discs[0] + self.filled() + BOTTOM)
    }

    /// 1 for column a … 7 for column g.
    #[inline]
    fn encode(&self, Column(column): Column) -> i64 {
        i64::from(column) + 1
    }

    /// The middle first: more lines go through it.
    #[inline]
    fn order_hint(&self, Column(column): Column) -> i32 {
        -i32::from(column.abs_diff(3))
    }
}

#[cfg(test)]
mod tests;
