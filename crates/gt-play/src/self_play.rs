//! Games of an engine against itself, each another: the stuff that opening books are made of.
//!
//! ```text
//! ply   0 … varied_plies         the best line, the second, the third …, each half as often as the one before
//!       varied_plies … the end   the best
//! ```
//!
//! An algorithm that has but one line plays a random move now and then instead.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use gt_games::registry::{AnyGame, GameKind, Setup};
use gt_games::saved::{SavedGame, SavedMove, SavedResult};
use gt_search::Limits;

use crate::engine::{Engine, EngineOptions, LineText, Request};
use crate::error::Result;

/// How an engine plays against itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SelfPlayOptions {
    /// The engine; how many lines it has is how many moves it chooses from.
    pub engine: EngineOptions,
    /// How many nodes a move may take.
    pub nodes: u64,
    /// In how many moves at the beginning, all players' together, another than the best may be played.
    pub varied_plies: usize,
    /// A game that is not over after so many moves has no result.
    pub plies_max: usize,
}

impl Default for SelfPlayOptions {
    fn default() -> Self {
        let engine = EngineOptions { lines: 4, table_bytes: 4 << 20, ..EngineOptions::default() };
        Self { engine, nodes: 2_000, varied_plies: 10, plies_max: 400 }
    }
}

/// How often an algorithm with one line plays at random where others vary: once in so many moves.
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
    /// Games from a setup; what is played follows from the engine's seed.
    ///
    /// # Errors
    /// Those of [`EngineOptions::open`].
    pub fn new(kind: GameKind, setup: &Setup, options: SelfPlayOptions) -> Result<Self> {
        let engine = options.engine.open(kind, setup)?;
        let rng = fastrand::Rng::with_seed(options.engine.seed);
        Ok(Self { kind, setup: setup.clone(), options, engine, rng, stop: Arc::default() })
    }

    /// Gives up the game that is played once `stop` is `true`.
    #[must_use]
    pub fn until(self, stop: Arc<AtomicBool>) -> Self {
        Self { stop, ..self }
    }

    /// Plays the next game; none if it was given up.
    ///
    /// # Errors
    /// A move of the engine cannot be played, which would be its fault.
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

    /// A move of one of the lines, or of none if there is only one; nothing for the best move.
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
