//! The inputs of a network: the pieces of a position, as one of the players sees them.

use cozy_chess::{Board, Color, File, Piece, Square};

/// The number of zones that the own king can be in. Each has inputs of its own, one zone's after another's, since what
/// a piece is worth depends on where the king is.
pub const ZONES: usize = 4;
/// The number of inputs of a zone: own pieces and the other's, by kind and square.
pub const ZONE_INPUTS: usize = 2 * Piece::NUM * Square::NUM;
/// The number of inputs.
pub const INPUTS: usize = ZONES * ZONE_INPUTS;

/// The zone of the squares of the left half, from the own first rank on: the corner, the middle of the first rank, the
/// second rank, and everything beyond.
const ZONE_OF: [[u8; 4]; 8] = [
    [0, 0, 1, 1],
    [2, 2, 2, 2],
    [3, 3, 3, 3],
    [3, 3, 3, 3],
    [3, 3, 3, 3],
    [3, 3, 3, 3],
    [3, 3, 3, 3],
    [3, 3, 3, 3],
];

/// A player's view of the board: his pawns go up, and his king stands on the left half. A position and its mirror
/// image, which differ only in castling, look the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Viewpoint {
    color: Color,
    /// What turns a square's number into that of the square as it is seen from here.
    flip: u8,
    /// The first input of his king's zone.
    first_input: u16,
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
        let flip = ranks | files;
        let seen = usize::from(king as u8 ^ flip);
        let zone = ZONE_OF[seen / 8][seen % 8 % 4];
        Self { color, flip, first_input: u16::from(zone) * ZONE_INPUTS as u16 }
    }

    /// The input of a piece.
    #[inline(always)]
    pub fn input(self, owner: Color, piece: Piece, square: Square) -> usize {
        let kind = Piece::NUM * usize::from(owner != self.color) + piece as usize;
        usize::from(self.first_input) + Square::NUM * kind + usize::from(square as u8 ^ self.flip)
    }
}
