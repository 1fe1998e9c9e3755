//! An engine that plays from a book as long as the book has moves.

use std::path::Path;

use gt_book::Book;
use gt_games::registry::{AnyGame, GameKind, Setup};
use gt_search::Limits;

use super::{Engine, LineText, Progress, Request, Thought};
use crate::error::{Error, Result};

pub(super) struct Booked {
    engine: Box<dyn Engine>,
    book: Book,
    rng: fastrand::Rng,
}

impl Booked {
    /// Gives an engine the book of its game; the seed determines the choices.
    pub(super) fn new(engine: Box<dyn Engine>, path: &Path, kind: GameKind, seed: u64) -> Result<Self> {
        let book = Book::open(path, kind)
            .map_err(|error| Error::Book { path: path.to_owned(), problem: error.to_string() })?;
        Ok(Self { engine, book, rng: fastrand::Rng::with_seed(seed) })
    }

    /// The book's move, unless the search has no limit or only some root moves: such a search is meant to analyse.
    fn chosen(&mut self, request: &Request<'_>) -> Option<String> {
        let Limits { depth_first: _, depth_max, nodes_max, time_max, stop: _, gives_way: _ } =
            Limits::default();
        let limits = &request.limits;
        let is_endless =
            (limits.depth_max, limits.nodes_max, limits.time_max) == (depth_max, nodes_max, time_max);
        if is_endless || !request.root_moves.is_empty() {
            return None;
        }
        // If the book can no longer be read, the search answers.
        self.book.choose(self.engine.position(), &mut self.rng).ok().flatten()
    }
}

impl Engine for Booked {
    fn position(&self) -> &dyn AnyGame {
        self.engine.position()
    }

    fn set_position(&mut self, setup: &Setup, moves: &[String]) -> Result<()> {
        self.engine.set_position(setup, moves)
    }

    fn forget(&mut self) {
        self.engine.forget();
    }

    fn think(&mut self, request: &Request<'_>, tell: &mut dyn FnMut(&Progress)) -> Thought {
        let Some(chosen) = self.chosen(request) else { return self.engine.think(request, tell) };
        let lines = vec![LineText { value: 0, moves: vec![chosen.clone()] }];
        let progress = Progress { lines, ..Progress::default() };
        Thought { best: Some(chosen), is_from_book: true, progress, ..Thought::default() }
    }
}
