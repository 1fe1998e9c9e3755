//! The order in which a node tries its moves.
//!
//! ```text
//! table's move · killers and hints · history and replies · noisy moves that lose · the order of the game
//! ```
//!
//! Moves stay where the game put them; a pick holds a move's score and its place. The best are selected one by one,
//! as most nodes cut off early. A node that gets past the first few will probably try all of them, so the rest is
//! sorted at once, or, one ply above the horizon, taken unsorted, because sorting would cost as much there as
//! searching. A wide node just above the horizon that expects no cut-off scores no moves at all.

use std::cmp::Reverse;
use std::hint::select_unpredictable;
use std::ops::Range;

use super::history::SCORE_MAX;
use super::{Driver, Fault};
use crate::game::{Evaluate, Foresight, Game};
use crate::node::Node;
use crate::observer::{NodeType, Observer};

/// A move's place among its node's moves, and its score.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pick {
    score: i32,
    pub(super) place: u32,
}

/// The moves of a node and the progress through them.
pub(super) struct Order {
    moves: Range<usize>,
    tried: usize,
    ply: u16,
    /// Where the node's picks begin in [`Driver::picks`], once the moves are scored.
    picks_start: usize,
    scoring: Scoring,
    /// The number of moves searched, if not all are.
    breadth: Option<usize>,
    is_scored: bool,
    sorts_rest: bool,
    /// Whether noisy moves that lose material are postponed when their turn comes.
    puts_off_losing: bool,
    /// The places of the table's move, the killers and the refutation. The first `specials_first` are tried before
    /// all others.
    special: [u32; SPECIAL_MAX],
    specials_first: usize,
    specials_tried: usize,
    /// Whether the last returned move was one of them.
    is_at_special: bool,
    /// The next place after the special ones, while there are no scores.
    next_place: u32,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Scoring {
    None,
    History,
    Evaluation,
}

/// The table's move, two killers and a refutation.
const SPECIAL_MAX: usize = 4;
const NO_PLACE: u32 = u32::MAX;
/// The number of moves that are selected one at a time.
const SELECTED_MAX: usize = 12;
/// The number of moves from which scoring all of them is a noticeable cost.
const MANY_MOVES: usize = 100;

const SPECIAL_SCORES: [i32; SPECIAL_MAX - 1] = [8 * SCORE_MAX, 8 * SCORE_MAX - 1, 8 * SCORE_MAX - 2];
/// Larger than any move hint in chess.
const LOSING_PENALTY: i32 = 1 << 24;

impl<G: Game, E: Evaluate<G>, O: Observer<G::Move>> Driver<'_, G, E, O> {
    /// Orders the moves at the top of the stack.
    pub(super) fn order(&mut self, moves: Range<usize>, node: Node, table_move: Option<u16>) -> Order {
        let mut special = [NO_PLACE; SPECIAL_MAX];
        special[0] =
            table_move.map(u32::from).filter(|&place| (place as usize) < moves.len()).unwrap_or(NO_PLACE);
        if self.options.killers && !self.walk.game.hints_rank_all() {
            self.find_killers(&moves, node.ply, &mut special);
        }
        if let Some(refutation) = self.refutation() {
            let found = self.walk.moves[moves.clone()].iter().position(|&mv| mv == refutation);
            let place = found.map_or(NO_PLACE, |found| found as u32);
            special[SPECIAL_MAX - 1] = if special.contains(&place) { NO_PLACE } else { place };
        }
        if self.has_fault(Fault::OrderReversed) {
            special = [NO_PLACE; SPECIAL_MAX];
        }
        Order {
            tried: 0,
            ply: node.ply,
            picks_start: self.picks.len(),
            scoring: self.scoring(&moves, node),
            breadth: self.breadth(moves.len(), node),
            is_scored: false,
            sorts_rest: node.depth > 1,
            puts_off_losing: node.depth > 0,
            special,
            specials_first: if moves.len() >= MANY_MOVES { SPECIAL_MAX } else { 1 },
            specials_tried: 0,
            is_at_special: false,
            next_place: 0,
            moves,
        }
    }

    fn scoring(&self, moves: &Range<usize>, node: Node) -> Scoring {
        let depth_min = if self.foresight == Foresight::Exact { 1 } else { 2 };
        let evaluates = |moves_min: usize| node.depth >= depth_min && moves.len() >= moves_min;
        if self.breadth(moves.len(), node).is_some() {
            Scoring::Evaluation
        } else if !is_worth_scoring(moves, node) {
            Scoring::None
        } else if self.options.evaluate_to_order_moves_min.is_some_and(evaluates) {
            Scoring::Evaluation
        } else {
            Scoring::History
        }
    }

    /// The next move to try, with its place in the order of the game. The table's move, and in a wide node the
    /// killers, come before anything is scored: often nothing else is needed.
    #[inline]
    pub(super) fn next_move(&mut self, order: &mut Order) -> Option<(G::Move, u32)> {
        let special = order.next_special();
        order.is_at_special = special.is_some();
        let place = match special {
            Some(place) => place,
            None if order.scoring == Scoring::None => order.next_unscored()?,
            None => self.next_pick(order)?,
        };
        order.tried += 1;
        Some((self.walk.moves[order.at(place)], place))
    }

    #[inline]
    fn next_pick(&mut self, order: &mut Order) -> Option<u32> {
        if !order.is_scored {
            self.score(order);
        }
        let rest = self.picks.get_mut(order.picks_start + order.tried..)?;
        match order.tried {
            ..SELECTED_MAX => {
                select_best(rest);
                while order.puts_off_losing
                    && put_off_losing(rest, &self.walk.game, &self.walk.moves[order.moves.clone()])
                {
                    select_best(rest);
                }
            }
            SELECTED_MAX if order.sorts_rest => rest.sort_unstable_by_key(Pick::rank),
            _ => (),
        }
        rest.first().map(|pick| pick.place)
    }

    /// The picks of the moves tried before the last one, limited to the first few.
    pub(super) fn tried_before(&self, order: &Order) -> Range<usize> {
        let count = if order.is_scored { (order.tried - 1).min(SELECTED_MAX) } else { 0 };
        order.picks_start..order.picks_start + count
    }

    /// Forgets the order, and leaves its moves on the stack.
    #[inline]
    pub(super) fn forget(&mut self, order: &Order) {
        self.picks.truncate(order.picks_start);
    }

    /// Takes the moves off the stack.
    #[inline]
    pub(super) fn close(&mut self, order: &Order) {
        self.forget(order);
        self.walk.close(&order.moves);
    }

    fn find_killers(&self, moves: &Range<usize>, ply: u16, special: &mut [u32; SPECIAL_MAX]) {
        let moves = &self.walk.moves[moves.clone()];
        let table_place = special[0];
        for (place, killer) in special[1..].iter_mut().zip(self.history.killers(ply)) {
            let found = killer.and_then(|killer| moves.iter().position(|&mv| mv == killer));
            *place =
                found.map(|found| found as u32).filter(|&found| found != table_place).unwrap_or(NO_PLACE);
        }
    }

    fn score(&mut self, order: &mut Order) {
        match order.scoring {
            Scoring::None => (),
            Scoring::History => self.score_by_history(order),
            Scoring::Evaluation => self.score_by_evaluation(order),
        }
        if self.has_fault(Fault::OrderReversed) {
            self.picks[order.picks_start..].iter_mut().for_each(|pick| pick.score = -pick.score);
        }
        order.is_scored = true;
        self.bring_tried_to_front(order);
        if let Some(breadth) = order.breadth {
            self.narrow(order, breadth);
        }
    }

    /// Excludes moves that were tried before there were scores from being tried again.
    fn bring_tried_to_front(&mut self, order: &Order) {
        let picks = &mut self.picks[order.picks_start..];
        let tried = order.special[..order.specials_tried].iter().filter(|&&place| place != NO_PLACE);
        for (front, &place) in tried.enumerate() {
            if let Some(at) = picks.iter().position(|pick| pick.place == place) {
                picks.swap(front, at);
            }
        }
    }

    fn score_by_history(&mut self, order: &Order) {
        let game = &self.walk.game;
        let (hint_weight, knows_history) = (self.options.hint_weight, self.options.history);
        let (history, before) = (&*self.history, self.themes_before());
        let knows_replies = self.options.continuation_history && before != [0, 0];
        let replies = history.replies(before);
        let score = |(place, &mv): (usize, &G::Move)| {
            let hint = game.order_hint(mv).saturating_mul(hint_weight);
            let learnt = if knows_history { history.score(game, mv) } else { 0 };
            let reply = if knows_replies && hint <= 0 { replies.score(game.theme(mv)) } else { 0 };
            Pick { score: hint.saturating_add(learnt + reply), place: place as u32 }
        };
        self.picks.extend(self.walk.moves[order.moves.clone()].iter().enumerate().map(score));
        for (&place, score) in order.special[1..].iter().zip(SPECIAL_SCORES) {
            if place != NO_PLACE {
                self.picks[order.picks_start + place as usize].score = score;
            }
        }
    }

    fn score_by_evaluation(&mut self, order: &Order) {
        if self.foresight != Foresight::None {
            self.foresee(order);
            let pick = |(place, &score): (usize, &i32)| Pick { score, place: place as u32 };
            self.picks.extend(self.foreseen.iter().enumerate().map(pick));
            return;
        }
        for (place, at) in order.moves.clone().enumerate() {
            let mv = self.walk.moves[at];
            let undo = self.walk.game.make(mv);
            let score = match self.walk.outcome(order.ply + 1) {
                Some(value) => -value,
                None => -self.walk.evaluate(),
            };
            self.walk.game.undo(mv, undo);
            self.picks.push(Pick { score, place: place as u32 });
            // Evaluating thousands of moves takes long enough for a stop request to arrive.
            if self.walk.stopped() {
                return;
            }
        }
    }
}

impl Pick {
    /// The sort key: best score first, then the lowest place.
    pub(super) fn rank(&self) -> (Reverse<i32>, u32) {
        (Reverse(self.score), self.place)
    }
}

impl Order {
    /// Whether moves may be skipped.
    #[inline]
    pub(super) fn is_narrowed(&self) -> bool {
        self.breadth.is_some()
    }

    #[inline]
    pub(super) fn picks_start(&self) -> usize {
        self.picks_start
    }

    /// The range of its moves on the stack.
    #[inline]
    pub(super) fn range(&self) -> Range<usize> {
        self.moves.clone()
    }

    /// Whether it has so many moves that ordering them is a noticeable cost.
    #[inline]
    pub(super) fn is_wide(&self) -> bool {
        self.moves.len() >= MANY_MOVES
    }

    /// Whether the last returned move was named by the table or a killer, before any scoring.
    #[inline]
    pub(super) fn is_at_special(&self) -> bool {
        self.is_at_special
    }

    /// The number of moves returned so far.
    #[inline]
    pub(super) fn tried(&self) -> usize {
        self.tried
    }

    /// The index on the stack of the move at `place`.
    #[inline]
    pub(super) fn at(&self, place: u32) -> usize {
        self.moves.start + place as usize
    }

    #[inline]
    fn next_special(&mut self) -> Option<u32> {
        while self.specials_tried < self.specials_first {
            let place = self.special[self.specials_tried];
            self.specials_tried += 1;
            if place != NO_PLACE {
                return Some(place);
            }
        }
        None
    }

    #[inline]
    fn next_unscored(&mut self) -> Option<u32> {
        while self.special.contains(&self.next_place) {
            self.next_place += 1;
        }
        let place = self.next_place;
        self.next_place += 1;
        ((place as usize) < self.moves.len()).then_some(place)
    }
}

/// One ply above the horizon a node that expects to try all of its many moves gains nothing from ordering, which
/// costs it as much as an evaluation.
fn is_worth_scoring(moves: &Range<usize>, node: Node) -> bool {
    !(node.depth == 1 && node.node_type.has(NodeType::ALL) && moves.len() >= MANY_MOVES)
}

/// Moves the first pick behind the others if it is a noisy move that loses material, and returns whether it did.
/// Checks only moves whose turn has come: most nodes cut off earlier.
#[inline]
fn put_off_losing<G: Game>(picks: &mut [Pick], game: &G, moves: &[G::Move]) -> bool {
    let Some(first) = picks.first_mut() else { return false };
    let mv = moves[first.place as usize];
    if first.score < SPECIAL_SCORES[0] || !game.is_noisy(mv) || game.wins_at_least(mv, 0) {
        return false;
    }
    first.score = first.score.saturating_sub(LOSING_PENALTY);
    true
}

/// Brings the pick with the highest score to the front; of equals the first.
#[inline]
fn select_best(picks: &mut [Pick]) {
    if picks.len() > 1 {
        picks.swap(0, place_of_best(picks));
    }
}

/// The index of the pick with the highest score; of equals the first.
///
/// No processor can predict which of two scores is higher, and each comparison waits for the one before, so several rows of comparisons run
/// side by side.
#[inline]
fn place_of_best(picks: &[Pick]) -> usize {
    const ROWS: usize = 4;
    let mut best = [(i32::MIN, 0); ROWS];
    let mut compare = |row: usize, score: i32, index: usize| {
        let is_higher = score > best[row].0;
        best[row].0 = select_unpredictable(is_higher, score, best[row].0);
        best[row].1 = select_unpredictable(is_higher, index, best[row].1);
    };
    let (chunks, rest) = picks.as_chunks::<ROWS>();
    for (chunk, start) in chunks.iter().zip((0..).step_by(ROWS)) {
        for (row, pick) in chunk.iter().enumerate() {
            compare(row, pick.score, start + row);
        }
    }
    for (row, pick) in rest.iter().enumerate() {
        compare(row, pick.score, picks.len() - rest.len() + row);
    }
    let [mut first, others @ ..] = best;
    for other in others {
        let is_better = other.0 > first.0 || (other.0 == first.0 && other.1 < first.1);
        first.0 = select_unpredictable(is_better, other.0, first.0);
        first.1 = select_unpredictable(is_better, other.1, first.1);
    }
    first.1
}
