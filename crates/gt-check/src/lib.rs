//! Regression tests of searches: suites of GTQL queries with the expected values of their numbers.
//!
//! ```text
//! suite.toml ──Suite::read──▶ subjects, checks
//!                               │        └── a query, or those of a Pack; an Expectation
//!                               └──run──▶ logs ──▶ numbers ──▶ verdicts ──▶ Report ──▶ text, JUnit XML, JSON
//!                                 baseline.toml ──────────────────┘
//! ```
//!
//! **Invariant:** this crate knows no game, and starts no program but the engines that a suite names. Callers that
//! know how moves are written provide it through [`Moves`].
//!
//! ```
//! use gt_check::Expectation;
//!
//! let expectation: Expectation = "within 10% of baseline".parse()?;
//! assert!(expectation.holds(105.0, Some(100.0)) && !expectation.holds(111.0, Some(100.0)));
//! # Ok::<(), String>(())
//! ```

mod baseline;
mod check;
mod error;
mod expect;
mod fleet;
mod keys;
mod measure;
mod moves;
mod pack;
mod process;
mod report;
mod run;
mod subject;
mod suite;
mod verdict;
mod worst;

pub use error::{Error, Result};
pub use expect::{Expectation, Scale};
pub use fleet::{Checks, PlainCheck, TreeNumber};
pub use moves::{Moves, NodeLine};
pub use pack::Pack;
pub use process::Start;
pub use report::{Blessing, CheckReport, EngineReport, Example, Report, SubjectReport, SubjectStatus};
pub use run::{RunOptions, run};
pub use suite::Suite;
pub use verdict::{Measured, Status};
pub use worst::WorstNode;
