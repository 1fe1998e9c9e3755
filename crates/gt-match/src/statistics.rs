//! The conclusions from the results of games, and their certainty. Pure functions of counts.
//!
//! ```text
//! blocks of games with one opening ──▶ Rate       share of the points, interval, p-value        rate
//!                                       └─▶ Elo   the same on the scale of Elo                  elo
//! pairs of games, by their score ─────▶ Sprt      which of two hypotheses, or play on           sprt
//! pairings of many engines ───────────▶ ratings   Elo by maximum likelihood                     ratings
//! ```
//!
//! Games with the same opening are correlated, so the unit of observation is the block: a pair with colours swapped,
//! or all seatings of a game for more players.

mod distributions;
mod elo;
mod rate;
mod ratings;
mod sprt;

pub use elo::{elo_of_score, score_of_elo};
pub use rate::{Block, Rate};
pub use ratings::{Pairing, Rating, Ratings, ratings};
pub use sprt::{Pentanomial, Sprt, Verdict};
