//! Writing: a log, its trees, their blocks.
//!
//! ```text
//! engine ─enter/leave─▶ TreeWriter ─rows─▶ Staging ─▶ Pipeline: rows to a block ─frame─▶ Sink ─▶ file
//! ```
//!
//! A row is written when its node is left, so rows are in postorder: the subtree of row `i` is `i + 1 - size[i] ..= i`. Memory holds the
//! open path, one block (two, with a thread that encodes in the background) and the index. [`encode`](crate::encode) turns rows into
//! blocks.

mod append;
mod clock;
mod ending;
mod entry;
mod log;
mod open;
mod options;
mod pipeline;
mod sink;
mod state;
mod summary;
mod tree;

pub use log::LogWriter;
pub use options::{Budget, Flush, Options, Trigger};
pub(crate) use sink::Sink;
#[doc(hidden)]
pub use state::State as Lane;
pub use summary::{Marks, TreeSummary};
pub use tree::{Dynamic, TreeWriter};
