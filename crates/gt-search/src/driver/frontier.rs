//! The frontier: nodes whose children are leaves, which are most of the work.
//!
//! A leaf's value does not depend on the window. So it is entered once, with alpha-beta's window, and never searched again, and the loop
//! skips the checks that only inner nodes need. If the evaluation foresees the values of all moves exactly, a wide node makes no move at
//! all, except those that the table and the killers name.

use super::Driver;
use super::moves::Order;
use crate::game::{Evaluate, Foresight, Game};
use crate::node::{Node, Note};
use crate::observer::{Ended, Observer};
use crate::value::{INFINITE, from_root, is_decided};

impl<G: Game, E: Evaluate<G>, O: Observer<G::Move>> Driver<'_, G, E, O> {
    /// Whether every child of the node is certain to be a leaf.
    #[inline]
    pub(super) fn is_frontier(&self, node: Node) -> bool {
        node.depth == 1 && self.leaves_at_horizon
    }

    /// Like [`Driver::search_in_order`], for a frontier node.
    pub(super) fn search_frontier(&mut self, node: Node, order: &mut Order) -> (i32, u32, Ended) {
        let mut highest = -INFINITE;
        let mut best_place = 0;
        let mut index = 0;
        self.foreseen.clear();
        while let Some((mv, place)) = self.next_move(order) {
            let alpha = node.alpha.max(highest);
            let child = || node.child(index, alpha, node.beta);
            let value = match self.foreseen_value(order, place) {
                Some(value) => self.foreseen_leaf(mv, child(), value),
                None => -self.leaf(mv, child),
            };
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

    /// Asks the evaluation for the values of all moves at once.
    pub(super) fn foresee(&mut self, order: &Order) {
        self.foreseen.clear();
        let moves = &self.walk.moves[order.range()];
        self.walk.evaluation.foresee(&self.walk.game, moves, &mut self.foreseen);
        debug_assert_eq!(self.foreseen.len(), moves.len(), "a value for each move");
        self.walk.count_foreseen(order.range().len());
    }

    /// The value of the move at a place, if it is foreseen exactly.
    #[inline]
    fn foreseen_value(&mut self, order: &Order, place: u32) -> Option<i32> {
        if self.foresight != Foresight::Exact || !order.is_wide() || order.is_at_special() {
            return None;
        }
        if self.foreseen.is_empty() {
            self.foresee(order);
        }
        self.foreseen.get(place as usize).copied()
    }

    /// A leaf whose value for the player above it is foreseen: its move is never made.
    #[inline]
    fn foreseen_leaf(&mut self, mv: G::Move, node: Node, value: i32) -> i32 {
        self.walk.enter_foreseen(mv, node);
        let value = if self.walk.stopped() {
            self.walk.conclude(node.alpha, Ended::Stopped)
        } else if is_decided(value) {
            self.walk.conclude(-from_root(value, node.ply), Ended::Terminal)
        } else {
            self.walk.open_ends += 1;
            let note = Note { ended: Ended::Horizon, static_eval: Some(-value), table_depth: None };
            self.walk.conclude_noting(-value, note)
        };
        self.walk.leave(node, value);
        -value
    }

    /// The value of the position after a move; `node` is called only if its result is needed.
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
