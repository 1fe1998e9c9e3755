//! Runs a match: distributes games to workers, collects results, decides when to stop.
//!
//! ```text
//! schedule ──▶ next game ──▶ worker: contestants, play ──▶ results ──▶ file, standing, SPRT
//!                                     ▲ stop: the flag of every running search
//! ```
//!
//! A worker keeps its contestants from game to game: engines with their tables, and running programs. The sequential
//! test processes games in order, whichever finishes first, so that it decides the same way with any number of
//! workers.

mod gather;
mod worker;

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::channel;
use std::time::{Duration, Instant};

use gt_games::registry::{GameKind, Setup};
use gt_play::external::{External, Start};

use crate::adjudicate::Rules;
use crate::budget::Budget;
use crate::contestant::ProgramRules;
use crate::entrant::{Entrant, MoveSource};
use crate::game::{RunningSearch, Table};
use crate::opening::Openings;
use crate::record::{GamesFile, GamesTarget};
use crate::report::Report;
use crate::schedule;
use crate::statistics::Sprt;
use gather::Gathering;
use worker::{Schedule, work};

/// The plan of a match.
pub struct Match {
    /// The game.
    pub game: GameKind,
    /// The board and the number of players.
    pub setup: Setup,
    /// The participants.
    pub entrants: Vec<Entrant>,
    /// The limits of a move, unless an entrant has its own.
    pub budget: Budget,
    /// The openings.
    pub openings: Openings,
    /// The number of openings to play; by default as many as the test needs.
    pub rounds: Option<usize>,
    /// The seed of random choices.
    pub seed: u64,
    /// The number of games played at once; 0 for as many as the machine has processors for.
    pub jobs: usize,
    /// The rules that end games early.
    pub rules: Rules,
    /// A test that ends the match.
    pub sprt: Option<Sprt>,
    /// The tolerance by which a move may exceed its time.
    pub margin: Duration,
    /// The time a program may think about a move without a time limit.
    pub patience: Duration,
    /// The destination of saved games.
    pub games: Option<GamesTarget>,
}

/// The callbacks of a match.
pub struct Hooks<'a> {
    /// Ends the match when it becomes `true`; unfinished games do not count.
    pub stop: &'a AtomicBool,
    /// Starts programs.
    pub start: &'a Start,
    /// Called after every game.
    pub progress: &'a dyn Fn(&Progress),
}

/// The progress of a match.
#[derive(Clone, Debug, PartialEq)]
pub struct Progress {
    /// The number of games played.
    pub played: usize,
    /// The total number of games, if known.
    pub planned: Option<usize>,
    /// The points of each entrant.
    pub points: Vec<f64>,
}

/// The reason why a match ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EndedBy {
    /// All games were played.
    Schedule,
    /// The test decided.
    Sprt,
    /// It was stopped.
    Stop,
}

impl Match {
    /// Returns the budget of each entrant.
    #[must_use]
    pub fn budgets(&self) -> Vec<Budget> {
        let own = |entrant: &Entrant| if entrant.budget.is_empty() { self.budget } else { entrant.budget };
        self.entrants.iter().map(own).collect()
    }

    /// Rejects a match that cannot be played. Each program is started once as a test.
    fn check(&self, players: usize, start: &Start) -> Result<(), String> {
        if self.entrants.len() < 2 {
            return Err("a match needs two engines or more".to_owned());
        }
        if players > 2 && (self.rules.draw.is_some() || self.rules.resign.is_some()) {
            return Err("values that agree on a draw or a win are for two players".to_owned());
        }
        if self.sprt.is_some() && (players > 2 || self.entrants.len() > 2) {
            return Err("the sequential test is for two engines and two players".to_owned());
        }
        if let Some(problem) = self.budget.problem() {
            return Err(problem.to_owned());
        }
        for (entrant, budget) in self.entrants.iter().zip(self.budgets()) {
            entrant.check(self.game, &self.setup, &budget)?;
            if let MoveSource::Program(options) = &entrant.source {
                External::start(options, self.game, start)
                    .map_err(|fault| format!("engine {}: {fault}", entrant.name))?;
            }
        }
        Ok(())
    }

    /// Returns the number of workers that play at once.
    #[must_use]
    pub fn workers(&self) -> usize {
        if self.jobs > 0 {
            return self.jobs;
        }
        let threads = |entrant: &Entrant| match &entrant.source {
            MoveSource::Own(options) => options.threads,
            MoveSource::Program(_) => 1,
        };
        let most = self.entrants.iter().map(threads).max().unwrap_or(1).max(1);
        (processors() / most).max(1)
    }
}

pub(crate) fn processors() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// Plays a match.
///
/// # Errors
/// Returns a sentence if a part of it does not fit the game, a program cannot be started, or games cannot be saved.
pub fn run(mut plan: Match, hooks: &Hooks<'_>) -> Result<Report, String> {
    let started = Instant::now();
    let players = plan.game.open(&plan.setup).map_err(|error| error.to_string())?.players();
    plan.check(players, hooks.start)?;
    let budgets = plan.budgets();
    plan.entrants.iter_mut().zip(&budgets).for_each(|(entrant, budget)| entrant.fit_table(plan.game, budget));
    let mut file = plan.games.as_ref().map(GamesFile::open).transpose()?;
    let per_round: usize = schedule::blocks(plan.entrants.len(), players, 0, plan.seed)
        .iter()
        .map(|block| block.games.len())
        .sum();
    let schedule = Schedule { plan: &plan, players, per_round, next: AtomicUsize::new(0) };
    let halt = AtomicBool::new(false);
    let table = Table {
        game: plan.game,
        budgets,
        rules: plan.rules,
        programs: ProgramRules { start: hooks.start, patience: plan.patience, margin: plan.margin },
        stop: &halt,
    };
    let running: Vec<RunningSearch> = (0..plan.workers()).map(|_| RunningSearch::default()).collect();
    let gathered = std::thread::scope(|scope| {
        let (results, games) = channel();
        for search in &running {
            let (results, schedule, table) = (results.clone(), &schedule, &table);
            scope.spawn(move || work(schedule, table, search, &results));
        }
        drop(results);
        let mut gathering = Gathering::new(&plan, players, schedule.planned());
        let gathered = gathering.gather(&games, hooks, file.as_mut(), &|| {
            halt.store(true, Ordering::Relaxed);
            running.iter().for_each(RunningSearch::stop);
        });
        gathered.map(|ended| (gathering.standing, ended))
    });
    let (standing, ended) = gathered?;
    Ok(Report::new(&plan, standing, players, ended, started.elapsed()))
}
