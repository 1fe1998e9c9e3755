//! A position valued by an evaluation, with or without its reasons.

use super::{Playable, Task};
use crate::explain::{Explain, Explanation};
use gt_search::{Evaluate, EvaluateAll};

/// The task of valuing a position for each player.
pub(super) struct EachPlayer;

impl Task for EachPlayer {
    type Output = Vec<i32>;

    fn run<G, E>(self, game: G, evaluation: E) -> Vec<i32>
    where
        G: Playable,
        E: Evaluate<G> + EvaluateAll<G> + Copy + Send + Sync + 'static,
    {
        let mut values = vec![0; game.players()];
        evaluation.evaluate_all(&game, &mut values);
        values
    }
}

/// The task of explaining a position by the evaluation of this name.
pub(super) struct Explained(pub(super) &'static str);

impl Task for Explained {
    type Output = Explanation;

    fn run<G, E>(self, game: G, evaluation: E) -> Explanation
    where
        G: Playable,
        E: Evaluate<G> + EvaluateAll<G> + Explain<G> + Copy + Send + Sync + 'static,
    {
        Explanation::of(&game, &evaluation, self.0)
    }
}
