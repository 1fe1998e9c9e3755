//! The Game of the Amazons, on any board from 4x4 to 10x10.
//!
//! A turn moves one amazon like a chess queen and shoots an arrow like a queen from where it lands; arrows
//! stay and block. A player who cannot move loses. White (player 0) begins.
//!
//! For moving, a position is three sets of squares; for storing, [`Stored`] has two bits a square. Invariant:
//! white's amazons, black's amazons and the empty squares are disjoint; the rest of the board are arrows.

mod attacks;
mod bits;
mod evaluate;
mod fill;
mod foresight;
mod moves;
mod notation;
mod phased;
pub mod plain;
mod regions;
mod stored;
mod symmetry;
mod terms;
mod weights;

pub use bits::{Size, Square};
pub use evaluate::{Mobility, TERRITORY_WEIGHT, Territory, TerritoryMobility};
pub use moves::Move;
pub use phased::{KNOTS, PHASES, Phased, mixture, phase};
pub use regions::{Filling, Region, Turns};
pub use stored::{STORED_BYTES, Stored};
pub use terms::{TERM_NOTES, TERMS, Terms};

use crate::zobrist::key;
use bits::{Bits, Squares};
use gt_search::{Game, Outcome, PackedBoard};

/// A position of the Game of the Amazons.
///
/// ```
/// use gt_games::amazons::{Amazons, Size};
/// use gt_games::{Notation, perft};
///
/// let mut game = Amazons::start(Size::new(6, 6)?);
/// print!("{}", game.draw());
/// assert_eq!(perft(&mut game, 1), 544);
/// # Ok::<(), gt_games::NotationError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Amazons {
    amazons: [Bits; 2],
    empty: Bits,
    hash: u64,
    size: Size,
    to_move: u8,
}

/// The state that a turn changed. Restoring it is quicker than reversing the changes: the processor need not wait for
/// the turn's writes.
#[derive(Clone, Copy, Debug)]
pub struct Before {
    amazons: Bits,
    empty: Bits,
    hash: u64,
    to_move: u8,
}

/// A piece on a square, as a turn adds or removes it: one lookup per square.
#[derive(Clone, Copy)]
struct Placed {
    bit: Bits,
    key: u64,
}

static AMAZON_ON: [[Placed; 128]; 2] = [placed(1), placed(2)];
static ARROW_ON: [Placed; 128] = placed(3);
const BLACK_TO_MOVE_KEY: u64 = key(4, 0);

const fn placed(seed: u64) -> [Placed; 128] {
    let mut table = [Placed { bit: 0, key: 0 }; 128];
    let mut index = 0;
    while index < 128 {
        table[index] = Placed { bit: 1 << index, key: key(seed, index as u64) };
        index += 1;
    }
    table
}

impl Amazons {
    /// The standard start: each side's amazons a third of the way in on its first rank and on the edge files.
    pub fn start(size: Size) -> Self {
        let (width, height) = (size.width(), size.height());
        let (inset, up) = ((width - 1) / 3, (height - 1) / 3);
        let white = [(inset, 0), (width - 1 - inset, 0), (0, up), (width - 1, up)];
        let at = |&(file, rank): &(usize, usize)| Square::new(file, rank).bit();
        let mirrored = |&(file, rank): &(usize, usize)| Square::new(file, height - 1 - rank).bit();
        let amazons = [
            white.iter().map(at).fold(0, |all, bit| all | bit),
            white.iter().map(mirrored).fold(0, |a, b| a | b),
        ];
        Self::from_parts(size, amazons, size.squares() & !(amazons[0] | amazons[1]), 0)
    }

    /// Makes a position from parts, which must be disjoint and on the board.
    fn from_parts(size: Size, amazons: [Bits; 2], empty: Bits, to_move: u8) -> Self {
        let mut position = Self { amazons, empty, hash: 0, size, to_move };
        position.hash = position.recomputed_hash();
        position
    }

    /// The board's size.
    #[inline]
    pub fn size(&self) -> Size {
        self.size
    }

    /// The squares of a player's amazons, in ascending order.
    pub fn amazons(&self, player: usize) -> impl Iterator<Item = Square> + use<> {
        Squares(self.amazons[player & 1])
    }

    /// Whether the square is empty; `false` off the board.
    #[inline]
    pub fn is_empty(&self, square: Square) -> bool {
        self.empty & square.bit() != 0
    }

    /// The position between an amazon's move and its arrow, with the opponent to move.
    fn landed(&self, mv: Move) -> Self {
        let player = usize::from(self.to_move & 1);
        let moved = mv.from().bit() ^ mv.to().bit();
        let mut landed = *self;
        landed.amazons[player] ^= moved;
        landed.empty ^= moved;
        landed.to_move ^= 1;
        landed
    }

    fn arrows(&self) -> Bits {
        self.size.squares() & !(self.amazons[0] | self.amazons[1] | self.empty)
    }

    /// Whether the mover has a move: an amazon with an empty neighbour can step there and shoot back to its
    /// origin.
    #[inline]
    fn can_move(&self) -> bool {
        bits::neighbours(self.amazons[usize::from(self.to_move)]) & self.empty != 0
    }

    fn recomputed_hash(&self) -> u64 {
        let mut hash = key(5, (self.size.width() * 16 + self.size.height()) as u64);
        for (amazons, on) in self.amazons.into_iter().zip(&AMAZON_ON) {
            hash = Squares(amazons).fold(hash, |hash, square| hash ^ on[square.index()].key);
        }
        hash = Squares(self.arrows()).fold(hash, |hash, square| hash ^ ARROW_ON[square.index()].key);
        if self.to_move == 1 { hash ^ BLACK_TO_MOVE_KEY } else { hash }
    }
}

impl Default for Amazons {
    /// The start on 10x10.
    fn default() -> Self {
        Self::start(Size::STANDARD)
    }
}

impl Game for Amazons {
    type Move = Move;
    type Undo = Before;

    #[inline]
    fn to_move(&self) -> usize {
        usize::from(self.to_move)
    }

    #[inline]
    fn outcome(&self) -> Option<Outcome> {
        if self.can_move() { None } else { Some(Outcome::Win(usize::from(self.to_move ^ 1))) }
    }

    #[inline]
    fn moves(&self, moves: &mut Vec<Move>) {
        self.generate(moves);
    }

    #[inline(always)]
    fn make(&mut self, mv: Move) -> Before {
        let player = usize::from(self.to_move & 1);
        let Self { empty, hash, to_move, .. } = *self;
        let before = Before { amazons: self.amazons[player], empty, hash, to_move };
        let on = &AMAZON_ON[player];
        let (from, to) = (on[mv.from().index()], on[mv.to().index()]);
        let arrow = ARROW_ON[mv.arrow().index()];
        let moved = from.bit ^ to.bit;
        self.amazons[player] = before.amazons ^ moved;
        // An arrow shot back to `from` leaves that square occupied: the two changes cancel.
        self.empty = before.empty ^ moved ^ arrow.bit;
        self.hash = before.hash ^ from.key ^ to.key ^ arrow.key ^ BLACK_TO_MOVE_KEY;
        self.to_move = to_move ^ 1;
        before
    }

    #[inline(always)]
    fn undo(&mut self, _: Move, before: Before) {
        self.to_move = before.to_move;
        self.amazons[usize::from(before.to_move & 1)] = before.amazons;
        self.empty = before.empty;
        self.hash = before.hash;
    }

    #[inline]
    fn hash(&self) -> u64 {
        self.hash
    }

    fn pack(&self) -> Option<PackedBoard> {
        Some(self.packed())
    }

    fn unpack(packed: &PackedBoard) -> Option<Self> {
        Self::from_packed(packed)
    }

    #[inline]
    fn encode(&self, mv: Move) -> i64 {
        mv.code()
    }
}

#[cfg(test)]
mod tests;
