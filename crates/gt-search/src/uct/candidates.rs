//! The next move that a node tries, if an evaluation orders the moves.
//!
//! ```text
//! node ── tried ──▶ child child child │ next next next next │ the rest, ordered again when it is their turn
//!                                       a list of a few, kept beside the tree
//! ```
//!
//! Ranking hundreds of moves takes as long as dozens of simulations, and most nodes are never visited often enough to
//! try more than a few. So a node's moves are ranked when it is visited again, and the best of them are kept until
//! they are tried. The lists are a cache: a lost one is made again.

use std::collections::HashMap;

use crate::game::{Evaluate, Foresight, Game};
use crate::limits::Clock;
use crate::order::highest_first;
use crate::value::WIN;

/// The number of moves kept for a node.
const KEPT: usize = 8;
/// The number of moves ranked per unit of work.
const MOVES_PER_WORK: u64 = 8;

pub(super) struct Candidates<M> {
    /// The next moves of a node, the best last.
    lists: HashMap<u32, Vec<M>>,
    moves: Vec<M>,
    values: Vec<i32>,
}

impl<M: Copy> Candidates<M> {
    pub(super) fn new() -> Self {
        Self { lists: HashMap::new(), moves: Vec::new(), values: Vec::new() }
    }

    /// Clears all lists, because the nodes were renumbered.
    pub(super) fn clear(&mut self) {
        self.lists.clear();
    }

    /// The move after the best `tried` ones, and how many moves there are; `None` once all are tried.
    pub(super) fn next<G: Game<Move = M>>(
        &mut self,
        node: u32,
        tried: usize,
        game: &G,
        evaluation: &dyn Evaluate<G>,
        clock: &mut Clock,
    ) -> Option<M> {
        if let Some(list) = self.lists.get_mut(&node)
            && let Some(mv) = list.pop()
        {
            return Some(mv);
        }
        let mut list = self.rank(tried, game, evaluation, clock);
        let mv = list.pop();
        self.lists.insert(node, list);
        mv
    }

    /// The moves ranked from `tried` on, a few of them, the best last.
    fn rank<G: Game<Move = M>>(
        &mut self,
        tried: usize,
        game: &G,
        evaluation: &dyn Evaluate<G>,
        clock: &mut Clock,
    ) -> Vec<M> {
        self.moves.clear();
        game.moves(&mut self.moves);
        self.values.clear();
        clock.work_of(1 + self.moves.len() as u64 / MOVES_PER_WORK);
        match evaluation.foresight() {
            Foresight::Exact | Foresight::Rough => {
                evaluation.foresee(game, &self.moves, &mut self.values);
            }
            Foresight::None => {
                clock.work_of(self.moves.len() as u64);
                self.values.extend(self.moves.iter().map(|&mv| value_after(game, mv, evaluation)));
            }
        }
        let order = highest_first(self.values.iter().copied()).into_iter();
        let mut list: Vec<M> = order.skip(tried).take(KEPT).map(|(_, place)| self.moves[place]).collect();
        list.reverse();
        list
    }
}

/// The value of the position after a move, for the player who makes it.
fn value_after<G: Game>(game: &G, mv: G::Move, evaluation: &dyn Evaluate<G>) -> i32 {
    let mut after = game.clone();
    after.make(mv);
    match after.outcome() {
        Some(crate::Outcome::Win(winner)) if winner == game.to_move() => WIN,
        Some(crate::Outcome::Win(_)) => -WIN,
        Some(crate::Outcome::Draw) => 0,
        None => -evaluation.evaluate(&after),
    }
}
