//! Minimax: one player maximises, the other minimises.
//!
//! ```text
//! max        3
//!           / \
//! min      3   1        the maximiser prefers 3, although the right side holds a 9
//!         / \ / \
//!        3  7 1  9
//! ```

use super::search_depth;
use crate::deepening::SearchResult;
use crate::game::{Evaluate, Game};
use crate::node::Node;
use crate::observer::{Ended, Observer};
use crate::value::INFINITE;
use crate::walk::Walk;

/// Searches every line of `depth` plies; values are those of the player to move at the root.
pub fn minimax<G, E, O>(game: &G, evaluation: &E, depth: u16, observer: &mut O) -> SearchResult<G::Move>
where
    G: Game,
    E: Evaluate<G>,
    O: Observer<G::Move>,
{
    search_depth(Node::untyped_root, game, evaluation, depth, observer, node)
}

/// A node reports its value from its own player's view; minimax itself uses the root player's view.
pub(super) fn node<G, E, O>(walk: &mut Walk<'_, G, E, O>, node: Node) -> i32
where
    G: Game,
    E: Evaluate<G>,
    O: Observer<G::Move>,
{
    sign(node.ply) * value(walk, node)
}

fn value<G, E, O>(walk: &mut Walk<'_, G, E, O>, node: Node) -> i32
where
    G: Game,
    E: Evaluate<G>,
    O: Observer<G::Move>,
{
    walk.variation.clear(node.ply);
    if let Some(leaf) = walk.leaf(node) {
        return sign(node.ply) * leaf;
    }
    let is_maximizer = node.ply.is_multiple_of(2);
    let mut best = if is_maximizer { -INFINITE } else { INFINITE };
    let moves = walk.open();
    for (index, at) in moves.clone().enumerate() {
        let mv = walk.moves[at];
        let child = node.child(index, -INFINITE, INFINITE);
        let score = sign(child.ply) * walk.visit(mv, child, self::node);
        if walk.stopped() {
            break;
        }
        if if is_maximizer { score > best } else { score < best } {
            best = score;
            walk.variation.prefer(node.ply, mv);
        }
    }
    walk.close(&moves);
    let ended = if walk.stopped() { Ended::Stopped } else { Ended::Searched };
    walk.conclude(best, ended)
}

/// The sign that converts a value between the player to move and the root's player.
fn sign(ply: u16) -> i32 {
    if ply.is_multiple_of(2) { 1 } else { -1 }
}
