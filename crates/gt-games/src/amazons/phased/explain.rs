//! The explanation of the evaluation: each term at its weight in this phase, and the distances in queen moves and
//! king steps.

use super::{PHASES, Phased, UNIT, phase, weights};
use crate::amazons::Amazons;
use crate::amazons::evaluate::explain::{Ground, Steps};
use crate::amazons::terms::{TERM_NOTES, Terms};
use crate::explain::{Balance, Breakdown, Explain, Phase, Share, Term, Weight};
use gt_search::Game;

impl Explain<Amazons> for Phased {
    fn break_down(&self, game: &Amazons) -> Breakdown {
        let terms = Terms::of(game);
        let now = phase(game, &terms);
        let sides = if game.to_move() == 0 { [terms.mine, terms.theirs] } else { [terms.theirs, terms.mine] };
        let term = |(at, (name, note)): (usize, (&'static str, &'static str))| {
            let weight = weights(now)[at];
            let share = |counts: [i32; TERM_NOTES.len()]| {
                let count = i64::from(counts[at]);
                Share { count: Some(count), stages: None, value: count * weight }
            };
            let in_measure = Weight::Constant(weight as f64 / UNIT as f64);
            Term { group: None, name, note, weight: Some(in_measure), shares: sides.map(share).to_vec() }
        };
        let mut maps = Ground::of(game).maps();
        maps.extend(Steps::of(game).maps());
        Breakdown {
            balance: Balance::Difference,
            measure: "hundredths of the logarithm of the odds to win",
            unit: UNIT,
            phase: Some(Phase { now: now as i32, of: PHASES }),
            terms: TERM_NOTES.into_iter().enumerate().map(term).collect(),
            maps,
        }
    }
}
