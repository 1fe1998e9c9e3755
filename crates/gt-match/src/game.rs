//! One game of a match, from its opening to its result.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use gt_games::registry::{AnyGame, GameKind};

use crate::adjudicate::{Adjudicator, Rules, Ruling};
use crate::budget::Budget;
use crate::contestant::{Care, Contestant, Failure, Found, Turn};
use crate::ending::Ending;
use crate::opening::Opening;
use crate::random::Random;

/// Which game is to be played.
#[derive(Clone, Debug)]
pub(crate) struct GamePlan {
    /// Its place in the match, from 0.
    pub(crate) number: usize,
    /// From 0.
    pub(crate) round: usize,
    /// The block that it belongs to, from 0.
    pub(crate) block: usize,
    /// The entrant in each seat.
    pub(crate) seats: Vec<usize>,
    pub(crate) seed: u64,
}

/// A move that was played, and what its player said about it.
#[derive(Clone, Debug)]
pub(crate) struct PlayedMove {
    pub(crate) text: String,
    pub(crate) value: Option<i32>,
    pub(crate) depth: Option<u16>,
    pub(crate) elapsed: Duration,
}

/// A game that was played to an end.
#[derive(Clone, Debug)]
pub(crate) struct PlayedGame {
    pub(crate) plan: GamePlan,
    pub(crate) opening: Arc<Opening>,
    pub(crate) moves: Vec<PlayedMove>,
    pub(crate) ending: Ending,
    /// What the engines took, and the whole game.
    pub(crate) engine_time: Duration,
    pub(crate) time: Duration,
}

/// What is the same for every game of a match.
pub(crate) struct Table<'a> {
    pub(crate) game: GameKind,
    /// What each entrant may spend.
    pub(crate) budgets: Vec<Budget>,
    pub(crate) rules: Rules,
    pub(crate) care: Care<'a>,
    /// Ends the match.
    pub(crate) stop: &'a AtomicBool,
}

/// The flag of the search that runs, where somebody else can raise it.
#[derive(Default)]
pub(crate) struct RunningSearch(Mutex<Arc<AtomicBool>>);

impl RunningSearch {
    pub(crate) fn stop(&self) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).store(true, Ordering::Relaxed);
    }

    /// A flag for another search.
    fn renew(&self) -> Arc<AtomicBool> {
        let flag = Arc::new(AtomicBool::new(false));
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = flag.clone();
        flag
    }
}

/// Plays a game; `None` where the match was stopped before its end. `seated` has a contestant for each seat.
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
    /// Those of the contestants.
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
            let ready = contestant.new_game(self.table.game, &self.opening, seed, &self.table.care);
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
            let found = match seated[seat].think(&self.turn(seat, &flag), &self.table.care) {
                // A search that was stopped from outside is not what the engine would have played.
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

    /// Plays a move; the ending, if it or its time ends the game.
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

    /// Takes the time of a move off its clock; how much it is too late, if it is.
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
        (elapsed > most + self.table.care.margin).then(|| elapsed - most)
    }

    fn lost(&self, seat: usize, failure: Failure) -> Option<Ending> {
        match failure {
            Failure::Stopped => None,
            Failure::Forfeit { kind, reason } => Some(Ending::fault(seat, self.clocks.len(), kind, reason)),
        }
    }
}
