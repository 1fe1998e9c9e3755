//! A walk through a game tree: the position, the moves of every open node, the counts and the observer.
//!
//! ```text
//! visit(mv, node, body):  make mv ─ enter ─ body(node) ─ leave ─ undo mv
//! ```
//!
//! Every algorithm goes down by [`Walk::visit`] or [`Walk::observe`], so enter and leave nest whatever the algorithm
//! does and wherever it stops. A body reports why it ends by returning through [`Walk::conclude`]. The moves of all
//! open nodes lie in one stack: nothing is allocated per node.

use std::ops::Range;

use crate::game::{Evaluate, Game};
use crate::limits::{Clock, Limits};
use crate::node::{Node, Note};
use crate::observer::{Ended, Observer};
use crate::value::{final_value, tells_winner};
use crate::variation::Variation;

/// The number of moves foreseen in the time of one evaluation.
const FORESEEN_PER_WORK: u64 = 8;

pub(crate) struct Walk<'a, G: Game, E, O> {
    pub(crate) game: G,
    pub(crate) evaluation: &'a E,
    pub(crate) observer: &'a mut O,
    pub(crate) moves: Vec<G::Move>,
    pub(crate) variation: Variation<G::Move>,
    pub(crate) evaluations: u64,
    /// The number of values that came from less than the whole game below them: from a horizon, or from moves that a
    /// selective search skipped. A tree that adds none is exhausted.
    pub(crate) open_ends: u64,
    /// The number of nodes that a table of endgames answered.
    pub(crate) endings: u64,
    pub(crate) note: Note,
    clock: Clock,
}

impl<'a, G: Game, E, O: Observer<G::Move>> Walk<'a, G, E, O> {
    pub(crate) fn new(game: &G, evaluation: &'a E, limits: &Limits, observer: &'a mut O) -> Self {
        Self {
            game: game.clone(),
            evaluation,
            observer,
            moves: Vec::with_capacity(256),
            variation: Variation::new(),
            evaluations: 0,
            open_ends: 0,
            endings: 0,
            note: Note::default(),
            clock: Clock::start(limits),
        }
    }

    /// Makes the move and walks the node below it.
    #[inline]
    pub(crate) fn visit(
        &mut self,
        mv: G::Move,
        node: Node,
        body: impl FnOnce(&mut Self, Node) -> i32,
    ) -> i32 {
        let undo = self.game.make(mv);
        let value = self.observe(Some(mv), node, body);
        self.game.undo(mv, undo);
        value
    }

    /// Walks the node of the current position.
    #[inline]
    pub(crate) fn observe(
        &mut self,
        last_move: Option<G::Move>,
        node: Node,
        body: impl FnOnce(&mut Self, Node) -> i32,
    ) -> i32 {
        self.enter(last_move, node);
        let value = body(self, node);
        self.leave(node, value);
        value
    }

    #[inline]
    pub(crate) fn enter(&mut self, last_move: Option<G::Move>, node: Node) {
        self.clock.count_node();
        let game = &self.game;
        let code = || last_move.map_or(0, |mv| game.encode_made(mv));
        self.observer.enter_known(last_move, || node.entry(), code, || game.hash());
    }

    /// Enters the node below `mv`, which has not been made on its parent's board.
    #[inline]
    pub(crate) fn enter_tentative(&mut self, parent: &G, mv: G::Move, node: Node) {
        self.clock.count_node();
        let key = || hash_after(parent, mv);
        self.observer.enter_known(Some(mv), || node.entry(), || parent.encode(mv), key);
    }

    /// Like [`Walk::enter_tentative`], below the walk's own position.
    #[inline]
    pub(crate) fn enter_foreseen(&mut self, mv: G::Move, node: Node) {
        self.clock.count_node();
        let game = &self.game;
        let key = || hash_after(game, mv);
        self.observer.enter_known(Some(mv), || node.entry(), || game.encode(mv), key);
    }

    #[inline]
    pub(crate) fn leave(&mut self, node: Node, value: i32) {
        if O::ACTIVE {
            self.observer.leave(&node.record(value, self.note));
        }
    }

    /// Like [`Walk::leave`], with the node's value for every player.
    #[inline]
    pub(crate) fn leave_valued(&mut self, node: Node, value: i32, values: &[i32]) {
        if O::ACTIVE {
            self.observer.leave_valued(&node.record(value, self.note), values);
        }
    }

    /// Records why the node ended, and returns its value.
    #[inline]
    pub(crate) fn conclude(&mut self, value: i32, ended: Ended) -> i32 {
        self.conclude_noting(value, Note { ended, ..Note::default() })
    }

    #[inline]
    pub(crate) fn conclude_noting(&mut self, value: i32, note: Note) -> i32 {
        if O::ACTIVE {
            self.note = note;
        }
        value
    }

    /// Appends the moves of the position to the stack; [`Walk::close`] takes them off.
    #[inline]
    pub(crate) fn open(&mut self) -> Range<usize> {
        let start = self.moves.len();
        self.game.moves(&mut self.moves);
        start..self.moves.len()
    }

    #[inline]
    pub(crate) fn close(&mut self, moves: &Range<usize>) {
        self.moves.truncate(moves.start);
    }

    #[inline]
    pub(crate) fn stopped(&self) -> bool {
        self.clock.stopped()
    }

    pub(crate) fn nodes(&self) -> u64 {
        self.clock.nodes()
    }

    #[inline]
    pub(crate) fn count_evaluation(&mut self) {
        self.evaluations += 1;
        self.clock.work();
    }

    /// Counts moves that were valued at once, which takes a fraction of the time of as many evaluations.
    #[inline]
    pub(crate) fn count_foreseen(&mut self, moves: usize) {
        self.evaluations += moves as u64;
        self.clock.work_of(1 + moves as u64 / FORESEEN_PER_WORK);
    }

    /// The value of the finished game at the position, if it is finished.
    #[inline]
    pub(crate) fn outcome(&self, ply: u16) -> Option<i32> {
        self.game.outcome().map(|outcome| final_value(&self.game, outcome, self.game.to_move(), ply))
    }
}

impl<G: Game, E: Evaluate<G>, O: Observer<G::Move>> Walk<'_, G, E, O> {
    /// The value of a node with nothing to search below it: a finished game, the horizon, or a search that has
    /// been stopped.
    #[inline]
    pub(crate) fn leaf(&mut self, node: Node) -> Option<i32> {
        if self.stopped() {
            return Some(self.conclude(node.alpha, Ended::Stopped));
        }
        if let Some(value) = self.outcome(node.ply) {
            return Some(self.conclude(value, Ended::Terminal));
        }
        (node.depth <= 0).then(|| self.horizon())
    }

    /// The evaluation of a position that is not over, as the value of its node.
    #[inline]
    pub(crate) fn horizon(&mut self) -> i32 {
        let value = self.evaluate();
        self.open_ends += 1;
        let note = Note { ended: Ended::Horizon, static_eval: Some(value), table_depth: None };
        self.conclude_noting(value, note)
    }

    #[inline]
    pub(crate) fn evaluate(&mut self) -> i32 {
        self.count_evaluation();
        let value = self.evaluation.evaluate(&self.game);
        debug_assert!(!tells_winner(value), "an evaluation of {value} looks like a win");
        value
    }
}

fn hash_after<G: Game>(game: &G, mv: G::Move) -> u64 {
    let mut game = game.clone();
    game.make(mv);
    game.hash()
}
