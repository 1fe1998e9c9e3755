//! What is done to GT-Tools by people who mean no good, by machines that fail, and by engines that log in ways nobody
//! thought of.
//!
//! ```text
//! Session ──run──▶ bytes of a log ──▶ every reader ──▶ answers ─┐
//!    └────model──▶ plain trees ─────▶ the reference ─▶ answers ─┴▶ equal, or the session is shown, shrunk
//! ```
//!
//! A [`session::Session`] is a program of logging calls: flushes, triggers, budgets, trees side by side, trees that are
//! abandoned, processes that are killed. The [`model`] says from the manual what the log must hold. [`check`] asks all
//! readers the same questions. [`broken`] cuts files, flips their bits, and mends the checksums after it. [`inputs`] gives every parser
//! what it does not expect.
//!
//! **Invariant:** the model and the parser of [`broken`] are written from the manual and share no code with gt-log.

pub mod broken;
pub mod check;
pub mod inputs;
pub mod model;
pub mod other_ways;
pub mod run;
pub mod run_c;
pub mod served;
pub mod session;

#[path = "../../gt-query/tests/all/support/callable.rs"]
#[allow(missing_docs)]
mod callable;

#[path = "../../gt-query/tests/all/support/random.rs"]
#[allow(missing_docs, dead_code, unreachable_pub)] // It is written for tests, each of which uses its part.
pub mod random;
