//! The exchange on a square: the gain or loss of a move if both sides go on capturing there, cheapest piece first,
//! and each may stop when going on would cost more.
//!
//! ```text
//! takes   Q×p   p×Q   R×p        gains    100   950-100   100-(950-100)
//! from the end: nobody goes on where it does not pay        ⇒  Q×p loses 850
//! ```
//!
//! Pieces behind pieces (a rook behind a queen) join in. Pins and checks are ignored: this is an estimate that costs
//! a fraction of a search.

use super::moves::{destination, taken_piece};
use super::position::Position;
use cozy_chess::{
    BitBoard, Board, Color, Move, Piece, Square, get_bishop_moves, get_king_moves, get_knight_moves,
    get_pawn_attacks, get_rook_moves,
};

/// Pawn to king, in hundredths of a pawn. Taking a king ends everything.
const WORTH: [i32; Piece::NUM] = [100, 320, 330, 500, 950, 20_000];
/// The maximum number of pieces that can attack one square.
const TAKES_MAX: usize = 32;

/// The gain of the move, or its loss if negative.
pub(super) fn exchange(position: &Position, mv: Move) -> i32 {
    let board = position.board();
    let Some(moved) = position.piece(mv.from) else { return 0 };
    let to = destination(board, mv);
    if to != mv.to {
        return 0; // castling takes nothing, and nothing takes a castled rook at once
    }
    let mut gains = [0; TAKES_MAX];
    gains[0] = taken_piece(position, mv).map_or(0, |taken| WORTH[taken as usize]);
    let mut standing = WORTH[moved as usize];
    if let Some(promoted) = mv.promotion {
        gains[0] += WORTH[promoted as usize] - standing;
        standing = WORTH[promoted as usize];
    }
    let mut occupied = board.occupied() ^ mv.from.bitboard();
    if moved == Piece::Pawn && mv.from.file() != to.file() && !board.occupied().has(to) {
        occupied ^= Square::new(to.file(), mv.from.rank()).bitboard();
    }
    let mut side = !board.side_to_move();
    let mut takes = 0;
    while let Some((from, piece)) = cheapest_attacker(board, to, occupied, side) {
        takes += 1;
        gains[takes] = standing - gains[takes - 1];
        if takes + 1 == TAKES_MAX {
            break;
        }
        standing = WORTH[piece as usize];
        occupied ^= from.bitboard();
        side = !side;
    }
    for last in (1..=takes).rev() {
        gains[last - 1] = -gains[last].max(-gains[last - 1]);
    }
    gains[0]
}

/// Whether the move gains at least `worth`. The exchange is played only as far as needed to know.
pub(super) fn wins_at_least(position: &Position, mv: Move, worth: i32) -> bool {
    let board = position.board();
    let Some(moved) = position.piece(mv.from) else { return worth <= 0 };
    let to = destination(board, mv);
    if to != mv.to {
        return worth <= 0;
    }
    let standing = mv.promotion.unwrap_or(moved);
    let taken = taken_piece(position, mv);
    let promoted = WORTH[standing as usize] - WORTH[moved as usize];
    // How much more than wanted the last side to take has gained, if it loses its piece again.
    let mut balance = taken.map_or(0, |taken| WORTH[taken as usize]) + promoted - worth;
    if balance < 0 {
        return false;
    }
    balance -= WORTH[standing as usize];
    if balance >= 0 {
        return true;
    }
    let mut occupied = board.occupied() ^ mv.from.bitboard();
    if moved == Piece::Pawn && mv.from.file() != to.file() && !board.occupied().has(to) {
        occupied ^= Square::new(to.file(), mv.from.rank()).bitboard();
    }
    let mover = board.side_to_move();
    let mut side = !mover;
    while let Some((from, piece)) = cheapest_attacker(board, to, occupied, side) {
        occupied ^= from.bitboard();
        side = !side;
        balance = -balance - 1 - WORTH[piece as usize];
        if balance >= 0 {
            // A king may not take where he can be taken.
            if piece == Piece::King && cheapest_attacker(board, to, occupied, side).is_some() {
                side = !side;
            }
            break;
        }
    }
    side != mover
}

/// The cheapest piece of a side that attacks a square, given the occupied squares.
fn cheapest_attacker(board: &Board, to: Square, occupied: BitBoard, side: Color) -> Option<(Square, Piece)> {
    let there = board.colors(side) & occupied;
    let of = |piece: Piece| board.pieces(piece) & there;
    let first = |set: BitBoard, piece| set.next_square().map(|square| (square, piece));
    first(of(Piece::Pawn) & get_pawn_attacks(to, !side), Piece::Pawn)
        .or_else(|| first(of(Piece::Knight) & get_knight_moves(to), Piece::Knight))
        .or_else(|| first(of(Piece::Bishop) & get_bishop_moves(to, occupied), Piece::Bishop))
        .or_else(|| first(of(Piece::Rook) & get_rook_moves(to, occupied), Piece::Rook))
        .or_else(|| {
            let lines = get_bishop_moves(to, occupied) | get_rook_moves(to, occupied);
            first(of(Piece::Queen) & lines, Piece::Queen)
        })
        .or_else(|| first(of(Piece::King) & get_king_moves(to), Piece::King))
}

#[cfg(test)]
mod tests;
