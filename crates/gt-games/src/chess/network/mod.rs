//! An evaluation by a small neural network, learnt from a strong player's judgements (`gt tune --teacher`).
//!
//! ```text
//! the mover's view:  768 inputs ──▶ 256 hidden units ──╮
//!                                                        ├──▶ value, one of 8 rows of weights by the number of pieces
//! the other's view:  768 inputs ──▶ 256 hidden units ──╯
//! ```
//!
//! An input is a piece on a square, seen from the view's side, with its king on the left half.
//!
//! Both views have the same weights, so exchanging the colours leaves the mover's value as it is. A hidden unit's sum is held between 0 and
//! 1 and squared. All numbers are integers: those of a hidden unit are in 255ths, the weights of its square in 64ths, so every machine
//! computes the same values.

mod explain;
mod file;
mod inputs;
mod sums;
#[cfg(test)]
mod tests;
mod value;
mod weights;

pub use inputs::{INPUTS, Viewpoint};
pub use value::{ByNetwork, has_bare_king};
pub use weights::{HIDDEN, LIMITS, Limits, Network, OUTPUT_UNIT, STAGES, UNIT, VALUE_UNIT, stage_of};
