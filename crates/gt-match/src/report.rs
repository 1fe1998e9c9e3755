//! The results of a match, for people and for programs.

mod json;
mod text;

use std::time::Duration;

use gt_games::registry::GameKind;

use crate::budget::Budget;
use crate::run::{EndedBy, Match, processors};
use crate::schedule;
use crate::standing::{Score, Standing};
use crate::statistics::{Pentanomial, Ratings, Sprt, Verdict, ratings};

/// The results of a match.
#[derive(Clone, Debug)]
pub struct Report {
    game: GameKind,
    board: Option<String>,
    players: usize,
    seed: u64,
    openings: String,
    /// The number of openings played, and how many of them were repeated.
    rounds: usize,
    repeated: usize,
    budget: Budget,
    entrants: Vec<EntrantReport>,
    duel: Option<Duel>,
    ratings: Option<Ratings>,
    games: usize,
    ended: EndedBy,
    moves: usize,
    engine_time: Duration,
    overhead: Duration,
    elapsed: Duration,
    /// Whether more games ran at once than there are processors, although time counts.
    is_crowded: bool,
}

#[derive(Clone, Debug)]
struct EntrantReport {
    name: String,
    /// The budget, if it differs from the match's.
    budget: Option<Budget>,
    score: Score,
}

/// The result of two engines in a game of two players.
#[derive(Clone, Debug)]
struct Duel {
    pairs: Pentanomial,
    sprt: Option<SprtReport>,
}

#[derive(Clone, Copy, Debug)]
struct SprtReport {
    test: Sprt,
    ratio: f64,
    verdict: Verdict,
}

impl Report {
    pub(crate) fn new(
        plan: &Match,
        standing: Standing,
        players: usize,
        ended: EndedBy,
        elapsed: Duration,
    ) -> Self {
        let blocks = schedule::blocks(plan.entrants.len(), players, 0, plan.seed);
        let per_block = blocks.first().map_or(1, |block| block.games.len());
        let per_round = per_block * blocks.len();
        let scores = standing.scores(per_block);
        let entrant = |(score, entrant): (Score, &crate::Entrant)| EntrantReport {
            name: entrant.name.clone(),
            budget: Some(entrant.budget).filter(|budget| !budget.is_empty()),
            score,
        };
        let rounds = standing.games.len().div_ceil(per_round);
        let is_two = players == 2;
        let timed = plan.budgets().iter().any(Budget::depends_on_time);
        Self {
            game: plan.game,
            board: plan.setup.board.clone(),
            players,
            seed: plan.seed,
            openings: plan.openings.description(),
            rounds,
            repeated: plan.openings.repeated(rounds),
            budget: plan.budget,
            duel: (is_two && plan.entrants.len() == 2).then(|| Duel::of(&standing, plan.sprt)),
            ratings: (is_two && plan.entrants.len() > 2)
                .then(|| ratings(plan.entrants.len(), &standing.pairings()))
                .flatten(),
            entrants: scores.into_iter().zip(&plan.entrants).map(entrant).collect(),
            games: standing.games.len(),
            ended,
            moves: standing.moves(),
            engine_time: standing.engine_time(),
            overhead: standing.overhead(),
            elapsed,
            is_crowded: timed && plan.workers() > processors(),
        }
    }

    /// Returns the number of games that counted.
    #[must_use]
    pub fn games(&self) -> usize {
        self.games
    }

    /// Returns the score of each entrant.
    pub fn scores(&self) -> impl Iterator<Item = &Score> {
        self.entrants.iter().map(|entrant| &entrant.score)
    }

    /// Returns why the match ended.
    #[must_use]
    pub fn ended(&self) -> EndedBy {
        self.ended
    }

    /// Returns the report for people.
    #[must_use]
    pub fn text(&self) -> String {
        text::text(self)
    }

    /// Returns the report for programs.
    #[must_use]
    pub fn json(&self) -> serde_json::Value {
        json::json(self)
    }

    /// The time per move that no engine used.
    fn overhead_per_move(&self) -> Duration {
        u32::try_from(self.moves).ok().and_then(|moves| self.overhead.checked_div(moves)).unwrap_or_default()
    }
}

impl Duel {
    fn of(standing: &Standing, sprt: Option<Sprt>) -> Self {
        let pairs = standing.pentanomial();
        let sprt = sprt.map(|test| SprtReport {
            test,
            ratio: test.log_likelihood_ratio(&pairs),
            verdict: test.verdict(&pairs),
        });
        Self { pairs, sprt }
    }
}
