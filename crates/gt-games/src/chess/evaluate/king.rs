//! Development, which matters early, and the king's safety, which goes on to matter.

use super::Score;
use super::pieces::Reach;
use super::view::{RANK_1, View, beside, count};
use cozy_chess::{Piece, Square, get_king_moves};

/// For each minor piece that still stands at home.
const MINOR_AT_HOME: Score = Score::new(-14, 0);
/// For a queen that has left home, for each minor piece that has not.
const QUEEN_OUT_BEFORE_MINOR: Score = Score::new(-8, 0);
/// For each of the two middle pawns that still stands at home.
const MIDDLE_PAWN_AT_HOME: Score = Score::new(-10, 0);
/// For a king who has castled, or stands as if he had; and for one who has lost the right to.
const CASTLED: Score = Score::new(30, 0);
const CASTLING_LOST: Score = Score::new(-25, 0);

/// For each pawn that stands close before the king.
const SHELTER: Score = Score::new(9, 0);
/// For the attacks on squares around the king, times the number of the attackers.
const ATTACK: Score = Score::new(-2, -2);
/// For each square the king could go to.
const WAY_OUT: Score = Score::new(1, 3);
/// For a king with no way out at all.
const NO_WAY_OUT: Score = Score::new(-5, -15);

const fn set(squares: &[Square]) -> u64 {
    let mut set = 0;
    let mut index = 0;
    while index < squares.len() {
        set |= 1 << squares[index] as u32;
        index += 1;
    }
    set
}

const KNIGHTS_HOME: u64 = set(&[Square::B1, Square::G1]);
const BISHOPS_HOME: u64 = set(&[Square::C1, Square::F1]);
const QUEEN_HOME: u64 = set(&[Square::D1]);
const MIDDLE_PAWNS_HOME: u64 = set(&[Square::D2, Square::E2]);
/// Where a king stands who has castled, or has stepped up or aside since.
const CASTLED_KING: u64 = {
    use Square::*;
    set(&[A1, B1, C1, G1, H1, A2, B2, G2, H2])
};

/// The worth of the own development.
#[inline]
pub(super) fn development(view: &View) -> Score {
    let minors_home =
        count(view.own(Piece::Knight) & KNIGHTS_HOME) + count(view.own(Piece::Bishop) & BISHOPS_HOME);
    let mut score =
        MINOR_AT_HOME * minors_home + MIDDLE_PAWN_AT_HOME * count(view.own(Piece::Pawn) & MIDDLE_PAWNS_HOME);
    if view.own(Piece::Queen) & !QUEEN_HOME != 0 {
        score += QUEEN_OUT_BEFORE_MINOR * minors_home;
    }
    if view.own(Piece::King) & CASTLED_KING != 0 {
        score += CASTLED;
    } else if !view.may_castle {
        score += CASTLING_LOST;
    }
    score
}

/// The safety of the own king. `other` is what the other side attacks, in its own view.
#[inline]
pub(super) fn safety(view: &View, other: &Reach) -> Score {
    let king = view.own(Piece::King);
    let mut score = Score::default();
    if king & (RANK_1 | RANK_1 << 8) != 0 {
        let before = (king | beside(king)) << 8;
        score += SHELTER * count(view.own(Piece::Pawn) & (before | before << 8));
    }
    score += ATTACK * (other.king_attacks * other.king_attackers);
    // The other side's view is the board turned over.
    let attacked = other.all.swap_bytes();
    let around = get_king_moves(Square::index(king.trailing_zeros() as usize & 63)).0;
    let ways_out = around & !view.own_all & !attacked;
    score + if ways_out == 0 { NO_WAY_OUT } else { WAY_OUT * count(ways_out) }
}
