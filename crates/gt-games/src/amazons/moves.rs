//! A turn: an amazon's move and its arrow.

use super::Amazons;
use super::attacks::queen_attacks;
use super::bits::{BIT, Bits, Square, Squares};
use std::fmt;

/// A turn: an amazon goes `from` one square `to` another and shoots an `arrow`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Move(u32);

impl Move {
    #[inline(always)]
    pub(super) const fn new(from: Square, to: Square, arrow: Square) -> Self {
        Self((from.index() | to.index() << 8 | arrow.index() << 16) as u32)
    }

    /// Where the amazon stood.
    #[inline(always)]
    pub const fn from(self) -> Square {
        Square::from_index(self.0 & 127)
    }

    /// Where the amazon goes.
    #[inline(always)]
    pub const fn to(self) -> Square {
        Square::from_index(self.0 >> 8 & 127)
    }

    /// Where the arrow lands.
    #[inline(always)]
    pub const fn arrow(self) -> Square {
        Square::from_index(self.0 >> 16 & 127)
    }

    /// Whether the same amazon lands on the same square; the arrows may differ.
    #[inline(always)]
    pub(super) const fn has_stem_of(self, other: Self) -> bool {
        (self.0 ^ other.0) & 0xffff == 0
    }

    /// The number in a log: `from | to << 7 | arrow << 14`, a square being `10 * rank + file` from 0, whatever the
    /// board's size (a1 is 0, b1 1, a2 10). No turn has the number 0, because from and to differ.
    pub const fn code(self) -> i64 {
        const fn number(square: Square) -> i64 {
            (square.rank() * 10 + square.file()) as i64
        }
        number(self.from()) | number(self.to()) << 7 | number(self.arrow()) << 14
    }
}

/// In the notation of the literature: `d1-d7/g7`.
impl fmt::Display for Move {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}-{}/{}", self.from(), self.to(), self.arrow())
    }
}

impl fmt::Debug for Move {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, out)
    }
}

impl Amazons {
    /// Appends the legal turns, ordered by from, to, arrow.
    #[inline]
    pub(super) fn generate(&self, moves: &mut Vec<Move>) {
        for from in Squares(self.amazons[usize::from(self.to_move & 1)]) {
            // The vacated square is free for the arrow.
            let empty = self.empty | BIT[from.index()];
            for to in Squares(queen_attacks(from, self.empty)) {
                push_arrows(moves, from, to, queen_attacks(to, empty));
            }
        }
    }

    /// Whether the turn is legal, without listing all legal turns.
    pub(super) fn is_legal(&self, mv: Move) -> bool {
        let (from, to, arrow) = (mv.from(), mv.to(), mv.arrow());
        self.amazons[usize::from(self.to_move & 1)] & from.bit() != 0
            && queen_attacks(from, self.empty) & to.bit() != 0
            && queen_attacks(to, self.empty | from.bit()) & arrow.bit() != 0
    }
}

/// Walks the two halves of the set separately: 64-bit loops are fast.
#[inline(always)]
fn push_arrows(moves: &mut Vec<Move>, from: Square, to: Square, arrows: Bits) {
    const NONE: Square = Square::from_index(0);
    let stem = Move::new(from, to, NONE).0;
    let half = |bits: u64, first: u32| Half { bits, stem: stem + (first << 16) };
    moves.extend(half(arrows as u64, 0));
    moves.extend(half((arrows >> 64) as u64, 64));
}

/// The turns of one stem whose arrows are in one half of the board.
struct Half {
    bits: u64,
    stem: u32,
}

impl Iterator for Half {
    type Item = Move;

    #[inline(always)]
    fn next(&mut self) -> Option<Move> {
        if self.bits == 0 {
            return None;
        }
        let arrow = self.bits.trailing_zeros();
        self.bits &= self.bits - 1;
        Some(Move(self.stem + (arrow << 16)))
    }

    #[inline(always)]
    fn size_hint(&self) -> (usize, Option<usize>) {
        let count = self.bits.count_ones() as usize;
        (count, Some(count))
    }
}
