//! An entrant at the board: an engine of ours, or a program started for it.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use gt_games::registry::{AnyGame, GameKind, Setup};
use gt_play::external::{self, External, Fault, ProgramOptions, Question};
use gt_play::{Algorithm, Engine, EngineOptions, Pace, Request};
use gt_search::Limits;

use crate::budget::Budget;
use crate::cpu::CpuWatch;
use crate::entrant::{Entrant, MoveSource};
use crate::opening::Opening;

/// The time that a move of ours loses between the clock and the search.
const OVERHEAD: Duration = Duration::from_millis(5);

/// How programs are started, and how long they may take.
pub(crate) struct ProgramRules<'a> {
    pub(crate) start: &'a external::Start,
    /// The time a program may think about a move without a time limit.
    pub(crate) patience: Duration,
    /// The tolerance by which a move may exceed its time.
    pub(crate) margin: Duration,
}

/// A player that is asked for moves.
pub(crate) enum Contestant<'a> {
    Own { options: &'a EngineOptions, engine: Option<Box<dyn Engine>>, watch: Option<CpuWatch> },
    Program { options: &'a ProgramOptions, program: Option<External> },
}

/// The turn for which a move is needed.
pub(crate) struct Turn<'a> {
    pub(crate) position: &'a dyn AnyGame,
    pub(crate) opening: &'a Opening,
    /// All moves from the opening's setup on.
    pub(crate) moves: &'a [String],
    pub(crate) budget: Budget,
    /// The time left on the mover's clock.
    pub(crate) left: Duration,
    /// The time left on all clocks.
    pub(crate) clocks: &'a [Duration],
    /// Ends the search from outside.
    pub(crate) stop: &'a Arc<AtomicBool>,
}

/// A found move.
pub(crate) struct Found {
    pub(crate) text: String,
    pub(crate) value: Option<i32>,
    pub(crate) depth: Option<u16>,
    pub(crate) elapsed: Duration,
}

/// The reason why there is no move.
pub(crate) enum Failure {
    /// The contestant loses: a word or two for tables, and the reason.
    Forfeit { kind: &'static str, reason: String },
    /// The match ended.
    Stopped,
}

impl From<Fault> for Failure {
    fn from(fault: Fault) -> Self {
        match fault {
            Fault::GivenUp => Self::Stopped,
            fault => Self::Forfeit { kind: fault.kind(), reason: fault.to_string() },
        }
    }
}

impl<'a> Contestant<'a> {
    pub(crate) fn new(entrant: &'a Entrant) -> Self {
        match &entrant.source {
            MoveSource::Own(options) => Self::Own { options, engine: None, watch: None },
            MoveSource::Program(options) => Self::Program { options, program: None },
        }
    }

    /// Prepares for another game; starts a program that is not running.
    pub(crate) fn new_game(
        &mut self,
        game: GameKind,
        opening: &Opening,
        seed: u64,
        rules: &ProgramRules<'_>,
    ) -> Result<(), Failure> {
        match self {
            Self::Own { options, engine, .. } => {
                let is_random = is_random(options);
                match engine {
                    Some(engine) if !is_random => engine.forget(),
                    _ => *engine = Some(open(options, game, &opening.setup, seed)?),
                }
                Ok(())
            }
            Self::Program { options, program } => {
                let begun = begin(options, program.take(), game, opening, rules)?;
                *program = Some(begun);
                Ok(())
            }
        }
    }

    pub(crate) fn think(&mut self, turn: &Turn<'_>, rules: &ProgramRules<'_>) -> Result<Found, Failure> {
        let gone = || Failure::Forfeit { kind: "crash", reason: "crash: the engine has ended".to_owned() };
        match self {
            Self::Own { engine, watch, .. } => {
                let mut thinking = engine.take().ok_or_else(gone)?;
                // An engine that panicked is not used again: its memory may be corrupt.
                let found = catch_unwind(AssertUnwindSafe(|| think(&mut *thinking, watch, turn)));
                let found = found.map_err(|_| gone())?;
                *engine = Some(thinking);
                found
            }
            Self::Program { program, .. } => {
                let answer = ask(program.as_mut().ok_or_else(gone)?, turn, rules);
                if answer.as_ref().is_err_and(|fault| !fault.leaves_it_usable()) {
                    *program = None;
                }
                Ok(answer?)
            }
        }
    }
}

/// Whether its play depends on a seed, which differs in every game.
fn is_random(options: &EngineOptions) -> bool {
    options.algorithm == Some(Algorithm::Uct) || options.book.is_some() || options.strength.is_some()
}

/// Opens an engine. Playouts, mistakes of a weak engine and choices from a book are drawn from the game's seed and
/// the engine's own.
fn open(
    options: &EngineOptions,
    game: GameKind,
    setup: &Setup,
    seed: u64,
) -> Result<Box<dyn Engine>, Failure> {
    let options = EngineOptions { seed: options.seed ^ seed, ..options.clone() };
    options
        .open(game, setup)
        .map_err(|error| Failure::Forfeit { kind: "not started", reason: error.to_string() })
}

/// A program that is ready for a game: the running one, or a new one.
fn begin(
    options: &ProgramOptions,
    running: Option<External>,
    game: GameKind,
    opening: &Opening,
    rules: &ProgramRules<'_>,
) -> Result<External, Fault> {
    let position = if opening.setup == Setup::default() { None } else { game.open(&opening.setup).ok() };
    let position = position.map(|position| position.position_text());
    if let Some(mut program) = running
        && program.new_game(position.as_deref()).is_ok()
    {
        return Ok(program);
    }
    let mut program = External::start(options, game, rules.start)?;
    program.new_game(position.as_deref())?;
    Ok(program)
}

fn think(engine: &mut dyn Engine, watch: &mut Option<CpuWatch>, turn: &Turn<'_>) -> Result<Found, Failure> {
    let refused = |error: gt_play::Error| Failure::Forfeit { kind: "refused", reason: error.to_string() };
    engine.set_position(&turn.opening.setup, turn.moves).map_err(refused)?;
    let budget = &turn.budget;
    let allowance = budget.clock.and_then(|clock| {
        Pace::Clock { left: turn.left, increment: clock.increment, moves_to_go: None }.allowance(OVERHEAD)
    });
    let mut limits = Limits::default();
    limits.depth_max = budget.depth.unwrap_or(limits.depth_max);
    limits.nodes_max = budget.nodes.unwrap_or(limits.nodes_max);
    limits.time_max = budget.time.or(allowance.map(|allowance| allowance.hard));
    limits.stop = Some(turn.stop.clone());
    let watch = budget.cpu.map(|time| (watch.get_or_insert_with(CpuWatch::start), time));
    if let Some((watch, time)) = &watch {
        watch.begin(*time, turn.stop);
    }
    let started = Instant::now();
    let thought = engine.think(&Request::new(limits), &mut |_| {
        if allowance.is_some_and(|allowance| started.elapsed() >= allowance.soft) {
            turn.stop.store(true, Ordering::Relaxed);
        }
    });
    let elapsed = started.elapsed();
    if let Some((watch, _)) = watch {
        watch.end();
    }
    let no_move =
        || Failure::Forfeit { kind: "no move", reason: "no move, though there are legal ones".to_owned() };
    let text = thought.best.ok_or_else(no_move)?;
    let is_searched = !thought.is_from_book;
    let value = thought.progress.lines.first().filter(|_| is_searched).map(|line| line.value);
    Ok(Found { text, value, depth: is_searched.then_some(thought.progress.depth), elapsed })
}

fn ask(program: &mut External, turn: &Turn<'_>, rules: &ProgramRules<'_>) -> Result<Found, Fault> {
    let budget = &turn.budget;
    // The protocol has clocks for two; with more players, each gets its own time in both places.
    let clocks = match turn.clocks {
        [first, second] => [*first, *second],
        _ => [turn.left; 2],
    };
    let time = budget.time.or(budget.clock.map(|_| turn.left));
    let question = Question {
        position: turn.position,
        moves: turn.moves,
        budget: external::Budget {
            depth: budget.depth,
            nodes: budget.nodes,
            time: budget.time,
            cpu: budget.cpu,
            clocks: budget.clock.map(|clock| (clocks, clock.increment)),
        },
        patience: time.map_or(rules.patience, |time| time + rules.margin),
        stop: turn.stop,
    };
    let reply = program.think(&question)?;
    Ok(Found { text: reply.best, value: reply.value, depth: reply.depth, elapsed: reply.elapsed })
}

#[cfg(test)]
mod tests;
