//! The frontier: nodes whose children are leaves, and so most of the work.
//!
//! A leaf's value depends on no window. So it is entered once, with the window of alpha-beta, and never searched
//! again; and the loop does without the questions that only inner nodes ask.

use super::Driver;
use super::moves::Order;
use crate::game::{Evaluate, Game};
use crate::node::Node;
use crate::observer::{Ended, Observer};
use crate::value::INFINITE;

impl<G: Game, E: Evaluate<G>, O: Observer<G::Move>> Driver<'_, G, E, O> {
    /// Whether every child of the node is certain to be a leaf.
    #[inline]
    pub(super) fn is_frontier(&self, node: Node) -> bool {
        node.depth == 1 && self.leaves_at_horizon
    }

    /// As [`Driver::search_in_order`], for a frontier node.
    pub(super) fn search_frontier(&mut self, node: Node, order: &mut Order) -> (i32, u32, Ended) {
        let mut highest = -INFINITE;
        let mut best_place = 0;
        let mut index = 0;
        while let Some((mv, place)) = self.next_move(order) {
            let alpha = node.alpha.max(highest);
            let value = -self.leaf(mv, || node.child(index, alpha, node.beta));
            if self.walk.stopped() {
                return (highest, best_place, Ended::Stopped);
            }
            if value > highest {
                (highest, best_place) = (value, place);
            }
            if value > alpha && node.is_open() {
                self.walk.variation.prefer_alone(node.ply, mv);
            }
            if highest >= node.beta {
                self.learn_from_cutoff(node, mv, order);
                return (highest, best_place, Ended::Cutoff);
            }
            index += 1;
        }
        (highest, best_place, Ended::Searched)
    }

    /// The value of the position after a move; `node` is asked for only where it matters.
    #[inline]
    fn leaf(&mut self, mv: G::Move, node: impl FnOnce() -> Node) -> i32 {
        let undo = self.walk.game.make(mv);
        let node = node();
        self.walk.enter(Some(mv), node);
        let value = match self.walk.outcome(node.ply) {
            _ if self.walk.stopped() => self.walk.conclude(node.alpha, Ended::Stopped),
            Some(value) => self.walk.conclude(value, Ended::Terminal),
            None => self.walk.horizon(),
        };
        self.walk.leave(node, value);
        self.walk.game.undo(mv, undo);
        value
    }
}
