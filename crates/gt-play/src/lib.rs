//! Engines that last through a game, and the protocol that drives them.
//!
//! ```text
//! Engine    a game's position and a mind that remembers: table, history, the stored tree     engine
//!   └─ Player   the engine in a thread of its own: go, stop, ponderhit                        player
//!        └─ Session   the lines of UCI, or of its sister for the other games                  protocol
//! External  another program as an engine                                                     external
//! LiveGame  persons and engines at one board: turns, clocks, hints, logs                     live
//! Strength  engines that play worse than they could                                          strength
//! Pace      a clock, and how much of it a move may take                                       pace
//! ```
//!
//! ```
//! use gt_games::registry::{GameKind, Setup};
//! use gt_play::{Engine, EngineOptions, Request};
//! use gt_search::Limits;
//!
//! let mut engine = EngineOptions::default().open(GameKind::ConnectFour, &Setup::default())?;
//! let thought = engine.think(&Request::new(Limits::depth(4)), &mut |_| ());
//! assert!(thought.best.is_some());
//! # Ok::<(), gt_play::Error>(())
//! ```
//!
//! **Invariant:** a search that is told to stop ends within milliseconds and answers with a legal move, if there is
//! one.

mod algorithm;
mod deals;
mod endgames;
mod engine;
mod error;
pub mod external;
pub mod live;
mod method;
mod pace;
mod player;
pub mod protocol;
mod self_play;
mod size;
mod strength;

pub use algorithm::{Algorithm, strong_options};
pub use deals::{DEALS, deals};
pub use endgames::open_endgames;
pub use engine::{Engine, EngineOptions, LineText, Progress, Request, Thought};
pub use error::{Error, Result};
pub use live::LiveGame;
pub use method::Means;
pub use pace::{Allowance, Pace, parse_time};
pub use player::{Event, Player};
pub use self_play::{SelfPlay, SelfPlayOptions};
pub use size::{parse_memory, parse_size};
pub use strength::{Level, Strength};
