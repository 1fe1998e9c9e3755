//! A match: games handed out to workers, results gathered, the end found.
//!
//! ```text
//! schedule ──▶ next game ──▶ worker: contestants, play ──▶ results ──▶ file, standing, SPRT
//!                                     ▲ stop: the flag of every running search
//! ```
//!
//! A worker keeps its contestants from game to game: engines with their tables, programs that run. The sequential test looks
//! at games in their order, whoever finishes first, so that it decides the same way with any number of workers.

mod worker;

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use gt_games::registry::{GameKind, Setup};
use gt_play::external::{External, Start};

use crate::adjudicate::Rules;
use crate::budget::Budget;
use crate::contestant::Care;
use crate::entrant::{Entrant, Mind};
use crate::game::{PlayedGame, RunningSearch, Table};
use crate::opening::Openings;
use crate::record::{GamesFile, saved};
use crate::report::Report;
use crate::schedule;
use crate::standing::{GameSummary, Standing};
use crate::statistics::{Sprt, Verdict};
use worker::{Schedule, work};

/// How often the match looks whether it is to stop.
const LOOK_EVERY: Duration = Duration::from_millis(20);

/// What is played.
pub struct Match {
    /// The game.
    pub game: GameKind,
    /// Board and number of players.
    pub setup: Setup,
    /// Who takes part.
    pub entrants: Vec<Entrant>,
    /// What a move may spend, unless an entrant has a budget of its own.
    pub budget: Budget,
    /// Where games begin.
    pub openings: Openings,
    /// How many openings are played; as many as the test needs where there is no number.
    pub rounds: Option<usize>,
    /// What random choices are drawn from.
    pub seed: u64,
    /// How many games are played at once; 0 for as many as the machine has processors for.
    pub jobs: usize,
    /// When games end before their end.
    pub rules: Rules,
    /// A test that ends the match.
    pub sprt: Option<Sprt>,
    /// How far beyond its time a move may be.
    pub margin: Duration,
    /// How long a program may think about a move that time does not limit.
    pub patience: Duration,
    /// Where games are saved.
    pub games: Option<GamesFile>,
}

/// How a match talks to those who started it.
pub struct Hooks<'a> {
    /// Ends the match once it is `true`; games that are not over count for nothing.
    pub stop: &'a AtomicBool,
    /// Starts programs.
    pub start: &'a Start,
    /// Is told after every game.
    pub progress: &'a dyn Fn(&Progress),
}

/// How far a match has come.
#[derive(Clone, Debug, PartialEq)]
pub struct Progress {
    /// Games that were played.
    pub played: usize,
    /// Of so many, where that is known.
    pub planned: Option<usize>,
    /// The points of each entrant.
    pub points: Vec<f64>,
}

/// Why a match ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EndedBy {
    /// All games were played.
    Schedule,
    /// The test decided.
    Sprt,
    /// Somebody stopped it.
    Stop,
}

impl Match {
    /// The budget of each entrant.
    #[must_use]
    pub fn budgets(&self) -> Vec<Budget> {
        let own = |entrant: &Entrant| if entrant.budget.is_empty() { self.budget } else { entrant.budget };
        self.entrants.iter().map(own).collect()
    }

    /// Refuses what cannot be played. Each program is started once to see whether it can be.
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
            if let Mind::Program(options) = &entrant.mind {
                External::start(options, self.game, start)
                    .map_err(|fault| format!("engine {}: {fault}", entrant.name))?;
            }
        }
        Ok(())
    }

    /// How many workers play at once.
    #[must_use]
    pub fn workers(&self) -> usize {
        if self.jobs > 0 {
            return self.jobs;
        }
        let threads = |entrant: &Entrant| match &entrant.mind {
            Mind::Own(options) => options.threads,
            Mind::Program(_) => 1,
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
/// Something of it does not fit the game, a program cannot be started, or games cannot be saved; the sentence names it.
pub fn run(mut plan: Match, hooks: &Hooks<'_>) -> Result<Report, String> {
    let started = Instant::now();
    let players = plan.game.open(&plan.setup).map_err(|error| error.to_string())?.players();
    plan.check(players, hooks.start)?;
    let budgets = plan.budgets();
    plan.entrants.iter_mut().zip(&budgets).for_each(|(entrant, budget)| entrant.fit_table(plan.game, budget));
    let mut file = plan.games.take();
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
        care: Care { start: hooks.start, patience: plan.patience, margin: plan.margin },
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

/// Takes in the results of the workers.
struct Gathering<'a> {
    plan: &'a Match,
    budgets: Vec<Budget>,
    standing: Standing,
    planned: Option<usize>,
    /// Games that were finished before one of an earlier number.
    early: BTreeMap<usize, GameSummary>,
    points: Vec<f64>,
}

type Finished = Result<PlayedGame, String>;

impl<'a> Gathering<'a> {
    fn new(plan: &'a Match, players: usize, planned: Option<usize>) -> Self {
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
    fn gather(
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
        file.append(&saved).map_err(|error| format!("{}: {error}", file.path().display()))
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
            if self.standing.games.len() % 2 == 0
                && sprt.verdict(&self.standing.pentanomial()) != Verdict::PlayOn
            {
                return true;
            }
        }
        false
    }
}
