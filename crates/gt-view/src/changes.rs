//! What is sent to all clients of `/api/events`.

use serde::Serialize;

/// A change that is sent to all clients of `/api/events`.
#[derive(Clone, Debug)]
pub(crate) enum Change {
    Log(LogEvent),
    Game(GameEvent),
    Trouble(TroubleEvent),
}

/// A log has a new state.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct LogEvent {
    pub(crate) log: usize,
    pub(crate) generation: u64,
}

/// Something happened in the game that is played: its state is another.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct GameEvent {
    /// The number of the game.
    pub(crate) game: u64,
    /// What happened, in a word.
    pub(crate) what: &'static str,
}

/// Something went wrong beside the game.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct TroubleEvent {
    /// The number of the game.
    pub(crate) game: u64,
    pub(crate) sentence: String,
}
