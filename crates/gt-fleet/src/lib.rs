//! One query on the trees of many logs.
//!
//! ```text
//! patterns ──expand──▶ paths ──Fleet──▶ open · bind · run, a log at a time on every core
//!                                          ├─▶ Part::Answers   rows of the log's trees     in the order of the paths
//!                                          ├─▶ Part::Error     why the log has none
//!                                          └─▶ Totals          counts and groups of all logs, joined
//! ```
//!
//! A log that cannot be read, is cut off or damaged, or lacks names that the query uses is an error of its own and
//! does not affect the others. The columns of the answers are those of the first log that the query fits.
//!
//! **Invariant:** when answers are joined, no node leaves the thread that found it: logs give partial aggregates, and
//! these are merged. Memory holds the answers that wait for those of an earlier log, or the joined groups.

mod answers;
mod beside;
mod column;
mod expand;
mod notation;
mod question;
mod run;
mod totals;

pub use answers::{Answers, Part, Row};
pub use beside::{Beside, Near, Needs};
pub use column::Column;
pub use expand::{Expanded, expand, is_pattern};
pub use gt_query::answer::Unjoinable;
pub use notation::Notation;
pub use question::{Given, Question, Unanswered};
pub use run::Fleet;
pub use totals::Totals;
