//! Positions to learn from.
//!
//! A position is used if its evaluation is meant to be right: the mover is not in check, no capture wins anything at
//! once, the move that was played is quiet, and the opening is over. The end of a resigned game is as good as any
//! other part of it.

use gt_games::chess::evaluate::{FEATURES, feature_counts};
use gt_games::chess::{Chess, Move};
use gt_games::registry::Playable;
use gt_games::saved::{SavedGame, SavedResult};
use gt_games::{Notation, NotationError};
use gt_search::Game;

use crate::scores::score_in;

/// A position for the fit. Values are white's.
#[derive(Clone, Debug, PartialEq)]
pub struct Sample {
    /// The nonzero feature counts, white's minus black's.
    pub counts: Vec<(u16, f32)>,
    /// The shares of an opening's weight and of an ending's here.
    pub shares: [f32; 2],
    /// The part that does not depend on the weights.
    pub fixed: f32,
    /// White's points: 1, ½ or 0.
    pub result: f32,
    /// The score that the mover's comment gives, in hundredths of a pawn, from white's view.
    pub score: Option<f32>,
    /// The number of its game.
    pub game: u32,
}

/// The positions of some games.
#[derive(Clone, Debug, Default)]
pub struct Samples {
    /// The positions.
    pub list: Vec<Sample>,
    /// The number of games they come from.
    pub games: u32,
    /// The number of games without a result, which are not used.
    pub without_result: u32,
}

/// The number of plies at the beginning of a game that are skipped: openings are random, or from a book.
const OPENING_PLIES: usize = 10;

impl Samples {
    /// The number of positions with a score.
    #[must_use]
    pub fn scored(&self) -> usize {
        self.list.iter().filter(|sample| sample.score.is_some()).count()
    }

    /// Adds the positions of a game of chess.
    ///
    /// # Errors
    /// Returns an error if the game's setup or a move is not legal.
    pub fn add(&mut self, game: &SavedGame) -> Result<(), NotationError> {
        let Some(result) = &game.result else {
            self.without_result += 1;
            return Ok(());
        };
        let mut position = Chess::from_setup(&game.setup)?;
        let mut found = Vec::new();
        for (ply, saved) in game.moves.iter().enumerate() {
            let mv = position.parse_move(&saved.text)?;
            if ply >= OPENING_PLIES && is_quiet(&position, mv) {
                let score = saved.comment.as_deref().and_then(score_in);
                found.push(sample(&position, result, score, self.games));
            }
            position.make(mv);
        }
        self.list.append(&mut found);
        self.games += 1;
        Ok(())
    }
}

fn is_quiet(position: &Chess, played: Move) -> bool {
    if position.in_check() || position.is_noisy(played) || position.outcome().is_some() {
        return false;
    }
    nothing_hangs(position)
}

/// Whether no capture wins anything at once.
pub(crate) fn nothing_hangs(position: &Chess) -> bool {
    let mut noisy = Vec::new();
    position.noisy_moves(&mut noisy);
    !noisy.into_iter().any(|mv| position.wins_at_least(mv, 1))
}

fn sample(position: &Chess, result: &SavedResult, movers_score: Option<f32>, game: u32) -> Sample {
    let white = if position.to_move() == 0 { 1.0 } else { -1.0 };
    let (counts, mix) = feature_counts(position);
    let counted = (0..FEATURES).filter(|&feature| counts[feature] != 0);
    let [opening, ending] = mix.shares();
    Sample {
        counts: counted.map(|feature| (feature as u16, counts[feature] as f32)).collect(),
        shares: [opening as f32, ending as f32],
        fixed: mix.drive as f32,
        result: result.share(0) as f32,
        score: movers_score.map(|score| white * score),
        game,
    }
}
