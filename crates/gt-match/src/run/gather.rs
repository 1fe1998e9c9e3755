//! Collects the results of the workers one by one.

use std::collections::BTreeMap;
use std::sync::atomic::Ordering;
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::Duration;

use super::{EndedBy, Hooks, Match, Progress};
use crate::budget::Budget;
use crate::game::PlayedGame;
use crate::record::{GamesFile, saved};
use crate::standing::{GameSummary, Standing};
use crate::statistics::{Pentanomial, Sprt, Verdict};

/// The interval at which the match checks the stop flag.
const LOOK_EVERY: Duration = Duration::from_millis(20);

/// Collects the results of the workers.
pub(super) struct Gathering<'a> {
    plan: &'a Match,
    budgets: Vec<Budget>,
    pub(super) standing: Standing,
    planned: Option<usize>,
    /// Games that finished before one with a lower number.
    early: BTreeMap<usize, GameSummary>,
    /// The pairs of games that the test has processed.
    pairs: Pentanomial,
    points: Vec<f64>,
}

pub(super) type Finished = Result<PlayedGame, String>;

impl<'a> Gathering<'a> {
    pub(super) fn new(plan: &'a Match, players: usize, planned: Option<usize>) -> Self {
        let standing = Standing { games: Vec::new(), entrants: plan.entrants.len(), players };
        Self {
            plan,
            budgets: plan.budgets(),
            standing,
            planned,
            early: BTreeMap::new(),
            pairs: Pentanomial::default(),
            points: vec![0.0; plan.entrants.len()],
        }
    }

    /// Collects games until the workers have ended; `halt` stops them, and is called until they have.
    pub(super) fn gather(
        &mut self,
        games: &Receiver<Finished>,
        hooks: &Hooks<'_>,
        mut file: Option<&mut GamesFile>,
        halt: &dyn Fn(),
    ) -> Result<EndedBy, String> {
        let mut end: Option<Result<EndedBy, String>> = None;
        loop {
            if end.is_none() && hooks.stop.load(Ordering::Relaxed) {
                end = Some(Ok(EndedBy::Stop));
            }
            if end.is_some() {
                halt();
            }
            match games.recv_timeout(LOOK_EVERY) {
                Err(RecvTimeoutError::Timeout) => (),
                Err(RecvTimeoutError::Disconnected) => {
                    if matches!(end, Some(Ok(EndedBy::Stop))) {
                        self.standing.games.extend(std::mem::take(&mut self.early).into_values());
                    }
                    return end.unwrap_or(Ok(EndedBy::Schedule));
                }
                Ok(Err(problem)) => end = Some(Err(problem)),
                Ok(Ok(game)) => {
                    let kept = file.as_deref_mut().map_or(Ok(()), |file| self.save(file, &game));
                    if let Err(problem) = kept {
                        end = Some(Err(problem));
                    }
                    // Games that end after the test's decision do not count.
                    if matches!(end, None | Some(Ok(EndedBy::Stop))) && self.take(&game, hooks) {
                        end = Some(Ok(EndedBy::Sprt));
                    }
                }
            }
        }
    }

    fn save(&self, file: &mut GamesFile, game: &PlayedGame) -> Result<(), String> {
        let saved = saved(self.plan.game, game, &self.plan.entrants, &self.budgets);
        file.append(&saved)
    }

    /// Counts a game, and returns whether the test has decided.
    fn take(&mut self, game: &PlayedGame, hooks: &Hooks<'_>) -> bool {
        let summary = GameSummary::of(game);
        for (seat, &entrant) in summary.seats.iter().enumerate() {
            self.points[entrant] += summary.result.share(seat);
        }
        let has_decided = match self.plan.sprt {
            None => {
                self.standing.games.push(summary);
                false
            }
            Some(sprt) => self.take_in_order(summary, &sprt),
        };
        let played = self.standing.games.len() + self.early.len();
        (hooks.progress)(&Progress { played, planned: self.planned, points: self.points.clone() });
        has_decided
    }

    fn take_in_order(&mut self, summary: GameSummary, sprt: &Sprt) -> bool {
        self.early.insert(summary.number, summary);
        while let Some(next) = self.early.remove(&self.standing.games.len()) {
            self.standing.games.push(next);
            if let ([.., first, second], true) =
                (&self.standing.games[..], self.standing.games.len().is_multiple_of(2))
            {
                self.pairs.add(first.points(0).points + second.points(0).points);
                if sprt.verdict(&self.pairs) != Verdict::PlayOn {
                    return true;
                }
            }
        }
        false
    }
}
