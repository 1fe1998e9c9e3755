//! Evaluations as the search uses them: cached by position hash, and corrected.
//!
//! Many positions at the horizon are reached more than once, and a lookup takes a fraction of the time of an
//! evaluation. A slot holds half of the mixed hash beside the value, and its index is another quarter: the chance of
//! a wrong value is 2^-48.

use super::Driver;
use crate::game::{Evaluate, Game};
use crate::node::Node;
use crate::observer::Observer;
use crate::table::{Bound, prefetch};
use crate::value::tells_winner;

const SLOTS_LOG2: u32 = 16;

#[derive(Debug)]
pub(super) struct Evaluations(Box<[u64]>);

impl Evaluations {
    pub(super) fn new() -> Self {
        Self(vec![u64::MAX; 1 << SLOTS_LOG2].into_boxed_slice())
    }

    #[inline]
    fn get(&self, hash: u64) -> Option<i32> {
        let (place, check) = stirred(hash);
        let slot = self.0[place];
        (slot >> 32 == check).then_some(slot as i32)
    }

    /// Asks the processor for a position's slot.
    #[inline]
    pub(super) fn prefetch(&self, hash: u64) {
        prefetch(&self.0[stirred(hash).0]);
    }

    #[inline]
    fn set(&mut self, hash: u64, value: i32) {
        let (place, check) = stirred(hash);
        self.0[place] = check << 32 | u64::from(value as u32);
    }
}

/// A hash's slot, and the check that distinguishes it from others there. Some games' hashes do not use the
/// high bits.
#[inline]
fn stirred(hash: u64) -> (usize, u64) {
    let stirred = hash.wrapping_mul(0x9E37_79B9_7F4A_7C15);
    ((stirred >> (64 - SLOTS_LOG2)) as usize, stirred & 0xFFFF_FFFF)
}

impl<G: Game, E: Evaluate<G>, O: Observer<G::Move>> Driver<'_, G, E, O> {
    /// The evaluation of the position, corrected by what searches of similar positions have shown.
    #[inline]
    pub(super) fn evaluate_corrected(&mut self) -> i32 {
        let evaluation = self.evaluate();
        let Some(corrections) = &self.corrections else { return evaluation };
        let corrected = evaluation + corrections.correction(&self.walk.game, self.themes_before());
        if tells_winner(corrected) { evaluation } else { corrected }
    }

    /// Learns from the value that the search of a node found, if it tells something about the evaluation: the best move is quiet,
    /// and the value is no bound that the evaluation already keeps.
    pub(super) fn learn_correction(
        &mut self,
        node: Node,
        static_eval: Option<i32>,
        value: i32,
        best: Option<G::Move>,
    ) {
        let Some(static_eval) = static_eval else { return };
        let bound = Bound::of(value, node.alpha, node.beta);
        let is_noisy = || bound != Bound::Upper && best.is_some_and(|best| self.walk.game.is_noisy(best));
        if tells_winner(value) || !bound.contradicts(value, static_eval) || is_noisy() {
            return;
        }
        let before = self.themes_before();
        if let Some(corrections) = &mut self.corrections {
            corrections.learn(&self.walk.game, before, value - static_eval, node.depth);
        }
    }

    /// The evaluation of the position; the game must not be over.
    #[inline]
    pub(super) fn evaluate(&mut self) -> i32 {
        let Some(evaluations) = &mut self.evaluations else { return self.walk.evaluate() };
        let hash = self.walk.game.hash();
        if let Some(value) = evaluations.get(hash) {
            return value;
        }
        let value = self.walk.evaluate();
        evaluations.set(hash, value);
        value
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_is_found_until_another_takes_its_place() {
        let mut evaluations = Evaluations::new();
        assert_eq!(evaluations.get(0x1234_5678_9abc_def0), None);
        evaluations.set(0x1234_5678_9abc_def0, -31);
        assert_eq!(evaluations.get(0x1234_5678_9abc_def0), Some(-31));
        assert_eq!(evaluations.get(0x2234_5678_9abc_def0), None);
        for low in 0..1 << 20 {
            evaluations.set(7 << 32 | low, 5);
        }
        assert_eq!(evaluations.get(0x1234_5678_9abc_def0), None, "the table is smaller than that");
    }
}
