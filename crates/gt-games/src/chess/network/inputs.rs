//! The inputs of a network: the pieces of a position, as one of the players sees them.

use cozy_chess::{Board, Color, File, Piece, Square};

/// The number of inputs: own pieces and the other's, by kind and square.
pub const INPUTS: usize = 2 * Piece::NUM * Square::NUM;

/// A player's view of the board: his pawns go up, and his king stands on the left half. A position and its mirror
/// image, which differ only in castling, look the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Viewpoint {
    color: Color,
    /// The mask that turns a square's number into the number of the square as seen from here.
    flip: u8,
}

impl Viewpoint {
    /// Returns the view of the player of a colour.
    #[inline(always)]
    pub fn of(board: &Board, color: Color) -> Self {
        Self::with_king(color, board.king(color))
    }

    /// Returns the view of a player whose king is on a square.
    #[inline(always)]
    pub fn with_king(color: Color, king: Square) -> Self {
        let ranks = if color == Color::Black { 0b111_000 } else { 0 };
        let files = if king.file() >= File::E { 0b000_111 } else { 0 };
        Self { color, flip: ranks | files }
    }

    /// The input of a piece.
    #[inline(always)]
    pub fn input(self, owner: Color, piece: Piece, square: Square) -> usize {
        self.input_of(owner, piece as usize, square)
    }

    /// The input of the piece with a number, like [`Viewpoint::input`].
    #[inline(always)]
    pub(super) fn input_of(self, owner: Color, number: usize, square: Square) -> usize {
        let kind = Piece::NUM * usize::from(owner != self.color) + number;
        Square::NUM * kind + usize::from(square as u8 ^ self.flip)
    }
}
