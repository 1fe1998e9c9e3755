//! Paranoid search: all other players cooperate against the player at the root.
//!
//! ```text
//! root      max
//! player 1  min      the league has as many turns in a row as it has members
//! player 2  min
//! root      max
//! ```
//!
//! That makes a game of two sides, for which alpha-beta is sound. The root's player expects the worst.

use super::Round;
use crate::deepening::SearchResult;
use crate::game::{EvaluateAll, Game};
use crate::limits::Limits;
use crate::node::Node;
use crate::observer::{Ended, Observer};
use crate::value::INFINITE;

/// Searches `depth` plies, each a move of one player.
pub fn paranoid<G, E, O>(game: &G, evaluation: &E, depth: u16, observer: &mut O) -> SearchResult<G::Move>
where
    G: Game,
    E: EvaluateAll<G>,
    O: Observer<G::Move>,
{
    let limits = Limits::depth(depth);
    Round::new(game, evaluation, &limits, observer).deepen(depth, &limits, |_| (), Round::paranoid_root)
}

impl<G: Game, E: EvaluateAll<G>, O: Observer<G::Move>> Round<'_, G, E, O> {
    pub(super) fn paranoid_root(&mut self, node: Node) -> i32 {
        self.observe(None, node, Self::paranoid)
    }

    /// Alpha-beta for the side to move.
    fn paranoid(&mut self, node: Node) -> i32 {
        if let Some(leaf) = self.leaf_for_side(node) {
            return leaf;
        }
        let roots = self.is_roots_turn();
        let mut highest = -INFINITE;
        let mut ended = Ended::Searched;
        let moves = self.walk.open();
        for (index, at) in moves.clone().enumerate() {
            let mv = self.walk.moves[at];
            let alpha = node.alpha.max(highest);
            let child = node.child(index, alpha, node.beta);
            let undo = self.walk.game.make(mv);
            let value = self.value_for_side(Some(mv), child, roots, Self::paranoid);
            self.walk.game.undo(mv, undo);
            if self.walk.stopped() {
                ended = Ended::Stopped;
                break;
            }
            if value > alpha {
                self.walk.variation.prefer(node.ply, mv);
            }
            if value > highest {
                highest = value;
                self.take_values(child.ply);
            }
            if highest >= node.beta {
                ended = Ended::Cutoff;
                break;
            }
        }
        self.walk.close(&moves);
        self.walk.conclude(highest, ended)
    }
}
