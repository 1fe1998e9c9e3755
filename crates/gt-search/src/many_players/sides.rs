//! Two sides: the player at the root, and all others.

use super::Round;
use crate::game::{EvaluateAll, Game};
use crate::node::Node;
use crate::observer::{Ended, NodeType, Observer};

impl<G: Game, E: EvaluateAll<G>, O: Observer<G::Move>> Round<'_, G, E, O> {
    pub(super) fn is_roots_turn(&self) -> bool {
        self.walk.game.to_move() == self.root_player
    }

    /// The value of a leaf for the side to move: the position's value for the root's player, or its negation.
    pub(super) fn leaf_for_side(&mut self, node: Node) -> Option<i32> {
        let ended = self.leaf(node)?;
        if ended == Ended::Stopped {
            return Some(self.walk.conclude(node.alpha, ended));
        }
        let root_player = self.root_player;
        let value = self.values_at(node.ply)[root_player];
        let value = if self.is_roots_turn() { value } else { -value };
        Some(self.conclude_leaf(value, ended))
    }

    /// Walks the position after a move, and returns its value for the side that moved. `roots` is whether
    /// that was the root's player.
    pub(super) fn value_for_side(
        &mut self,
        last_move: Option<G::Move>,
        node: Node,
        roots: bool,
        body: impl FnOnce(&mut Self, Node) -> i32,
    ) -> i32 {
        if self.is_roots_turn() == roots {
            self.observe(last_move, node.seen_by_same_side(), body)
        } else {
            -self.observe(last_move, node, body)
        }
    }
}

impl Node {
    /// A child whose player is on its parent's side: the window is the parent's own, and so is the expectation.
    fn seen_by_same_side(self) -> Self {
        let node_type = if self.node_type.has(NodeType::CUT) {
            NodeType::ALL
        } else if self.node_type.has(NodeType::ALL) {
            NodeType::CUT
        } else {
            NodeType::PV
        };
        let kept = NodeType(self.node_type.0 & NodeType::NULL_MOVE.0);
        Self { alpha: -self.beta, beta: -self.alpha, node_type: node_type.with(kept), ..self }
    }
}
