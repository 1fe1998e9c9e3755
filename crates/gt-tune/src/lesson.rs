//! A lesson: a position of chess, and a teacher's score of it. Millions of them are kept in memory, so it is small.

use gt_games::chess::cozy_chess::{BitBoard, Board, Color, Piece, Square};
use gt_games::chess::network::Viewpoint;

/// A position and its score.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lesson {
    occupied: u64,
    /// The pieces on the occupied squares, in the squares' order, half a byte each: the kind, and 8 if it is the
    /// other player's.
    kinds: [u8; PIECES_MAX / 2],
    /// The mover's score, in hundredths of a pawn.
    score: i16,
    mover: Color,
}

/// The largest number of pieces of a position.
pub(crate) const PIECES_MAX: usize = 32;
/// What a half byte has if the piece is the other player's.
const OTHERS: u8 = 8;

impl Lesson {
    /// A position that the mover's score is known of.
    #[must_use]
    pub fn new(board: &Board, score: i16) -> Self {
        let mut kinds = [0; PIECES_MAX / 2];
        let mover = board.side_to_move();
        for (place, square) in board.occupied().into_iter().enumerate() {
            let kind = board.piece_on(square).map_or(0, |piece| piece as u8);
            let owner = if board.colors(mover).has(square) { 0 } else { OTHERS };
            kinds[place / 2] |= (kind | owner) << (4 * (place % 2));
        }
        Self { occupied: board.occupied().0, kinds, score, mover }
    }

    /// The mover's score, in hundredths of a pawn.
    #[must_use]
    pub fn score(&self) -> i16 {
        self.score
    }

    /// The number of pieces.
    pub(crate) fn pieces(&self) -> usize {
        self.occupied.count_ones() as usize
    }

    #[inline(always)]
    fn kind(&self, place: usize) -> u8 {
        self.kinds[place / 2] >> (4 * (place % 2)) & 0b1111
    }

    /// Lists the network's inputs of both views, the mover's first.
    #[inline(always)]
    pub(crate) fn list_inputs(&self, inputs: &mut [[u16; 2]; PIECES_MAX]) {
        let squares = || BitBoard(self.occupied).into_iter().enumerate();
        let mut kings = [Square::A1; 2];
        for (place, square) in squares() {
            let kind = self.kind(place);
            if kind & !OTHERS == Piece::King as u8 {
                kings[usize::from(kind & OTHERS != 0)] = square;
            }
        }
        let viewpoints =
            [Viewpoint::with_king(self.mover, kings[0]), Viewpoint::with_king(!self.mover, kings[1])];
        for ((place, square), inputs) in squares().zip(inputs) {
            let kind = self.kind(place);
            let owner = if kind & OTHERS == 0 { self.mover } else { !self.mover };
            let piece = Piece::index(usize::from(kind & !OTHERS));
            *inputs = viewpoints.map(|viewpoint| viewpoint.input(owner, piece, square) as u16);
        }
    }
}
