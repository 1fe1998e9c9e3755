//! What the results of games say, and how sure that is. Pure functions of counts.
//!
//! ```text
//! blocks of games with one opening ──▶ Rate       share of the points, interval, p-value        rate
//!                                       └─▶ Elo   the same on the scale of Elo                  elo
//! pairs of games, by their score ─────▶ Sprt      which of two hypotheses, or play on           sprt
//! pairings of many engines ───────────▶ ratings   Elo by maximum likelihood                     ratings
//! ```
//!
//! Games with one opening resemble each other, so the unit that counts is the block: a pair with colours swapped, or all
//! seatings of a game for more players.

mod distributions;
mod elo;
mod rate;
mod ratings;
mod sprt;

pub use elo::{elo_of_score, score_of_elo};
pub use rate::{Block, Rate};
pub use ratings::{Pairing, Rating, Ratings, ratings};
pub use sprt::{Pentanomial, Sprt, Verdict};
