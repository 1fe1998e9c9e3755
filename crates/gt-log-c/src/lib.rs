//! Game-tree logs from C and C++: the functions of `include/gt_log.h`, and of `include/gt_read.h` (see `reading`).
//!
//! ```text
//! engine ─gtl_enterNode/gtl_exitNode─▶ boundary ─▶ session ─┬▶ gt-log ─▶ file
//!                                      (NULL, panics)  │   └▶ queries ─▶ gt-query ─▶ counts, nodes, callback
//!                                             (which file, which tree)
//! ```
//!
//! **Invariants:** no panic leaves a call; every call is safe on a NULL handle; whatever the order of calls,
//! the files stay readable. The header and this crate say the same: a test compiles the one against the other.
//!
//! The log and the queries are none of this crate's business: `gt-log` makes every row, `gt-query` every answer.

mod abi;
mod boundary;
mod calls;
mod descriptor;

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
