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
use crate::observer::{NodeType, Observer};

/// A move's place among its node's moves, and what speaks for it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pick {
    pub(super) score: i32,
    pub(super) place: u32,
}

/// Below this, moves are selected one at a time.
const SELECTED_MAX: usize = 12;

/// The table's move and the killers.
const SPECIAL: usize = 3;
/// From this many moves on, scoring them all is a cost to think about.
const MANY_MOVES: usize = 100;

const TABLE_SCORE: i32 = i32::MAX;
const KILLER_SCORES: [i32; 2] = [8 * SCORE_MAX, 8 * SCORE_MAX - 1];

impl<G: Game, E: Evaluate<G>, O: Observer<G::Move>> Driver<'_, G, E, O> {
    /// Scores the moves; `picks[moves]` then belongs to `walk.moves[moves]`.
    pub(super) fn score_moves(&mut self, moves: &Range<usize>, node: Node, table_move: Option<u16>) {
        debug_assert_eq!(self.picks.len(), moves.start);
        let by_evaluation = table_move.is_none()
            && self.options.evaluate_to_order_depth_min.is_some_and(|depth_min| node.depth >= depth_min.max(1));
        if by_evaluation {
            return self.score_by_evaluation(moves, node.ply);
        }
        if is_worth_scoring(moves, node) {
            self.score_by_history(moves);
        } else {
            let unscored = (0..moves.len() as u32).map(|place| Pick { score: 0, place });
            self.picks.extend(unscored);
        }
        if self.options.killers {
            self.score_killers(moves, node.ply);
        }
        if let Some(pick) = table_move.and_then(|place| self.picks[moves.start..].get_mut(usize::from(place))) {
            pick.score = TABLE_SCORE;
        }
    }

    fn score_by_history(&mut self, moves: &Range<usize>) {
        let game = &self.walk.game;
        let (options, history) = (self.options, &*self.history);
        let score = |(place, &mv): (usize, &G::Move)| {
            let hint = game.order_hint(mv).saturating_mul(options.hint_weight);
            let learnt = if options.history { history.score(game, mv) } else { 0 };
            Pick { score: hint.saturating_add(learnt), place: place as u32 }
        };
        self.picks.extend(self.walk.moves[moves.clone()].iter().enumerate().map(score));
    }

    fn score_killers(&mut self, moves: &Range<usize>, ply: u16) {
        for (killer, score) in self.history.killers(ply).into_iter().zip(KILLER_SCORES) {
            let Some(killer) = killer else { continue };
            if let Some(place) = self.walk.moves[moves.clone()].iter().position(|&mv| mv == killer) {
                self.picks[moves.start + place].score = score;
            }
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
    pub(super) fn pick(&mut self, moves: &Range<usize>, at: usize, node: Node) -> (G::Move, u32) {
        let rest = &mut self.picks[at..moves.end];
        let selected_max = if is_worth_scoring(moves, node) { SELECTED_MAX } else { SPECIAL };
        match at - moves.start {
            index if index < selected_max => select_best(rest),
            SELECTED_MAX if node.depth > 1 => rest.sort_unstable_by_key(|pick| (Reverse(pick.score), pick.place)),
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

/// A ply above the horizon a node that expects to try all its moves, and has many, gains nothing from an order
/// but pays for it as much as for an evaluation.
fn is_worth_scoring(moves: &Range<usize>, node: Node) -> bool {
    !(node.depth == 1 && node.node_type.has(NodeType::ALL) && moves.len() >= MANY_MOVES)
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
