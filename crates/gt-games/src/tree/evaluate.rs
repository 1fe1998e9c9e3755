//! What a search takes a node for that it does not look below.

use super::Tree;
use super::written::{VALUE_MAX, Worth};
use gt_search::{Evaluate, EvaluateAll, Game};

/// The estimate that the text gives a node, 0 where it gives none. Leaves need no estimate: their value is known.
#[derive(Clone, Copy, Debug, Default)]
pub struct Values;

impl Evaluate<Tree> for Values {
    fn evaluate(&self, game: &Tree) -> i32 {
        estimate(game, game.to_move())
    }
}

impl EvaluateAll<Tree> for Values {
    fn evaluate_all(&self, game: &Tree, values: &mut [i32]) {
        for (player, value) in values.iter_mut().enumerate() {
            *value = estimate(game, player);
        }
    }
}

fn estimate(game: &Tree, player: usize) -> i32 {
    match &game.written.entries[game.at as usize].worth {
        Some(Worth::Points(points)) => points.get(player).copied().unwrap_or(0),
        Some(Worth::Won(winner)) if usize::from(*winner) == player => VALUE_MAX,
        Some(Worth::Won(_)) => -VALUE_MAX,
        None => 0,
    }
}
