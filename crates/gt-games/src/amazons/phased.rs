//! The strongest evaluation: queen and king distances, weighted by how much of the board is still shared.
//!
//! In an open position both sides reach everything, and what counts is who gets there sooner and who can still move;
//! once regions are closed, only the squares in them count. [`Terms`] counts, [`WEIGHTS`] are the value of each count
//! at each share. They were fitted to the results of games, so the value has a meaning: hundredths of the log-odds of
//! winning. 100 is 73%, 200 is 88%.

mod explain;
mod foresee;

use super::terms::{TERMS, Terms};
use super::weights::WEIGHTS;
use super::{Amazons, Move};
use gt_search::{Evaluate, Foresight};

/// Queen and king distances, mobility and trapped amazons, weighted by the phase of the game.
#[derive(Clone, Copy, Debug, Default)]
pub struct Phased;

/// The number of parts into which the share of the board that both sides can reach is divided.
pub const PHASES: i32 = 64;

/// The phases whose weights are fitted; between two of them weights are interpolated. They are closer together near
/// the end.
pub const KNOTS: [usize; 6] = [0, 4, 8, 16, 32, PHASES as usize];

/// The denominator of the weights: they are in these parts of the evaluation's number.
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

/// The weighted sum of the differences between the player to move and the opponent, in [`UNIT`]ths.
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

/// The weight of each term in a phase, in [`UNIT`]ths.
#[inline]
pub(super) fn weights(phase: usize) -> &'static [i64; TERMS] {
    &BY_PHASE[phase.min(PHASES as usize)]
}

/// The two knots that a phase lies between, and the share of each in [`PHASES`]ths.
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
