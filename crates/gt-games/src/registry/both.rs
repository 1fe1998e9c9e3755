//! A two-player evaluation as one for each player.

use crate::explain::{Breakdown, Explain};
use gt_search::{Evaluate, EvaluateAll, Foresight, Game};

/// Adapts an evaluation for two players to searches for many: the other player's value is the mover's, negated.
#[derive(Clone, Copy, Debug, Default)]
pub struct Both<E>(pub E);

impl<G: Game, E: Evaluate<G>> Evaluate<G> for Both<E> {
    #[inline(always)]
    fn evaluate(&self, game: &G) -> i32 {
        self.0.evaluate(game)
    }
    fn is_mirror_symmetric(&self) -> bool {
        self.0.is_mirror_symmetric()
    }
    fn foresight(&self) -> Foresight {
        self.0.foresight()
    }
    fn foresee(&self, game: &G, moves: &[G::Move], values: &mut Vec<i32>) {
        self.0.foresee(game, moves, values);
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
