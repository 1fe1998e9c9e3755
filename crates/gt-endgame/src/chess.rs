//! Chess with three and four pieces: every position solved by retrograde analysis, in plies to mate.
//!
//! ```text
//! KRKP ──build──▶ Solved ──write──▶ krkp.gte ──ChessTables──▶ win in 13 plies
//!        └ first KQK, KRK, KBK, KNK, KPK, KQKR, KRKR, KRKB, KRKN, which captures and promotions lead to
//! ```
//!
//! Castling rights are not supported: a position with one is in no table. En passant is.

mod build;
mod geometry;
mod layout;
mod material;
mod position;
pub(crate) mod probe;
pub(crate) mod rules;
mod solve;
mod solved;
mod summary;
mod table;

pub use build::{Built, build};
pub use material::Material;
pub use probe::{ChessTables, MoveEnding};
pub use solved::Solved;
pub use summary::{Counts, Side, Summary};
pub use table::ChessTable;

pub(crate) use probe::PIECES_MAX;
pub(crate) use table::GAME;
