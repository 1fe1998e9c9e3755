//! What a client wishes for: a new game, somebody in a seat.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use gt_games::registry::{GameKind, Setup};
use gt_play::live::{Budget, LiveOptions, Program, Seat, TimeControl};
use gt_play::{Level, LiveGame};
use serde::Deserialize;

use crate::error::{Answer, Refusal};

/// A new game.
#[derive(Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub(crate) struct NewGame {
    game: String,
    #[serde(default)]
    board: Option<String>,
    #[serde(default)]
    players: Option<usize>,
    #[serde(default)]
    position: String,
    #[serde(default)]
    clock: Option<String>,
    seats: Vec<SeatWish>,
}

/// Who is to sit at a place.
#[derive(Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub(crate) enum SeatWish {
    Person {
        #[serde(default)]
        #[cfg_attr(test, ts(optional = nullable))]
        name: Option<String>,
    },
    Program {
        #[serde(default)]
        algorithm: Option<String>,
        #[serde(default)]
        level: Option<u8>,
        #[serde(default)]
        seconds: Option<f64>,
    },
}

/// The longest name of a person.
const NAME_CHARACTERS_MAX: usize = 60;
/// The longest time for a move.
const SECONDS_MAX: f64 = 3600.0;

impl NewGame {
    /// Sets the game up; it waits until it is resumed.
    pub(super) fn open(&self, options: &LiveOptions) -> Answer<LiveGame> {
        let kind: GameKind = self.game.parse().map_err(|error| refused("game", error))?;
        let setup =
            Setup { position: self.position.clone(), board: self.board.clone(), players: self.players };
        let players = kind.open(&setup).map_err(|error| refused("position", error))?.players();
        let seats = self.seats.iter().map(|wish| wish.seat(kind, players)).collect::<Answer<Vec<Seat>>>()?;
        let control = control(self.clock.as_deref())?;
        LiveGame::new(kind, &setup, seats, control, options.clone())
            .map_err(|error| Refusal::from(error).at("seats"))
    }
}

impl SeatWish {
    /// The seat in a game of so many players.
    pub(super) fn seat(&self, kind: GameKind, players: usize) -> Answer<Seat> {
        match self {
            Self::Person { name } => person(name.as_deref()),
            Self::Program { algorithm, level, seconds } => {
                let mut program = Program::best_for(kind, players);
                if let Some(name) = algorithm {
                    let algorithm = name.parse().map_err(|error| Refusal::from(error).at("algorithm"))?;
                    program.engine.algorithm = Some(algorithm);
                    program.name = name.clone();
                }
                let level = level.map(Level::new).transpose();
                program.level = level.map_err(|error| Refusal::from(error).at("level"))?;
                program.budget = budget(*seconds)?;
                program.engine.seed = some_number();
                Ok(Seat::Program(program))
            }
        }
    }
}

fn person(name: Option<&str>) -> Answer<Seat> {
    let name = name.map(str::trim).filter(|name| !name.is_empty());
    let Some(name) = name else { return Ok(Seat::person()) };
    if name.chars().count() > NAME_CHARACTERS_MAX || name.chars().any(char::is_control) {
        let sentence =
            format!("a name has at most {NAME_CHARACTERS_MAX} characters, and no control characters");
        return Err(Refusal::bad("name", sentence));
    }
    Ok(Seat::Person { name: name.to_owned() })
}

fn budget(seconds: Option<f64>) -> Answer<Budget> {
    let Some(seconds) = seconds else { return Ok(Budget::default()) };
    if !(0.01..=SECONDS_MAX).contains(&seconds) {
        let sentence = format!("a move takes from 0.01 to {SECONDS_MAX} seconds, not {seconds}");
        return Err(Refusal::bad("seconds", sentence));
    }
    Ok(Budget { time: Some(Duration::from_secs_f64(seconds)), ..Budget::default() })
}

fn refused(place: &str, error: gt_games::NotationError) -> Refusal {
    Refusal::bad(place, error.to_string())
}

/// How a game's clock is written in a wish: nothing for none.
fn control(clock: Option<&str>) -> Answer<TimeControl> {
    clock.map_or(Ok(TimeControl::Untimed), |text| {
        text.parse().map_err(|error: gt_play::Error| Refusal::from(error).at("clock"))
    })
}

/// A number that is another one every time, so that no weak program plays the same game twice.
fn some_number() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(1, |time| time.as_nanos() as u64)
}
