//! Mobility and board control: what the pieces can reach.

use super::Score;
use super::view::{FILE_A, View, count, fill_down, fill_up, pawn_attacks, squares};
use cozy_chess::{
    BitBoard, Piece, Square, get_bishop_moves, get_king_moves, get_knight_moves, get_rook_moves,
};

/// For each square that a piece can go to without a pawn taking it there; pawn to king.
const MOBILITY: [Score; Piece::NUM] = [
    Score::new(0, 0),
    Score::new(4, 4),
    Score::new(4, 5),
    Score::new(2, 4),
    Score::new(1, 3),
    Score::new(0, 0),
];

/// For each attacked square of the middle four and of the twelve around them.
const MIDDLE: Score = Score::new(6, 2);
const AROUND_MIDDLE: Score = Score::new(3, 1);
/// For each pawn on the middle four squares.
const PAWN_IN_MIDDLE: Score = Score::new(12, 0);
/// For each pawn on a square of a bishop's colour.
const PAWN_IN_BISHOP_S_WAY: Score = Score::new(-2, -4);
/// For each bishop that can go nowhere.
const SHUT_IN_BISHOP: Score = Score::new(-25, -25);
/// For each rook on a file without pawns, and without own pawns.
const ROOK_ON_OPEN_FILE: Score = Score::new(18, 10);
const ROOK_ON_HALF_OPEN_FILE: Score = Score::new(9, 6);
/// For the king, in the ending, by how near to the middle he is.
const KING_IN_MIDDLE: [Score; 4] =
    [Score::new(0, -18), Score::new(0, 0), Score::new(0, 12), Score::new(0, 18)];

const MIDDLE_SQUARES: u64 = 0x0000_0018_1800_0000;
const AROUND_MIDDLE_SQUARES: u64 = 0x0000_3c24_243c_0000;
const DARK_SQUARES: u64 = 0xaa55_aa55_aa55_aa55;

/// What one player's pieces attack, in his view.
pub(super) struct Reach {
    /// All attacked squares.
    pub(super) all: u64,
    pub(super) mobility: Score,
    /// Bishops that can go nowhere.
    pub(super) shut_in_bishops: i32,
    /// Pieces (not pawns) that attack a square next to the other king, and how many such squares they attack.
    pub(super) king_attackers: i32,
    pub(super) king_attacks: i32,
}

impl Reach {
    #[inline]
    pub(super) fn of(view: &View) -> Self {
        let other_king = view.other(Piece::King);
        let king_zone = king_moves(other_king) | other_king;
        let pawns = pawn_attacks(view.own(Piece::Pawn));
        let mut reach = Self {
            all: pawns | king_moves(view.own(Piece::King)),
            mobility: Score::default(),
            shut_in_bishops: 0,
            king_attackers: 0,
            king_attacks: 0,
        };
        let free = !view.own_all & !view.attacked_by_other_pawns();
        let occupied = BitBoard(view.occupied);
        for from in squares(view.own(Piece::Knight)) {
            reach.add(Piece::Knight, get_knight_moves(Square::index(from)).0, free, king_zone);
        }
        for from in squares(view.own(Piece::Bishop)) {
            let attacks = get_bishop_moves(Square::index(from), occupied).0;
            reach.shut_in_bishops += i32::from(attacks & free == 0);
            reach.add(Piece::Bishop, attacks, free, king_zone);
        }
        for from in squares(view.own(Piece::Rook)) {
            reach.add(Piece::Rook, get_rook_moves(Square::index(from), occupied).0, free, king_zone);
        }
        for from in squares(view.own(Piece::Queen)) {
            let from = Square::index(from);
            let attacks = get_bishop_moves(from, occupied) | get_rook_moves(from, occupied);
            reach.add(Piece::Queen, attacks.0, free, king_zone);
        }
        reach
    }

    #[inline(always)]
    fn add(&mut self, piece: Piece, attacks: u64, free: u64, king_zone: u64) {
        self.all |= attacks;
        self.mobility += MOBILITY[piece as usize] * count(attacks & free);
        if attacks & king_zone != 0 {
            self.king_attackers += 1;
            self.king_attacks += count(attacks & king_zone);
        }
    }
}

/// The worth of what the own pieces rule over.
#[inline]
pub(super) fn board_control(view: &View, own: &Reach) -> Score {
    let pawns = view.own(Piece::Pawn);
    let mut score = MIDDLE * count(own.all & MIDDLE_SQUARES)
        + AROUND_MIDDLE * count(own.all & AROUND_MIDDLE_SQUARES)
        + SHUT_IN_BISHOP * own.shut_in_bishops;
    if pawns & MIDDLE_SQUARES != 0 {
        score += PAWN_IN_MIDDLE * count(pawns & MIDDLE_SQUARES);
    }
    for bishop in squares(view.own(Piece::Bishop)) {
        let color = if DARK_SQUARES >> bishop & 1 == 1 { DARK_SQUARES } else { !DARK_SQUARES };
        score += PAWN_IN_BISHOP_S_WAY * count(pawns & color);
    }
    let rooks = view.own(Piece::Rook);
    if rooks != 0 {
        let own_files = files(pawns);
        let other_files = files(view.other(Piece::Pawn));
        score += ROOK_ON_OPEN_FILE * count(rooks & !own_files & !other_files)
            + ROOK_ON_HALF_OPEN_FILE * count(rooks & !own_files & other_files);
    }
    let king = view.own(Piece::King).trailing_zeros() as usize & 63;
    score + KING_IN_MIDDLE[distance_from_edge(king % 8).min(distance_from_edge(king / 8))]
}

fn distance_from_edge(line: usize) -> usize {
    line.min(7 - line)
}

fn files(pawns: u64) -> u64 {
    let files = fill_up(fill_down(pawns)) & 0xff;
    files * FILE_A
}

fn king_moves(king: u64) -> u64 {
    // Both kings are always on the board; the mask keeps the index in it whatever happens.
    get_king_moves(Square::index(king.trailing_zeros() as usize & 63)).0
}
