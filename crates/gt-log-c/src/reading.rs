//! Reads logs and runs queries on them: the functions of `include/gt_read.h`.
//!
//! ```text
//! gtl_readOpen ─▶ GTReader ─gtl_query─▶ GTAnswer: a table for each query
//!                 (a log, and a walker for each call)
//! ```
//!
//! Any thread may use a reader and an answer; calls wait for one another. Closing empties but does not free them, so
//! that a later call is refused instead of undefined.
//!
//! **Invariant:** a text returned by a call stays in place until its reader or answer is closed.

mod answer;
mod handle;
mod reader;
mod value;

pub use answer::GTAnswer;
pub(crate) use answer::{Answers, Table};
pub(crate) use handle::Kept;
pub use reader::GTReader;
pub(crate) use reader::Reader;
