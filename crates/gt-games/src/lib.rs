//! Games for game-tree search: tic-tac-toe, connect four, Amazons, chess, Chinese checkers.
//!
//! Each game has its rules ([`gt_search::Game`]), its texts, drawings and log numbers ([`Notation`]) and its
//! evaluations ([`gt_search::Evaluate`], [`gt_search::EvaluateAll`]).
//!
//! **Invariant:** this crate never searches, and no input from outside makes it panic.

pub mod amazons;
mod error;
mod notation;
mod perft;
mod rows;
mod zobrist;

pub use amazons::Amazons;
pub use error::{ErrorKind, NotationError, Result};
pub use notation::{NULL_MOVE_CODE, Notation, ROOT_CODE};
pub use perft::{perft, perft_divide};
