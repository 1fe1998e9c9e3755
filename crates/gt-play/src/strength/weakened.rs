//! A weakened engine: it searches less than it could, and does not always play the best move it finds.
//!
//! ```text
//! the best lines of a short search     value  40   35   10
//! how often each is chosen                    50%  40%  10%     the more it is worse, the less often
//! ```
//!
//! The scale of values is measured on the board: the average difference between the position's legal moves, by the
//! evaluation alone. An algorithm that finds only one line chooses among those moves instead.
//!
//! Invariant: the choice depends on the seed, the position and the number of the game, not on earlier requests.

use gt_games::Result as NotationResult;
use gt_games::registry::{AnyGame, Setup};

use super::Strength;
use crate::engine::{Engine, EngineOptions, LineText, Progress, Request, Thought};
use crate::error::Result;

/// The maximum number of moves sampled for the average difference: games can have thousands.
const MOVES_SAMPLED_MAX: usize = 48;

pub(crate) struct Weakened {
    engine: Box<dyn Engine>,
    strength: Strength,
    evaluation: Option<String>,
    /// The number of lines shown.
    lines: usize,
    seed: u64,
    /// The number of games forgotten.
    games: u64,
}

impl Weakened {
    /// Wraps an engine, which must search as many lines as the strength chooses among.
    pub(crate) fn new(engine: Box<dyn Engine>, strength: Strength, options: &EngineOptions) -> Self {
        let evaluation = options.evaluation.clone();
        Self { engine, strength, evaluation, lines: options.lines, seed: options.seed, games: 0 }
    }

    /// Replaces the best move by the chosen one. Without slackness the engine's choice stays, also among moves of equal value.
    fn choose(&self, mut thought: Thought, root_moves: &[String]) -> Thought {
        if self.strength.slackness() <= 0.0 {
            thought.progress.lines.truncate(self.lines);
            return thought;
        }
        let position = self.engine.position();
        // If the moves cannot be valued, there is nothing to choose from.
        let ahead = self.one_move_ahead(position, root_moves, thought.best.as_deref()).unwrap_or_default();
        let scale = average_difference(&ahead);
        let lines = &mut thought.progress.lines;
        if let ([only], Some(best)) = (lines.as_slice(), &thought.best) {
            let others = unsearched(only.value, best, ahead, scale);
            lines.extend(others);
        }
        if let Some(chosen) = self.pick(lines, scale, position.hash()) {
            let line = lines.remove(chosen);
            if !line.moves.is_empty() {
                thought.best = line.moves.first().cloned();
                thought.expected = line.moves.get(1).cloned();
            }
            lines.insert(0, line);
        }
        lines.truncate(self.lines);
        thought
    }

    /// Some of the moves, including `best`, with the evaluation directly after them for the player who moves.
    fn one_move_ahead(
        &self,
        position: &dyn AnyGame,
        root_moves: &[String],
        best: Option<&str>,
    ) -> NotationResult<Vec<LineText>> {
        let mover = position.to_move();
        let mut moves = position.moves();
        moves.retain(|mv| root_moves.is_empty() || root_moves.contains(&mv.text));
        let step = moves.len().div_ceil(MOVES_SAMPLED_MAX).max(1);
        let mut lines = Vec::new();
        for (index, mv) in moves.into_iter().enumerate() {
            if !index.is_multiple_of(step) && best != Some(&mv.text) {
                continue;
            }
            let mut after = position.boxed_clone();
            after.play(&mv.text)?;
            if after.outcome().is_none() {
                let value = after.evaluate(self.evaluation.as_deref())?[mover];
                lines.push(LineText { value, moves: vec![mv.text] });
            }
        }
        Ok(lines)
    }

    /// The index of the line to play.
    fn pick(&self, lines: &[LineText], scale: f64, hash: u64) -> Option<usize> {
        let best = f64::from(lines.iter().map(|line| line.value).max()?);
        let tolerated = (self.strength.slackness() * scale).max(f64::MIN_POSITIVE);
        let weight = |line: &LineText| ((f64::from(line.value) - best) / tolerated).exp();
        let mut left =
            share(self.seed ^ self.games.rotate_left(32) ^ hash) * lines.iter().map(weight).sum::<f64>();
        lines.iter().position(|line| {
            left -= weight(line);
            left < 0.0
        })
    }
}

/// The moves beside the best, valued on the scale of the search that found it: each is worse by the average
/// difference, and by how much worse it looks at once.
fn unsearched(value: i32, best: &str, ahead: Vec<LineText>, scale: f64) -> Vec<LineText> {
    let is_best = |line: &LineText| line.moves.first().is_some_and(|text| text == best);
    let Some(at_once) = ahead.iter().find(|line| is_best(line)).map(|line| line.value) else {
        return Vec::new();
    };
    let others = ahead.into_iter().filter(|line| !is_best(line));
    let worse =
        |line: &LineText| at_once.saturating_sub(line.value).max(0).saturating_add(scale.ceil() as i32);
    others.map(|line| LineText { value: value.saturating_sub(worse(&line)), ..line }).collect()
}

/// The average distance of values from their mean.
fn average_difference(lines: &[LineText]) -> f64 {
    let count = lines.len().max(1) as f64;
    let mean = lines.iter().map(|line| f64::from(line.value)).sum::<f64>() / count;
    lines.iter().map(|line| (f64::from(line.value) - mean).abs()).sum::<f64>() / count
}

/// A pseudorandom number from 0 to 1, excluding 1 (SplitMix64).
fn share(seed: u64) -> f64 {
    let seed = seed.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let mixed = (seed ^ (seed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    ((mixed ^ (mixed >> 31)) >> 11) as f64 / (1_u64 << 53) as f64
}

impl Engine for Weakened {
    fn position(&self) -> &dyn AnyGame {
        self.engine.position()
    }

    fn set_position(&mut self, setup: &Setup, moves: &[String]) -> Result<()> {
        self.engine.set_position(setup, moves)
    }

    fn forget(&mut self) {
        self.games += 1;
        self.engine.forget();
    }

    fn think(&mut self, request: &Request<'_>, tell: &mut dyn FnMut(&Progress)) -> Thought {
        let limits = self.strength.limit(&request.limits);
        let shorter = Request { limits, root_moves: request.root_moves.clone(), log: request.log };
        let shown = self.lines;
        let thought = self.engine.think(&shorter, &mut |progress| {
            let lines = progress.lines.iter().take(shown).cloned().collect();
            tell(&Progress { lines, ..progress.clone() });
        });
        self.choose(thought, &request.root_moves)
    }
}
