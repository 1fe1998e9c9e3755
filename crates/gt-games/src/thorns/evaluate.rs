//! What a hand that is not played out is taken for.

use super::Thorns;
use gt_search::{Evaluate, EvaluateAll, Game};

/// Minus the points that a player has taken so far.
#[derive(Clone, Copy, Debug, Default)]
pub struct Points;

impl Evaluate<Thorns> for Points {
    fn evaluate(&self, game: &Thorns) -> i32 {
        -i32::from(game.points(game.to_move()))
    }
}

impl EvaluateAll<Thorns> for Points {
    fn evaluate_all(&self, game: &Thorns, values: &mut [i32]) {
        for (player, value) in values.iter_mut().enumerate() {
            *value = -i32::from(game.points(player));
        }
    }
}
