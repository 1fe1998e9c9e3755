//! Trying a move: whether at all, with how much depth, and with which window.
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

use super::faults::{KEPT_INDEX_MIN, NEEDLESS_INDEX_MAX, OPTIMISM};
use super::node::Known;
use super::{Driver, Fault};
use crate::game::{Evaluate, Game};
use crate::node::Node;
use crate::observer::{Ended, NodeType, Observer};
use crate::value::{WIN_MIN, is_decided};

/// The value of a move, and whether it was last searched with an open window.
#[derive(Clone, Copy)]
pub(super) struct Tried {
    pub(super) value: i32,
    pub(super) open: bool,
}

/// What may be done to the moves of a node.
#[derive(Clone, Copy)]
pub(super) struct Selection {
    may_reduce: bool,
    /// Plies added to every move.
    extension: i8,
    futility: Option<Futility>,
}

/// When quiet moves are left out.
#[derive(Clone, Copy)]
struct Futility {
    /// They cannot bring more than this.
    hope: i32,
    /// So many are tried at most.
    moves_max: usize,
}

impl Selection {
    /// Every move gets what the depth gives it.
    pub(super) const NONE: Self = Self { may_reduce: false, extension: 0, futility: None };
}

const REDUCED_DEPTH_MIN: i16 = 3;
const REDUCED_INDEX_MIN: usize = 3;
const FUTILE_DEPTH_MAX: i16 = 3;

impl<G: Game, E: Evaluate<G>, O: Observer<G::Move>> Driver<'_, G, E, O> {
    pub(super) fn selection(&self, node: Node, known: &Known) -> Selection {
        Selection {
            may_reduce: self.options.late_move_reductions
                && node.depth >= REDUCED_DEPTH_MIN
                && !self.walk.game.in_check(),
            extension: i8::from(known.is_threatened && node.ply < 2 * self.depth_nominal),
            futility: if known.is_threatened { None } else { self.futility(node, known) },
        }
    }

    fn futility(&self, node: Node, known: &Known) -> Option<Futility> {
        let margin = self.options.futility_margin?;
        let static_eval = known.static_eval?;
        let depth = usize::try_from(node.depth).ok()?;
        (node.depth <= FUTILE_DEPTH_MAX && !node.is_open()).then_some(Futility {
            hope: static_eval + margin * (depth as i32 + 1),
            moves_max: 6 + 2 * depth * depth,
        })
    }

    /// Whether a move promises too little to be tried. The first never does, nor any while all others lose: a node
    /// must not be called lost because of what it left out.
    #[inline]
    pub(super) fn is_left_out(
        &self,
        mv: G::Move,
        index: usize,
        alpha: i32,
        highest: i32,
        selection: &Selection,
    ) -> bool {
        let Some(Futility { hope, moves_max }) = selection.futility else { return false };
        let promises_little = hope <= alpha || index >= moves_max;
        promises_little && highest > -WIN_MIN && self.is_quiet(mv) && !self.walk.game.threatens(mv)
    }

    #[inline]
    fn is_quiet(&self, mv: G::Move) -> bool {
        self.walk.game.order_hint(mv) <= 0
    }

    #[inline]
    pub(super) fn try_move(
        &mut self,
        node: Node,
        mv: G::Move,
        index: usize,
        alpha: i32,
        selection: &Selection,
    ) -> Tried {
        let may_reduce = selection.may_reduce && index >= REDUCED_INDEX_MIN && self.is_quiet(mv);
        self.step_forward(mv);
        let undo = self.walk.game.make(mv);
        let extension = self.extension(node, index).max(selection.extension);
        let tried = if index == 0 {
            let child = self.child(node, index, (alpha, node.beta), extension);
            Tried { value: -self.observe(Some(mv), child, Self::node), open: child.is_open() }
        } else {
            let reduction = if may_reduce && extension == 0 { self.reduction(node, index) } else { 0 };
            self.scout(node, mv, index, alpha, extension - reduction)
        };
        self.walk.game.undo(mv, undo);
        self.step_back();
        tried
    }

    /// Asks whether the move is better than `alpha`; only if it is, how good it is.
    #[inline]
    fn scout(&mut self, node: Node, mv: G::Move, index: usize, alpha: i32, depth_change: i8) -> Tried {
        let null_window = (alpha, if self.has_fault(Fault::EmptyWindow) { alpha } else { alpha + 1 });
        let child = self.child(node, index, null_window, depth_change);
        let mut value = -self.observe(Some(mv), child, Self::node);
        let extension = depth_change.max(0);
        if depth_change < 0 && value > alpha && !self.walk.stopped() {
            let child = self.child(node, index, null_window, extension);
            value = -self.observe(Some(mv), child, Self::node);
        }
        if self.has_fault(Fault::OptimisticScout) && node.is_open() {
            value += OPTIMISM;
        }
        let is_needless =
            self.has_fault(Fault::NeedlessResearch) && node.is_open() && index <= NEEDLESS_INDEX_MAX;
        if (alpha < value || is_needless) && value < node.beta && !self.walk.stopped() {
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
        if self.has_fault(Fault::DepthKept) && index >= KEPT_INDEX_MIN && node.ply < self.depth_nominal {
            child.depth = node.depth;
        }
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
    fn extension(&self, node: Node, index: usize) -> i8 {
        if self.has_fault(Fault::EndlessExtensions) && index == 0 && node.ply < 4 * self.depth_nominal {
            return 1;
        }
        let extends =
            self.options.check_extensions && node.ply < 2 * self.depth_nominal && self.walk.game.in_check();
        i8::from(extends)
    }

    /// The later the move and the deeper the node, the more; less on the principal variation.
    fn reduction(&self, node: Node, index: usize) -> i8 {
        let depth = f32::from(node.depth).ln();
        let plies = (0.3 + depth * (index as f32).ln() / 2.3) as i16 - i16::from(node.is_open());
        plies.clamp(0, node.depth - 2) as i8
    }

    /// Evaluates where the evaluation is to be relied upon: not in check.
    pub(super) fn evaluate_quiet(&mut self, node: Node, known: &mut Known) {
        let wanted = self.options.futility_margin.is_some() || self.options.null_move_reduction.is_some();
        if wanted && !node.is_open() && !self.walk.game.in_check() && self.walk.game.outcome().is_none() {
            known.static_eval = Some(self.walk.evaluate());
        }
    }

    /// The value of the node if a pass fails high; searched shallower, never twice in a row, never in check.
    pub(super) fn null_move(&mut self, node: Node, known: &mut Known) -> Option<i32> {
        let reduction = self.options.null_move_reduction?;
        let static_eval = known.static_eval?;
        let again = node.node_type.has(NodeType::NULL_MOVE) && !self.has_fault(Fault::DoubleNullMove);
        let forbidden = node.depth < 2 || again || is_decided(node.beta);
        let is_hopeful = static_eval >= node.beta || self.has_fault(Fault::DoubleNullMove);
        if forbidden || !is_hopeful {
            return None;
        }
        let value = self.pass(node, reduction + node.depth / 6)?;
        if self.walk.stopped() {
            return Some(self.walk.conclude_noting(node.alpha, known.note(Ended::Stopped)));
        }
        known.is_threatened = self.options.threat_extensions && value <= -WIN_MIN;
        // A win after a pass proves no win: the pass was not legal.
        let value = if value >= WIN_MIN { node.beta } else { value };
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
