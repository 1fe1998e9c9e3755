//! Alpha-beta, fail-soft: moves that cannot change the root's value are not searched.
//!
//! ```text
//! max(3, min(1, X)) = 3, whatever X is
//!
//!          3                 the mover has 3 already (alpha); the opponent answers the second move with 1,
//!        /   \               so that X is of no interest: the second node is cut off.
//!      3       ≤1
//!     / \     /  \
//!    3   7   1    X
//! ```
//!
//! Fail-soft: a value outside the window is a bound on the true value, and may be better than the window's.

use super::search_depth;
use crate::deepening::SearchResult;
use crate::game::{Evaluate, Game};
use crate::node::Node;
use crate::observer::{Ended, Observer};
use crate::value::INFINITE;
use crate::walk::Walk;

/// Finds the value of [`negamax`](super::negamax) at the same depth, with fewer nodes.
pub fn alpha_beta<G, E, O>(game: &G, evaluation: &E, depth: u16, observer: &mut O) -> SearchResult<G::Move>
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
        let value = -walk.visit(mv, node.child(index, alpha, node.beta), self::node);
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
