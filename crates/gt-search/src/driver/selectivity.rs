//! Trying a move: whether at all, with how much depth, and with which window.
//!
//! ```text
//! first move          full depth, whole window
//! every other         (reduced,) null window
//!   fails high        full depth, null window, if it was reduced: entered again, not flagged
//!   fails high again  full depth, whole window: entered again with NodeType::RESEARCH
//! ```
//!
//! The null move is tried before all of them: if the opponent may move twice and we are still above beta, a real move
//! will hardly do worse.

use std::sync::LazyLock;

use super::faults::{KEPT_INDEX_MIN, NEEDLESS_INDEX_MAX, OPTIMISM};
use super::node::Known;
use super::pruning::Pruning;
use super::{Driver, Fault};
use crate::game::{Evaluate, Game};
use crate::node::Node;
use crate::observer::{Ended, NodeType, Observer};
use crate::table::Entry;
use crate::value::{UNMEASURED_WIN_MIN, WIN_MIN, from_root, tells_winner};

/// The value of a move, and whether it was last searched with an open window.
#[derive(Clone, Copy)]
pub(super) struct Tried {
    pub(super) value: i32,
    pub(super) open: bool,
}

/// The reductions and prunings that apply to the moves of a node.
#[derive(Clone, Copy)]
pub(super) struct Selection {
    may_reduce: bool,
    /// Plies added to every move, or removed if negative.
    shift: i8,
    /// Plies added to the first move.
    pub(super) first_shift: i8,
    /// Plies by which a test of the node's moves is shallower than the node; 0 if they are searched in earnest.
    test_reduction: i8,
    improves: bool,
    pub(super) pruning: Option<Pruning>,
}

impl Selection {
    /// Returns the selection for a test that is this many plies shallower than its node.
    pub(super) fn of_test(self, plies: i16) -> Self {
        Self { test_reduction: plies.min(TEST_REDUCTION_MAX) as i8, ..self }
    }
}

/// The plies that a move's child is searched deeper or shallower than usual.
#[derive(Clone, Copy)]
struct DepthChange {
    extension: i8,
    reduction: i8,
    /// As in [`Selection`], and already taken from the depth of the child's parent.
    test_reduction: i8,
}

const NULL_DEPTH_MIN: i16 = 2;
/// The margin above beta for which a pass is searched one ply shallower, and the maximum surplus that counts.
const NULL_SURPLUS: i32 = 150;
const NULL_SURPLUS_MAX: i32 = 260;
/// A pass is searched one more ply shallower for every this many plies of depth.
const NULL_DEPTH_PER_PLY: i32 = 3;
const REDUCED_DEPTH_MIN: i16 = 3;
const REDUCED_INDEX_MIN: usize = 1;
/// The depth from which a position without a table move is searched shallower.
const INTERNAL_DEPTH_MIN: i16 = 4;
/// The depth from which such a position is searched two plies shallower, if a cut-off is expected.
const INTERNAL_CUT_DEPTH_MIN: i16 = 7;
/// The maximum by which a test is reported to be shallower, in plies, so that no sum of depth changes leaves the range of `i8`.
const TEST_REDUCTION_MAX: i16 = 100;
/// Reductions are counted in this fraction of a ply.
const PLY: i32 = 128;
/// The history score worth one ply less of reduction.
const SCORE_PER_PLY: i32 = 7000;
/// The amounts by which a reduction grows if a cut-off is expected, and shrinks on the principal variation, in the same fraction.
const CUT_PARTS: i32 = 160;
const OPEN_PARTS: i32 = 85;
/// The reduction of noisy moves, in percent of the usual one.
const NOISY_PERCENT: i32 = 64;

/// Reductions by depth and index, in 1/128 of a ply: the later the move and the deeper the node, the more.
static REDUCTIONS: LazyLock<[[i32; 64]; 64]> = LazyLock::new(|| {
    let plies = |depth: usize, index: usize| 0.5 + (depth as f64).ln() * (index as f64).ln() / 1.55;
    let of = |depth: usize, index: usize| if depth == 0 || index == 0 { 0.0 } else { plies(depth, index) };
    std::array::from_fn(|depth| std::array::from_fn(|index| (of(depth, index) * f64::from(PLY)) as i32))
});

#[inline]
fn reduction_parts(depth: i16, index: usize) -> i32 {
    REDUCTIONS[depth.clamp(0, 63) as usize][index.min(63)]
}

/// The usual reduction of a move, in plies, without any statistics.
#[inline]
pub(super) fn usual_reduction(depth: i16, index: usize) -> i32 {
    reduction_parts(depth, index) / PLY
}

impl<G: Game, E: Evaluate<G>, O: Observer<G::Move>> Driver<'_, G, E, O> {
    pub(super) fn selection(&self, node: Node, known: &Known) -> Selection {
        let extends = known.is_threatened && node.ply < 2 * self.depth_nominal;
        Selection {
            may_reduce: self.may_reduce(node),
            shift: i8::from(extends) - self.internal_reduction(node, known) as i8,
            first_shift: 0,
            test_reduction: 0,
            improves: known.improves,
            pruning: self.pruning(node, known),
        }
    }

    /// The selection at the root: every move is tried, late moves shallower at first.
    pub(super) fn root_selection(&self, node: Node) -> Selection {
        Selection {
            may_reduce: self.may_reduce(node),
            shift: 0,
            first_shift: 0,
            test_reduction: 0,
            improves: true,
            pruning: None,
        }
    }

    fn may_reduce(&self, node: Node) -> bool {
        self.options.late_move_reductions && node.depth >= REDUCED_DEPTH_MIN && !self.walk.game.in_check()
    }

    /// The number of plies by which a position without a table move is searched shallower.
    pub(super) fn internal_reduction(&self, node: Node, known: &Known) -> i16 {
        let is_known = known.entry.is_some_and(|entry| entry.move_index.is_some());
        if !self.options.internal_reductions || is_known || node.depth < INTERNAL_DEPTH_MIN {
            return 0;
        }
        let expects_cutoff = node.node_type.has(NodeType::CUT);
        1 + i16::from(expects_cutoff && node.depth >= INTERNAL_CUT_DEPTH_MIN)
    }

    #[inline]
    pub(super) fn is_quiet(&self, mv: G::Move) -> bool {
        !self.walk.game.is_noisy(mv) && self.walk.game.order_hint(mv) <= 0
    }

    /// Makes a move and records its theme for the moves below it.
    #[inline]
    pub(super) fn make(&mut self, mv: G::Move) -> G::Undo {
        if self.options.continuation_history {
            self.themes.push(self.walk.game.theme(mv));
        }
        self.walk.game.make(mv)
    }

    #[inline]
    pub(super) fn undo(&mut self, mv: G::Move, undo: G::Undo) {
        self.themes.pop();
        self.walk.game.undo(mv, undo);
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
        let may_reduce = selection.may_reduce && index >= REDUCED_INDEX_MIN + usize::from(node.is_open());
        let reduction = if may_reduce { self.reduction(node, mv, index, selection) } else { 0 };
        self.step_forward(mv);
        let mut undo = self.make(mv);
        if node.depth > 1 || self.options.quiescence_table {
            self.prefetch();
        }
        let mut extends = self.may_extend_check(node) && self.walk.game.in_check();
        if extends {
            // Few moves give check, so it is cheaper to take one back than to examine every move before it is made.
            self.undo(mv, undo);
            extends = self.walk.game.wins_at_least(mv, 0);
            undo = self.make(mv);
        }
        let shift = if index == 0 { selection.shift.max(selection.first_shift) } else { selection.shift };
        let extension = if extends || self.is_extended_by_fault(node, index) { 1 } else { shift };
        let test_reduction = selection.test_reduction;
        let change = DepthChange { extension, reduction: 0, test_reduction };
        let tried = if index == 0 {
            let child = self.child(node, index, (alpha, node.beta), change);
            Tried { value: -self.observe(Some(mv), child, Self::node), open: child.is_open() }
        } else {
            let reduction = if extension > 0 { 0 } else { reduction };
            self.scout(node, mv, index, alpha, DepthChange { reduction, ..change })
        };
        self.undo(mv, undo);
        self.step_back();
        tried
    }

    /// Tests whether the move is better than `alpha`, and only then finds its value.
    #[inline]
    fn scout(&mut self, node: Node, mv: G::Move, index: usize, alpha: i32, change: DepthChange) -> Tried {
        let null_window = (alpha, if self.has_fault(Fault::EmptyWindow) { alpha } else { alpha + 1 });
        let child = self.child(node, index, null_window, change);
        let mut value = -self.observe(Some(mv), child, Self::node);
        let unreduced = DepthChange { reduction: 0, ..change };
        if change.reduction > 0 && value > alpha && !self.walk.stopped() {
            let child = self.child(node, index, null_window, unreduced);
            value = -self.observe(Some(mv), child, Self::node);
        }
        if self.has_fault(Fault::OptimisticScout) && node.is_open() {
            value += OPTIMISM;
        }
        let is_needless =
            self.has_fault(Fault::NeedlessResearch) && node.is_open() && index <= NEEDLESS_INDEX_MAX;
        if (alpha < value || is_needless) && value < node.beta && !self.walk.stopped() {
            let child = self.child(node, index, (alpha, node.beta), unreduced).again();
            return Tried { value: -self.observe(Some(mv), child, Self::node), open: true };
        }
        Tried { value, open: false }
    }

    #[inline]
    fn child(&self, node: Node, index: usize, window: (i32, i32), change: DepthChange) -> Node {
        let mut child = node.child(index, window.0, window.1);
        let plies = change.extension - change.reduction;
        child.depth += i16::from(plies);
        child.depth_change = plies - change.test_reduction;
        if change.test_reduction > 0 {
            child.node_type = child.node_type.with(NodeType::EXCLUDED);
        }
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

    /// Whether a check may be searched a ply deeper: until the line is twice as long as the nominal depth.
    #[inline]
    fn may_extend_check(&self, node: Node) -> bool {
        self.options.check_extensions && node.ply < 2 * self.depth_nominal
    }

    #[inline]
    fn is_extended_by_fault(&self, node: Node, index: usize) -> bool {
        self.has_fault(Fault::EndlessExtensions) && index == 0 && node.ply < 4 * self.depth_nominal
    }

    /// The reduction of a move: more for later moves and deeper nodes, less for noisy moves, and none for these on the principal variation.
    fn reduction(&self, node: Node, mv: G::Move, index: usize, selection: &Selection) -> i8 {
        let usual = reduction_parts(node.depth, index);
        let parts = match (self.is_quiet(mv), node.is_open()) {
            (true, _) => usual + self.quiet_parts(node, mv, selection),
            (false, false) => usual * NOISY_PERCENT / 100,
            (false, true) => 0,
        };
        (parts / PLY).clamp(0, i32::from(node.depth) - 2) as i8
    }

    /// The change of a quiet move's reduction: less on the principal variation, for moves that cut off before, and while the player's
    /// position keeps improving.
    fn quiet_parts(&self, node: Node, mv: G::Move, selection: &Selection) -> i32 {
        let game = &self.walk.game;
        let learnt =
            self.history.score(game, mv) + self.history.replies(self.themes_before()).score(game.theme(mv));
        let is_killer = self.history.killers(node.ply).contains(&Some(mv));
        PLY * (i32::from(!selection.improves) - i32::from(is_killer))
            + CUT_PARTS * i32::from(node.node_type.has(NodeType::CUT))
            - OPEN_PARTS * i32::from(node.is_open())
            - learnt * PLY / SCORE_PER_PLY
    }

    /// Evaluates the position if the evaluation is reliable: not in check.
    pub(super) fn evaluate_quiet(&mut self, node: Node, known: &mut Known) {
        if self.options.is_evaluating_inner_nodes()
            && !self.walk.game.in_check()
            && self.walk.game.outcome().is_none()
        {
            let static_eval = self.evaluate_corrected();
            known.static_eval = Some(static_eval);
            known.estimate = Some(self.estimate(node, static_eval, known.entry));
        }
        let ply = usize::from(node.ply);
        self.static_evals.resize(ply + 1, None);
        self.static_evals[ply] = known.static_eval;
        let before = ply.checked_sub(2).and_then(|ply| self.static_evals[ply]);
        known.improves = known.static_eval.is_some() && known.static_eval > before;
    }

    /// The table's value, if it contradicts the evaluation, or else the evaluation.
    #[inline]
    pub(super) fn estimate(&self, node: Node, static_eval: i32, entry: Option<Entry>) -> i32 {
        let Some(entry) = entry.filter(|_| self.options.table_estimates) else { return static_eval };
        let value = from_root(entry.value, node.ply);
        if entry.bound.contradicts(value, static_eval) && !tells_winner(value) { value } else { static_eval }
    }

    /// The value of the node if a pass fails high. The pass is searched shallower, never twice in a row, and never in check.
    pub(super) fn null_move(&mut self, node: Node, known: &mut Known) -> Option<i32> {
        let reduction = self.options.null_move_reduction?;
        let estimate = known.estimate?;
        let again = node.node_type.has(NodeType::NULL_MOVE) && !self.has_fault(Fault::DoubleNullMove);
        let forbidden = node.depth < NULL_DEPTH_MIN || node.is_open() || again || tells_winner(node.beta);
        let is_hopeful = estimate >= node.beta || self.has_fault(Fault::DoubleNullMove);
        if forbidden || !is_hopeful {
            return None;
        }
        let surplus = (estimate - node.beta).clamp(0, NULL_SURPLUS_MAX) * PLY / NULL_SURPLUS;
        let more = i32::from(node.depth) * PLY / NULL_DEPTH_PER_PLY + surplus;
        let value = self.pass(node, reduction - 1 + (more / PLY) as i16)?;
        if self.walk.stopped() {
            return Some(self.walk.conclude_noting(node.alpha, known.note(Ended::Stopped)));
        }
        known.is_threatened = self.options.threat_extensions && value <= -WIN_MIN;
        // A win after a pass does not prove a win: the pass was not legal.
        let value = if value >= UNMEASURED_WIN_MIN { node.beta } else { value };
        (value >= node.beta).then(|| self.walk.conclude_noting(value, known.note(Ended::NullMove)))
    }

    /// The value after a pass; `None` if the game forbids it.
    fn pass(&mut self, node: Node, reduction: i16) -> Option<i32> {
        let hash = self.walk.game.hash();
        let undo = self.walk.game.make_null()?;
        self.prefetch();
        let mut child = node.child(0, node.beta - 1, node.beta);
        child.depth -= reduction;
        child.node_type = child.node_type.with(NodeType::NULL_MOVE);
        let child = self.flag_quiescence_root(child);
        self.path.push(hash);
        self.themes.push(0);
        let value = -self.observe(None, child, Self::node);
        self.themes.pop();
        self.path.pop();
        self.walk.game.undo_null(undo);
        Some(value)
    }
}
