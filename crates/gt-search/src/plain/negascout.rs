//! NegaScout, or principal variation search: the first move is searched with the whole window; the others are first
//! only tested for being better.
//!
//! ```text
//! (alpha ......... beta)     first move
//! (a a+1)                    the others, a being the best so far: a null window, with many cut-offs
//! (a ............. beta)     again, should the null window fail high: it is better, but how much?
//! ```
//!
//! The better the move order, the fewer moves must be searched again.

use super::search_depth;
use crate::deepening::SearchResult;
use crate::game::{Evaluate, Game};
use crate::node::Node;
use crate::observer::{Ended, Observer};
use crate::value::INFINITE;
use crate::walk::Walk;

/// Finds the value of [`negamax`](super::negamax) at the same depth.
///
/// A node that is entered again with the open window carries [`NodeType::RESEARCH`](crate::NodeType::RESEARCH).
pub fn negascout<G, E, O>(game: &G, evaluation: &E, depth: u16, observer: &mut O) -> SearchResult<G::Move>
where
    G: Game,
    E: Evaluate<G>,
    O: Observer<G::Move>,
{
    search_depth(Node::root, game, evaluation, depth, observer, node)
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
    let mut ended = Ended::Searched;
    let moves = walk.open();
    for (index, at) in moves.clone().enumerate() {
        let mv = walk.moves[at];
        let alpha = node.alpha.max(highest);
        let bound = if index == 0 { node.beta } else { alpha + 1 };
        let mut value = -walk.visit(mv, node.child(index, alpha, bound), self::node);
        if alpha < value && value < node.beta && bound < node.beta && !walk.stopped() {
            value = -walk.visit(mv, node.child(index, alpha, node.beta).again(), self::node);
        }
        if walk.stopped() {
            ended = Ended::Stopped;
            break;
        }
        if value > alpha {
            walk.variation.prefer(node.ply, mv);
        }
        highest = highest.max(value);
        if highest >= node.beta {
            ended = Ended::Cutoff;
            break;
        }
    }
    walk.close(&moves);
    walk.conclude(highest, ended)
}
