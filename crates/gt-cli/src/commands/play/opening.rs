//! The game that the command line asks for, set up.

use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

use gt_games::registry::GameKind;
use gt_games::saved::{self, SavedGame, SavedMove};
use gt_play::live::{LiveGame, LiveOptions, LogFolder, Program, Seat};

use super::arguments::Arguments;
use crate::failure::Failure;

/// What can be chosen about a game beside its seats; its searches are logged where `logs` says.
pub(super) fn options(logs: Option<&Path>) -> LiveOptions {
    LiveOptions { logs: logs.map(LogFolder::new), ..LiveOptions::default() }
}

/// The game, paused.
pub(super) fn open(arguments: &Arguments, options: LiveOptions) -> Result<LiveGame, Failure> {
    let kind = arguments.position.game();
    let begun = match &arguments.load {
        Some(path) => load(path, kind)?,
        None => begun(arguments)?,
    };
    let refused = |error: &dyn std::fmt::Display| Failure::new(error.to_string());
    let players = kind.open(&begun.setup).map_err(|error| refused(&error))?.players();
    let seats = seats(arguments, kind, players)?;
    let control = arguments.clock.unwrap_or_default();
    let game = LiveGame::new(kind, &begun.setup, seats, control, options).map_err(|error| refused(&error))?;
    if !begun.moves.is_empty() {
        game.load(begun).map_err(|error| refused(&error))?;
    }
    Ok(game)
}

/// The first game of a file.
pub(super) fn load(path: &Path, kind: GameKind) -> Result<SavedGame, Failure> {
    let text = std::fs::read(path).map_err(|error| Failure::about(path, error))?;
    match saved::read(&text, Some(kind)).next() {
        Some(Ok(game)) => Ok(game),
        Some(Err(error)) => Err(Failure::about(path, error)),
        None => Err(Failure::about(path, "there is no game in this file")),
    }
}

/// The setup and the moves that were given on the command line.
fn begun(arguments: &Arguments) -> Result<SavedGame, Failure> {
    let mut game = SavedGame::new(arguments.position.game());
    game.setup = arguments.position.setup()?;
    game.moves = arguments.position.moves().into_iter().map(SavedMove::new).collect();
    Ok(game)
}

/// A seat for each player: those that were named, then programs; without names, a person first.
fn seats(arguments: &Arguments, kind: GameKind, players: usize) -> Result<Vec<Seat>, Failure> {
    if arguments.seats.len() > players {
        let named = arguments.seats.len();
        return Err(Failure::new(format!(
            "--seat is given {named} times, but this game has {players} players"
        )));
    }
    let mut seats = Vec::new();
    for text in &arguments.seats {
        let seat = Seat::parse(text, kind, players);
        seats.push(seat.map_err(|error| Failure::new(format!("--seat {text}: {error}")))?);
    }
    if seats.is_empty() {
        seats.push(Seat::person());
    }
    seats.resize(players, Seat::Program(Program::best_for(kind, players)));
    let seed = arguments.seed.unwrap_or_else(some_number);
    for (player, (seat, text)) in seats.iter_mut().zip(with_blanks(&arguments.seats)).enumerate() {
        if let Seat::Program(program) = seat {
            program.level = program.level.or(arguments.level);
            program.budget.time = program.budget.time.or(arguments.time);
            if !text.contains("seed=") {
                program.engine.seed = seed.wrapping_add(player as u64);
            }
        }
    }
    Ok(seats)
}

/// The texts of all seats; those that were not named have none.
fn with_blanks(texts: &[String]) -> impl Iterator<Item = &str> {
    texts.iter().map(String::as_str).chain(std::iter::repeat(""))
}

/// A number that is another one every time.
fn some_number() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(1, |time| time.as_nanos() as u64)
}
