//! What clients of a game see: plain data.

use std::path::PathBuf;
use std::time::Duration;

use serde::Serialize;

use super::ending::Ending;
use crate::engine::Progress;

/// A game as it stands, with everything that a client draws.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct State {
    /// Grows with every change; whoever has seen this number has seen this state, but for clocks and thinking.
    pub version: u64,
    /// The name of the game.
    pub game: &'static str,
    /// The position at the start, as text.
    pub start: String,
    /// The position now, as text.
    pub position: String,
    /// The player to move, from 0.
    pub to_move: usize,
    /// The moves that can be played now; none once the game is over.
    pub legal_moves: Vec<LegalMove>,
    /// The moves so far.
    pub moves: Vec<PlayedMove>,
    /// Who plays, by player number.
    pub seats: Vec<SeatState>,
    /// How much time there is for the game, as in `5+3`; `None` where there are no clocks.
    pub control: Option<String>,
    /// The clocks.
    pub clocks: Option<ClockState>,
    /// Whether nothing happens until the game is resumed.
    pub paused: bool,
    /// What the program to move thinks.
    pub thinking: Option<Thinking>,
    /// Whether a hint is being searched.
    pub hint_pending: bool,
    /// The hint for this position.
    pub hint: Option<Hint>,
    /// Whether there is a person's move to take back.
    pub can_take_back: bool,
    /// How the game ended.
    pub result: Option<Ending>,
}

/// A move that can be played.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct LegalMove {
    /// In the game's notation, as [`LiveGame::play`](super::LiveGame::play) takes it.
    pub text: String,
    /// Its number in a log.
    pub code: i64,
}

/// A move that was played.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PlayedMove {
    /// In the game's notation.
    pub text: String,
    /// Its number in a log.
    pub code: i64,
    /// Who played it.
    pub player: usize,
    /// How long it took.
    pub elapsed_ms: u64,
    /// What the program that played it had found, for itself; nothing of a person's move, nor of one from a book.
    pub search: Option<SearchSummary>,
    /// The log of the search, as long as it is kept.
    pub log: Option<PathBuf>,
}

/// What a search had found.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct SearchSummary {
    /// The depth that it completed.
    pub depth: u16,
    /// The value for the player who searched.
    pub value: i32,
    /// The nodes it entered.
    pub nodes: u64,
    /// How long it took.
    pub elapsed_ms: u64,
    /// The line it expects.
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

/// A search that runs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Thinking {
    /// Who thinks.
    pub player: usize,
    /// What was found so far; `None` before the first iteration is done.
    pub search: Option<SearchSummary>,
    /// The log that grows.
    pub log: Option<PathBuf>,
}

/// A move that a program would play in the person's place.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Hint {
    /// The move.
    pub text: String,
    /// Why.
    pub search: SearchSummary,
}

/// Who sits at a place of the board.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SeatState {
    /// What the game calls this player: `white`, `x`, `B`.
    pub side: &'static str,
    /// What to call them.
    pub name: String,
    /// Whether it is a person.
    pub is_person: bool,
    /// The program's algorithm.
    pub algorithm: Option<&'static str>,
    /// The program's level; `None` for a person, and where it plays as well as it can.
    pub level: Option<u8>,
}

/// The clocks at a moment.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ClockState {
    /// What every player has left.
    pub left_ms: Vec<u64>,
    /// Whose clock runs.
    pub running: Option<usize>,
}

/// What happens in a game.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum Event {
    /// A move was played.
    Moved {
        /// How many moves have been played now.
        ply: usize,
        /// The move.
        played: PlayedMove,
    },
    /// Moves were taken back.
    TakenBack {
        /// How many moves are left.
        ply: usize,
    },
    /// The game is at another position that does not follow from the last: a new game, or one that was loaded.
    Restarted,
    /// Somebody else sits there, or plays at another level.
    SeatChanged {
        /// Where.
        player: usize,
    },
    /// The game waits until it is resumed.
    Paused,
    /// The game goes on.
    Resumed,
    /// A program begins to think, or has come further.
    Thinking(Thinking),
    /// The hint that was asked for.
    Hint(Hint),
    /// A clock has been started or stopped. Clients count down by themselves.
    Clock(ClockState),
    /// The game is over.
    Over(Ending),
    /// Something went wrong beside the game: a log cannot be written, a program cannot play.
    Trouble {
        /// What.
        sentence: String,
    },
}

pub(super) fn milliseconds(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}
