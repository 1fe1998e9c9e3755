//! The board as one player sees it: own pawns go up.
//!
//! Black's view is the board flipped (the ranks exchanged), so that every term is written once and both
//! players are judged by the same code.

use super::{Score, WORTH};
use cozy_chess::{Board, Color, Piece};

/// Sets of squares; bit 0 is a1 in the player's view, bit 63 h8.
pub(super) struct View {
    pub(super) own: [u64; Piece::NUM],
    pub(super) other: [u64; Piece::NUM],
    /// The number of own pieces of each kind.
    counts: [i32; Piece::NUM],
    pub(super) own_all: u64,
    pub(super) occupied: u64,
    /// Whether the player may still castle, on either side.
    pub(super) may_castle: bool,
}

pub(super) const FILE_A: u64 = 0x0101_0101_0101_0101;
pub(super) const FILE_H: u64 = FILE_A << 7;
pub(super) const RANK_1: u64 = 0xff;
pub(super) const RANK_3: u64 = RANK_1 << 16;

impl View {
    #[inline(always)]
    pub(super) fn of(board: &Board, color: Color) -> Self {
        let turned = |set: u64| if color == Color::White { set } else { set.swap_bytes() };
        let own_all = turned(board.colors(color).0);
        let other_all = turned(board.colors(!color).0);
        let rights = board.castle_rights(color);
        let mut view = Self {
            own: [0; Piece::NUM],
            other: [0; Piece::NUM],
            counts: [0; Piece::NUM],
            own_all,
            occupied: own_all | other_all,
            may_castle: rights.short.is_some() || rights.long.is_some(),
        };
        for piece in Piece::ALL {
            let set = turned(board.pieces(piece).0);
            view.own[piece as usize] = set & own_all;
            view.other[piece as usize] = set & other_all;
            view.counts[piece as usize] = count(set & own_all);
        }
        view
    }

    /// The number of own pieces of a kind.
    #[inline(always)]
    pub(super) fn count(&self, piece: Piece) -> i32 {
        self.counts[piece as usize]
    }

    #[inline(always)]
    pub(super) fn own(&self, piece: Piece) -> u64 {
        self.own[piece as usize]
    }

    #[inline(always)]
    pub(super) fn other(&self, piece: Piece) -> u64 {
        self.other[piece as usize]
    }

    /// The value of the own pieces.
    #[inline(always)]
    pub(super) fn material(&self) -> Score {
        let mut sum = Score::default();
        for (count, worth) in self.counts.into_iter().zip(WORTH) {
            sum += worth * count;
        }
        sum
    }

    /// The squares that the other side's pawns attack.
    #[inline(always)]
    pub(super) fn attacked_by_other_pawns(&self) -> u64 {
        let pawns = self.other(Piece::Pawn);
        (pawns & !FILE_A) >> 9 | (pawns & !FILE_H) >> 7
    }
}

#[inline(always)]
pub(super) fn count(set: u64) -> i32 {
    set.count_ones() as i32
}

/// The squares of a set, lowest first, as numbers.
#[inline(always)]
pub(super) fn squares(mut set: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        if set == 0 {
            return None;
        }
        let square = set.trailing_zeros() as usize;
        set &= set - 1;
        Some(square)
    })
}

/// The number of a square if both wings count alike: four for each rank.
#[inline(always)]
pub(super) fn half_board(square: usize) -> usize {
    let file = square % 8;
    square / 8 * 4 + file.min(7 - file)
}

/// The set and everything above it on the same files.
#[inline(always)]
pub(super) fn fill_up(set: u64) -> u64 {
    let set = set | set << 8;
    let set = set | set << 16;
    set | set << 32
}

/// The set and everything below it on the same files.
#[inline(always)]
pub(super) fn fill_down(set: u64) -> u64 {
    let set = set | set >> 8;
    let set = set | set >> 16;
    set | set >> 32
}

/// The squares left and right of a set.
#[inline(always)]
pub(super) fn beside(set: u64) -> u64 {
    (set & !FILE_A) >> 1 | (set & !FILE_H) << 1
}

/// The squares that pawns of the player attack.
#[inline(always)]
pub(super) fn pawn_attacks(pawns: u64) -> u64 {
    beside(pawns) << 8
}
