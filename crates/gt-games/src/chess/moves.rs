//! Lists of moves, their numbers and their ordering hints.

use cozy_chess::{
    BitBoard, Board, File, Move, Piece, Rank, Square, get_bishop_moves, get_bishop_rays, get_knight_moves,
    get_pawn_attacks, get_rook_moves, get_rook_rays,
};

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

/// The number of the piece on a square, a pawn's if it is empty. Branch-free, because the piece is hard to predict.
#[inline]
fn number_on(board: &Board, square: Square) -> usize {
    let stands = |piece: Piece| (board.pieces(piece).0 >> square as u32 & 1) as usize * piece as usize;
    stands(Piece::Knight)
        + stands(Piece::Bishop)
        + stands(Piece::Rook)
        + stands(Piece::Queen)
        + stands(Piece::King)
}

/// The piece that a move takes, en passant included.
#[inline]
pub(super) fn taken_piece(board: &Board, mv: Move) -> Option<Piece> {
    let mover = board.side_to_move();
    if board.colors(!mover).has(mv.to) {
        return board.piece_on(mv.to);
    }
    takes_en_passant(board, mv).then_some(Piece::Pawn)
}

/// Whether a move is one of those that [`noisy`] lists.
#[inline]
pub(super) fn is_noisy(board: &Board, mv: Move) -> bool {
    match mv.promotion {
        Some(piece) => piece == Piece::Queen,
        None => board.colors(!board.side_to_move()).has(mv.to) || takes_en_passant(board, mv),
    }
}

#[inline]
fn takes_en_passant(board: &Board, mv: Move) -> bool {
    // A pawn that changes its file without taking anything there takes en passant.
    board.en_passant().is_some()
        && mv.from.file() != mv.to.file()
        && board.pieces(Piece::Pawn).has(mv.from)
        && !board.occupied().has(mv.to)
}

/// The moving piece and its destination as a number, from 1; the same for a castling king as for one that takes on
/// his rook's square.
#[inline]
pub(super) fn theme(board: &Board, mv: Move) -> u16 {
    let piece = number_on(board, mv.from) as u16;
    1 + (board.side_to_move() as u16 * Piece::NUM as u16 + piece) * Square::NUM as u16 + mv.to as u16
}

/// Most valuable victim first, then least valuable attacker. Promotions to a queen count what they gain, lesser ones
/// come last; quiet moves are 0.
#[inline]
pub(super) fn order_hint(board: &Board, mv: Move) -> i32 {
    const WORTH: [i32; Piece::NUM] = [1, 3, 3, 5, 9, 0];
    const NOISY: i32 = 64;
    const LESSER_PROMOTION: i32 = -8;
    let promoted = match mv.promotion {
        None => 0,
        Some(Piece::Queen) => 16 * (WORTH[Piece::Queen as usize] - 1),
        Some(_) => return LESSER_PROMOTION,
    };
    let is_taking = board.colors(!board.side_to_move()).has(mv.to);
    if is_taking || takes_en_passant(board, mv) {
        // A pawn taken en passant stands elsewhere; an empty square counts as a pawn.
        NOISY + promoted + 16 * WORTH[number_on(board, mv.to)] - WORTH[number_on(board, mv.from)]
    } else if promoted > 0 {
        NOISY + promoted
    } else {
        0
    }
}

/// Whether a move attacks the king, by itself or by uncovering a piece behind it. Castling, promotions and en passant
/// are treated as plain moves of their piece.
#[inline]
pub(super) fn gives_check(board: &Board, mv: Move) -> bool {
    let mover = board.side_to_move();
    let king = board.king(!mover);
    let Some(moved) = board.piece_on(mv.from) else { return false };
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
pub(super) fn checking(board: &Board, moves: &mut Vec<Move>) {
    let mover = board.side_to_move();
    let king = board.king(!mover);
    let (diagonals, lines) =
        (get_bishop_moves(king, board.occupied()), get_rook_moves(king, board.occupied()));
    let last_rank = Rank::Eighth.relative_to(mover).bitboard();
    let pawns = get_pawn_attacks(king, !mover) & !last_rank;
    let from = [pawns, get_knight_moves(king), diagonals, lines, diagonals | lines, BitBoard::EMPTY];
    let quiet = !board.occupied();
    board.generate_moves(|mut piece_moves| {
        piece_moves.to &= from[piece_moves.piece as usize] & quiet;
        moves.extend(piece_moves.into_iter().filter(|&mv| taken_piece(board, mv).is_none()));
        false
    });
}
