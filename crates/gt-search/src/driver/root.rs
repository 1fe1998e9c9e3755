//! The root: its moves persist through all iterations, ordered by the values of the last one.

use std::collections::VecDeque;

use super::busy::Candidate;
use super::{Driver, Fault};
use crate::game::{Evaluate, Game};
use crate::node::Node;
use crate::observer::{Ended, Observer};
use crate::order::sort_highest_first;
use crate::value::INFINITE;

/// A move of the root and the results of its iterations.
#[derive(Clone, Copy, Debug)]
pub(super) struct RootMove<M> {
    pub(super) mv: M,
    /// Its place in the order of the game.
    place: u32,
    /// Its value in the last iteration: exact for the moves that were best, else an upper bound.
    value: i32,
}

/// The best of the root's moves so far.
struct Best {
    value: i32,
    /// Its index among the root's moves.
    at: usize,
}

impl<G: Game, E: Evaluate<G>, O: Observer<G::Move>> Driver<'_, G, E, O> {
    /// Lists the moves as an inner node would order them.
    ///
    /// Lists only moves in `only`, if any of them is legal, and of these only those by which a known ending makes progress.
    pub(super) fn list_root_moves(&mut self, only: &[G::Move]) {
        let moves = self.walk.open();
        let key = self.key();
        let entry = self.table.probe(key.hash).map(|entry| key.entry(entry, moves.len()));
        let mut order = self.order(moves, Node::root(1), entry.and_then(|entry| entry.move_index));
        while let Some((mv, place)) = self.next_move(&mut order) {
            let value = -(self.root_moves.len() as i32);
            self.root_moves.push(RootMove { mv, place, value });
        }
        self.close(&order);
        self.restrict_root(only);
        if let Some(progress) = self.endings.and_then(|endings| endings.progress(&self.walk.game)) {
            self.restrict_root(&progress);
        }
    }

    /// Drops all moves but these, unless that would leave none.
    fn restrict_root(&mut self, only: &[G::Move]) {
        let is_allowed = |root_move: &RootMove<G::Move>| only.contains(&root_move.mv);
        if self.root_moves.iter().any(is_allowed) {
            let before = self.root_moves.len();
            self.root_moves.retain(is_allowed);
            self.is_restricted |= self.root_moves.len() < before;
        }
    }

    pub(super) fn sort_root_moves(&mut self) {
        let moves = &mut self.root_moves[self.lines_done..];
        sort_highest_first(moves, |root_move| root_move.value);
        if self.options.fault == Some(Fault::RootOrderReversed) {
            moves.reverse();
        }
    }

    pub(super) fn root(&mut self, node: Node) -> i32 {
        self.walk.variation.clear(0);
        if self.root_moves.is_empty() || node.depth <= 0 {
            return self.horizon(node);
        }
        if self.walk.stopped() {
            return self.walk.conclude(node.alpha, Ended::Stopped);
        }
        self.path.push(self.walk.game.hash());
        let open_ends = self.walk.open_ends;
        let (highest, ended, place) = self.search_root_moves(node);
        let highest = self.unproven_at_root(highest, node);
        self.path.pop();
        // A value found without the best moves is not the position's value.
        if ended != Ended::Stopped && self.searches_all_root_moves() {
            let is_whole = self.walk.open_ends == open_ends;
            let key = self.key();
            let place = key.turned(place, self.root_moves.len());
            self.remember(node, key, highest, place, is_whole);
        }
        self.walk.conclude(highest, ended)
    }

    /// Returns the highest value, how the root ended, and the place of the best move, which it puts before all others
    /// of equal value.
    fn search_root_moves(&mut self, node: Node) -> (i32, Ended, u32) {
        let mut best = Best { value: -INFINITE, at: self.lines_done };
        let ended = self.try_root_moves(node, &mut best);
        let place = self.root_moves[best.at].place;
        // A postponed move can have the same value as a bound, and stand before it.
        self.root_moves[self.lines_done..=best.at].rotate_right(1);
        (best.value, ended, place)
    }

    fn try_root_moves(&mut self, node: Node, best: &mut Best) -> Ended {
        let searched = (node, self.walk.game.hash());
        let selection = self.root_selection(node);
        let mut left = VecDeque::new();
        let moves = self.root_moves.len() - self.lines_done;
        let breadth = self.root_breadth(moves, node);
        self.walk.open_ends += u64::from(breadth < moves);
        let mut indices = 0..breadth;
        while let Some(index) = indices.next().or_else(|| left.pop_front()) {
            let at = self.lines_done + index;
            let RootMove { mv, place, .. } = self.root_moves[at];
            let candidate = Candidate { mv, place, index };
            if !indices.is_empty() && self.is_tried_elsewhere(searched, &candidate) {
                left.push_back(index);
                continue;
            }
            let alpha = node.alpha.max(best.value);
            let tried = self.try_marked(searched, &candidate, alpha, &selection);
            if self.walk.stopped() {
                return Ended::Stopped;
            }
            self.root_moves[at].value = tried.value;
            if tried.value > alpha {
                self.prefer(node, mv, tried);
            }
            if tried.value > best.value {
                *best = Best { value: tried.value, at };
            }
            if best.value >= node.beta {
                self.rank_unsearched(indices.start + self.lines_done, left);
                return Ended::Cutoff;
            }
        }
        Ended::Searched
    }

    fn searches_all_root_moves(&self) -> bool {
        self.lines_done == 0 && !self.is_restricted
    }

    /// Ranks the moves behind a cut-off at the root (in an aspiration window): they keep their old order, at the end.
    fn rank_unsearched(&mut self, from: usize, left: VecDeque<usize>) {
        let lines_done = self.lines_done;
        for at in left.into_iter().map(|index| lines_done + index).chain(from..self.root_moves.len()) {
            self.root_moves[at].value = -INFINITE;
        }
    }
}
