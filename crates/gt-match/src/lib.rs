//! Matches between engines: which is stronger, by how much, and with what certainty.
//!
//! ```text
//! Entrant   an engine of ours or a program, from one text                    entrant
//! Openings  where games begin; schedule: who sits where                      opening, schedule
//! run       games on several cores, each to its result or its fault          run, game, adjudicate
//! Report    tables, Elo, intervals, tests; as text and as JSON               report, statistics
//! ```
//!
//! ```
//! use std::sync::atomic::AtomicBool;
//! use std::time::Duration;
//!
//! use gt_games::registry::{GameKind, Setup};
//! use gt_match::{Budget, Entrant, Hooks, Match, Openings, Rules, run};
//!
//! let (game, setup) = (GameKind::ConnectFour, Setup::default());
//! let plan = Match {
//!     game,
//!     entrants: vec![Entrant::parse("pvs")?, Entrant::parse("uct,nodes=50")?],
//!     budget: Budget { depth: Some(4), ..Budget::default() },
//!     openings: Openings::random(game, &setup, 2, 1)?,
//!     rounds: Some(3),
//!     seed: 1,
//!     jobs: 1,
//!     rules: Rules::default(),
//!     sprt: None,
//!     margin: Duration::ZERO,
//!     patience: Duration::from_secs(60),
//!     games: None,
//!     setup,
//! };
//! let hooks = Hooks { stop: &AtomicBool::new(false), start: &std::process::Command::spawn, progress: &|_| () };
//! let report = run(plan, &hooks)?;
//! assert_eq!(report.games(), 6);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! **Invariants:** the same seed with budgets of nodes or depth gives the same games, on any number of cores. An
//! entrant that does anything wrong loses its game, with a reason, and ends no match.

mod adjudicate;
mod budget;
mod contestant;
mod cpu;
mod ending;
mod entrant;
mod fields;
mod game;
mod opening;
mod random;
mod record;
mod report;
mod run;
mod schedule;
mod standing;
pub mod statistics;

pub use adjudicate::{DrawRule, ResignRule, Rules};
pub use budget::{Budget, Clock, clock, positive_time};
pub use entrant::{DescriptionError, Entrant, MoveSource, make_names_differ};
pub use opening::{Opening, Openings};
pub use record::GamesTarget;
pub use report::Report;
pub use run::{EndedBy, Hooks, Match, Progress, run};
pub use standing::Score;
