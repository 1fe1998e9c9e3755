//! Reading: a log's heads describe it; columns are decoded block by block on demand.
//!
//! ```text
//! file ─Source─▶ open (index, or a scan of the frames) ─▶ Log ─▶ Tree ─decode(block, column)─▶ Decoded
//!                                                              └▶ Walker (one node) · preorder (all of them)
//! ```
//!
//! **Invariant:** no bytes make this panic, loop or take memory beyond a block; damage is an error that names its place.

mod assemble;
mod block;
mod cells;
mod condition;
mod frames;
mod index;
mod limits;
mod log;
mod nesting;
mod open;
mod plies;
mod preorder;
mod source;
mod texts;
mod tree;
mod verify;
mod walker;

pub(crate) use assemble::truncated;
pub use cells::{Batch, Cells};
pub use condition::{Condition, IndexState, TreeEnding};
pub use limits::Limits;
pub use log::Log;
pub use texts::Texts;
pub use tree::Tree;
pub use verify::Verified;
pub(crate) use verify::{Checker, column_of};
pub use walker::{Located, Walker};
