//! The slowly changing parts of a position, as hashes: the pawns, and the pieces of each side.

use cozy_chess::{BitBoard, Board, Color, Piece};
use gt_search::STRUCTURES;

const PIECES: [Piece; 5] = [Piece::Knight, Piece::Bishop, Piece::Rook, Piece::Queen, Piece::King];

#[inline]
pub(super) fn of(board: &Board) -> [u64; STRUCTURES] {
    let pieces = |color: Color| hash(PIECES.map(|piece| board.colored_pieces(color, piece)));
    let pawns = Color::ALL.map(|color| board.colored_pieces(color, Piece::Pawn));
    [hash(pawns), pieces(Color::White), pieces(Color::Black)]
}

/// Hashes sets of squares; their order matters.
#[inline]
fn hash<const SETS: usize>(sets: [BitBoard; SETS]) -> u64 {
    sets.iter().fold(0, |hash: u64, set| (hash.rotate_left(23) ^ set.0).wrapping_mul(0xD6E8_FEB8_6659_FD93))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn structures(fen: &str) -> [u64; STRUCTURES] {
        of(&fen.parse().unwrap())
    }

    #[test]
    fn each_part_changes_with_what_it_is_of_and_with_nothing_else() {
        let start = structures("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
        let changes = |fen: &str| {
            let other = structures(fen);
            [0, 1, 2].map(|part| other[part] != start[part])
        };
        assert_eq!(
            changes("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1"),
            [true, false, false]
        );
        assert_eq!(
            changes("rnbqkbnr/pppppppp/8/8/8/5N2/PPPPPPPP/RNBQKB1R b KQkq - 1 1"),
            [false, true, false]
        );
        assert_eq!(
            changes("rnbqkb1r/pppppppp/5n2/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 1 1"),
            [false, false, true]
        );
        assert_eq!(changes("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b - - 7 9"), [false, false, false]);
    }
}
