//! A node of the full-strength search: principal variation search with a table.

use std::collections::VecDeque;

use super::busy::Candidate;
use super::faults::CUTOFF_MARGIN;
use super::history::Before;
use super::moves::Order;
use super::selectivity::Tried;
use super::singular::Company;
use super::stored::Key;
use super::{Driver, Fault};
use crate::game::{Evaluate, Game};
use crate::node::{Node, Note};
use crate::observer::{Ended, Observer};
use crate::table::{Bound, Entry};
use crate::value::{INFINITE, from_node};

/// The history's lesson from a cut-off, by depth: an initial amount, an amount per ply, and a maximum.
const LESSON_FIRST: i32 = 20;
const LESSON_PER_PLY: i32 = 120;
const LESSON_MAX: i32 = 1600;

/// The information a node has before it tries its moves.
#[derive(Clone, Copy)]
pub(super) struct Known {
    hash: u64,
    key: Key,
    pub(super) entry: Option<Entry>,
    pub(super) static_eval: Option<i32>,
    /// The table's value if it tells more than the evaluation, or else the evaluation.
    pub(super) estimate: Option<i32>,
    /// Whether the player's evaluation is better than two plies ago.
    pub(super) improves: bool,
    /// Whether a pass would lose the game at once.
    pub(super) is_threatened: bool,
}

impl Known {
    pub(super) fn note(&self, ended: Ended) -> Note {
        let table_depth = self.entry.map(|entry| entry.depth);
        Note { ended, static_eval: self.static_eval, table_depth }
    }
}

impl<G: Game, E: Evaluate<G>, O: Observer<G::Move>> Driver<'_, G, E, O> {
    /// Most nodes are leaves: they are finished here, inlined into the caller, and only the others cost a
    /// call.
    #[inline(always)]
    pub(super) fn node(&mut self, node: Node) -> i32 {
        // 1. A search that must stop stops here. A line that repeats itself is a draw.
        if self.walk.stopped() {
            return self.walk.conclude(node.alpha, Ended::Stopped);
        }
        if node.is_open() {
            self.walk.variation.clear(node.ply);
        }
        if self.options.repetition_draws && self.is_repeated() {
            self.walk.open_ends += 1;
            return self.walk.conclude(0, Ended::Draw);
        }
        // 2. A known ending, or the horizon.
        if let Some(value) = self.known_ending(node) {
            return value;
        }
        if node.depth <= 0 {
            return self.horizon(node);
        }
        self.inner_node(node)
    }

    fn inner_node(&mut self, node: Node) -> i32 {
        // 3. The table may know the answer. It is not asked on the principal variation, where the whole line is
        //   needed.
        let hash = self.walk.game.hash();
        let open_ends = self.walk.open_ends;
        let key = self.key();
        let mut known = Known {
            hash,
            key,
            entry: self.table.probe(key.hash),
            static_eval: None,
            estimate: None,
            improves: false,
            is_threatened: false,
        };
        if let Some(value) = self.table_answer(node, &known) {
            self.walk.open_ends += u64::from(!known.entry.is_some_and(|entry| entry.is_final_at(node.depth)));
            return self.walk.conclude_noting(value, known.note(Ended::TableHit));
        }
        // 4. A position so good that nothing near the horizon refutes it, or not even passing does.
        self.evaluate_quiet(node, &mut known);
        if let Some(value) = self.reverse_futility(node, &known) {
            self.walk.open_ends += 1;
            return self.walk.conclude_noting(value, known.note(Ended::StandPat));
        }
        if let Some(value) = self.null_move(node, &mut known) {
            self.walk.open_ends += 1;
            return value;
        }
        // 5. The moves.
        if self.forgets_moves(node, hash) {
            return self.walk.conclude_noting(node.alpha, known.note(Ended::Searched));
        }
        self.path.push(hash);
        let value = self.search_moves(node, known, open_ends);
        self.path.pop();
        value
    }

    /// Whether the position occurred before, on the line or in the game.
    #[inline]
    fn is_repeated(&self) -> bool {
        let reach = self.path.len().min(self.walk.game.reversible_plies());
        self.path[self.path.len() - reach..].contains(&self.walk.game.hash())
    }

    fn table_answer(&self, node: Node, known: &Known) -> Option<i32> {
        let entry = self.believed(known.entry?, node);
        entry.answer(node, self.options.table_deeper)
    }

    /// Evaluates the position, or follows its noisy moves: the depth is used up.
    #[inline]
    pub(super) fn horizon(&mut self, node: Node) -> i32 {
        if self.options.quiescence_plies_max.is_some() {
            return self.quiescence(node);
        }
        match self.walk.outcome(node.ply) {
            Some(value) => self.walk.conclude(value, Ended::Terminal),
            None => self.walk.horizon(),
        }
    }

    /// Searches the node's moves. `open_ends` is the walk's count on arrival at the node.
    fn search_moves(&mut self, node: Node, mut known: Known, open_ends: u64) -> i32 {
        let moves = self.walk.open();
        if moves.is_empty() {
            let value = self.walk.outcome(node.ply).unwrap_or(0);
            return self.walk.conclude_noting(value, known.note(Ended::Terminal));
        }
        let key = known.key;
        known.entry = known.entry.map(|entry| key.entry(entry, moves.len()));
        let company = self.company(node, &known, &moves);
        if let Company::AlsoRefuted(value) = company {
            self.walk.close(&moves);
            self.walk.open_ends += 1;
            return self.walk.conclude_noting(value, known.note(Ended::Cutoff));
        }
        let mut order = self.order(moves, node, known.entry.and_then(|entry| entry.move_index));
        let (highest, place, ended) = if self.is_frontier(node) {
            self.search_frontier(node, &mut order)
        } else {
            self.search_in_order(node, &mut order, (&known, company))
        };
        let best = self.walk.moves.get(order.at(place)).copied();
        self.close(&order);
        let highest = self.unproven(highest, &order);
        // An order cut short by a stop has no moves left, even if some were not tried.
        let ended = if self.walk.stopped() { Ended::Stopped } else { ended };
        if ended != Ended::Stopped {
            let depth = node.depth - self.internal_reduction(node, &known);
            // If no move is good enough, the previous best move is the better guess.
            let kept = known.entry.and_then(|entry| entry.move_index).filter(|_| highest <= node.alpha);
            let place = kept.map_or(place, u32::from);
            self.learn_correction(node, known.static_eval, highest, best);
            let is_whole = self.walk.open_ends == open_ends;
            let place = key.turned(place, order.range().len());
            self.remember(Node { depth, ..node }, key, highest, place, is_whole);
        }
        self.walk.conclude_noting(highest, known.note(ended))
    }

    /// Returns the highest value of the moves, the place of that move, and how the node ended.
    fn search_in_order(
        &mut self,
        node: Node,
        order: &mut Order,
        (known, company): (&Known, Company),
    ) -> (i32, u32, Ended) {
        let mut selection = self.selection(node, known);
        selection.first_shift = i8::from(company == Company::Alone);
        let at = (node, known.hash);
        let mut highest = -INFINITE;
        let mut best_place = 0;
        let mut left = VecDeque::new();
        while let Some(candidate) = self.next_candidate(at, order, &mut left) {
            let Candidate { mv, place, index } = candidate;
            let alpha = node.alpha.max(highest);
            if self.is_left_out(node, (mv, index), alpha, highest, &selection) {
                self.walk.open_ends += 1;
                continue;
            }
            let tried = self.try_marked(at, &candidate, alpha, &selection);
            if self.walk.stopped() {
                return (highest, best_place, Ended::Stopped);
            }
            if tried.value > highest {
                (highest, best_place) = (tried.value, place);
            }
            if tried.value > alpha && node.is_open() {
                self.prefer(node, mv, tried);
            }
            let is_early = self.has_fault(Fault::CutoffBelowBeta) && highest >= node.beta - CUTOFF_MARGIN;
            if highest >= node.beta || is_early {
                self.learn_from_cutoff(node, mv, order);
                return (highest, best_place, Ended::Cutoff);
            }
        }
        (highest, best_place, Ended::Searched)
    }

    /// Sets the node's line to `mv` and the child's line, if the child had an open window to find one.
    pub(super) fn prefer(&mut self, node: Node, mv: G::Move, tried: Tried) {
        if tried.open {
            self.walk.variation.prefer(node.ply, mv);
        } else {
            self.walk.variation.prefer_alone(node.ply, mv);
        }
    }

    /// Learns from a cut-off: the move that cut off was good, and the moves tried before it were not.
    pub(super) fn learn_from_cutoff(&mut self, node: Node, mv: G::Move, order: &Order) {
        self.remember_refutation(mv);
        // A noisy move comes early anyway; killer slots are for moves whose worth does not show.
        if !self.walk.game.is_noisy(mv) {
            self.history.cut_off(node.ply, mv);
        }
        let lesson = (LESSON_FIRST + LESSON_PER_PLY * i32::from(node.depth)).min(LESSON_MAX);
        self.learn(mv, lesson);
        for at in self.tried_before(order) {
            let earlier = self.walk.moves[order.at(self.picks[at].place)];
            if earlier != mv {
                self.learn(earlier, -lesson);
            }
        }
    }

    fn learn(&mut self, mv: G::Move, lesson: i32) {
        let game = &self.walk.game;
        self.history.learn(game, mv, lesson);
        if self.options.continuation_history && !game.is_noisy(mv) {
            let theme = game.theme(mv);
            self.history.learn_reply(self.themes_before(), theme, lesson);
        }
    }

    /// The themes of the last two moves, the latest first.
    #[inline]
    pub(super) fn themes_before(&self) -> Before {
        let mut latest = self.themes.iter().rev().copied();
        [latest.next().unwrap_or(0), latest.next().unwrap_or(0)]
    }

    /// Stores the value of the node, and the place of its best move in the position that the table keeps.
    pub(super) fn remember(&mut self, node: Node, key: Key, value: i32, place: u32, is_whole: bool) {
        let bound = Bound::of(value, node.alpha, node.beta);
        let move_index = u16::try_from(place).ok().filter(|&place| place < u16::MAX);
        let value = from_node(value, node.ply);
        self.table.store(key.hash, Entry { value, move_index, depth: node.depth, bound, is_whole });
    }
}
