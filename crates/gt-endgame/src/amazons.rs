//! Amazons: regions that are cut off from the rest of the board.
//!
//! In a region with amazons of only one player the rest of the game is a count: the exact number of moves he can
//! still make there. A region with amazons of both is a combinatorial game; its canonical form is its value beside
//! other regions.
//!
//! ```text
//! amazons:3x3       every region in a box of 3x3 with one amazon
//! amazons:4x4:2     with one or two of one player
//! amazons:3x3:1-1   with at most one of each player
//! ```
//!
//! **Bound:** boxes of at most 16 squares for one player, and of at most 9 for both; the values of larger contested
//! regions take longer texts than they are worth.

mod ending;
mod forms;
mod region;
mod solve;
mod spec;
mod table;

pub use ending::RegionValue;
pub use spec::Regions;
pub use table::{AmazonsTable, RegionsSolved, build};

pub(crate) use ending::{ending, regions};
pub(crate) use table::GAME;
