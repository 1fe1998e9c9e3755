//! The estimated value of an unfinished hand.

use super::Thorns;
use crate::explain::{Balance, Breakdown, Explain, Term};
use gt_search::{Evaluate, EvaluateAll, Game};

/// Minus the points that a player has taken so far. For searches of two sides, the value is the mover's minus the best of the others'.
#[derive(Clone, Copy, Debug, Default)]
pub struct Points;

impl Evaluate<Thorns> for Points {
    fn evaluate(&self, game: &Thorns) -> i32 {
        let mover = game.to_move();
        let others = (0..game.players()).filter(|&player| player != mover);
        let fewest = others.map(|player| game.points(player)).min().unwrap_or(0);
        i32::from(fewest) - i32::from(game.points(mover))
    }
}

impl EvaluateAll<Thorns> for Points {
    fn evaluate_all(&self, game: &Thorns, values: &mut [i32]) {
        for (player, value) in values.iter_mut().enumerate() {
            *value = -i32::from(game.points(player));
        }
    }
}

impl Explain<Thorns> for Points {
    fn break_down(&self, game: &Thorns) -> Breakdown {
        let points: Vec<i64> = (0..game.players()).map(|player| i64::from(game.points(player))).collect();
        let terms =
            vec![Term::counted("points", "hearts taken, and three for the queen of spades", -1, &points)];
        Breakdown { balance: Balance::Own, ..Breakdown::plain("points", terms, Vec::new()) }
    }
}
