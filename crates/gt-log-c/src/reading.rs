//! Logs that are read, and queries that are asked of them: the functions of `include/gt_read.h`.
//!
//! ```text
//! gtl_readOpen ─▶ GTReader ─gtl_query─▶ GTAnswer: a table for each query
//!                 (a log, and a walker for each call)
//! ```
//!
//! A reader and an answer may be used by any thread; calls wait for one another. Neither is freed when it is closed, only
//! emptied, so that a call after that is refused and not undefined.
//!
//! **Invariant:** a text that a call gave stays where it is until its reader or answer is closed.

mod answer;
mod handle;
mod reader;
mod value;

pub use answer::GTAnswer;
pub(crate) use answer::{Answers, Table};
pub(crate) use handle::Kept;
pub use reader::GTReader;
pub(crate) use reader::Reader;
