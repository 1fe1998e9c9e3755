//! Connect four, seven columns of six or another size. `x` (player 0) begins; four in a line win.
//!
//! Discs are sets of bits, laid out so that lines are bits at equal distances: `layout` has the picture.
//!
//! Invariant: `x` has as many discs as `o` or one more; discs have no holes below them; `completing`, `worth` and
//! `is_won` match the discs. A move wins if its place completes a line, so no search for lines is needed.

mod evaluate;
mod layout;
mod noisy;
mod notation;
mod symmetry;

pub use evaluate::Threats;
pub use layout::Size;

use crate::zobrist::mix;
use gt_search::{Game, Outcome};
use layout::Layout;

/// A position of connect four.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ConnectFour {
    discs: [u64; 2],
    /// For each player, the places that complete four in a line with his discs, including filled ones.
    completing: [u64; 2],
    layout: &'static Layout,
    /// The value of the places of `x`'s discs, minus those of `o`'s.
    worth: i32,
    to_move: u8,
    /// Whether the player who moved last has four in a line.
    is_won: bool,
}

/// The state that a move changes: the mover's discs and the places that they complete.
#[derive(Clone, Copy, Debug)]
pub struct Before {
    discs: u64,
    completing: u64,
}

/// A column to drop a disc into.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Column(u8);

impl Default for ConnectFour {
    fn default() -> Self {
        Self::new()
    }
}

impl ConnectFour {
    /// The empty board of the usual size.
    pub fn new() -> Self {
        Self::start(Size::STANDARD)
    }

    /// The empty board of a size.
    pub fn start(size: Size) -> Self {
        Self::from_discs([0; 2], 0, Layout::of(size))
    }

    fn from_discs(discs: [u64; 2], to_move: u8, layout: &'static Layout) -> Self {
        let worth = layout.worth_of(discs[0]) - layout.worth_of(discs[1]);
        let completing = discs.map(|discs| layout.completing(discs));
        let is_won = layout.has_four(discs[usize::from(to_move & 1 ^ 1)]);
        Self { discs, completing, layout, worth, to_move, is_won }
    }

    /// The size of the board.
    pub fn size(&self) -> Size {
        self.layout.size
    }

    /// Returns the number of discs.
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
        // Adding the bottom carries over a column's discs to the first place above them. On the largest boards, the
        // highest column may carry out of the word, where there is no place.
        self.filled().wrapping_add(self.layout.bottom) & self.layout.board
    }

    /// The whole position in a word: each column's discs of `x` under a bit that marks its height. The number of discs
    /// determines who moves.
    #[inline]
    fn columns(&self) -> u64 {
        self.discs[0].wrapping_add(self.filled()).wrapping_add(self.layout.bottom)
    }

    /// The value of a disc of the mover at a place.
    #[inline]
    fn worth_of(&self, place: u64) -> i32 {
        let worth = i32::from(self.layout.worth[place.trailing_zeros() as usize & 63]);
        if self.to_move == 0 { worth } else { -worth }
    }
}

impl Game for ConnectFour {
    type Move = Column;
    type Undo = Before;

    #[inline]
    fn to_move(&self) -> usize {
        usize::from(self.to_move)
    }

    #[inline]
    fn outcome(&self) -> Option<Outcome> {
        // Only the player who has just moved can have completed a line.
        if self.is_won {
            return Some(Outcome::Win(usize::from(self.to_move ^ 1)));
        }
        (self.filled() == self.layout.board).then_some(Outcome::Draw)
    }

    #[inline]
    fn moves(&self, moves: &mut Vec<Column>) {
        if self.outcome().is_none() {
            let landings = self.landings();
            let is_open = |&column: &u8| landings & self.layout.column(column) != 0;
            moves.extend((0..self.layout.size.columns() as u8).filter(is_open).map(Column));
        }
    }

    #[inline]
    fn make(&mut self, Column(column): Column) -> Before {
        let mover = usize::from(self.to_move & 1);
        let before = Before { discs: self.discs[mover], completing: self.completing[mover] };
        let place = self.landings() & self.layout.column(column);
        self.is_won = before.completing & place != 0;
        self.worth += self.worth_of(place);
        self.discs[mover] = before.discs | place;
        self.completing[mover] = self.layout.completing(self.discs[mover]);
        self.to_move ^= 1;
        before
    }

    #[inline]
    fn undo(&mut self, _: Column, before: Before) {
        self.to_move ^= 1;
        let mover = usize::from(self.to_move & 1);
        self.worth -= self.worth_of(self.discs[mover] ^ before.discs);
        self.discs[mover] = before.discs;
        self.completing[mover] = before.completing;
        // A won game has no moves, so the game before the move was not won.
        self.is_won = false;
    }

    /// One-to-one for boards of one size.
    #[inline]
    fn hash(&self) -> u64 {
        mix(self.columns())
    }

    #[inline]
    fn mirrored_hash(&self) -> Option<u64> {
        Some(mix(self.mirrored(self.columns())))
    }

    /// 1 for column a, 2 for column b …
    #[inline]
    fn encode(&self, Column(column): Column) -> i64 {
        i64::from(column) + 1
    }

    #[inline]
    fn noisy_moves(&self, moves: &mut Vec<Column>) {
        if self.outcome().is_none() {
            self.push_columns_of(self.noisy_places(), moves);
        }
    }

    #[inline]
    fn in_check(&self) -> bool {
        self.must_defend()
    }

    /// Moves that complete or prevent a line come first, then those that threaten to complete most, then the middle,
    /// which more lines pass through.
    #[inline]
    fn order_hint(&self, Column(column): Column) -> i32 {
        evaluate::hint(self, self.landings() & self.layout.column(column), column)
    }

    fn hints_rank_all(&self) -> bool {
        true
    }
}

#[cfg(test)]
mod tests;
