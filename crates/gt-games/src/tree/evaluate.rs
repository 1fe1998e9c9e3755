//! The estimated value of a node that a search does not look below.

use super::Tree;
use super::written::{VALUE_MAX, Worth};
use crate::explain::{Balance, Breakdown, Explain, Term};
use gt_search::{Evaluate, EvaluateAll, Game};

/// The estimate that the text gives a node, or 0.
///
/// Leaves need no estimate: their value is known. For searches of two sides with more than two players, the value is the mover's minus the
/// best of the others'.
#[derive(Clone, Copy, Debug, Default)]
pub struct Values;

impl Evaluate<Tree> for Values {
    fn evaluate(&self, game: &Tree) -> i32 {
        let mover = game.to_move();
        if game.players() == 2 {
            return estimate(game, mover);
        }
        let others = (0..game.players()).filter(|&player| player != mover);
        estimate(game, mover) - others.map(|player| estimate(game, player)).max().unwrap_or(0)
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

impl Explain<Tree> for Values {
    fn break_down(&self, game: &Tree) -> Breakdown {
        let players = game.players();
        let values = (0..players).map(|player| i64::from(estimate(game, player)));
        let (balance, values): (Balance, Vec<i64>) = match players {
            // The value for the first player; the second has the opposite.
            2 => (Balance::Difference, vec![i64::from(estimate(game, 0)), 0]),
            _ => (Balance::Own, values.collect()),
        };
        let terms =
            vec![Term::valued("written", "what the text says of the node, 0 where it says nothing", &values)];
        Breakdown { balance, ..Breakdown::plain("points", terms, Vec::new()) }
    }
}
