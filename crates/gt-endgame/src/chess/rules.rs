//! What a position allows beside the usual moves, and how long a game may go on.

use cozy_chess::{Board, CastleRights, Color, Move, Piece, Rank, Square, get_pawn_attacks};

/// The number of half-moves without a capture or pawn move after which a game is drawn.
pub(crate) const QUIET_HALF_MOVES_MAX: u16 = 100;

pub(crate) fn can_castle(board: &Board) -> bool {
    [Color::White, Color::Black].iter().any(|&color| *board.castle_rights(color) != CastleRights::EMPTY)
}

/// The square behind a pawn that can be taken in passing now.
pub(crate) fn en_passant_square(board: &Board) -> Option<Square> {
    let mover = board.side_to_move();
    let target = Square::new(board.en_passant()?, Rank::Sixth.relative_to(mover));
    let takers = get_pawn_attacks(target, !mover) & board.colored_pieces(mover, Piece::Pawn);
    let can_take = takers.into_iter().any(|from| board.is_legal(Move { from, to: target, promotion: None }));
    can_take.then_some(target)
}
