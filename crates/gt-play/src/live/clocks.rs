//! The players' clocks.
//!
//! ```text
//! start(p) ─────── runs ─────── press ──▶ left[p] - what it took + increment
//!                    └── the flag falls when nothing is left
//! ```
//!
//! Invariant: at most one clock runs.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use crate::error::Error;
use crate::pace::Pace;

/// The time control of a game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TimeControl {
    /// No time limit.
    #[default]
    Untimed,
    /// A clock for each player.
    Clock {
        /// The initial time.
        base: Duration,
        /// The increment per move.
        increment: Duration,
        /// The number of moves after which the base time is added again.
        moves: Option<u32>,
    },
}

const CLOCK_FORM: &str = "a clock is written minutes+seconds as in 5+3, with moves before it as in 40/90+30";

impl FromStr for TimeControl {
    type Err = Error;

    /// Parses `5`, `5+3`, `0.5+1`, `40/90+30`: minutes, seconds per move, and the number of moves.
    fn from_str(text: &str) -> Result<Self, Error> {
        let refused = || Error::Unfit(format!("`{text}`: {CLOCK_FORM}"));
        let (moves, rest) = match text.split_once('/') {
            Some((moves, rest)) => {
                (Some(moves.parse().ok().filter(|&moves: &u32| moves > 0).ok_or_else(refused)?), rest)
            }
            None => (None, text),
        };
        let (minutes, seconds) = rest.split_once('+').unwrap_or((rest, "0"));
        let time = |text: &str, unit: f64| {
            let number: f64 = text.parse().ok()?;
            Duration::try_from_secs_f64(number * unit).ok().filter(|time| *time <= LONGEST)
        };
        let base = time(minutes, 60.0).ok_or_else(refused)?;
        let increment = time(seconds, 1.0).ok_or_else(refused)?;
        if base.is_zero() {
            return Err(refused());
        }
        Ok(Self::Clock { base, increment, moves })
    }
}

/// A year; a longer time is a typo.
const LONGEST: Duration = Duration::from_secs(365 * 24 * 3600);

impl fmt::Display for TimeControl {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Untimed => out.write_str("untimed"),
            Self::Clock { base, increment, moves } => {
                if let Some(moves) = moves {
                    write!(out, "{moves}/")?;
                }
                write!(out, "{}+{}", base.as_secs_f64() / 60.0, increment.as_secs_f64())
            }
        }
    }
}

/// The time source of clocks.
#[derive(Clone, Debug)]
pub struct TimeSource(Source);

#[derive(Clone, Debug)]
enum Source {
    System(Instant),
    /// Milliseconds.
    Hand(Arc<AtomicU64>),
}

impl TimeSource {
    /// The system's time.
    #[must_use]
    pub fn system() -> Self {
        Self(Source::System(Instant::now()))
    }

    /// A time that passes only by [`TimeSource::advance`], for tests. The game checks it on request
    /// ([`LiveGame::look_at_clocks`](super::LiveGame::look_at_clocks)), and at every move.
    #[must_use]
    pub fn by_hand() -> Self {
        Self(Source::Hand(Arc::default()))
    }

    /// Advances a manual time; has no effect on the system's time.
    pub fn advance(&self, time: Duration) {
        if let Source::Hand(milliseconds) = &self.0 {
            milliseconds.fetch_add(time.as_millis() as u64, Ordering::SeqCst);
        }
    }

    fn now(&self) -> Duration {
        match &self.0 {
            Source::System(start) => start.elapsed(),
            Source::Hand(milliseconds) => Duration::from_millis(milliseconds.load(Ordering::SeqCst)),
        }
    }

    fn passes_by_itself(&self) -> bool {
        matches!(self.0, Source::System(_))
    }
}

impl Default for TimeSource {
    fn default() -> Self {
        Self::system()
    }
}

/// The time left for every player, and the number of moves they played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Readings {
    left: Vec<Duration>,
    moves: Vec<u32>,
}

pub(super) struct Clocks {
    control: TimeControl,
    time: TimeSource,
    readings: Readings,
    /// The player whose clock runs, and since when.
    running: Option<(usize, Duration)>,
}

impl Clocks {
    pub(super) fn new(control: TimeControl, players: usize, time: TimeSource) -> Self {
        let base = match control {
            TimeControl::Untimed => Duration::ZERO,
            TimeControl::Clock { base, .. } => base,
        };
        let readings = Readings { left: vec![base; players], moves: vec![0; players] };
        Self { control, time, readings, running: None }
    }

    pub(super) fn is_timed(&self) -> bool {
        self.control != TimeControl::Untimed
    }

    pub(super) fn running(&self) -> Option<usize> {
        self.running.map(|(player, _)| player)
    }

    /// The time that a player's clock has been running; zero if it does not.
    fn taken(&self, player: usize) -> Duration {
        match self.running {
            Some((runs, since)) if runs == player => self.time.now().saturating_sub(since),
            _ => Duration::ZERO,
        }
    }

    /// The time that the running clock has been running.
    pub(super) fn taken_now(&self) -> Duration {
        self.running.map_or(Duration::ZERO, |(player, _)| self.taken(player))
    }

    /// The time left for every player; `None` if there are no clocks.
    pub(super) fn left(&self) -> Option<Vec<Duration>> {
        let left = |player: usize| self.readings.left[player].saturating_sub(self.taken(player));
        self.is_timed().then(|| (0..self.readings.left.len()).map(left).collect())
    }

    /// Starts the clock of a player, and stops all others.
    pub(super) fn start(&mut self, player: usize) {
        self.stop();
        self.running = Some((player, self.time.now()));
    }

    /// Stops all clocks.
    pub(super) fn stop(&mut self) {
        if let Some((player, _)) = self.running {
            self.readings.left[player] = self.readings.left[player].saturating_sub(self.taken(player));
            self.running = None;
        }
    }

    /// Ends the move of the player whose clock runs.
    pub(super) fn press(&mut self) {
        let Some(player) = self.running() else { return };
        self.stop();
        self.readings.moves[player] += 1;
        if let TimeControl::Clock { base, increment, moves } = self.control {
            let left = &mut self.readings.left[player];
            *left += increment;
            if moves.is_some_and(|moves| self.readings.moves[player].is_multiple_of(moves)) {
                *left += base;
            }
        }
    }

    /// The player whose flag has fallen.
    pub(super) fn fallen(&self) -> Option<usize> {
        let player = self.running()?;
        self.left().filter(|left| left[player].is_zero()).map(|_| player)
    }

    /// The time until a flag falls, if time passes by itself.
    pub(super) fn until_fallen(&self) -> Option<Duration> {
        let player = self.running()?;
        self.left().filter(|_| self.time.passes_by_itself()).map(|left| left[player])
    }

    /// The pace of a player's next move; `None` if there are no clocks.
    pub(super) fn pace(&self, player: usize) -> Option<Pace> {
        let TimeControl::Clock { increment, moves, .. } = self.control else { return None };
        let left = self.left()?[player];
        let moves_to_go = moves.map(|moves| moves - self.readings.moves[player] % moves);
        Some(Pace::Clock { left, increment, moves_to_go })
    }

    pub(super) fn readings(&self) -> Readings {
        self.readings.clone()
    }

    /// Restores an earlier state of all clocks, with none running.
    pub(super) fn restore(&mut self, readings: Readings) {
        self.running = None;
        self.readings = readings;
    }
}
