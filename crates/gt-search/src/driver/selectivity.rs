//! Trying a move: with how much depth, and with which window.
//!
//! ```text
//! first move          full depth, whole window
//! every other         (reduced,) null window
//!   fails high        full depth, null window, if it was reduced: entered again, not flagged
//!   fails high again  full depth, whole window: entered again with NodeType::RESEARCH
//! ```
//!
//! The null move is tried before all of them: if the opponent may move twice and we are still above beta, a real
//! move will hardly do worse.

use super::Driver;
use super::node::Known;
use crate::game::{Evaluate, Game};
use crate::node::Node;
use crate::observer::{Ended, NodeType, Observer};
use crate::value::is_decided;

/// The value of a move, and whether it was last searched with an open window.
#[derive(Clone, Copy)]
pub(super) struct Tried {
    pub(super) value: i32,
    pub(super) open: bool,
}

const REDUCED_DEPTH_MIN: i16 = 3;
const REDUCED_INDEX_MIN: usize = 4;

impl<G: Game, E: Evaluate<G>, O: Observer<G::Move>> Driver<'_, G, E, O> {
    #[inline]
    pub(super) fn try_move(
        &mut self,
        node: Node,
        mv: G::Move,
        index: usize,
        alpha: i32,
        may_reduce: bool,
    ) -> Tried {
        let is_quiet = may_reduce && index >= REDUCED_INDEX_MIN && self.walk.game.order_hint(mv) <= 0;
        let undo = self.walk.game.make(mv);
        let extension = self.extension(node);
        let tried = if index == 0 {
            let child = self.child(node, index, (alpha, node.beta), extension);
            Tried { value: -self.observe(Some(mv), child, Self::node), open: child.is_open() }
        } else {
            let reduction = if is_quiet && extension == 0 { self.reduction(node, index) } else { 0 };
            self.scout(node, mv, index, alpha, extension - reduction)
        };
        self.walk.game.undo(mv, undo);
        tried
    }

    /// Asks whether the move is better than `alpha`; only if it is, how good it is.
    #[inline]
    fn scout(&mut self, node: Node, mv: G::Move, index: usize, alpha: i32, depth_change: i8) -> Tried {
        let null_window = (alpha, alpha + 1);
        let child = self.child(node, index, null_window, depth_change);
        let mut value = -self.observe(Some(mv), child, Self::node);
        let extension = depth_change.max(0);
        if depth_change < 0 && value > alpha && !self.walk.stopped() {
            let child = self.child(node, index, null_window, extension);
            value = -self.observe(Some(mv), child, Self::node);
        }
        if alpha < value && value < node.beta && !self.walk.stopped() {
            let child = self.child(node, index, (alpha, node.beta), extension).again();
            return Tried { value: -self.observe(Some(mv), child, Self::node), open: true };
        }
        Tried { value, open: false }
    }

    #[inline]
    fn child(&self, node: Node, index: usize, window: (i32, i32), depth_change: i8) -> Node {
        let mut child = node.child(index, window.0, window.1);
        child.depth += i16::from(depth_change);
        child.depth_change = depth_change;
        self.flag_quiescence_root(child)
    }

    #[inline]
    pub(super) fn flag_quiescence_root(&self, mut child: Node) -> Node {
        if child.depth <= 0 && self.options.quiescence_plies_max.is_some() {
            child.node_type = child.node_type.with(NodeType::QUIESCENCE_ROOT);
        }
        child
    }

    /// One ply for a position in check, until the line is twice as long as the nominal depth.
    #[inline]
    fn extension(&self, node: Node) -> i8 {
        let extends =
            self.options.check_extensions && node.ply < 2 * self.depth_nominal && self.walk.game.in_check();
        i8::from(extends)
    }

    pub(super) fn may_reduce(&self, node: Node) -> bool {
        self.options.late_move_reductions && node.depth >= REDUCED_DEPTH_MIN && !self.walk.game.in_check()
    }

    /// The later the move and the deeper the node, the more; less on the principal variation.
    fn reduction(&self, node: Node, index: usize) -> i8 {
        let plies = (index.ilog2() + 1) as i16 * node.depth.ilog2() as i16 / 3 - i16::from(node.is_open());
        plies.clamp(0, node.depth - 2) as i8
    }

    /// The value of the node if a pass fails high; searched shallower, never twice in a row, never in check.
    pub(super) fn null_move(&mut self, node: Node, known: &mut Known) -> Option<i32> {
        let reduction = self.options.null_move_reduction?;
        let forbidden = node.is_open()
            || node.depth < 2
            || node.node_type.has(NodeType::NULL_MOVE)
            || is_decided(node.beta)
            || self.walk.game.in_check()
            || self.walk.game.outcome().is_some();
        if forbidden {
            return None;
        }
        let static_eval = self.walk.evaluate();
        known.static_eval = Some(static_eval);
        if static_eval < node.beta {
            return None;
        }
        let value = self.pass(node, reduction)?;
        if self.walk.stopped() {
            return Some(self.walk.conclude_noting(node.alpha, known.note(Ended::Stopped)));
        }
        // A win after a pass proves no win: the pass was not legal.
        let value = if is_decided(value) { node.beta } else { value };
        (value >= node.beta).then(|| self.walk.conclude_noting(value, known.note(Ended::NullMove)))
    }

    /// The value after a pass; `None` where the game forbids it.
    fn pass(&mut self, node: Node, reduction: i16) -> Option<i32> {
        let hash = self.walk.game.hash();
        let undo = self.walk.game.make_null()?;
        let mut child = node.child(0, node.beta - 1, node.beta);
        child.depth -= reduction;
        child.node_type = child.node_type.with(NodeType::NULL_MOVE);
        let child = self.flag_quiescence_root(child);
        self.path.push(hash);
        let value = -self.observe(None, child, Self::node);
        self.path.pop();
        self.walk.game.undo_null(undo);
        Some(value)
    }
}
