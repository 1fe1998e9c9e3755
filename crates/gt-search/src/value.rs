//! Values: heuristic numbers in the middle, wins and losses with their distance at the ends.
//!
//! ```text
//! 0 ......... UNMEASURED_WIN_MIN ......... WIN_MIN ......... WIN
//! evaluations      won, distance unknown     won far off    won now         (losses: the same below 0)
//! ```
//!
//! A win at distance `ply` from the root is `WIN - ply`, so the nearest win is the highest value and the most
//! distant loss the least bad. Some tables of endgames know who wins, but not when: such a position counts by its
//! own distance from the root. Invariant: an evaluation lies strictly between `-UNMEASURED_WIN_MIN` and
//! `UNMEASURED_WIN_MIN`.

use crate::game::{Game, Outcome};

/// The value of a game won here and now.
pub const WIN: i32 = 1_000_000;
/// The lowest value of a win at a known distance.
pub const WIN_MIN: i32 = WIN - PLY_MAX as i32;
/// The lowest value of a win at an unknown distance; evaluations are smaller in absolute value.
pub const UNMEASURED_WIN_MIN: i32 = WIN_MIN - 1 - PLY_MAX as i32;
/// Larger than every value: the bounds of an open window are `-INFINITE` and `INFINITE`.
pub const INFINITE: i32 = WIN + 1;
/// The maximum length of a line.
pub const PLY_MAX: u16 = 10_000;

/// Whether the value tells who wins, and when. [`is_unmeasured`] values tell only who.
///
/// ```
/// use gt_search::{WIN, is_decided};
/// assert!(is_decided(WIN - 7) && is_decided(7 - WIN) && !is_decided(300));
/// ```
#[must_use]
pub const fn is_decided(value: i32) -> bool {
    value.abs() >= WIN_MIN
}

/// Returns the number of plies from the root to the forced end of the game, if the value is decided.
///
/// ```
/// use gt_search::{WIN, win_distance_plies};
/// assert_eq!(win_distance_plies(WIN - 7), Some(7));
/// assert_eq!(win_distance_plies(300), None);
/// ```
#[must_use]
pub const fn win_distance_plies(value: i32) -> Option<i32> {
    if is_decided(value) { Some(WIN - value.abs()) } else { None }
}

/// Whether the value tells who wins, whether or not it tells when.
///
/// ```
/// use gt_search::{KnownEnding, WIN, tells_winner};
/// assert!(tells_winner(7 - WIN) && tells_winner(KnownEnding::Win.value(7)) && !tells_winner(300));
/// ```
#[must_use]
pub const fn tells_winner(value: i32) -> bool {
    value.abs() >= UNMEASURED_WIN_MIN
}

/// Whether the value tells who wins, but not when.
///
/// ```
/// use gt_search::{KnownEnding, WIN, is_unmeasured};
/// assert!(is_unmeasured(KnownEnding::Win.value(7)) && !is_unmeasured(WIN - 7) && !is_unmeasured(300));
/// ```
#[must_use]
pub const fn is_unmeasured(value: i32) -> bool {
    tells_winner(value) && !is_decided(value)
}

/// Returns a value that is no distance as protocols and saved games write it: in the evaluation's units, with an unmeasured win far beyond
/// any evaluation of chess.
///
/// ```
/// use gt_search::{KnownEnding, written_value};
/// assert_eq!(written_value(-35), -35);
/// assert_eq!(written_value(KnownEnding::Loss.value(3)), -20_000);
/// ```
#[must_use]
pub const fn written_value(value: i32) -> i32 {
    if is_unmeasured(value) { value.signum() * 20_000 } else { value }
}

/// The value of a finished game `ply` moves below the root, from the view of `player`: its points, if it ends by
/// points, otherwise who has won and how soon.
#[inline]
pub(crate) fn final_value<G: Game>(game: &G, outcome: Outcome, player: usize, ply: u16) -> i32 {
    game.final_value(player).unwrap_or_else(|| outcome_value(outcome, player, ply))
}

/// The value of a game that was won or drawn `ply` moves below the root, from the view of `player`.
pub(crate) fn outcome_value(outcome: Outcome, player: usize, ply: u16) -> i32 {
    match outcome {
        Outcome::Draw => 0,
        Outcome::Win(winner) if winner == player => WIN - i32::from(ply),
        Outcome::Win(_) => i32::from(ply) - WIN,
    }
}

/// Converts distances counted from the root to distances counted from the node, for storing.
pub(crate) fn from_node(value: i32, ply: u16) -> i32 {
    if value >= UNMEASURED_WIN_MIN {
        value + i32::from(ply)
    } else if value <= -UNMEASURED_WIN_MIN {
        value - i32::from(ply)
    } else {
        value
    }
}

/// The inverse of [`from_node`], for stored values.
pub(crate) fn from_root(value: i32, ply: u16) -> i32 {
    if value >= UNMEASURED_WIN_MIN {
        value - i32::from(ply)
    } else if value <= -UNMEASURED_WIN_MIN {
        value + i32::from(ply)
    } else {
        value
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::endings::KnownEnding;

    #[test]
    fn nearer_wins_are_higher_and_nearer_losses_lower() {
        assert!(outcome_value(Outcome::Win(0), 0, 3) > outcome_value(Outcome::Win(0), 0, 5));
        assert!(outcome_value(Outcome::Win(1), 0, 3) < outcome_value(Outcome::Win(1), 0, 5));
        assert_eq!(outcome_value(Outcome::Draw, 1, 3), 0);
    }

    #[test]
    fn stored_distances_count_from_the_node() {
        for value in [WIN - 9, 9 - WIN, 0, 31, -31, UNMEASURED_WIN_MIN + 9, -UNMEASURED_WIN_MIN - 9] {
            assert_eq!(from_root(from_node(value, 4), 4), value);
        }
        assert_eq!(from_node(WIN - 9, 4), WIN - 5);
    }

    #[test]
    fn a_win_without_a_distance_is_one_at_every_ply() {
        for ply in [0, 1, PLY_MAX] {
            for ending in [KnownEnding::Win, KnownEnding::Loss] {
                assert!(is_unmeasured(ending.value(ply)), "{ending:?} at ply {ply}");
            }
        }
        assert!(!is_unmeasured(KnownEnding::Win.value(PLY_MAX) - 1));
    }
}
