//! Pawn formation: the report's five cases.

use super::Score;
use super::view::{View, beside, count, fill_down, fill_up, squares};
use cozy_chess::Piece;

/// For each pawn behind another of its own on a file.
const DOUBLED: Score = Score::new(-12, -20);
/// For each pawn without an own pawn on a neighbouring file.
const ISOLATED: Score = Score::new(-12, -16);
/// For each passed pawn, by its rank from the first.
const PASSED: [Score; 8] = [
    Score::new(0, 0),
    Score::new(4, 10),
    Score::new(6, 16),
    Score::new(12, 30),
    Score::new(28, 55),
    Score::new(55, 95),
    Score::new(90, 150),
    Score::new(0, 0),
];
/// For each rammed pawn that is held on its own half. A ram blocks both pawns; what sets the sides apart is on
/// whose half it stands.
const RAMMED_ON_SECOND: Score = Score::new(-12, -10);
const RAMMED_ON_THIRD: Score = Score::new(-6, -6);
/// For having all eight pawns, and for each rook that stands behind them.
const ALL_EIGHT: Score = Score::new(-6, 0);
const ROOK_BEHIND_EIGHT: Score = Score::new(-8, -4);

const RANK_2: u64 = 0xff << 8;
const RANK_3: u64 = 0xff << 16;

/// The worth of the own pawns' formation.
#[inline]
pub(super) fn formation(view: &View) -> Score {
    let own = view.own(Piece::Pawn);
    let other = view.other(Piece::Pawn);
    let mut score = DOUBLED * count(doubled(own)) + ISOLATED * count(isolated(own));
    for square in squares(passed(own, other)) {
        score += PASSED[square / 8];
    }
    let rammed = rammed(own, other);
    if rammed & (RANK_2 | RANK_3) != 0 {
        score += RAMMED_ON_SECOND * count(rammed & RANK_2) + RAMMED_ON_THIRD * count(rammed & RANK_3);
    }
    if view.count(Piece::Pawn) == 8 {
        score += ALL_EIGHT + ROOK_BEHIND_EIGHT * view.count(Piece::Rook);
    }
    score
}

/// The pawns with an own pawn in front of them on the file.
fn doubled(own: u64) -> u64 {
    own & fill_down(own >> 8)
}

/// The pawns with no own pawn on either file beside them.
fn isolated(own: u64) -> u64 {
    own & !beside(fill_up(fill_down(own)))
}

/// The pawns that no other pawn stands before or can take on their way; of doubled ones the first.
fn passed(own: u64, other: u64) -> u64 {
    let held = fill_down(other >> 8);
    own & !held & !beside(held) & !doubled(own)
}

/// The pawns with an opposing pawn right in front.
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
        check(rammed(own, other), ["........", "....x...", "........", "........"]);
    }
}
