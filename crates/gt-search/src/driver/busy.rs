//! The moves that the threads of a parallel search are trying now.
//!
//! ```text
//! thread 0   first move ─ 2nd ─ 4th ─ … ─ then the 3rd and 5th, which the table knows by now
//! thread 1   first move ─ 3rd ─ 5th ─ …
//! ```
//!
//! A thread that reaches a node where another is at work postpones the moves that the other one is trying. By then
//! the table has most of their answers, and where it does not, the two threads share the work below. The first move
//! is never postponed: without its value there is no bound for searching the others.
//!
//! Marks are only hints. An overwritten mark, or one invented by a collision, costs ordering quality and never
//! changes a value.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use super::Driver;
use super::moves::Order;
use super::selectivity::{Selection, Tried};
use crate::game::{Evaluate, Game};
use crate::node::Node;
use crate::observer::Observer;

/// Sharing a node with less depth costs more than searching it.
const SHARED_DEPTH_MIN: i16 = 3;
const MARKS_LOG2: u32 = 12;
const NO_MARK: u64 = 0;

/// The marks of all threads, one for each move that is being tried.
pub(crate) struct Busy(Box<[AtomicU64]>);

impl Busy {
    pub(crate) fn new() -> Self {
        Self((0..1 << MARKS_LOG2).map(|_| AtomicU64::new(NO_MARK)).collect())
    }

    #[inline]
    fn slot(&self, mark: u64) -> &AtomicU64 {
        // Use the high bits: the low bits of a product distinguish slots poorly.
        &self.0[(mark >> (u64::BITS - MARKS_LOG2)) as usize]
    }
}

/// A move that may be tried, with its place in the game's order and its index in the node's order.
#[derive(Clone, Copy)]
pub(super) struct Candidate<M> {
    pub(super) mv: M,
    pub(super) place: u32,
    pub(super) index: usize,
}

impl<'a, G: Game, E: Evaluate<G>, O: Observer<G::Move>> Driver<'a, G, E, O> {
    /// The next move to try: first those that no other thread is trying, then the postponed ones.
    #[inline]
    pub(super) fn next_candidate(
        &mut self,
        (node, hash): (Node, u64),
        order: &mut Order,
        left: &mut VecDeque<Candidate<G::Move>>,
    ) -> Option<Candidate<G::Move>> {
        while let Some((mv, place)) = self.next_move(order) {
            let candidate = Candidate { mv, place, index: order.tried() - 1 };
            if !self.is_tried_elsewhere((node, hash), &candidate) {
                return Some(candidate);
            }
            left.push_back(candidate);
        }
        left.pop_front()
    }

    #[inline]
    pub(super) fn is_tried_elsewhere(
        &self,
        (node, hash): (Node, u64),
        candidate: &Candidate<G::Move>,
    ) -> bool {
        let Some(busy) = self.busy_at(node) else { return false };
        let mark = mark(node, hash, candidate.place);
        candidate.index > 0 && busy.slot(mark).load(Relaxed) == mark
    }

    /// Tries a move while it is marked as busy for the other threads.
    #[inline]
    pub(super) fn try_marked(
        &mut self,
        (node, hash): (Node, u64),
        candidate: &Candidate<G::Move>,
        alpha: i32,
        selection: &Selection,
    ) -> Tried {
        let &Candidate { mv, place, index } = candidate;
        let Some(busy) = self.busy_at(node) else { return self.try_move(node, mv, index, alpha, selection) };
        let mark = mark(node, hash, place);
        busy.slot(mark).store(mark, Relaxed);
        let tried = self.try_move(node, mv, index, alpha, selection);
        // If another thread's mark has taken the slot, leave it.
        let _ = busy.slot(mark).compare_exchange(mark, NO_MARK, Relaxed, Relaxed);
        tried
    }

    #[inline]
    fn busy_at(&self, node: Node) -> Option<&'a Busy> {
        self.busy.filter(|_| node.depth >= SHARED_DEPTH_MIN)
    }
}

/// A number for a move of a node at its depth, never [`NO_MARK`].
#[inline]
fn mark(node: Node, hash: u64, place: u32) -> u64 {
    let what = (u64::from(place) << 16 | u64::from(node.depth as u16)) + 1;
    (hash ^ what.wrapping_mul(0x9e37_79b9_7f4a_7c15)).max(1)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::driver::{Options, Searcher};
    use crate::game::Outcome;
    use crate::limits::Limits;
    use crate::observer::Record;

    /// Three moves at every position, none better than another; the hash is the line.
    #[derive(Clone, Debug)]
    struct Threes(u64);

    impl Game for Threes {
        type Move = u8;
        type Undo = ();

        fn to_move(&self) -> usize {
            0
        }
        fn outcome(&self) -> Option<Outcome> {
            None
        }
        fn moves(&self, moves: &mut Vec<u8>) {
            moves.extend(0..3);
        }
        fn make(&mut self, mv: u8) {
            self.0 = 4 * self.0 + u64::from(mv);
        }
        fn undo(&mut self, _: u8, (): ()) {
            self.0 /= 4;
        }
        fn hash(&self) -> u64 {
            self.0
        }
        fn encode(&self, mv: u8) -> i64 {
            mv.into()
        }
    }

    struct Zero;

    impl Evaluate<Threes> for Zero {
        fn evaluate(&self, _: &Threes) -> i32 {
            0
        }
    }

    /// The first three moves that are entered at a ply.
    struct FirstMoves {
        ply: usize,
        open: usize,
        entered: Vec<u8>,
    }

    impl Observer<u8> for FirstMoves {
        fn enter(&mut self, last_move: Option<u8>) {
            if self.open == self.ply && self.entered.len() < 3 {
                self.entered.extend(last_move);
            }
            self.open += 1;
        }
        fn leave(&mut self, _: &Record) {
            self.open -= 1;
        }
    }

    /// Searches while another thread tries the move at this place of the first node at a ply, or none.
    fn entered_beside(ply: u16, place: Option<u32>) -> Vec<u8> {
        let (game, depth) = (Threes(1), SHARED_DEPTH_MIN as u16 + ply);
        let busy = Arc::new(Busy::new());
        if let Some(place) = place {
            let hash = game.0 << (2 * ply);
            let theirs = mark(Node::root(SHARED_DEPTH_MIN as u16), hash, place);
            busy.slot(theirs).store(theirs, Relaxed);
        }
        let options = Options { iterative: false, ..Options::bare() };
        let mut searcher = Searcher::new(Zero, options).sharing(busy.clone());
        let mut seen = FirstMoves { ply: usize::from(ply) + 1, open: 0, entered: Vec::new() };
        searcher.search_observed(&game, &Limits::depth(depth), &mut seen, |_| ());
        assert!(busy.0.iter().all(|slot| slot.load(Relaxed) == NO_MARK), "no mark is left behind");
        seen.entered
    }

    #[test]
    fn a_move_that_another_thread_tries_is_left_for_the_end() {
        for ply in 0..3 {
            assert_eq!(entered_beside(ply, None), [0, 1, 2]);
            assert_eq!(entered_beside(ply, Some(0)), [0, 1, 2], "the first move is never left");
            assert_eq!(entered_beside(ply, Some(1)), [0, 2, 1], "at ply {ply}");
            assert_eq!(entered_beside(ply, Some(2)), [0, 1, 2]);
        }
    }

    /// Three plies down, the root's first move is one worse than the others.
    struct FirstIsWorse;

    impl Evaluate<Threes> for FirstIsWorse {
        fn evaluate(&self, game: &Threes) -> i32 {
            // The opponent is to move.
            i32::from(game.0 >> (2 * (SHARED_DEPTH_MIN - 1)) & 3 == 0)
        }
    }

    /// The second move is postponed, and gets the third one's value as a bound: that does not make it the best.
    #[test]
    fn lines_begin_with_different_moves_whatever_was_left_for_the_end() {
        let (game, depth) = (Threes(1), SHARED_DEPTH_MIN as u16);
        let busy = Arc::new(Busy::new());
        let theirs = mark(Node::root(depth), game.0, 1);
        busy.slot(theirs).store(theirs, Relaxed);
        let options = Options { iterative: false, lines: 3, ..Options::bare() };
        let mut searcher = Searcher::new(FirstIsWorse, options).sharing(busy);
        let result = searcher.search(&game, &Limits::depth(depth));
        let lines: Vec<(i32, u8)> = result.lines.iter().map(|line| (line.value, line.pv[0])).collect();
        assert_eq!(lines, [(0, 2), (0, 1), (-1, 0)]);
    }
}
