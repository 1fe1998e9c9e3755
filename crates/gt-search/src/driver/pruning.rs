//! Pruning: positions that are good enough as they stand, and moves that promise too little.
//!
//! ```text
//! reverse futility   the evaluation lies far above beta       the node ends as if its player stood pat
//! late moves         enough quiet moves were tried            the other quiet ones are left out
//! futility           the evaluation lies far below alpha      quiet moves are left out
//! exchanges          the move loses more than depth can mend  it is left out
//! ```
//!
//! All pruning happens near the horizon and outside the principal variation. Threats are never skipped, nor is any
//! move while all moves before it lose: a node must not be called lost because of a skipped move.

use super::Driver;
use super::node::Known;
use super::selectivity::{Selection, usual_reduction};
use crate::game::{Evaluate, Game};
use crate::node::Node;
use crate::observer::Observer;
use crate::value::UNMEASURED_WIN_MIN;

const DEPTH_MAX: i16 = 8;
/// The maximum loss of a quiet move, per squared ply of reduced depth, and of a noisy move, per ply of depth.
const QUIET_LOSS: i32 = 18;
const NOISY_LOSS: i32 = 66;

/// The conditions under which a node's moves may be skipped.
#[derive(Clone, Copy)]
pub(super) struct Pruning {
    static_eval: i32,
    /// The number of moves tried before quiet ones are skipped.
    moves_max: usize,
}

impl<G: Game, E: Evaluate<G>, O: Observer<G::Move>> Driver<'_, G, E, O> {
    /// The estimate, if it lies so far above beta that the remaining depth will hardly bring it below.
    pub(super) fn reverse_futility(&self, node: Node, known: &Known) -> Option<i32> {
        let margin = self.options.reverse_futility_margin?;
        let estimate = known.estimate?;
        let plies = i32::from(node.depth) - i32::from(known.improves);
        let is_near = node.depth <= DEPTH_MAX && !node.is_open() && node.beta > -UNMEASURED_WIN_MIN;
        (is_near && estimate - margin * plies >= node.beta).then_some(estimate)
    }

    pub(super) fn pruning(&self, node: Node, known: &Known) -> Option<Pruning> {
        let static_eval = known.static_eval.filter(|_| !known.is_threatened)?;
        let depth = usize::try_from(node.depth).ok()?;
        let moves_max = (4 + depth * depth * 3 / 2) / if known.improves { 1 } else { 2 };
        (node.depth <= DEPTH_MAX && !node.is_open()).then_some(Pruning { static_eval, moves_max })
    }

    /// Whether a move promises too little to be tried.
    #[inline]
    pub(super) fn is_left_out(
        &self,
        node: Node,
        (mv, index): (G::Move, usize),
        alpha: i32,
        highest: i32,
        selection: &Selection,
    ) -> bool {
        let Some(pruning) = selection.pruning else { return false };
        if highest <= -UNMEASURED_WIN_MIN {
            return false;
        }
        let is_quiet = self.is_quiet(mv);
        let depth = i32::from(node.depth);
        let reduced = (depth - usual_reduction(node.depth, index)).max(1);
        let is_idle = is_quiet && self.is_idle(index, alpha, reduced, &pruning);
        let loss = if is_quiet { QUIET_LOSS * reduced * reduced } else { NOISY_LOSS * depth };
        let game = &self.walk.game;
        let loses = || self.options.exchange_pruning && !game.wins_at_least(mv, -loss);
        (is_idle || loses()) && !game.threatens(mv)
    }

    /// Whether a quiet move comes too late, or the position is too bad for quiet moves.
    fn is_idle(&self, index: usize, alpha: i32, reduced: i32, pruning: &Pruning) -> bool {
        let is_late = self.options.late_move_pruning && index >= pruning.moves_max;
        let is_futile = |margin: i32| pruning.static_eval + margin * (reduced + 1) <= alpha;
        is_late || self.options.futility_margin.is_some_and(is_futile)
    }
}
