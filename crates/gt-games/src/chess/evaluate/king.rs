//! Development, which matters early, and king safety, which matters throughout.

use super::features::{self as feature, Tally};
use super::pieces::{self, Reach};
use super::view::{FILE_A, RANK_1, View, beside, count, fill_down, fill_up, half_board};
use cozy_chess::{BitBoard, Piece, Square, get_bishop_moves, get_knight_moves, get_rook_moves};

const fn set(squares: &[Square]) -> u64 {
    let mut set = 0;
    let mut index = 0;
    while index < squares.len() {
        set |= 1 << squares[index] as u32;
        index += 1;
    }
    set
}

/// The last index in the row of attacks.
const ATTACK_MAX: i32 = 55;
const _: () =
    assert!(feature::ATTACK + ATTACK_MAX as usize + 1 == feature::WAY_OUT, "the whole row, no more");
/// The ranks on which the other side's pawns are near the own king's home.
const NEAR_RANKS: u64 = 0x0000_0000_ffff_ff00;
const KNIGHTS_HOME: u64 = set(&[Square::B1, Square::G1]);
const BISHOPS_HOME: u64 = set(&[Square::C1, Square::F1]);
const QUEEN_HOME: u64 = set(&[Square::D1]);
const MIDDLE_PAWNS_HOME: u64 = set(&[Square::D2, Square::E2]);
/// The squares of a king who has castled, or has stepped up or aside since.
const CASTLED_KING: u64 = {
    use Square::*;
    set(&[A1, B1, C1, G1, H1, A2, B2, G2, H2])
};

/// The development of the own pieces.
#[inline(always)]
pub(super) fn development(view: &View, tally: &mut impl Tally) {
    let minors_home =
        count(view.own(Piece::Knight) & KNIGHTS_HOME) + count(view.own(Piece::Bishop) & BISHOPS_HOME);
    tally.count(feature::MINOR_AT_HOME, minors_home);
    tally.count(feature::MIDDLE_PAWN_AT_HOME, count(view.own(Piece::Pawn) & MIDDLE_PAWNS_HOME));
    if view.own(Piece::Queen) & !QUEEN_HOME != 0 {
        tally.count(feature::QUEEN_OUT_BEFORE_MINOR, minors_home);
    }
    tally.count(feature::ROOK_OUT_BEFORE_MINOR, minors_home * count(view.own(Piece::Rook) & !RANK_1));
    if view.own(Piece::King) & CASTLED_KING != 0 {
        tally.count(feature::CASTLED, 1);
    } else if !view.may_castle {
        tally.count(feature::CASTLING_LOST, 1);
    }
}

/// The safety of the own king. `own` and `other` are the players' reaches, each in his own view.
#[inline(always)]
pub(super) fn safety(view: &View, own: &Reach, other: &Reach, tally: &mut impl Tally) {
    let king = view.own(Piece::King);
    let square = king.trailing_zeros() as usize & 63;
    tally.count(feature::KING_SQUARE + half_board(square), 1);
    let front = king | beside(king);
    if king & (RANK_1 | RANK_1 << 8) != 0 {
        let before = front << 8;
        let pawns = count(view.own(Piece::Pawn) & (before | before << 8));
        tally.count(feature::SHELTER + pawns.min(3) as usize, 1);
    }
    let files = fill_up(front) | fill_down(front);
    tally.count(feature::KING_ON_OPEN_FILE, i32::from(fill_up(king) & view.own(Piece::Pawn) == 0));
    tally.count(feature::STORM, count(view.other(Piece::Pawn) & files & NEAR_RANKS));
    shelter_and_storm(view, square, tally);
    let attacked = other.all.swap_bytes();
    if other.king_attackers >= 2 || (other.king_attackers == 1 && view.other(Piece::Queen) != 0) {
        let weak = own.by(Piece::King) & attacked & !own.without_king;
        let force = other.king_force + safe_checks(view, own, other) + count(weak);
        tally.count(feature::ATTACK + force.min(ATTACK_MAX) as usize, 1);
    }
    let ways_out = own.by(Piece::King) & !view.own_all & !attacked;
    match count(ways_out) {
        0 => tally.count(feature::NO_WAY_OUT, 1),
        ways => tally.count(feature::WAY_OUT, ways),
    }
}

/// The pawns of both sides before the king, on his file and on those beside it.
#[inline(always)]
fn shelter_and_storm(view: &View, king: usize, tally: &mut impl Tally) {
    let middle = (king % 8).clamp(1, 6);
    let ahead = !0 << (king & 56);
    // The rank of the nearest pawn; 0 if there is none.
    let nearest =
        |pawns: u64, file: usize| (pawns & ahead & FILE_A << file).trailing_zeros() as usize / 8 % 8;
    for file in middle - 1..=middle + 1 {
        let row = if file == middle { 0 } else { 8 };
        let own = nearest(view.own(Piece::Pawn), file);
        let other = nearest(view.other(Piece::Pawn), file);
        tally.count(feature::SHELTER_PAWN + row + own, 1);
        if own != 0 && other == own + 1 {
            tally.count(feature::STORM_BLOCKED + other, 1);
        } else {
            tally.count(feature::STORM_PAWN + row + other, 1);
        }
    }
}

/// The weight of the other side's safe checks.
#[inline(always)]
fn safe_checks(view: &View, own: &Reach, other: &Reach) -> i32 {
    let king = pieces::square(view.own(Piece::King));
    let others = view.occupied & !view.own_all;
    let safe = !others & !own.all;
    let attacked = |piece: Piece| other.by(piece).swap_bytes() & safe;
    let occupied = BitBoard(view.occupied);
    let (lines, diagonals) = (get_rook_moves(king, occupied).0, get_bishop_moves(king, occupied).0);
    let mut force = 0;
    for (piece, from, weight) in [
        (Piece::Knight, get_knight_moves(king).0, 4),
        (Piece::Bishop, diagonals, 2),
        (Piece::Rook, lines, 5),
        (Piece::Queen, lines | diagonals, 4),
    ] {
        force += if attacked(piece) & from != 0 { weight } else { 0 };
    }
    force
}
