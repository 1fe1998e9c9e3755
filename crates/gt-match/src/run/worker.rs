//! A thread that plays one game of the schedule after the other.

use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::Sender;

use super::Match;
use super::gather::Finished;
use crate::contestant::Contestant;
use crate::game::{GamePlan, RunningSearch, Table, play};
use crate::random::Random;
use crate::schedule;

/// The games of a match, distributed one by one.
pub(super) struct Schedule<'a> {
    pub(super) plan: &'a Match,
    pub(super) players: usize,
    pub(super) per_round: usize,
    pub(super) next: AtomicUsize,
}

impl Schedule<'_> {
    /// The number of games, if known.
    pub(super) fn planned(&self) -> Option<usize> {
        self.plan.rounds.map(|rounds| rounds.saturating_mul(self.per_round))
    }

    fn take_next(&self) -> Option<GamePlan> {
        let number = self.next.fetch_add(1, Ordering::Relaxed);
        if self.planned().is_some_and(|planned| number >= planned) {
            return None;
        }
        let round = number / self.per_round;
        let blocks = schedule::blocks(self.plan.entrants.len(), self.players, round, self.plan.seed);
        let blocks_per_round = blocks.len();
        let mut games = blocks.into_iter().enumerate().flat_map(|(block, plan)| {
            plan.games.into_iter().map(move |seats| (round * blocks_per_round + block, seats))
        });
        let (block, seats) = games.nth(number % self.per_round)?;
        let seed = Random::stream(self.plan.seed ^ 0x9a3e, number as u64).next();
        Some(GamePlan { number, round, block, seats, seed })
    }
}

/// Plays games until there are none left or the match is stopped.
pub(super) fn work(
    schedule: &Schedule<'_>,
    table: &Table<'_>,
    running: &RunningSearch,
    results: &Sender<Finished>,
) {
    let entrants = &schedule.plan.entrants;
    // An entrant with several seats in a game has as many contestants.
    let mut idle: HashMap<usize, Vec<Contestant<'_>>> = HashMap::new();
    while !table.stop.load(Ordering::Relaxed)
        && let Some(plan) = schedule.take_next()
    {
        let opening = match schedule.plan.openings.get(plan.round) {
            Ok(opening) => opening,
            Err(problem) => {
                // There is no receiver only if the match has already ended.
                let _ = results.send(Err(problem));
                return;
            }
        };
        let seats = plan.seats.clone();
        let take = |&entrant: &usize| {
            let waiting = idle.get_mut(&entrant).and_then(Vec::pop);
            waiting.unwrap_or_else(|| Contestant::new(&entrants[entrant]))
        };
        let mut contestants: Vec<Contestant<'_>> = seats.iter().map(take).collect();
        let mut seated: Vec<&mut Contestant<'_>> = contestants.iter_mut().collect();
        let Some(game) = play(table, plan, opening, &mut seated, running) else { return };
        if results.send(Ok(game)).is_err() {
            return;
        }
        for (entrant, contestant) in seats.into_iter().zip(contestants) {
            idle.entry(entrant).or_default().push(contestant);
        }
    }
}
