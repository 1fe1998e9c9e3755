//! Negamax: minimax with values from the view of the player to move, so that both players maximise.
//!
//! ```text
//!           3
//!         /   \         each value is the highest of its children's, negated
//!       -3     -1
//!       / \    / \
//!      3   7  1   9
//! ```

use super::search_depth;
use crate::deepening::SearchResult;
use crate::game::{Evaluate, Game};
use crate::node::Node;
use crate::observer::{Ended, Observer};
use crate::value::INFINITE;
use crate::walk::Walk;

/// Searches every line of `depth` plies.
pub fn negamax<G, E, O>(game: &G, evaluation: &E, depth: u16, observer: &mut O) -> SearchResult<G::Move>
where
    G: Game,
    E: Evaluate<G>,
    O: Observer<G::Move>,
{
    search_depth(Node::untyped_root, game, evaluation, depth, observer, node)
}

pub(super) fn node<G, E, O>(walk: &mut Walk<'_, G, E, O>, node: Node) -> i32
where
    G: Game,
    E: Evaluate<G>,
    O: Observer<G::Move>,
{
    walk.variation.clear(node.ply);
    if let Some(leaf) = walk.leaf(node) {
        return leaf;
    }
    let mut highest = -INFINITE;
    let moves = walk.open();
    for (index, at) in moves.clone().enumerate() {
        let mv = walk.moves[at];
        let value = -walk.visit(mv, node.child(index, -INFINITE, INFINITE), self::node);
        if walk.stopped() {
            break;
        }
        if value > highest {
            highest = value;
            walk.variation.prefer(node.ply, mv);
        }
    }
    walk.close(&moves);
    let ended = if walk.stopped() { Ended::Stopped } else { Ended::Searched };
    walk.conclude(highest, ended)
}
