//! A node of the full-strength search: principal variation search with a table.

use super::Driver;
use super::selectivity::Tried;
use crate::game::{Evaluate, Game};
use crate::node::{Node, Note};
use crate::observer::{Ended, Observer};
use crate::table::{Bound, Entry};
use crate::value::{INFINITE, from_node, from_root, win_distance_plies};

/// What a node knew before it tried its moves.
#[derive(Clone, Copy)]
pub(super) struct Known {
    hash: u64,
    entry: Option<Entry>,
    pub(super) static_eval: Option<i32>,
}

impl Known {
    pub(super) fn note(&self, ended: Ended) -> Note {
        Note { ended, static_eval: self.static_eval, table_hit: self.entry.is_some() }
    }
}

impl<G: Game, E: Evaluate<G>, O: Observer<G::Move>> Driver<'_, G, E, O> {
    pub(super) fn node(&mut self, node: Node) -> i32 {
        // 1. A search that must end ends here; a line that repeats itself is a draw.
        if self.walk.stopped() {
            return self.walk.conclude(node.alpha, Ended::Stopped);
        }
        if node.is_open() {
            self.walk.variation.clear(node.ply);
        }
        if self.options.repetition_draws && self.path.contains(&self.walk.game.hash()) {
            return self.walk.conclude(0, Ended::Draw);
        }
        // 2. The horizon.
        if node.depth <= 0 {
            return self.horizon(node);
        }
        // 3. The table may know the answer. On the principal variation it is not asked, to have the whole line.
        let hash = self.walk.game.hash();
        let mut known = Known { hash, entry: self.table.probe(hash), static_eval: None };
        if let Some(value) = known.entry.and_then(|entry| self.answer_from(entry, node)) {
            return self.walk.conclude_noting(value, known.note(Ended::TableHit));
        }
        // 4. A position so good that even passing refutes the last move.
        if let Some(value) = self.null_move(node, &mut known) {
            return value;
        }
        // 5. The moves.
        self.path.push(hash);
        let value = self.search_moves(node, known);
        self.path.pop();
        value
    }

    /// The depth is used up: evaluate, or follow the noisy moves.
    pub(super) fn horizon(&mut self, node: Node) -> i32 {
        if self.options.quiescence_plies_max.is_some() {
            return self.quiescence(node);
        }
        match self.walk.outcome(node.ply) {
            Some(value) => self.walk.conclude(value, Ended::Terminal),
            None => self.walk.horizon(),
        }
    }

    fn search_moves(&mut self, node: Node, known: Known) -> i32 {
        let moves = self.walk.open();
        if moves.is_empty() {
            let value = self.walk.outcome(node.ply).unwrap_or(0);
            return self.walk.conclude_noting(value, known.note(Ended::Terminal));
        }
        self.score_moves(&moves, node, known.entry.and_then(|entry| entry.move_index));
        let may_reduce = self.may_reduce(node);
        let mut highest = -INFINITE;
        let mut best_place = 0;
        let mut ended = Ended::Searched;
        for (index, at) in moves.clone().enumerate() {
            let (mv, place) = self.pick(&moves, at, node);
            let alpha = node.alpha.max(highest);
            let tried = self.try_move(node, mv, index, alpha, may_reduce);
            if self.walk.stopped() {
                ended = Ended::Stopped;
                break;
            }
            if tried.value > highest {
                (highest, best_place) = (tried.value, place);
            }
            if tried.value > alpha && node.is_open() {
                self.prefer(node, mv, tried);
            }
            if highest >= node.beta {
                self.learn_from_cutoff(node, mv, &moves, index);
                ended = Ended::Cutoff;
                break;
            }
        }
        self.close(&moves);
        if ended != Ended::Stopped {
            self.remember(node, known.hash, highest, u16::try_from(best_place).unwrap_or(u16::MAX));
        }
        self.walk.conclude_noting(highest, known.note(ended))
    }

    /// The line of the node is `mv` and the child's line, where the child had a window to find one in.
    pub(super) fn prefer(&mut self, node: Node, mv: G::Move, tried: Tried) {
        if tried.open {
            self.walk.variation.prefer(node.ply, mv);
        } else {
            self.walk.variation.prefer_alone(node.ply, mv);
        }
    }

    fn learn_from_cutoff(&mut self, node: Node, mv: G::Move, moves: &std::ops::Range<usize>, index: usize) {
        self.history.cut_off(node.ply, mv);
        let lesson = i32::from(node.depth) * i32::from(node.depth);
        self.history.learn(&self.walk.game, mv, lesson.min(1024));
        for pick in &self.picks[moves.start..][..index.min(8)] {
            let earlier = self.walk.moves[moves.start + pick.place as usize];
            self.history.learn(&self.walk.game, earlier, -lesson.min(1024));
        }
    }

    /// The value of the node, if the entry settles it for this depth and window.
    fn answer_from(&self, entry: Entry, node: Node) -> Option<i32> {
        let deep_enough = entry.depth == node.depth
            || (entry.depth > node.depth && self.options.table_deeper)
            || is_proof(entry, node.depth);
        let value = from_root(entry.value, node.ply);
        let settled = deep_enough && !node.is_open() && entry.bound.settles(value, node.alpha, node.beta);
        settled.then_some(value)
    }

    pub(super) fn remember(&mut self, node: Node, hash: u64, value: i32, place: u16) {
        let bound = Bound::of(value, node.alpha, node.beta);
        let move_index = (place < u16::MAX).then_some(place);
        self.table
            .store(hash, Entry { value: from_node(value, node.ply), move_index, depth: node.depth, bound });
    }
}

/// A win or loss that lies within `depth` holds at that depth, whatever depth it was found at: no deeper search
/// finds a nearer one.
fn is_proof(entry: Entry, depth: i16) -> bool {
    let is_certain = if entry.value > 0 { entry.bound != Bound::Upper } else { entry.bound != Bound::Lower };
    is_certain && win_distance_plies(entry.value).is_some_and(|plies| plies <= i32::from(depth))
}
