//! The key of a position: some of Polyglot's numbers, combined by exclusive or.

use super::random::RANDOM;
use gt_games::chess::Board;
use gt_games::chess::cozy_chess::{Color, Piece, Rank, Square, get_pawn_attacks};

const CASTLING: usize = 768;
const EN_PASSANT: usize = 772;
const WHITE_TO_MOVE: usize = 780;

/// Returns Polyglot's key of a position. The file of an en passant capture counts only if a pawn could take, even a
/// pinned one.
///
/// ```
/// let start = gt_games::Chess::new();
/// assert_eq!(gt_book::polyglot_key(start.board()), 0x463b_9618_1691_fc9c);
/// ```
#[must_use]
pub fn key(board: &Board) -> u64 {
    let mut key = 0;
    for square in board.occupied() {
        if let Some((piece, color)) = board.piece_on(square).zip(board.color_on(square)) {
            key ^= RANDOM[64 * kind(piece, color) + square as usize];
        }
    }
    for (place, color) in [Color::White, Color::Black].into_iter().enumerate() {
        let rights = board.castle_rights(color);
        for (side, right) in [rights.short, rights.long].into_iter().enumerate() {
            if right.is_some() {
                key ^= RANDOM[CASTLING + 2 * place + side];
            }
        }
    }
    let mover = board.side_to_move();
    if let Some(file) = board.en_passant() {
        let target = Square::new(file, Rank::Sixth.relative_to(mover));
        let takers = get_pawn_attacks(target, !mover) & board.colored_pieces(mover, Piece::Pawn);
        if !takers.is_empty() {
            key ^= RANDOM[EN_PASSANT + file as usize];
        }
    }
    if mover == Color::White { key ^ RANDOM[WHITE_TO_MOVE] } else { key }
}

/// Black pawn 0, white pawn 1, black knight 2 … white king 11.
fn kind(piece: Piece, color: Color) -> usize {
    2 * piece as usize + usize::from(color == Color::White)
}
