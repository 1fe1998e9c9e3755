//! An engine: a position of any game, and a memory of its searches.

mod booked;
mod thinker;

use std::path::PathBuf;
use std::time::Duration;

use gt_games::registry::{AnyGame, GameKind, Setup};
use gt_log::LogWriter;
use gt_search::{Idea, Limits};

use crate::algorithm::Algorithm;
use crate::error::Result;
use crate::strength::{Strength, Weakened};
use booked::Booked;

/// The options of an engine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EngineOptions {
    /// The algorithm; the game's best by default.
    pub algorithm: Option<Algorithm>,
    /// The evaluation; by default the one that plays best, at a reduced strength the game's first: a level stays what
    /// it was when engines learn to play better.
    pub evaluation: Option<String>,
    /// The number of threads.
    pub threads: usize,
    /// The size of the transposition table.
    pub table_bytes: usize,
    /// The maximum memory of a stored tree, if limited.
    pub memory_bytes: Option<usize>,
    /// The number of root moves that get a line of their own.
    pub lines: usize,
    /// The seed of random choices.
    pub seed: u64,
    /// The ideas that are switched off.
    pub without: Vec<Idea>,
    /// An opening book, whose moves are played as long as it has any.
    pub book: Option<PathBuf>,
    /// An endgame table or a folder with some, which the search uses (pvs and strong).
    pub endgames: Option<PathBuf>,
    /// The playing strength; full strength by default.
    pub strength: Option<Strength>,
}

impl Default for EngineOptions {
    fn default() -> Self {
        Self {
            algorithm: None,
            evaluation: None,
            threads: 1,
            table_bytes: 64 << 20,
            memory_bytes: None,
            lines: 1,
            seed: 1,
            without: Vec::new(),
            book: None,
            endgames: None,
            strength: None,
        }
    }
}

impl EngineOptions {
    /// Opens an engine at the position of a setup.
    ///
    /// # Errors
    /// Returns an error if the setup or the evaluation is not one of the game's, the algorithm does not
    /// support it, or the book or the endgame tables cannot be read.
    pub fn open(&self, game: GameKind, setup: &Setup) -> Result<Box<dyn Engine>> {
        let engine = self.open_without_book(game, setup)?;
        match &self.book {
            None => Ok(engine),
            Some(path) => Ok(Box::new(Booked::new(engine, path, game, self.seed)?)),
        }
    }

    /// The name of the evaluation.
    pub(crate) fn evaluation_for(&self, game: GameKind) -> &str {
        let usual = || match self.strength {
            None => game.playing_evaluation(),
            Some(_) => game.evaluations()[0].name,
        };
        self.evaluation.as_deref().unwrap_or_else(usual)
    }

    fn open_without_book(&self, game: GameKind, setup: &Setup) -> Result<Box<dyn Engine>> {
        let Some(strength) = self.strength else { return thinker::open(self, game, setup) };
        let seeing_more = Self { lines: self.lines.max(strength.lines()), ..self.clone() };
        let engine = thinker::open(&seeing_more, game, setup)?;
        Ok(Box::new(Weakened::new(engine, strength, self)))
    }
}

/// A request for a search.
pub struct Request<'a> {
    /// The limits of the search.
    pub limits: Limits,
    /// The only moves to search, in the game's notation; all if empty.
    pub root_moves: Vec<String>,
    /// The log of the search.
    pub log: Option<&'a LogWriter>,
}

impl Request<'_> {
    /// Requests a search within these limits.
    #[must_use]
    pub fn new(limits: Limits) -> Self {
        Self { limits, root_moves: Vec::new(), log: None }
    }
}

/// A line and its value.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LineText {
    /// The value from the view of the player to move at the root.
    pub value: i32,
    /// The moves in the game's notation.
    pub moves: Vec<String>,
}

/// The progress of a search.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    /// The last completed depth.
    pub depth: u16,
    /// The best lines, the best first; at least one, which may be empty.
    pub lines: Vec<LineText>,
    /// Nodes entered so far.
    pub nodes: u64,
    /// The number of them that an endgame table answered.
    pub endings: u64,
    /// Time since the search began.
    pub elapsed: Duration,
}

/// The result of a search.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Thought {
    /// The move to play; `None` if the game is over.
    pub best: Option<String>,
    /// The expected reply.
    pub expected: Option<String>,
    /// The last state of the search.
    pub progress: Progress,
    /// The reason why the log is incomplete, if it is.
    pub log_error: Option<String>,
    /// Whether the move is the opening book's: then nothing was searched, and the value is meaningless.
    pub is_from_book: bool,
}

/// An engine of any game.
pub trait Engine: Send {
    /// Returns its position.
    fn position(&self) -> &dyn AnyGame;

    /// Goes to the position of the setup after some moves. Earlier search results are reused if possible.
    ///
    /// # Errors
    /// Returns an error, and changes nothing, if the game has no such position, or a move is not legal.
    fn set_position(&mut self, setup: &Setup, moves: &[String]) -> Result<()>;

    /// Forgets all search results, because another game begins.
    fn forget(&mut self);

    /// Searches the position, and calls `tell` after each iteration.
    fn think(&mut self, request: &Request<'_>, tell: &mut dyn FnMut(&Progress)) -> Thought;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_engine_plays_with_the_best_evaluation_and_a_weakened_one_with_the_first() {
        let full = EngineOptions::default();
        assert_eq!(full.evaluation_for(GameKind::Chess), "network");
        assert_eq!(full.evaluation_for(GameKind::Amazons), "phased");
        let weak = EngineOptions { strength: Some(Strength::MIN), ..EngineOptions::default() };
        assert_eq!(weak.evaluation_for(GameKind::Chess), "six-terms");
        let named = EngineOptions { evaluation: Some("material".to_owned()), ..weak };
        assert_eq!(named.evaluation_for(GameKind::Chess), "material");
    }
}
