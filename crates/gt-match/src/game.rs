//! One game of a match, from its opening to its result.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use gt_games::registry::{AnyGame, GameKind};

use crate::adjudicate::{Adjudicator, Rules, Ruling};
use crate::budget::Budget;
use crate::contestant::{Contestant, Failure, Found, ProgramRules, Turn};
use crate::ending::Ending;
use crate::opening::Opening;
use crate::random::Random;

/// The plan of a game.
#[derive(Clone, Debug)]
pub(crate) struct GamePlan {
    /// Its index in the match.
    pub(crate) number: usize,
    /// The round, from 0.
    pub(crate) round: usize,
    /// The block that it belongs to, from 0.
    pub(crate) block: usize,
    /// The entrant in each seat.
    pub(crate) seats: Vec<usize>,
    pub(crate) seed: u64,
}

/// A played move, and its player's report.
#[derive(Clone, Debug)]
pub(crate) struct PlayedMove {
    pub(crate) text: String,
    pub(crate) value: Option<i32>,
    pub(crate) depth: Option<u16>,
    pub(crate) elapsed: Duration,
}

/// A finished game.
#[derive(Clone, Debug)]
pub(crate) struct PlayedGame {
    pub(crate) plan: GamePlan,
    pub(crate) opening: Arc<Opening>,
    pub(crate) moves: Vec<PlayedMove>,
    pub(crate) ending: Ending,
    /// The time of the engines, and of the whole game.
    pub(crate) engine_time: Duration,
    pub(crate) time: Duration,
}

/// The data shared by all games of a match.
pub(crate) struct Table<'a> {
    pub(crate) game: GameKind,
    /// The limits of each entrant.
    pub(crate) budgets: Vec<Budget>,
    pub(crate) rules: Rules,
    pub(crate) programs: ProgramRules<'a>,
    /// Ends the match.
    pub(crate) stop: &'a AtomicBool,
}

/// The flag of the running search, which others can set.
#[derive(Default)]
pub(crate) struct RunningSearch(Mutex<Arc<AtomicBool>>);

impl RunningSearch {
    pub(crate) fn stop(&self) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).store(true, Ordering::Relaxed);
    }

    /// Makes a flag for another search.
    fn renew(&self) -> Arc<AtomicBool> {
        let flag = Arc::new(AtomicBool::new(false));
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = flag.clone();
        flag
    }
}

/// Plays a game; `None` if the match was stopped before its end. `seated` has a contestant for each seat.
pub(crate) fn play(
    table: &Table<'_>,
    plan: GamePlan,
    opening: Arc<Opening>,
    seated: &mut [&mut Contestant<'_>],
    running: &RunningSearch,
) -> Option<PlayedGame> {
    let started = Instant::now();
    let position = opening.position(table.game).ok()?;
    let texts = opening.moves.clone();
    let clocks = plan
        .seats
        .iter()
        .map(|&entrant| table.budgets[entrant].clock.map_or(Duration::ZERO, |clock| clock.base));
    let mut game = Game {
        table,
        clocks: clocks.collect(),
        plan,
        opening,
        position,
        texts,
        moves: Vec::new(),
        adjudicator: Adjudicator::default(),
        engine_time: Duration::ZERO,
    };
    let ending = game.run(seated, running)?;
    let Game { plan, opening, moves, engine_time, .. } = game;
    Some(PlayedGame { plan, opening, moves, ending, engine_time, time: started.elapsed() })
}

struct Game<'a> {
    table: &'a Table<'a>,
    plan: GamePlan,
    opening: Arc<Opening>,
    position: Box<dyn AnyGame>,
    /// All moves from the opening's setup on.
    texts: Vec<String>,
    /// The moves of the contestants.
    moves: Vec<PlayedMove>,
    clocks: Vec<Duration>,
    adjudicator: Adjudicator,
    engine_time: Duration,
}

impl Game<'_> {
    /// The hashes of all positions that were on the board.
    fn hashes(&self) -> Vec<u64> {
        let Ok(mut position) = self.table.game.open(&self.opening.setup) else { return Vec::new() };
        let mut hashes = vec![position.hash()];
        for text in &self.texts {
            if position.play(text).is_err() {
                break;
            }
            hashes.push(position.hash());
        }
        hashes
    }

    fn run(&mut self, seated: &mut [&mut Contestant<'_>], running: &RunningSearch) -> Option<Ending> {
        for (seat, contestant) in seated.iter_mut().enumerate() {
            let seed = Random::stream(self.plan.seed, seat as u64).next();
            let ready = contestant.new_game(self.table.game, &self.opening, seed, &self.table.programs);
            if let Err(failure) = ready {
                return self.lost(seat, failure);
            }
        }
        loop {
            if let Some(outcome) = self.position.outcome() {
                return Some(Ending::by_rules(&*self.position, outcome, &self.hashes()));
            }
            if self.table.rules.plies_max.is_some_and(|most| self.texts.len() >= most as usize) {
                let reason = format!("adjudicated: {} plies", self.texts.len());
                return Some(Ending::draw(self.clocks.len(), reason));
            }
            let seat = self.position.to_move();
            let flag = running.renew();
            if self.table.stop.load(Ordering::Relaxed) {
                return None;
            }
            let found = match seated[seat].think(&self.turn(seat, &flag), &self.table.programs) {
                // A search stopped from outside did not find what the engine would have played.
                Ok(_) if self.table.stop.load(Ordering::Relaxed) => return None,
                Ok(found) => found,
                Err(failure) => return self.lost(seat, failure),
            };
            if let Some(ending) = self.take(seat, found) {
                return Some(ending);
            }
        }
    }

    fn turn<'t>(&'t self, seat: usize, stop: &'t Arc<AtomicBool>) -> Turn<'t> {
        Turn {
            position: &*self.position,
            opening: &self.opening,
            moves: &self.texts,
            budget: self.budget(seat),
            left: self.clocks[seat],
            clocks: &self.clocks,
            stop,
        }
    }

    fn budget(&self, seat: usize) -> Budget {
        self.table.budgets[self.plan.seats[seat]]
    }

    /// Plays a move, and returns the ending if the move or its time ends the game.
    fn take(&mut self, seat: usize, found: Found) -> Option<Ending> {
        let Found { text, value, depth, elapsed } = found;
        self.engine_time += elapsed;
        if let Some(over) = self.spend(seat, elapsed) {
            let reason = format!("time: {:.0} ms too late", over.as_secs_f64() * 1e3);
            return self.lost(seat, Failure::Forfeit { kind: "time", reason });
        }
        if let Err(error) = self.position.play(&text) {
            let reason = format!("illegal move {text}: {}", error.problem);
            return self.lost(seat, Failure::Forfeit { kind: "illegal move", reason });
        }
        self.texts.push(text.clone());
        self.moves.push(PlayedMove { text, value, depth, elapsed });
        if self.clocks.len() > 2 || self.position.outcome().is_some() {
            return None;
        }
        let plies = self.texts.len() as u32;
        match self.adjudicator.see(&self.table.rules, seat, value, plies)? {
            Ruling::Draw => Some(Ending::draw(2, "adjudicated: both see a draw")),
            Ruling::Loss(loser) => Some(Ending::loss(loser, "adjudicated: both see a win")),
        }
    }

    /// Subtracts the time of a move from its clock, and returns by how much it is exceeded, if it is.
    fn spend(&mut self, seat: usize, elapsed: Duration) -> Option<Duration> {
        let budget = self.budget(seat);
        let most = match (budget.clock, budget.time) {
            (Some(_), _) => self.clocks[seat],
            (None, Some(time)) => time,
            (None, None) => return None,
        };
        if let Some(clock) = budget.clock {
            self.clocks[seat] = self.clocks[seat].saturating_sub(elapsed) + clock.increment;
        }
        (elapsed > most + self.table.programs.margin).then(|| elapsed - most)
    }

    fn lost(&self, seat: usize, failure: Failure) -> Option<Ending> {
        match failure {
            Failure::Stopped => None,
            Failure::Forfeit { kind, reason } => Some(Ending::fault(seat, self.clocks.len(), kind, reason)),
        }
    }
}
