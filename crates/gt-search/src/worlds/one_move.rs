//! A game with a single move at the root, and an observer that sees what is below it.

use crate::game::{EvaluateAll, Game, Outcome};
use crate::observer::{EntryRecord, Observer, Record};

/// A position with only one move at the root.
#[derive(Clone)]
pub(super) struct OneMove<G: Game> {
    game: G,
    only: G::Move,
    /// The number of moves made since the root.
    made: u32,
}

impl<G: Game> OneMove<G> {
    pub(super) fn new(game: &G, only: G::Move) -> Self {
        Self { game: game.clone(), only, made: 0 }
    }
}

impl<G: Game> Game for OneMove<G> {
    type Move = G::Move;
    type Undo = G::Undo;

    fn players(&self) -> usize {
        self.game.players()
    }
    fn to_move(&self) -> usize {
        self.game.to_move()
    }
    fn outcome(&self) -> Option<Outcome> {
        self.game.outcome()
    }
    fn final_value(&self, player: usize) -> Option<i32> {
        self.game.final_value(player)
    }
    fn moves(&self, moves: &mut Vec<G::Move>) {
        match self.made {
            0 => moves.push(self.only),
            _ => self.game.moves(moves),
        }
    }
    fn make(&mut self, mv: G::Move) -> G::Undo {
        self.made += 1;
        self.game.make(mv)
    }
    fn undo(&mut self, mv: G::Move, undo: G::Undo) {
        self.made -= 1;
        self.game.undo(mv, undo);
    }
    fn hash(&self) -> u64 {
        self.game.hash()
    }
    fn encode(&self, mv: G::Move) -> i64 {
        self.game.encode(mv)
    }
    fn encode_made(&self, mv: G::Move) -> i64 {
        self.game.encode_made(mv)
    }
    fn make_null(&mut self) -> Option<G::Undo> {
        let undo = self.game.make_null()?;
        self.made += 1;
        Some(undo)
    }
    fn undo_null(&mut self, undo: G::Undo) {
        self.made -= 1;
        self.game.undo_null(undo);
    }
    fn order_hint(&self, mv: G::Move) -> i32 {
        self.game.order_hint(mv)
    }
}

/// The evaluation of the game inside.
pub(super) struct Inner<'a, E>(pub(super) &'a E);

impl<G: Game, E: EvaluateAll<G>> EvaluateAll<OneMove<G>> for Inner<'_, E> {
    fn evaluate_all(&self, game: &OneMove<G>, values: &mut [i32]) {
        self.0.evaluate_all(&game.game, values);
    }
}

/// Passes on the events below the root; the root itself is entered once for all its moves, by the caller.
pub(super) struct BelowRoot<'a, O> {
    observer: &'a mut O,
    /// The place of the root's move among all of them.
    place: usize,
    open: u32,
}

impl<'a, O> BelowRoot<'a, O> {
    pub(super) fn new(observer: &'a mut O, place: usize) -> Self {
        Self { observer, place, open: 0 }
    }
}

impl<M: Copy, O: Observer<M>> Observer<M> for BelowRoot<'_, O> {
    const ACTIVE: bool = O::ACTIVE;

    fn enter(&mut self, last_move: Option<M>) {
        self.open += 1;
        if self.open > 1 {
            self.observer.enter(last_move);
        }
    }

    fn enter_known(
        &mut self,
        last_move: Option<M>,
        known: impl FnOnce() -> EntryRecord,
        code: impl FnOnce() -> i64,
        key: impl FnOnce() -> u64,
    ) {
        self.open += 1;
        if self.open > 1 {
            let (is_first, place) = (self.open == 2, self.place as u16);
            let known = || {
                let known = known();
                if is_first { EntryRecord { move_index: place, ..known } } else { known }
            };
            self.observer.enter_known(last_move, known, code, key);
        }
    }

    fn leave(&mut self, record: &Record) {
        match self.open {
            0 | 1 => (),
            2 => self.observer.leave(&Record { move_index: self.place as u16, ..*record }),
            _ => self.observer.leave(record),
        }
        self.open = self.open.saturating_sub(1);
    }
}
