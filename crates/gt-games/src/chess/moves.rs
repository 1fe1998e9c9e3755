//! Lists of moves, their numbers and their promise.

use cozy_chess::{BitBoard, Board, File, Move, Piece, Rank, Square};

/// Appends the legal moves.
#[inline]
pub(super) fn all(board: &Board, moves: &mut Vec<Move>) {
    board.generate_moves(|piece_moves| {
        moves.extend(piece_moves);
        false
    });
}

/// Appends captures, and promotions to a queen. The lesser promotions are left to the full search.
#[inline]
pub(super) fn noisy(board: &Board, moves: &mut Vec<Move>) {
    let mover = board.side_to_move();
    let enemies = board.colors(!mover);
    let en_passant = board
        .en_passant()
        .map_or(BitBoard::EMPTY, |file| Square::new(file, Rank::Sixth.relative_to(mover)).bitboard());
    let pawn_targets = enemies | en_passant | Rank::Eighth.relative_to(mover).bitboard();
    board.generate_moves(|mut piece_moves| {
        piece_moves.to &= if piece_moves.piece == Piece::Pawn { pawn_targets } else { enemies };
        let lesser = |mv: &Move| mv.promotion.is_some_and(|piece| piece != Piece::Queen);
        moves.extend(piece_moves.into_iter().filter(|mv| !lesser(mv)));
        false
    });
}

/// The square where the moved piece ends up: for a castling king two squares on, not his rook's square.
#[inline]
pub(super) fn destination(board: &Board, mv: Move) -> Square {
    if !board.colors(board.side_to_move()).has(mv.to) {
        return mv.to;
    }
    let file = if mv.from.file() < mv.to.file() { File::G } else { File::C };
    Square::new(file, mv.from.rank())
}

/// The number of a move in a log.
#[inline]
pub(super) fn code(board: &Board, mv: Move) -> i64 {
    numbered(mv, destination(board, mv))
}

/// The same after the move was made. Castling is the king taking its own rook: only then nobody stands on `mv.to`.
#[inline]
pub(super) fn code_made(board: &Board, mv: Move) -> i64 {
    let mover = !board.side_to_move();
    let to = if board.colors(mover).has(mv.to) { mv.to } else { board.king(mover) };
    numbered(mv, to)
}

#[inline]
fn numbered(mv: Move, to: Square) -> i64 {
    let promotion = match mv.promotion {
        Some(Piece::Knight) => 1,
        Some(Piece::Bishop) => 2,
        Some(Piece::Rook) => 3,
        Some(Piece::Queen) => 4,
        _ => 0,
    };
    mv.from as i64 | (to as i64) << 6 | promotion << 12
}

/// Most valuable victim first, then least valuable attacker; promotions count what they gain; quiet moves are 0.
#[inline]
pub(super) fn order_hint(board: &Board, mv: Move) -> i32 {
    const WORTH: [i32; Piece::NUM] = [1, 3, 3, 5, 9, 0];
    let promoted = mv.promotion.map_or(0, |piece| 16 * (WORTH[piece as usize] - 1));
    let mover = board.side_to_move();
    let Some(moved) = board.piece_on(mv.from) else { return promoted };
    let victim = if board.colors(!mover).has(mv.to) { board.piece_on(mv.to) } else { None };
    // A pawn that changes its file and takes nothing there takes en passant.
    let en_passant = moved == Piece::Pawn && victim.is_none() && mv.from.file() != mv.to.file();
    match victim.or(en_passant.then_some(Piece::Pawn)) {
        Some(victim) => promoted + 16 * WORTH[victim as usize] - WORTH[moved as usize],
        None => promoted,
    }
}
