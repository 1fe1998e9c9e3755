//! Varied games of an engine against itself: the material for opening books.
//!
//! ```text
//! ply   0 … varied_plies         the best line, the second, the third …, each half as often as the one before
//!       varied_plies … the end   the best
//! ```
//!
//! An algorithm with only one line occasionally plays a random move instead.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use gt_games::registry::{AnyGame, GameKind, Setup};
use gt_games::saved::{SavedGame, SavedMove, SavedResult};
use gt_search::Limits;

use crate::engine::{Engine, EngineOptions, LineText, Request};
use crate::error::Result;

/// The options of self-play.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SelfPlayOptions {
    /// The engine; its number of lines is the number of moves it chooses from.
    pub engine: EngineOptions,
    /// The number of nodes for a move.
    pub nodes: u64,
    /// The number of plies at the beginning in which a move other than the best may be played.
    pub varied_plies: usize,
    /// The number of plies after which an unfinished game has no result.
    pub plies_max: usize,
}

impl Default for SelfPlayOptions {
    fn default() -> Self {
        let engine = EngineOptions { lines: 4, table_bytes: 4 << 20, ..EngineOptions::default() };
        Self { engine, nodes: 2_000, varied_plies: 10, plies_max: 400 }
    }
}

/// An algorithm with one line plays one of this many varied moves at random.
const MOVES_PER_RANDOM: usize = 4;

/// An engine that plays against itself.
pub struct SelfPlay {
    kind: GameKind,
    setup: Setup,
    options: SelfPlayOptions,
    engine: Box<dyn Engine>,
    rng: fastrand::Rng,
    stop: Arc<AtomicBool>,
}

impl SelfPlay {
    /// Plays games from a setup; the engine's seed determines them.
    ///
    /// # Errors
    /// Returns the errors of [`EngineOptions::open`].
    pub fn new(kind: GameKind, setup: &Setup, options: SelfPlayOptions) -> Result<Self> {
        let engine = options.engine.open(kind, setup)?;
        let rng = fastrand::Rng::with_seed(options.engine.seed);
        Ok(Self { kind, setup: setup.clone(), options, engine, rng, stop: Arc::default() })
    }

    /// Aborts the current game when `stop` becomes `true`.
    #[must_use]
    pub fn until(self, stop: Arc<AtomicBool>) -> Self {
        Self { stop, ..self }
    }

    /// Plays the next game; `None` if it was aborted.
    ///
    /// # Errors
    /// Returns an error if a move of the engine cannot be played, which would be a bug.
    pub fn play(&mut self) -> Result<Option<SavedGame>> {
        let mut saved = SavedGame::new(self.kind);
        saved.setup = self.setup.clone();
        let mut game = self.kind.open(&self.setup)?;
        let mut played = Vec::new();
        self.engine.forget();
        while game.outcome().is_none() && played.len() < self.options.plies_max {
            self.engine.set_position(&self.setup, &played)?;
            let limits = Limits { stop: Some(self.stop.clone()), ..Limits::nodes(self.options.nodes) };
            let thought = self.engine.think(&Request::new(limits), &mut |_| ());
            if self.stop.load(Ordering::Relaxed) {
                return Ok(None);
            }
            let is_varied = played.len() < self.options.varied_plies;
            let varied = if is_varied { self.another(&thought.progress.lines, &*game) } else { None };
            let Some(text) = varied.or(thought.best) else { break };
            game.play(&text)?;
            played.push(text);
        }
        saved.moves = played.into_iter().map(SavedMove::new).collect();
        saved.result = game.outcome().map(|outcome| SavedResult::of(outcome, game.players()));
        Ok(Some(saved))
    }

    /// A move of one of the lines, or any other move if there is only one; `None` for the best move.
    fn another(&mut self, lines: &[LineText], game: &dyn AnyGame) -> Option<String> {
        if lines.len() < 2 {
            let moves = game.moves();
            let is_random = self.rng.usize(..MOVES_PER_RANDOM) == 0;
            return is_random.then(|| self.rng.choice(moves).map(|mv| mv.text)).flatten();
        }
        let line = lines.iter().find(|_| self.rng.bool())?;
        line.moves.first().cloned()
    }
}
