//! Quiescence: at the horizon, noisy moves are followed until the position is quiet enough to be evaluated.
//!
//! ```text
//! QUIESCENCE_ROOT   the node at the horizon itself
//!   QUIESCENCE      the nodes below it
//! ```
//!
//! A player may always stand pat, that is, take the estimate of the position instead of a noisy move, except in check, where every
//! move is tried. With [`Options::quiescence_margin`](super::Options::quiescence_margin), noisy moves that cannot pay
//! off are skipped. The first plies may also follow threats.

use std::ops::Range;

use super::faults::QUIET_PLIES;
use super::{Driver, Fault};
use crate::game::{Evaluate, Game};
use crate::node::{Node, Note};
use crate::observer::{Ended, NodeType, Observer};
use crate::table::{Bound, Entry};
use crate::value::{INFINITE, from_node};

/// The values of a player who stands pat.
#[derive(Clone, Copy)]
struct StandPat {
    static_eval: i32,
    /// The table's value, if it contradicts the evaluation, or else the evaluation.
    estimate: i32,
}

impl<G: Game, E: Evaluate<G>, O: Observer<G::Move>> Driver<'_, G, E, O> {
    pub(super) fn quiescence(&mut self, node: Node) -> i32 {
        if self.walk.stopped() {
            return self.walk.conclude(node.alpha, Ended::Stopped);
        }
        if node.is_open() {
            self.walk.variation.clear(node.ply);
        }
        if let Some(value) = self.walk.outcome(node.ply) {
            return self.walk.conclude(value, Ended::Terminal);
        }
        // The root of quiescence has already been looked up.
        if node.node_type.has(NodeType::QUIESCENCE)
            && let Some(value) = self.known_ending(node)
        {
            return value;
        }
        let entry = if self.options.quiescence_table { self.table.probe(self.key().hash) } else { None };
        let table_depth = entry.map(|entry| entry.depth);
        if let Some(value) = entry.and_then(|entry| entry.answer(node, self.options.table_deeper)) {
            self.walk.open_ends += 1;
            let note = Note { ended: Ended::TableHit, static_eval: None, table_depth };
            return self.walk.conclude_noting(value, note);
        }
        let plies_max = self.options.quiescence_plies_max.unwrap_or(0);
        let is_deepest = i32::from(-node.depth) >= i32::from(plies_max);
        if self.walk.game.in_check() && !is_deepest {
            return self.search_noisy(node, None, table_depth);
        }
        let static_eval = self.evaluate_corrected();
        let estimate = self.estimate(node, static_eval, entry);
        self.walk.open_ends += 1;
        let note = |ended| Note { ended, static_eval: Some(static_eval), table_depth };
        if is_deepest {
            return self.walk.conclude_noting(estimate, note(Ended::Horizon));
        }
        if estimate >= node.beta {
            return self.walk.conclude_noting(estimate, note(Ended::StandPat));
        }
        self.search_noisy(node, Some(StandPat { static_eval, estimate }), table_depth)
    }

    /// Searches the noisy moves, or all moves if the player may not stand pat.
    fn search_noisy(&mut self, node: Node, stand_pat: Option<StandPat>, table_depth: Option<i16>) -> i32 {
        let moves = self.list_noisy(node, stand_pat.is_none());
        let mut highest = stand_pat.map_or(-INFINITE, |stand_pat| stand_pat.estimate);
        let mut ended = Ended::Horizon;
        let mut order = self.order(moves, node, None);
        let mut index = 0;
        while let Some((mv, _)) = self.next_move(&mut order) {
            let alpha = node.alpha.max(highest);
            if stand_pat.is_some_and(|stand_pat| self.is_hopeless(mv, stand_pat.estimate, alpha)) {
                continue;
            }
            ended = Ended::Searched;
            let mut child = node.child(index, alpha, node.beta);
            child.node_type = child.node_type.with(NodeType::QUIESCENCE);
            let undo = self.make(mv);
            if self.options.quiescence_table {
                self.prefetch();
            }
            let value = -self.observe(Some(mv), child, Self::quiescence);
            self.undo(mv, undo);
            if self.walk.stopped() {
                ended = Ended::Stopped;
                break;
            }
            if value > alpha && node.is_open() {
                self.walk.variation.prefer(node.ply, mv);
            }
            highest = highest.max(value);
            if highest >= node.beta {
                ended = Ended::Cutoff;
                break;
            }
            index += 1;
        }
        self.close(&order);
        if ended != Ended::Stopped && ended != Ended::Horizon {
            self.remember_quiet(node, highest, table_depth);
        }
        let static_eval = stand_pat.map(|stand_pat| stand_pat.static_eval);
        self.walk.conclude_noting(highest, Note { ended, static_eval, table_depth })
    }

    /// Stores the value, unless the table has something better. The table knows two depths of quiescence: with and
    /// without threats.
    fn remember_quiet(&mut self, node: Node, value: i32, table_depth: Option<i16>) {
        if !self.options.quiescence_table || table_depth.is_some_and(|depth| depth > 0) {
            return;
        }
        let bound = Bound::of(value, node.alpha, node.beta);
        let (value, depth) = (from_node(value, node.ply), node.depth.max(-1));
        let entry = Entry { value, move_index: None, depth, bound, is_whole: false };
        self.table.store(self.key().hash, entry);
    }

    fn list_noisy(&mut self, node: Node, all: bool) -> Range<usize> {
        let start = self.walk.moves.len();
        if all || (self.has_fault(Fault::QuietMovesInQuiescence) && node.depth > -QUIET_PLIES) {
            self.walk.game.moves(&mut self.walk.moves);
        } else {
            self.walk.game.noisy_moves(&mut self.walk.moves);
            if i32::from(-node.depth) < i32::from(self.options.quiescence_threat_plies) {
                self.walk.game.threatening_moves(&mut self.walk.moves);
            }
        }
        start..self.walk.moves.len()
    }

    /// Whether a move loses material, or wins too little to reach alpha.
    fn is_hopeless(&self, mv: G::Move, estimate: i32, alpha: i32) -> bool {
        let Some(margin) = self.options.quiescence_margin else { return false };
        if self.has_fault(Fault::QuietMovesInQuiescence) {
            return false;
        }
        let game = &self.walk.game;
        let wanted = if game.is_noisy(mv) { alpha + 1 - estimate - margin } else { 0 };
        !game.wins_at_least(mv, wanted.max(0))
    }
}
