//! Compares two game-search trees: the nodes that are in only one, the differences, and their causes.
//!
//! ```text
//! Side A ─┐  prefix (equal blocks) ─▶ skeleton ─▶ matching (runs) ─▶ compare (columns) ─▶ causes
//! Side B ─┘                                                                    └─▶ Diff ─┬─▶ Summary: numbers, the first divergence, ranks
//!                                                                                        └─▶ the merged tree, an ordinary log
//! ```
//!
//! ```
//! use gt_diff::{Diff, Options, Side};
//! use gt_log::{Header, Kind, Log, LogWriter, Metadata, Schema, Value};
//!
//! let log = LogWriter::to_memory(Header::new("nim", Schema::new([("best", Kind::I32)])?))?;
//! for value in [3, 4] {
//!     let mut tree = log.dynamic_tree(&Metadata::new(), gt_log::Options::default())?;
//!     tree.enter(0)?;
//!     tree.enter(7)?;
//!     tree.leave_values(&[Value::Int(value)])?;
//!     tree.leave_values(&[Value::Int(-3)])?;
//!     tree.finish()?;
//! }
//! let log = Log::from_bytes(log.into_memory()?)?;
//! let diff = Diff::of(Side::new(&log, log.tree(0)?, "A"), Side::new(&log, log.tree(1)?, "B"), &Options::default())?;
//! let summary = diff.summary()?;
//! assert_eq!(summary.changed, [("best".to_owned(), 1)]);
//! assert_eq!(summary.first.map(|first| first.line), Some(vec![7]));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! **Invariant:** this crate opens no file, knows no game and runs no query; moves are the numbers in logs.

mod attributes;
mod best_line;
mod cause;
mod causes;
mod cells;
mod changes;
mod codes;
mod compare;
mod diff;
mod error;
mod first;
mod matching;
mod merged;
mod nest;
mod parallel;
mod prefix;
mod ranking;
mod runs;
mod skeleton;
mod summary;
mod transposed;

pub use attributes::{Attributes, Compared, Role};
pub use best_line::Step;
pub use cause::Cause;
pub use diff::{Diff, Options, Side};
pub use error::{Error, Result};
pub use summary::{CauseSummary, First, GrownSubtree, RecordPair, Summary};
