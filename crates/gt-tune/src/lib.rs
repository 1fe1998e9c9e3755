//! Learns evaluations of chess: the weights of the six terms, or a network.
//!
//! ```text
//! saved games ──▶ quiet positions, each with its game's result, and a score if it has one ──▶ Samples
//! Samples, first weights ──▶ gradient descent on the logistic loss ──▶ Fit
//!
//! Teacher ──▶ games in which every move is judged ──▶ Lessons
//! Lessons ──▶ gradient descent on the points that are promised ──▶ Learnt
//! ```
//!
//! The six terms are linear in their weights, so a position is kept as the counts of its features, and a step over all
//! of them takes milliseconds. Some games, or lessons, are held out: the loss on those shows whether the weights
//! generalise or overfit.
//!
//! **Invariant:** the same games, seed and settings give the same weights.

mod course;
mod fit;
mod lesson;
mod network;
mod samples;
mod scores;
mod teacher;

pub use course::teach;
pub use fit::{Fit, Loss, Settings, fit};
pub use lesson::Lesson;
pub use network::{Learnt, NetworkSettings, learn};
pub use samples::{Sample, Samples};
pub use teacher::{Teacher, TeacherError};
