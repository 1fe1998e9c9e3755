//! A two-player evaluation as one for each player.

use crate::explain::{Breakdown, Explain};
use gt_search::{Evaluate, EvaluateAll, Game};

/// Gives an evaluation for two players to searches for many: what is good for the mover is as bad for the other.
#[derive(Clone, Copy, Debug, Default)]
pub struct Both<E>(pub E);

impl<G: Game, E: Evaluate<G>> Evaluate<G> for Both<E> {
    #[inline(always)]
    fn evaluate(&self, game: &G) -> i32 {
        self.0.evaluate(game)
    }
}

impl<G: Game, E: Evaluate<G>> EvaluateAll<G> for Both<E> {
    fn evaluate_all(&self, game: &G, values: &mut [i32]) {
        let value = self.0.evaluate(game);
        for (player, place) in values.iter_mut().enumerate() {
            *place = if player == game.to_move() { value } else { -value };
        }
    }
}

impl<G: Game, E: Explain<G>> Explain<G> for Both<E> {
    fn break_down(&self, game: &G) -> Breakdown {
        self.0.break_down(game)
    }
}
