//! Records searches to logs and answers queries on them: an observer that writes every node, and one that evaluates
//! queries.
//!
//! ```
//! use gt_games::tic_tac_toe::{Distance, TicTacToe};
//! use gt_log::{Log, LogWriter, Metadata};
//! use gt_record::Recorder;
//! use gt_search::{Limits, Plain};
//!
//! let log = LogWriter::to_memory(gt_record::header("tic-tac-toe")?)?;
//! let mut recorder = Recorder::new(&log, Metadata::new().with("engine", "doctest"));
//! let result =
//!     Plain::AlphaBeta.search(&TicTacToe::new(), &Distance, &Limits::depth(3), &mut recorder, |_| ());
//! recorder.finish()?;
//!
//! let log = Log::from_bytes(log.into_memory()?)?;
//! assert_eq!(log.tree_count(), 3, "a tree for each iteration");
//! assert_eq!(log.trees().map(|tree| tree.nodes()).sum::<u64>(), result.nodes);
//! # Ok::<(), gt_log::Error>(())
//! ```
//!
//! **Invariant:** this crate knows no particular game.

mod asker;
mod node;
mod recorder;
mod tree_labels;

pub use asker::{Asker, AskerEvent};
pub use node::{Extras, NULL_MOVE, Node, header, header_with};
pub use recorder::Recorder;
pub use tree_labels::TreeLabels;
