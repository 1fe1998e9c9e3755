//! Game-tree logs from C and C++: the functions of `include/gt_log.h`, and of `include/gt_read.h` (see `reading`).
//!
//! ```text
//! engine ─gtl_enterNode/gtl_exitNode─▶ boundary ─▶ session ─┬▶ gt-log ─▶ file
//!                                      (NULL, panics)  │   └▶ queries ─▶ gt-query ─▶ counts, nodes, callback
//!                                             (which file, which tree)
//! ```
//!
//! **Invariants:** no panic leaves a call; every call is safe on a NULL handle; the files stay readable for any order
//! of calls. The header and this crate agree: a test compiles one against the other.
//!
//! This crate implements neither the log nor the queries: `gt-log` makes every row, `gt-query` every answer.

mod abi;
mod boundary;
mod calls;
mod descriptor;
mod ending;

pub mod events;
mod file_name;
mod plan;
mod queries;
mod reading;
mod session;

pub use abi::*;
pub use boundary::GTLog;
pub use calls::*;
pub use reading::{GTAnswer, GTReader};
