//! The distance that each player still has to go.

mod explain;

use super::ChineseCheckers;
use gt_search::{Evaluate, EvaluateAll, Game};

/// The sum of ten distances to the tip of the goal once the goal is full.
const DISTANCE_AT_GOAL: i32 = 2 + 3 * 2 + 4 * 3;

/// Minus the number of steps that a player's pieces still have to go, counted to the tip of the goal: 0 at the goal,
/// -120 at the start.
///
/// As [`EvaluateAll`], it is each player's value. As [`Evaluate`], for two players, it is the mover's value minus the
/// opponent's; with more players, minus the best of the others.
#[derive(Clone, Copy, Debug, Default)]
pub struct Distance;

impl EvaluateAll<ChineseCheckers> for Distance {
    fn evaluate_all(&self, game: &ChineseCheckers, values: &mut [i32]) {
        for (player, value) in values.iter_mut().enumerate().take(game.players()) {
            *value = progress(game, player);
        }
    }
}

impl Evaluate<ChineseCheckers> for Distance {
    fn evaluate(&self, game: &ChineseCheckers) -> i32 {
        let mover = game.to_move();
        let others = (0..game.players()).filter(|&player| player != mover);
        let best_other = others.map(|player| progress(game, player)).max().unwrap_or(0);
        progress(game, mover) - best_other
    }
}

fn progress(game: &ChineseCheckers, player: usize) -> i32 {
    DISTANCE_AT_GOAL - i32::from(game.distances[player])
}
