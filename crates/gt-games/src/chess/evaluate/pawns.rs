//! Pawn formation: the report's five cases, and the path of passed pawns.

use super::features::{self as feature, Tally};
use super::pieces::Reach;
use super::view::{
    FILE_A, FILE_H, RANK_3, View, beside, count, fill_down, fill_up, half_board, pawn_attacks, squares,
};
use cozy_chess::Piece;

const RANK_2: u64 = 0xff << 8;

/// The formation of the own pawns. `own` and `other` are the players' reaches, each in his own view.
#[inline(always)]
pub(super) fn formation(view: &View, own: &Reach, other: &Reach, tally: &mut impl Tally) {
    let pawns = view.own(Piece::Pawn);
    let others = view.other(Piece::Pawn);
    if view.count(Piece::Pawn) == 8 {
        tally.count(feature::ALL_EIGHT, 1);
        tally.count(feature::ROOK_BEHIND_EIGHT, view.count(Piece::Rook));
    }
    for square in squares(pawns) {
        tally.count(feature::PAWN_SQUARE + half_board(square), 1);
    }
    tally.count(feature::DOUBLED, count(doubled(pawns)));
    let (isolated, backward) = (isolated(pawns), backward(pawns, others));
    tally.count(feature::ISOLATED, count(isolated));
    tally.count(feature::BACKWARD, count(backward));
    tally.count(feature::WEAK_UNOPPOSED, count((isolated | backward) & !fill_down(others)));
    for square in squares(pawns & (pawn_attacks(pawns) | beside(pawns))) {
        tally.count(feature::CONNECTED + square / 8, 1);
    }
    let rammed = rammed(pawns, others);
    if rammed & (RANK_2 | RANK_3) != 0 {
        tally.count(feature::RAMMED_ON_SECOND, count(rammed & RANK_2));
        tally.count(feature::RAMMED_ON_THIRD, count(rammed & RANK_3));
    }
    for pawn in squares(passed(pawns, others)) {
        count_passed(view, own, other, pawn, tally);
    }
}

/// The rank (from 0) from which the path of a passed pawn is examined.
const WAY_RANK_MIN: usize = 3;

fn count_passed(view: &View, own: &Reach, other: &Reach, pawn: usize, tally: &mut impl Tally) {
    let rank = pawn / 8;
    tally.count(feature::PASSED + rank, 1);
    if own.by(Piece::Pawn) >> pawn & 1 == 1 {
        tally.count(feature::PASSED_DEFENDED + rank, 1);
    }
    if rank < WAY_RANK_MIN {
        return;
    }
    let stop = (pawn + 8) & 63;
    let way = FILE_A << stop;
    if view.occupied >> stop & 1 == 1 {
        tally.count(feature::PASSED_BLOCKED + rank, 1);
    } else if way & (view.occupied | other.all.swap_bytes() & !own.all) == 0 {
        tally.count(feature::PASSED_FREE + rank, 1);
    }
    let distance = |king: u64| {
        let king = king.trailing_zeros() as usize & 63;
        (king % 8).abs_diff(stop % 8).max((king / 8).abs_diff(stop / 8)).min(7)
    };
    tally.count(feature::PASSED_OWN_KING + distance(view.own(Piece::King)), 1);
    tally.count(feature::PASSED_OTHER_KING + distance(view.other(Piece::King)), 1);
    let behind = fill_down(1 << pawn) & view.own(Piece::Rook);
    tally.count(feature::ROOK_BEHIND_PASSED, i32::from(behind != 0));
}

/// The pawns with an own pawn in front of them on the file.
#[inline(always)]
fn doubled(own: u64) -> u64 {
    own & fill_down(own >> 8)
}

/// The pawns with no own pawn on either file beside them.
#[inline(always)]
fn isolated(own: u64) -> u64 {
    own & !beside(fill_up(fill_down(own)))
}

/// The pawns that no enemy pawn blocks or can take on their way; of doubled ones the first.
#[inline(always)]
fn passed(own: u64, other: u64) -> u64 {
    let held = fill_down(other >> 8);
    own & !held & !beside(held) & !doubled(own)
}

/// The pawns that cannot step forward without being taken by a pawn, and that no own pawn can come to defend.
#[inline(always)]
fn backward(own: u64, other: u64) -> u64 {
    let guarded = beside(fill_up(own));
    let attacked = (other & !FILE_A) >> 9 | (other & !FILE_H) >> 7;
    own & !guarded & attacked >> 8
}

/// The pawns with an opposing pawn right in front.
#[inline(always)]
fn rammed(own: u64, other: u64) -> u64 {
    own & other >> 8
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A set drawn from the eighth rank down.
    fn drawn(rows: [&str; 8]) -> u64 {
        let row =
            |row: &str| row.chars().enumerate().fold(0, |set, (file, c)| set | u64::from(c == 'x') << file);
        rows.iter().fold(0, |set, text| set << 8 | row(text))
    }

    #[test]
    fn each_case_is_found_on_a_drawing() {
        let own =
            ["........", "........", "........", "x.......", "....x...", "x.......", ".x..x..x", "........"];
        let other =
            ["........", "......x.", "........", "....x...", "........", "........", "........", "........"];
        let check = |found: u64, expected: [&str; 4]| {
            let [fifth, fourth, third, second] = expected;
            let none = "........";
            assert_eq!(found, drawn([none, none, none, fifth, fourth, third, second, none]));
        };
        let (own, other) = (drawn(own), drawn(other));
        check(doubled(own), ["........", "........", "x.......", "....x..."]);
        check(isolated(own), ["........", "....x...", "........", "....x..x"]);
        check(passed(own, other), ["x.......", "........", "........", ".x......"]);
        check(backward(own, other), ["........", "........", "........", "........"]);
        check(rammed(own, other), ["........", "....x...", "........", "........"]);
    }
}
