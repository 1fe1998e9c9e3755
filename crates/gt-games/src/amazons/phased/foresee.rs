//! The approximate value of every turn: exact except for the arrow, whose effect is estimated.
//!
//! ```text
//! value(turn) ≈ value(amazon moved, no arrow) + squares the arrow takes from the opponent's sight - from mine
//!                                             + the square itself, if it was the opponent's  - if it was mine
//! ```
//!
//! A position has some fifty ways to move an amazon and hundreds of turns. Only the former are evaluated;
//! [`Foresight`](crate::amazons::foresight) knows which squares an arrow hides from whom.

use super::{UNIT, phase, weigh, weights};
use crate::amazons::bits::BIT;
use crate::amazons::foresight::Foresight;
use crate::amazons::terms::{Owned, TERMS, Terms};
use crate::amazons::{Amazons, Move};
use gt_search::{Game, WIN};

/// The value of an arrow, in [`UNIT`]ths.
struct Arrow {
    hidden: i64,
    by_queen: i64,
    by_king: i64,
}

impl Arrow {
    /// A square out of sight counts in three terms: as seen, as a move, and now and then as owned.
    fn of(weights: &[i64; TERMS]) -> Self {
        let [by_queen, by_king, one_move, _, _, mobility, ..] = *weights;
        Self { hidden: one_move + mobility + by_queen / 4, by_queen, by_king }
    }
}

pub(super) fn roughly(game: &Amazons, moves: &[Move], values: &mut Vec<i32>) {
    let mut foresight = Foresight::new(game);
    let (mover, opponent) = (game.to_move(), 1 - game.to_move());
    for turns in moves.chunk_by(|one, other| one.has_stem_of(*other)) {
        let landed = game.landed(turns[0]);
        let (terms, owned) = Terms::and_owned(&landed);
        let weights = weights(phase(game, &terms));
        // The opponent is to move there.
        let base = -weigh(&terms, weights);
        let arrow = Arrow::of(weights);
        let landing = foresight.land(turns[0]);
        let before = landing.seen;
        values.extend(turns.iter().map(|&mv| {
            let seen = landing.after_arrow(mv);
            if seen[opponent] == 0 {
                return WIN;
            }
            let hidden = (before[opponent] - seen[opponent]) - (before[mover] - seen[mover]);
            let value = base + arrow.hidden * i64::from(hidden) + taken(&arrow, &owned, mv);
            (value / UNIT) as i32
        }));
    }
}

/// The value of the arrow's own square to the opponent, who is to move, minus its value to the player who shoots.
#[inline(always)]
fn taken(arrow: &Arrow, owned: &Owned, mv: Move) -> i64 {
    let bit = BIT[mv.arrow().index()];
    let of = |[theirs, mine]: [u128; 2]| i64::from(theirs & bit != 0) - i64::from(mine & bit != 0);
    arrow.by_queen * of(owned.by_queen) + arrow.by_king * of(owned.by_king)
}
