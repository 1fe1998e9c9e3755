//! An engine: a position of any game, and a mind that remembers what it searched.

mod booked;
mod mind;
mod thinker;

use std::path::PathBuf;
use std::time::Duration;

use gt_games::registry::{AnyGame, GameKind, Setup};
use gt_log::LogWriter;
use gt_search::Limits;

use crate::algorithm::Algorithm;
use crate::error::Result;
use crate::strength::{Strength, Weakened};
use booked::Booked;

/// How an engine searches.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EngineOptions {
    /// The algorithm; the game's best where none is named.
    pub algorithm: Option<Algorithm>,
    /// The evaluation; the game's first where none is named.
    pub evaluation: Option<String>,
    /// How many threads search.
    pub threads: usize,
    /// The size of the transposition table.
    pub table_bytes: usize,
    /// The most memory that a stored tree takes, where something is said.
    pub memory_bytes: Option<usize>,
    /// How many moves of the root get a line of their own.
    pub lines: usize,
    /// What random choices are drawn from.
    pub seed: u64,
    /// An opening book, whose moves are played as long as it has some.
    pub book: Option<PathBuf>,
    /// A table of endgames or a folder with some, which the search asks (pvs and strong).
    pub endgames: Option<PathBuf>,
    /// How strong it plays; as strong as it can where nothing is said.
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
            book: None,
            endgames: None,
            strength: None,
        }
    }
}

impl EngineOptions {
    /// An engine at the position of a setup.
    ///
    /// # Errors
    /// The setup or the evaluation is not one of the game's, the algorithm is not for it, or the book or the
    /// tables of endgames cannot be read.
    pub fn open(&self, game: GameKind, setup: &Setup) -> Result<Box<dyn Engine>> {
        let engine = self.open_without_book(game, setup)?;
        match &self.book {
            None => Ok(engine),
            Some(path) => Ok(Box::new(Booked::new(engine, path, game, self.seed)?)),
        }
    }

    fn open_without_book(&self, game: GameKind, setup: &Setup) -> Result<Box<dyn Engine>> {
        let Some(strength) = self.strength else { return thinker::open(self, game, setup) };
        let seeing_more = Self { lines: self.lines.max(strength.lines()), ..self.clone() };
        let engine = thinker::open(&seeing_more, game, setup)?;
        Ok(Box::new(Weakened::new(engine, strength, self)))
    }
}

/// What an engine is asked to do.
pub struct Request<'a> {
    /// Where the search must end.
    pub limits: Limits,
    /// The only moves to search, in the game's notation; all where there are none.
    pub root_moves: Vec<String>,
    /// Where the search is logged.
    pub log: Option<&'a LogWriter>,
}

impl Request<'_> {
    /// A search within these limits.
    #[must_use]
    pub fn new(limits: Limits) -> Self {
        Self { limits, root_moves: Vec::new(), log: None }
    }
}

/// A line and its value.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LineText {
    /// From the view of the player to move at the root.
    pub value: i32,
    /// In the game's notation.
    pub moves: Vec<String>,
}

/// How far a search has come.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    /// The depth that was completed.
    pub depth: u16,
    /// The best lines, the best first; at least one, which may be empty.
    pub lines: Vec<LineText>,
    /// Nodes entered so far.
    pub nodes: u64,
    /// Those among them that a table of endgames answered.
    pub endings: u64,
    /// Time since the search began.
    pub elapsed: Duration,
}

/// What a search came to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Thought {
    /// The move to play; `None` where the game is over.
    pub best: Option<String>,
    /// The reply that is expected.
    pub expected: Option<String>,
    /// The last state of the search.
    pub progress: Progress,
    /// Why the log lacks something, where it does.
    pub log_error: Option<String>,
    /// The move is the opening book's: nothing was searched, and the value says nothing.
    pub is_from_book: bool,
}

/// An engine of any game.
pub trait Engine: Send {
    /// The position it is at.
    fn position(&self) -> &dyn AnyGame;

    /// Goes to a position: that of the setup after some moves. What was searched before serves where it still can.
    ///
    /// # Errors
    /// The game has no such position, or a move is not legal; the engine stays where it was.
    fn set_position(&mut self, setup: &Setup, moves: &[String]) -> Result<()>;

    /// Forgets what was searched: another game begins.
    fn forget(&mut self);

    /// Searches the position, and tells of each iteration.
    fn think(&mut self, request: &Request<'_>, tell: &mut dyn FnMut(&Progress)) -> Thought;
}
