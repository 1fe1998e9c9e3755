//! Explanations of an evaluation: its terms player by player, and maps of the board.
//!
//! ```text
//!                 white   black
//! territory        4 x 30   4 x 28      a term: what it counts, what one of them weighs
//! mobility         1 x 41   1 x 38
//!                 ------   ------
//!                   161     150         white's value is 161 - 150 = 11, black's -11
//! ```
//!
//! Evaluations that change in the course of the game mix two weights, so a share can be a fraction: shares are whole
//! numbers of [`Breakdown::unit`]ths.
//!
//! **Invariant**, tested for every evaluation: the shares of a player add up to his sum. The sums, balanced as
//! [`Balance`] says and divided by the unit (towards zero), are the values of [`gt_search::EvaluateAll`], and the
//! mover's is that of [`gt_search::Evaluate`]. No search calls this: it is for people, and may be slow.

mod lines;
mod map;
mod moves;
mod term;

pub(crate) use lines::Marks;
pub use map::{MapCell, SquareMap};
pub(crate) use map::{more_of, over_squares};
pub use moves::{MoveValue, after_each_move};
pub use term::{Share, Term, Weight};

use gt_search::{Evaluate, EvaluateAll, Game};

/// An evaluation that can explain its value.
pub trait Explain<G: Game> {
    /// Returns the terms and the maps of a position.
    fn break_down(&self, game: &G) -> Breakdown;
}

/// How the players' sums become their values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Balance {
    /// For two players: a player's value is his sum minus the opponent's.
    Difference,
    /// A player's value is his own sum. Searches for two sides take the mover's minus the best of the others'.
    Own,
}

/// The progress of the game, for evaluations that weigh by it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Phase {
    /// The current phase: `of` at the start, 0 at the very end.
    pub now: i32,
    /// The phase at the start.
    pub of: i32,
}

/// The parts of a value.
#[derive(Clone, Debug, PartialEq)]
pub struct Breakdown {
    /// How the sums become the values.
    pub balance: Balance,
    /// The unit of the numbers: `hundredths of a pawn`, `squares` …
    pub measure: &'static str,
    /// The denominator of the shares: 1 if no share is a fraction.
    pub unit: i64,
    /// The phase, if the evaluation weighs by it.
    pub phase: Option<Phase>,
    /// The terms; those of one group are adjacent.
    pub terms: Vec<Term>,
    /// The maps that can be painted on the board.
    pub maps: Vec<SquareMap>,
}

impl Breakdown {
    /// Makes a breakdown without phase or fractions.
    pub fn plain(measure: &'static str, terms: Vec<Term>, maps: Vec<SquareMap>) -> Self {
        Self { balance: Balance::Difference, measure, unit: 1, phase: None, terms, maps }
    }

    /// Returns the sum of a player's shares, in [`Breakdown::unit`]ths.
    pub fn sum(&self, player: usize) -> i64 {
        self.terms.iter().filter_map(|term| term.shares.get(player)).map(|share| share.value).sum()
    }

    /// Returns the value that follows from the terms, for each of `players`.
    pub fn values(&self, players: usize) -> Vec<i64> {
        let value = |player: usize| match self.balance {
            Balance::Difference => (self.sum(player) - self.sum(1 - player.min(1))) / self.unit,
            Balance::Own => self.sum(player) / self.unit,
        };
        (0..players).map(value).collect()
    }

    /// Converts a share's value to a number of the evaluation.
    pub fn in_measure(&self, value: i64) -> f64 {
        value as f64 / self.unit as f64
    }
}

/// A position as an evaluation sees it.
#[derive(Clone, Debug, PartialEq)]
pub struct Explanation {
    /// The evaluation's name.
    pub evaluation: &'static str,
    /// Each player's value, as searches for many players use it.
    pub values: Vec<i32>,
    /// The mover's value, as searches for two sides use it.
    pub mover_value: i32,
    /// The parts of these values.
    pub breakdown: Breakdown,
}

impl Explanation {
    /// Explains a position by an evaluation.
    pub fn of<G, E>(game: &G, evaluation: &E, name: &'static str) -> Self
    where
        G: Game,
        E: Evaluate<G> + EvaluateAll<G> + Explain<G>,
    {
        let mut values = vec![0; game.players()];
        evaluation.evaluate_all(game, &mut values);
        let mover_value = evaluation.evaluate(game);
        Self { evaluation: name, values, mover_value, breakdown: evaluation.break_down(game) }
    }
}
