//! The evaluation that plays best: queen and king distances, weighted by how much of the board is still shared.
//!
//! In the open both sides reach everything, and what counts is who gets there sooner and who can still move; once regions
//! are shut off, only the squares in them count. [`Terms`] counts, [`WEIGHTS`] say what each count is worth at each share;
//! they were fitted to the results of games, and so the value means something: hundredths of the logarithm of
//! the odds to win. 100 are 73%, 200 are 88%.

mod explain;
mod foresee;

use super::terms::{TERMS, Terms};
use super::weights::WEIGHTS;
use super::{Amazons, Move};
use gt_search::{Evaluate, Foresight};

/// Queen and king distances, mobility and amazons shut in, weighted by the phase of the game.
#[derive(Clone, Copy, Debug, Default)]
pub struct Phased;

/// Into so many parts the share of the board that both sides can reach is divided.
pub const PHASES: i32 = 64;

/// The phases whose weights are fitted; between two of them weights are mixed. They lie close where the end is near.
pub const KNOTS: [usize; 6] = [0, 4, 8, 16, 32, PHASES as usize];

/// Weights are in these parts of the evaluation's number.
pub(super) const UNIT: i64 = 65_536;

/// The weight of each term in each phase.
static BY_PHASE: [[i64; TERMS]; PHASES as usize + 1] = by_phase();

impl Evaluate<Amazons> for Phased {
    #[inline]
    fn evaluate(&self, game: &Amazons) -> i32 {
        let terms = Terms::of(game);
        (weigh(&terms, weights(phase(game, &terms))) / UNIT) as i32
    }

    fn foresight(&self) -> Foresight {
        Foresight::Rough
    }

    fn foresee(&self, game: &Amazons, moves: &[Move], values: &mut Vec<i32>) {
        foresee::roughly(game, moves, values);
    }
}

/// The weighted sum of what the player to move has more of than the opponent, in [`UNIT`]ths.
#[inline(always)]
fn weigh(terms: &Terms, weights: &[i64; TERMS]) -> i64 {
    let mut sum = 0;
    for (weight, (mine, theirs)) in weights.iter().zip(terms.mine.iter().zip(&terms.theirs)) {
        sum += weight * i64::from(mine - theirs);
    }
    sum
}

/// The phase of a position: how many of [`PHASES`] parts of the board both sides can reach.
#[inline]
pub fn phase(game: &Amazons, terms: &Terms) -> usize {
    let squares = (game.size().width() * game.size().height()) as i32;
    (terms.contested * PHASES / squares) as usize
}

/// What each term weighs in a phase, in [`UNIT`]ths.
#[inline]
pub(super) fn weights(phase: usize) -> &'static [i64; TERMS] {
    &BY_PHASE[phase.min(PHASES as usize)]
}

/// The two knots that a phase lies between, and how many of [`PHASES`] parts each has of it.
pub const fn mixture(phase: usize) -> [(usize, i64); 2] {
    let mut upper = 1;
    while upper + 1 < KNOTS.len() && KNOTS[upper] < phase {
        upper += 1;
    }
    let (from, to) = (KNOTS[upper - 1], KNOTS[upper]);
    let part = ((phase - from) * PHASES as usize / (to - from)) as i64;
    [(upper - 1, PHASES as i64 - part), (upper, part)]
}

const fn by_phase() -> [[i64; TERMS]; PHASES as usize + 1] {
    let mut table = [[0; TERMS]; PHASES as usize + 1];
    let mut phase = 0;
    while phase <= PHASES as usize {
        let [(lower, lower_part), (upper, upper_part)] = mixture(phase);
        let mut term = 0;
        while term < TERMS {
            let sum = WEIGHTS[lower][term] * lower_part + WEIGHTS[upper][term] * upper_part;
            table[phase][term] = sum / PHASES as i64;
            term += 1;
        }
        phase += 1;
    }
    table
}
