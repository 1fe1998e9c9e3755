//! Best-reply search: between two turns of the root's player only one opponent moves, the one who hurts most.
//!
//! ```text
//! root                 max   depth 2
//!  ├─ player 1 moves   min   depth 1    player 2 passes
//!  └─ player 1 passes
//!      └─ player 2 moves     depth 1
//! root                 max   depth 0
//! ```
//!
//! Only real moves use up depth, so the root's player looks further ahead than in paranoid search, though at
//! positions that could not arise (Schadd and Winands, 2011). An opponent who may not pass plays, at no cost in
//! depth, the move that the game's hints rank first (as in the variant BRS+ of Esser and others, 2013), whether
//! another opponent has replied before or will reply later. Turns follow the order of the players' numbers.
//!
//! Passes are nodes with [`NodeType::NULL_MOVE`](crate::NodeType::NULL_MOVE); a pass comes after all moves of its node.

use super::Round;
use crate::deepening::SearchResult;
use crate::game::{EvaluateAll, Game};
use crate::limits::Limits;
use crate::node::Node;
use crate::observer::{Ended, NodeType, Observer};
use crate::value::INFINITE;

/// Searches `depth` plies, passes not counted.
pub fn best_reply<G, E, O>(game: &G, evaluation: &E, depth: u16, observer: &mut O) -> SearchResult<G::Move>
where
    G: Game,
    E: EvaluateAll<G>,
    O: Observer<G::Move>,
{
    let limits = Limits::depth(depth);
    Round::new(game, evaluation, &limits, observer).deepen(depth, &limits, |_| (), Round::best_reply_root)
}

impl<G: Game, E: EvaluateAll<G>, O: Observer<G::Move>> Round<'_, G, E, O> {
    pub(super) fn best_reply_root(&mut self, node: Node) -> i32 {
        self.observe(None, node, |round, node| round.turn(node, false))
    }

    /// A turn of the root's player, or of an opponent before or after one of them has replied.
    fn turn(&mut self, node: Node, replied: bool) -> i32 {
        if let Some(leaf) = self.leaf_for_side(node) {
            return leaf;
        }
        let roots = self.is_roots_turn();
        if roots || !replied { self.choose(node, roots) } else { self.let_pass(node) }
    }

    /// Tries every move and, for an opponent who is not the last one, also leaving the reply to the next.
    fn choose(&mut self, node: Node, roots: bool) -> i32 {
        let mut highest = -INFINITE;
        let mut ended = Ended::Searched;
        let moves = self.walk.open();
        for (index, at) in moves.clone().enumerate() {
            let mv = self.walk.moves[at];
            let alpha = node.alpha.max(highest);
            let child = node.child(index, alpha, node.beta);
            let undo = self.walk.game.make(mv);
            let value = self.value_for_side(Some(mv), child, roots, |round, node| round.turn(node, !roots));
            self.walk.game.undo(mv, undo);
            ended = self.weigh(node, mv, value, &mut highest);
            if ended != Ended::Searched {
                break;
            }
        }
        if ended == Ended::Searched && !roots {
            let alpha = node.alpha.max(highest);
            if let Some(value) = self.leave_reply_to_next(node, moves.len(), alpha) {
                if value > alpha {
                    self.walk.variation.clear(node.ply);
                }
                if value > highest {
                    highest = value;
                    self.take_values(node.ply + 1);
                }
                ended = self.ended(node, highest);
            }
        }
        self.walk.close(&moves);
        self.walk.conclude(highest, ended)
    }

    fn weigh(&mut self, node: Node, mv: G::Move, value: i32, highest: &mut i32) -> Ended {
        if !self.walk.stopped() {
            if value > node.alpha.max(*highest) {
                self.walk.variation.prefer(node.ply, mv);
            }
            if value > *highest {
                *highest = value;
                self.take_values(node.ply + 1);
            }
        }
        self.ended(node, *highest)
    }

    fn ended(&self, node: Node, highest: i32) -> Ended {
        if self.walk.stopped() {
            Ended::Stopped
        } else if highest >= node.beta {
            Ended::Cutoff
        } else {
            Ended::Searched
        }
    }

    /// The value of leaving the reply to the next opponent; `None` if the root's player would be next, since one
    /// opponent must reply.
    fn leave_reply_to_next(&mut self, node: Node, index: usize, alpha: i32) -> Option<i32> {
        let next = (self.walk.game.to_move() + 1) % self.players;
        (next != self.root_player).then(|| self.stand_aside(node, index, alpha, false))
    }

    /// Lets this opponent stand aside after another has replied.
    fn let_pass(&mut self, node: Node) -> i32 {
        let value = self.stand_aside(node, 0, node.alpha, true);
        self.take_values(node.ply + 1);
        let ended = self.ended(node, value);
        self.walk.conclude(value, ended)
    }

    /// The value if this opponent passes or, where passing is not allowed, plays the move that the hints rank
    /// first.
    fn stand_aside(&mut self, node: Node, index: usize, alpha: i32, replied: bool) -> i32 {
        let mut child = node.child(index, alpha, node.beta);
        child.depth = node.depth;
        if let Some(undo) = self.walk.game.make_null() {
            child.node_type = child.node_type.with(NodeType::NULL_MOVE);
            let value = self.value_for_side(None, child, false, |round, node| round.turn(node, replied));
            self.walk.game.undo_null(undo);
            return value;
        }
        let Some(mv) = self.hinted() else { return alpha };
        let undo = self.walk.game.make(mv);
        let value = self.value_for_side(Some(mv), child, false, |round, node| round.turn(node, replied));
        self.walk.game.undo(mv, undo);
        value
    }

    /// The move that the game's hints rank first; of equals, the first in the game's order.
    fn hinted(&mut self) -> Option<G::Move> {
        let moves = self.walk.open();
        let game = &self.walk.game;
        let best = self.walk.moves[moves.clone()].iter().copied().rev().max_by_key(|&mv| game.order_hint(mv));
        self.walk.close(&moves);
        best
    }
}
