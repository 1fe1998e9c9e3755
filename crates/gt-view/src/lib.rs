//! The viewer: logs of game trees on a page of this machine.
//!
//! ```text
//! logs ──▶ Logs: opened, followed as they grow ──┐
//!   ▲      Blocks: decoded columns, a budget     ├──▶ calls, picture, query ──▶ http ──▶ page, scripts
//!   │      Nodes: from node to node, by hops   ──┘                               ▲
//!   └───── play: a game, its programs' searches logged ──────────────────────────┘
//! ```
//!
//! Everything the page shows comes from a JSON API, described in `docs/api.md`.
//!
//! **Invariant:** it listens on the loopback address alone, answers only those who ask by a name of this machine, and
//! reads no file but the logs and the result it was given, and the logs of the game that is played on it. Memory beside the files does not grow with the trees, nor with the number of
//! its clients: `Limits` bound what is done at once and how long it may take.
//!
//! Non-goal: computing. Questions about trees are gt-query's; layout and level of detail are decided here.

mod app;
mod blocks;
mod bound;
mod calls;
mod changes;
mod error;
mod generations;
mod http;
mod latest;
mod limits;
mod logs;
mod merged;
mod moves;
mod nodes;
mod picture;
#[cfg(test)]
mod plain;
mod play;
mod query;
mod server;
mod values;
mod work;

pub use limits::Limits;
pub use play::PlayOptions;
pub use server::{Error, Server, ShownLogs, Stopper};

/// How many bytes the page takes on the wire; 0 where it was not built.
#[must_use]
pub fn page_bytes() -> usize {
    http::page_bytes()
}
