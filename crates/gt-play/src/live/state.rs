//! The data that clients of a game see.

use std::path::PathBuf;
use std::time::Duration;

use serde::Serialize;

use super::ending::Ending;
use crate::engine::Progress;

/// The current state of a game, with everything that a client draws.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct State {
    /// The version, which grows with every change: equal versions mean equal states, except for clocks and thinking.
    pub version: u64,
    /// The name of the game.
    pub game: &'static str,
    /// The position at the start, as text.
    pub start: String,
    /// The position now, as text.
    pub position: String,
    /// The player to move, from 0.
    pub to_move: usize,
    /// The legal moves; none once the game is over.
    pub legal_moves: Vec<LegalMove>,
    /// The moves so far.
    pub moves: Vec<PlayedMove>,
    /// The seats, by player number.
    pub seats: Vec<SeatState>,
    /// The time control, as in `5+3`; `None` if there are no clocks.
    pub control: Option<String>,
    /// The clocks.
    pub clocks: Option<ClockState>,
    /// Whether the game is paused.
    pub paused: bool,
    /// The search of the program to move.
    pub thinking: Option<Thinking>,
    /// Whether a hint is being searched.
    pub hint_pending: bool,
    /// The hint for this position.
    pub hint: Option<Hint>,
    /// Whether there is a person's move to take back.
    pub can_take_back: bool,
    /// The end of the game.
    pub result: Option<Ending>,
}

/// A move that can be played.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct LegalMove {
    /// The move in the game's notation, as [`LiveGame::play`](super::LiveGame::play) accepts it.
    pub text: String,
    /// Its number in a log.
    pub code: i64,
}

/// A move that was played.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PlayedMove {
    /// The move in the game's notation.
    pub text: String,
    /// Its number in a log.
    pub code: i64,
    /// The player who made it.
    pub player: usize,
    /// The time it took.
    pub elapsed_ms: u64,
    /// The search of the program that played it, from its view; `None` for a person's move and for one from a book.
    pub search: Option<SearchSummary>,
    /// The log of the search, as long as it is kept.
    pub log: Option<PathBuf>,
}

/// The result of a search.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct SearchSummary {
    /// The last completed depth.
    pub depth: u16,
    /// The value for the player who searched.
    pub value: i32,
    /// The number of nodes entered.
    pub nodes: u64,
    /// The duration.
    pub elapsed_ms: u64,
    /// The expected line.
    pub line: Vec<String>,
}

impl From<&Progress> for SearchSummary {
    fn from(progress: &Progress) -> Self {
        let best = progress.lines.first().cloned().unwrap_or_default();
        Self {
            depth: progress.depth,
            value: best.value,
            nodes: progress.nodes,
            elapsed_ms: milliseconds(progress.elapsed),
            line: best.moves,
        }
    }
}

/// A running search.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Thinking {
    /// The player whose program thinks.
    pub player: usize,
    /// The result so far; `None` before the first iteration is done.
    pub search: Option<SearchSummary>,
    /// The growing log.
    pub log: Option<PathBuf>,
}

/// A move that a program would play in the person's place.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Hint {
    /// The move.
    pub text: String,
    /// The search behind it.
    pub search: SearchSummary,
}

/// The occupant of a seat.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct SeatState {
    /// The game's name for this player: `white`, `x`, `B`.
    pub side: &'static str,
    /// The occupant's name.
    pub name: String,
    /// Whether it is a person.
    pub is_person: bool,
    /// The program's algorithm.
    pub algorithm: Option<&'static str>,
    /// The program's level; `None` for a person, and at full strength.
    pub level: Option<u8>,
}

/// The current clocks.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct ClockState {
    /// The time left for every player.
    pub left_ms: Vec<u64>,
    /// The player whose clock runs.
    pub running: Option<usize>,
}

/// An event in a game.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum Event {
    /// A move was played.
    Moved {
        /// The number of moves played so far.
        ply: usize,
        /// The move.
        played: PlayedMove,
    },
    /// Moves were taken back.
    TakenBack {
        /// The number of moves left.
        ply: usize,
    },
    /// The position changed without a move: a new game, or one that was loaded.
    Restarted,
    /// The occupant of a seat or its level changed.
    SeatChanged {
        /// The player of the seat.
        player: usize,
    },
    /// The game was paused.
    Paused,
    /// The game was resumed.
    Resumed,
    /// A program has begun to think, or has made progress.
    Thinking(Thinking),
    /// The requested hint.
    Hint(Hint),
    /// A clock was started or stopped. Clients count down by themselves.
    Clock(ClockState),
    /// The game is over.
    Over(Ending),
    /// A problem outside the game: a log cannot be written, a program cannot play.
    Trouble {
        /// The problem.
        sentence: String,
    },
}

pub(super) fn milliseconds(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}
