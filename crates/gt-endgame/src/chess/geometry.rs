//! Squares, lines and mirrors, in the plain numbers of the solver: a1 is 0, h8 is 63, a set of squares is a `u64`.

use cozy_chess::{
    BitBoard, Color, Piece, Square, get_between_rays, get_bishop_moves, get_king_moves, get_knight_moves,
    get_pawn_attacks, get_rook_moves,
};

/// The set of one square.
#[inline]
pub(super) const fn bit(square: usize) -> u64 {
    1 << square
}

#[inline]
fn of(square: usize) -> Square {
    Square::index(square)
}

#[inline]
pub(super) fn king_moves(from: usize) -> u64 {
    get_king_moves(of(from)).0
}

/// The squares between two on one line, excluding both; none if they are not on one line.
#[inline]
pub(super) fn between(from: usize, to: usize) -> u64 {
    get_between_rays(of(from), of(to)).0
}

/// The squares that a man attacks from its square. `color` matters to pawns only.
#[inline]
pub(super) fn attacks(kind: Piece, color: Color, from: usize, occupied: u64) -> u64 {
    let (from, occupied) = (of(from), BitBoard(occupied));
    let squares = match kind {
        Piece::Pawn => get_pawn_attacks(from, color),
        Piece::Knight => get_knight_moves(from),
        Piece::Bishop => get_bishop_moves(from, occupied),
        Piece::Rook => get_rook_moves(from, occupied),
        Piece::Queen => get_bishop_moves(from, occupied) | get_rook_moves(from, occupied),
        Piece::King => get_king_moves(from),
    };
    squares.0
}

/// The squares from which such a man attacks `target`.
#[inline]
pub(super) fn attackers(kind: Piece, color: Color, target: usize, occupied: u64) -> u64 {
    attacks(kind, !color, target, occupied)
}

/// The squares of a set, lowest first.
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

/// One of the eight ways to hold the board: files mirrored, then ranks, then both swapped.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Turn(u8);

impl Turn {
    pub(super) const NONE: Self = Self(0);
    const FILES: u8 = 1;
    const RANKS: u8 = 2;
    const SWAP: u8 = 4;
    /// Mirrors at the diagonal a1-h8.
    pub(super) const DIAGONAL: Self = Self(Self::SWAP);

    /// Brings a square to the files a to d.
    pub(super) fn to_left(square: usize) -> Self {
        Self(if square & 7 > 3 { Self::FILES } else { 0 })
    }

    /// Brings a square into the triangle a1-d1-d4.
    pub(super) fn to_triangle(square: usize) -> Self {
        let files = Self::to_left(square).0;
        let ranks = if square >> 3 > 3 { Self::RANKS } else { 0 };
        let turned = Self(files | ranks).square(square);
        Self(files | ranks | if turned >> 3 > turned & 7 { Self::SWAP } else { 0 })
    }

    #[inline]
    pub(super) fn square(self, square: usize) -> usize {
        let mirrored = square
            ^ if self.0 & Self::FILES != 0 { 7 } else { 0 }
            ^ if self.0 & Self::RANKS != 0 { 56 } else { 0 };
        if self.0 & Self::SWAP != 0 { (mirrored & 7) << 3 | mirrored >> 3 } else { mirrored }
    }

    /// A set of squares, each turned.
    #[inline]
    pub(super) fn set(self, set: u64) -> u64 {
        let mut board = BitBoard(set);
        if self.0 & Self::FILES != 0 {
            board = board.flip_files();
        }
        if self.0 & Self::RANKS != 0 {
            board = board.flip_ranks();
        }
        if self.0 & Self::SWAP != 0 { swap_files_and_ranks(board.0) } else { board.0 }
    }

    /// A set turned back.
    #[inline]
    pub(super) fn set_back(self, set: u64) -> u64 {
        let swapped = if self.0 & Self::SWAP != 0 { swap_files_and_ranks(set) } else { set };
        Self(self.0 & !Self::SWAP).set(swapped)
    }
}

/// Mirrors a set at the diagonal a1-h8, by three exchanges of ever smaller quarters.
#[inline]
fn swap_files_and_ranks(mut set: u64) -> u64 {
    for (shift, mask) in
        [(28, 0x0f0f_0f0f_0000_0000), (14, 0x3333_0000_3333_0000), (7, 0x5500_5500_5500_5500_u64)]
    {
        let exchanged = mask & (set ^ (set << shift));
        set ^= exchanged ^ (exchanged >> shift);
    }
    set
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_turn_as_their_squares_do() {
        for code in 0..8 {
            let turn = Turn(code);
            for square in 0..64 {
                assert_eq!(turn.set(bit(square)), bit(turn.square(square)), "{turn:?} {square}");
                assert_eq!(turn.set_back(turn.set(bit(square))), bit(square), "{turn:?} {square}");
            }
        }
    }

    #[test]
    fn kings_are_brought_into_their_part_of_the_board() {
        for square in 0..64 {
            let turned = Turn::to_triangle(square).square(square);
            assert!(turned & 7 <= 3 && turned >> 3 <= (turned & 7), "{square}");
            assert!(Turn::to_left(square).square(square) & 7 <= 3);
        }
    }
}
