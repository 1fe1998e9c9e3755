//! Fits the weights of the chess evaluation to the results of games by Texel's method, or to the scores that the
//! players of these games gave.
//!
//! ```text
//! saved games ──▶ quiet positions, each with its game's result, and a score if it has one ──▶ Samples
//! Samples, first weights ──▶ gradient descent on the logistic loss ──▶ Fit
//! ```
//!
//! The evaluation is linear in its weights, so a position is kept as the counts of its features, and a step over all
//! of them takes milliseconds. Some games are held out: the loss on those shows whether the weights generalise or
//! overfit.
//!
//! **Invariant:** the same games, seed and settings give the same weights.

mod fit;
mod samples;
mod scores;

pub use fit::{Fit, Loss, Settings, fit};
pub use samples::{Sample, Samples};
