//! Syzygy tables, which others have computed for chess with up to seven pieces: who wins (`.rtbw`), and how far the
//! next capture or pawn move is (`.rtbz`).
//!
//! ```text
//! folder with KRPvKR.rtbw …  ──▶ files: name, length, first bytes ──▶ probe: who wins, moves that make progress
//! ```
//!
//! The library that reads them is optional (the feature `syzygy`), and does not compile everywhere; without it, `absent`
//! takes the place of `probe` and refuses such files with a sentence.

mod files;
mod material;
#[cfg_attr(
    not(all(feature = "syzygy", any(target_arch = "x86", target_arch = "x86_64", target_vendor = "apple"))),
    path = "syzygy/absent.rs"
)]
mod probe;
mod stock;

pub(crate) use files::{in_folder, is_file};
pub(crate) use probe::Syzygy;

use cozy_chess::Move;

/// The moves of a position that make progress.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Progress {
    /// The moves that keep the result, and of these the ones nearest to a capture or pawn move; if the position is
    /// lost, those that are furthest from it.
    pub(crate) moves: Vec<Move>,
    /// The number of plies to that capture or pawn move. Some tables round, so it may be one too small.
    pub(crate) plies: u16,
}
