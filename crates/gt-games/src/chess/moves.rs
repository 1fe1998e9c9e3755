//! Lists of moves, their numbers and their ordering hints.

use super::position::{EMPTY, Position};
use cozy_chess::{
    BitBoard, Board, Color, File, Move, Piece, PieceMoves, Rank, Square, get_bishop_moves, get_bishop_rays,
    get_king_moves, get_knight_moves, get_pawn_attacks, get_rook_moves, get_rook_rays,
};

/// Appends the legal moves.
#[inline]
pub(super) fn all(board: &Board, moves: &mut Vec<Move>) {
    board.generate_moves(|piece_moves| {
        if promotes(&piece_moves) {
            moves.extend(piece_moves);
        } else {
            append(&piece_moves, None, moves);
        }
        false
    });
}

/// Whether there is a legal move. In most positions a pawn that is not pinned can go forward, which takes one look.
#[inline]
pub(super) fn has_any(board: &Board) -> bool {
    let mover = board.side_to_move();
    let pawns = board.colored_pieces(mover, Piece::Pawn) & !board.pinned();
    let ahead = if mover == Color::White { pawns.0 << 8 } else { pawns.0 >> 8 };
    let can_advance = board.checkers().is_empty() && !(BitBoard(ahead) & !board.occupied()).is_empty();
    can_advance || board.generate_moves(|_| true)
}

/// Appends captures, and promotions to a queen. The lesser promotions are left to the full search.
#[inline]
pub(super) fn noisy(board: &Board, moves: &mut Vec<Move>) {
    let mover = board.side_to_move();
    let enemies = board.colors(!mover);
    let en_passant = board
        .en_passant()
        .map_or(BitBoard::EMPTY, |file| Square::new(file, Rank::Sixth.relative_to(mover)).bitboard());
    let taken_by_pawns = enemies | en_passant;
    let pawn_targets = taken_by_pawns | Rank::Eighth.relative_to(mover).bitboard();
    board.generate_moves_for(takers(board, taken_by_pawns), |mut piece_moves| {
        piece_moves.to &= if piece_moves.piece == Piece::Pawn { pawn_targets } else { enemies };
        let promotion = promotes(&piece_moves).then_some(Piece::Queen);
        append(&piece_moves, promotion, moves);
        false
    });
}

/// The mover's pieces, without pawns that neither take nor promote and without a king that can take nothing: finding
/// their moves takes longest.
#[inline]
fn takers(board: &Board, taken_by_pawns: BitBoard) -> BitBoard {
    let mover = board.side_to_move();
    let attacked_by = |files: i8| {
        let shifted = match mover {
            Color::White => taken_by_pawns.0 >> (8 + files),
            Color::Black => taken_by_pawns.0 << (8 - files),
        };
        let edge = if files > 0 { File::H } else { File::A };
        BitBoard(shifted) & !edge.bitboard()
    };
    let useful_pawns = attacked_by(1) | attacked_by(-1) | Rank::Seventh.relative_to(mover).bitboard();
    let idle_pawns = board.pieces(Piece::Pawn) & !useful_pawns;
    let king = board.king(mover);
    let is_king_idle = (get_king_moves(king) & board.colors(!mover)).is_empty();
    !idle_pawns & !if is_king_idle { king.bitboard() } else { BitBoard::EMPTY }
}

/// Whether a piece's moves promote. A pawn's moves either all do or none does.
#[inline]
fn promotes(moves: &PieceMoves) -> bool {
    let last_ranks = Rank::First.bitboard() | Rank::Eighth.bitboard();
    moves.piece == Piece::Pawn && !(moves.to & last_ranks).is_empty()
}

/// Appends a move to each of the piece's squares.
#[inline]
fn append(piece_moves: &PieceMoves, promotion: Option<Piece>, moves: &mut Vec<Move>) {
    let from = piece_moves.from;
    moves.extend(piece_moves.to.into_iter().map(|to| Move { from, to, promotion }));
}

/// The square where the moved piece ends up: for a castling king two squares along, not his rook's square.
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

/// Like [`code`], after the move was made. Castling is the king taking its own rook: only then is `mv.to` empty.
#[inline]
pub(super) fn code_made(board: &Board, mv: Move) -> i64 {
    let mover = !board.side_to_move();
    let to = if board.colors(mover).has(mv.to) { mv.to } else { board.king(mover) };
    numbered(mv, to)
}

/// Pieces are numbered from the pawn, which nothing promotes to, so 0 stands for none.
#[inline]
fn numbered(mv: Move, to: Square) -> i64 {
    let promotion = mv.promotion.map_or(0, |piece| piece as i64);
    mv.from as i64 | (to as i64) << 6 | promotion << 12
}

/// The piece that a move takes, en passant included.
#[inline]
pub(super) fn taken_piece(position: &Position, mv: Move) -> Option<Piece> {
    let board = position.board();
    if board.colors(!board.side_to_move()).has(mv.to) {
        return position.piece(mv.to);
    }
    takes_en_passant(position, mv).then_some(Piece::Pawn)
}

/// Whether a move is one of those that [`noisy`] lists.
#[inline]
pub(super) fn is_noisy(position: &Position, mv: Move) -> bool {
    let board = position.board();
    match mv.promotion {
        Some(piece) => piece == Piece::Queen,
        None => board.colors(!board.side_to_move()).has(mv.to) || takes_en_passant(position, mv),
    }
}

#[inline]
fn takes_en_passant(position: &Position, mv: Move) -> bool {
    // A pawn that changes its file without taking anything there takes en passant.
    position.board().en_passant().is_some()
        && mv.from.file() != mv.to.file()
        && position.number(mv.from) == Piece::Pawn as usize
        && position.number(mv.to) == EMPTY
}

/// The moving piece and its destination as a number, from 1; the same for a castling king as for one that takes on
/// his rook's square.
#[inline]
pub(super) fn theme(position: &Position, mv: Move) -> u16 {
    let (mover, piece) = (position.board().side_to_move() as u16, position.number(mv.from) as u16);
    1 + (mover * Piece::NUM as u16 + piece) * Square::NUM as u16 + mv.to as u16
}

/// Most valuable victim first, then least valuable attacker. Promotions to a queen count what they gain, lesser ones
/// come last; quiet moves are 0.
#[inline(always)]
pub(super) fn order_hint(position: &Position, mv: Move) -> i32 {
    /// The last one is an empty square's: a pawn taken en passant stands elsewhere.
    const WORTH: [i32; Piece::NUM + 1] = [1, 3, 3, 5, 9, 0, 1];
    const NOISY: i32 = 64;
    const LESSER_PROMOTION: i32 = -8;
    let promoted = match mv.promotion {
        None => 0,
        Some(Piece::Queen) => 16 * (WORTH[Piece::Queen as usize] - 1),
        Some(_) => return LESSER_PROMOTION,
    };
    let board = position.board();
    let is_taking = board.colors(!board.side_to_move()).has(mv.to);
    if is_taking || takes_en_passant(position, mv) {
        NOISY + promoted + 16 * WORTH[position.number(mv.to)] - WORTH[position.number(mv.from)]
    } else if promoted > 0 {
        NOISY + promoted
    } else {
        0
    }
}

/// Whether a move attacks the king, by itself or by uncovering a piece behind it. Castling, promotions and en passant
/// are treated as plain moves of their piece.
#[inline]
pub(super) fn gives_check(position: &Position, mv: Move) -> bool {
    let board = position.board();
    let mover = board.side_to_move();
    let king = board.king(!mover);
    let Some(moved) = position.piece(mv.from) else { return false };
    let (lines, diagonals) = (get_rook_rays(king), get_bishop_rays(king));
    if !(lines | diagonals).has(mv.from) {
        // It leaves no line to the king: nothing is uncovered, and the king's lines are as long as before.
        let along_line = || lines.has(mv.to) && get_rook_moves(king, board.occupied()).has(mv.to);
        let along_diagonal = || diagonals.has(mv.to) && get_bishop_moves(king, board.occupied()).has(mv.to);
        return match moved {
            Piece::Pawn => get_pawn_attacks(king, !mover).has(mv.to),
            Piece::Knight => get_knight_moves(king).has(mv.to),
            Piece::Bishop => along_diagonal(),
            Piece::Rook => along_line(),
            Piece::Queen => along_line() || along_diagonal(),
            Piece::King => false,
        };
    }
    let occupied = (board.occupied() ^ mv.from.bitboard()) | mv.to.bitboard();
    let own = |piece: Piece| {
        let others = board.colored_pieces(mover, piece) & !mv.from.bitboard();
        if piece == moved { others | mv.to.bitboard() } else { others }
    };
    let queens = own(Piece::Queen);
    let attackers = get_rook_moves(king, occupied) & (own(Piece::Rook) | queens)
        | get_bishop_moves(king, occupied) & (own(Piece::Bishop) | queens)
        | get_knight_moves(king) & own(Piece::Knight)
        | get_pawn_attacks(king, !mover) & own(Piece::Pawn);
    !attackers.is_empty()
}

/// Appends the moves that attack the king at once and are not noisy.
pub(super) fn checking(position: &Position, moves: &mut Vec<Move>) {
    let board = position.board();
    let mover = board.side_to_move();
    let king = board.king(!mover);
    let (diagonals, lines) =
        (get_bishop_moves(king, board.occupied()), get_rook_moves(king, board.occupied()));
    let last_rank = Rank::Eighth.relative_to(mover).bitboard();
    let pawns = get_pawn_attacks(king, !mover) & !last_rank;
    let from = [pawns, get_knight_moves(king), diagonals, lines, diagonals | lines, BitBoard::EMPTY];
    let quiet = !board.occupied();
    board.generate_moves_for(!board.pieces(Piece::King), |mut piece_moves| {
        piece_moves.to &= from[piece_moves.piece as usize] & quiet;
        moves.extend(piece_moves.into_iter().filter(|&mv| taken_piece(position, mv).is_none()));
        false
    });
}
