//! The results of the workers, taken in one by one.

use std::collections::BTreeMap;
use std::sync::atomic::Ordering;
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::Duration;

use super::{EndedBy, Hooks, Match, Progress};
use crate::budget::Budget;
use crate::game::PlayedGame;
use crate::record::{GamesFile, saved};
use crate::standing::{GameSummary, Standing};
use crate::statistics::{Sprt, Verdict};

/// How often the match looks whether it is to stop.
const LOOK_EVERY: Duration = Duration::from_millis(20);

/// Takes in the results of the workers.
pub(super) struct Gathering<'a> {
    plan: &'a Match,
    budgets: Vec<Budget>,
    pub(super) standing: Standing,
    planned: Option<usize>,
    /// Games that were finished before one of an earlier number.
    early: BTreeMap<usize, GameSummary>,
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
            points: vec![0.0; plan.entrants.len()],
        }
    }

    /// Takes games until the workers have ended; `halt` stops them, and is called until they have.
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
                Err(RecvTimeoutError::Disconnected) => return end.unwrap_or(Ok(EndedBy::Schedule)),
                Ok(Err(problem)) => end = Some(Err(problem)),
                Ok(Ok(game)) => {
                    let kept = file.as_deref_mut().map_or(Ok(()), |file| self.save(file, &game));
                    if let Err(problem) = kept {
                        end = Some(Err(problem));
                    }
                    // What ends after the test has decided counts for nothing.
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

    /// Counts a game; whether the test has decided.
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
            if self.standing.games.len().is_multiple_of(2)
                && sprt.verdict(&self.standing.pentanomial()) != Verdict::PlayOn
            {
                return true;
            }
        }
        false
    }
}
