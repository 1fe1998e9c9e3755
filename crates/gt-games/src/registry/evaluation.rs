//! One type for all evaluations of a game.

use crate::explain::{Breakdown, Explain};
use gt_search::{Evaluate, EvaluateAll, Foresight, Game};

/// One of a game's evaluations.
///
/// It is one type so that searches are compiled once for each game: the call through a pointer costs a nanosecond or two at an evaluated
/// node, while a search for each evaluation of each game would cost minutes of every build. Code that knows its evaluation uses that type
/// directly.
pub struct AnyEvaluation<G: Game + 'static> {
    evaluation: &'static dyn Complete<G>,
    /// Asked at every node, so it is kept here.
    foresight: Foresight,
}

/// Everything that the registry's evaluations can do.
trait Complete<G: Game>: Evaluate<G> + EvaluateAll<G> + Explain<G> + Send + Sync {}

impl<G: Game, E: Evaluate<G> + EvaluateAll<G> + Explain<G> + Send + Sync> Complete<G> for E {}

impl<G: Game + 'static> AnyEvaluation<G> {
    pub(super) fn new<E>(evaluation: &'static E) -> Self
    where
        E: Evaluate<G> + EvaluateAll<G> + Explain<G> + Send + Sync,
    {
        Self { foresight: evaluation.foresight(), evaluation }
    }
}

impl<G: Game + 'static> Clone for AnyEvaluation<G> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<G: Game + 'static> Copy for AnyEvaluation<G> {}

impl<G: Game + 'static> Evaluate<G> for AnyEvaluation<G> {
    #[inline]
    fn evaluate(&self, game: &G) -> i32 {
        self.evaluation.evaluate(game)
    }
    fn is_mirror_symmetric(&self) -> bool {
        self.evaluation.is_mirror_symmetric()
    }
    #[inline]
    fn foresight(&self) -> Foresight {
        self.foresight
    }
    fn foresee(&self, game: &G, moves: &[G::Move], values: &mut Vec<i32>) {
        self.evaluation.foresee(game, moves, values);
    }
}

impl<G: Game + 'static> EvaluateAll<G> for AnyEvaluation<G> {
    fn evaluate_all(&self, game: &G, values: &mut [i32]) {
        self.evaluation.evaluate_all(game, values);
    }
}

impl<G: Game + 'static> Explain<G> for AnyEvaluation<G> {
    fn break_down(&self, game: &G) -> Breakdown {
        self.evaluation.break_down(game)
    }
}
