//! The order in which a node tries its moves.
//!
//! ```text
//! table's move · killers and hints · history · the order of the game
//! ```
//!
//! Moves stay where the game put them; a pick beside each holds its score and its place. The best are selected one
//! by one, as most nodes cut off early. A node that comes past the first few is likely to try all: then the rest is
//! sorted at once, or, a ply above the horizon, taken as it comes, since there sorting would cost as much as
//! searching.

use std::cmp::Reverse;
use std::ops::Range;

use super::Driver;
use super::history::SCORE_MAX;
use crate::game::{Evaluate, Game};
use crate::node::Node;
use crate::observer::Observer;

/// A move's place among its node's moves, and what speaks for it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pick {
    pub(super) score: i32,
    pub(super) place: u32,
}

/// Below this, moves are selected one at a time.
const SELECTED_MAX: usize = 12;

const TABLE_SCORE: i32 = i32::MAX;
const KILLER_SCORES: [i32; 2] = [8 * SCORE_MAX, 8 * SCORE_MAX - 1];

impl<G: Game, E: Evaluate<G>, O: Observer<G::Move>> Driver<'_, G, E, O> {
    /// Scores the moves; `picks[moves]` then belongs to `walk.moves[moves]`.
    pub(super) fn score_moves(&mut self, moves: &Range<usize>, node: Node, table_move: Option<u16>) {
        debug_assert_eq!(self.picks.len(), moves.start);
        let by_evaluation = table_move.is_none()
            && self
                .options
                .evaluate_to_order_depth_min
                .is_some_and(|depth_min| node.depth >= depth_min.max(1));
        if by_evaluation {
            return self.score_by_evaluation(moves, node.ply);
        }
        let killers = if self.options.killers { self.history.killers(node.ply) } else { [None; 2] };
        for at in moves.clone() {
            let mv = self.walk.moves[at];
            let score = if killers[0] == Some(mv) {
                KILLER_SCORES[0]
            } else if killers[1] == Some(mv) {
                KILLER_SCORES[1]
            } else {
                let hint = self.walk.game.order_hint(mv).saturating_mul(self.options.hint_weight);
                let learnt = if self.options.history { self.history.score(&self.walk.game, mv) } else { 0 };
                hint.saturating_add(learnt)
            };
            self.picks.push(Pick { score, place: (at - moves.start) as u32 });
        }
        if let Some(pick) = table_move.and_then(|place| self.picks[moves.start..].get_mut(usize::from(place)))
        {
            pick.score = TABLE_SCORE;
        }
    }

    fn score_by_evaluation(&mut self, moves: &Range<usize>, ply: u16) {
        for at in moves.clone() {
            let mv = self.walk.moves[at];
            let undo = self.walk.game.make(mv);
            let score = match self.walk.outcome(ply + 1) {
                Some(value) => -value,
                None => -self.walk.evaluate(),
            };
            self.walk.game.undo(mv, undo);
            self.picks.push(Pick { score, place: (at - moves.start) as u32 });
        }
    }

    /// Brings the best of the picks `at ..` to `at`; the first of several equal ones where they are selected.
    #[inline]
    pub(super) fn pick(&mut self, moves: &Range<usize>, at: usize, depth: i16) -> (G::Move, u32) {
        let rest = &mut self.picks[at..moves.end];
        match at - moves.start {
            ..SELECTED_MAX => select_best(rest),
            SELECTED_MAX if depth > 1 => rest.sort_unstable_by_key(|pick| (Reverse(pick.score), pick.place)),
            _ => (),
        }
        let place = self.picks[at].place;
        (self.walk.moves[moves.start + place as usize], place)
    }

    #[inline]
    pub(super) fn close(&mut self, moves: &Range<usize>) {
        self.picks.truncate(moves.start);
        self.walk.close(moves);
    }
}

#[inline]
fn select_best(picks: &mut [Pick]) {
    let mut best = 0;
    for (index, pick) in picks.iter().enumerate() {
        if pick.score > picks[best].score {
            best = index;
        }
    }
    picks.swap(0, best);
}
