//! The limited playing strength of an engine.
//!
//! ```text
//! Level 1 … 9 ──▶ Strength 1000 … 2400 ──▶ nodes      how much it sees
//! Level 10 ─────▶ none: full strength       ├▶ lines      among how many moves it chooses
//!                                           └▶ slackness  how much worse a move it may choose
//! ```
//!
//! The numbers look like Elo ratings because chess programs ask for those. They have not been measured against rated
//! players: a higher number plays better, and that is all they promise.

mod weakened;

use std::fmt;
use std::str::FromStr;

use gt_search::Limits;

use crate::error::Error;
pub(crate) use weakened::Weakened;

/// A strength below full strength, on a scale that looks like Elo ratings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Strength(u16);

impl Strength {
    /// The weakest.
    pub const MIN: Self = Self(1000);
    /// The strongest below full strength.
    pub const MAX: Self = Self(2400);

    /// Returns the strength with this number.
    ///
    /// # Errors
    /// Returns an error if the number is not from 1000 to 2400.
    pub fn new(elo: u16) -> Result<Self, Error> {
        let (Self(min), Self(max)) = (Self::MIN, Self::MAX);
        match (min..=max).contains(&elo) {
            true => Ok(Self(elo)),
            false => Err(Error::Unfit(format!("a strength is a number from {min} to {max}, not {elo}"))),
        }
    }

    /// Returns its number.
    #[must_use]
    pub const fn elo(self) -> u16 {
        self.0
    }

    /// The share of the scale, from 0, the weakest, to 1.
    fn share(self) -> f64 {
        f64::from(self.0 - Self::MIN.0) / f64::from(Self::MAX.0 - Self::MIN.0)
    }

    /// The number of nodes, doubled for every 100 of the scale: a doubling is worth 50 to 100 Elo to most
    /// engines.
    fn nodes(self) -> u64 {
        const NODES_MIN: f64 = 200.0;
        (NODES_MIN * (f64::from(self.0 - Self::MIN.0) / 100.0).exp2()) as u64
    }

    /// The number of moves among which it chooses.
    pub(crate) fn lines(self) -> usize {
        (6.0 - 4.0 * self.share()).round() as usize
    }

    /// How much worse than the best a move may be and still be chosen occasionally; 1 is the average difference
    /// between moves.
    fn slackness(self) -> f64 {
        2.5 * (1.0 - self.share()).powf(1.5)
    }

    /// The limits of a search at this strength.
    fn limit(self, limits: &Limits) -> Limits {
        Limits { nodes_max: limits.nodes_max.min(self.nodes()), ..limits.clone() }
    }
}

/// A level of play, from 1 (a beginner) to 10 (full strength).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Level(u8);

impl Level {
    /// The weakest.
    pub const MIN: Self = Self(1);
    /// Full strength.
    pub const MAX: Self = Self(10);

    /// Returns the level with this number.
    ///
    /// # Errors
    /// Returns an error if the number is not from 1 to 10.
    pub fn new(number: u8) -> Result<Self, Error> {
        match (Self::MIN.0..=Self::MAX.0).contains(&number) {
            true => Ok(Self(number)),
            false => Err(refused(&number.to_string())),
        }
    }

    /// Returns its number.
    #[must_use]
    pub const fn number(self) -> u8 {
        self.0
    }

    /// Returns its strength; `None` is full strength.
    #[must_use]
    pub fn strength(self) -> Option<Strength> {
        let (weakest, strongest) = (Strength::MIN.0, Strength::MAX.0);
        let step = (strongest - weakest) / u16::from(Self::MAX.0 - 1 - Self::MIN.0);
        (self < Self::MAX).then(|| Strength(weakest + step * u16::from(self.0 - Self::MIN.0)))
    }
}

fn refused(text: &str) -> Error {
    let (min, max) = (Level::MIN, Level::MAX);
    Error::Unfit(format!("a level is a number from {min} to {max}, not `{text}`"))
}

impl fmt::Display for Level {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(out)
    }
}

impl FromStr for Level {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        text.parse().map_err(|_| refused(text)).and_then(Self::new)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_rise_from_the_weakest_to_full_strength() {
        let levels: Vec<Level> = (1..=10).map(|number| Level::new(number).unwrap()).collect();
        let strengths: Vec<Strength> = levels.iter().filter_map(|level| level.strength()).collect();
        assert_eq!((strengths[0], strengths[8], strengths.len()), (Strength::MIN, Strength::MAX, 9));
        for pair in strengths.windows(2) {
            assert!(pair[0].nodes() < pair[1].nodes() && pair[0].slackness() > pair[1].slackness());
            assert!(pair[0].lines() >= pair[1].lines() && pair[1].lines() >= 2);
        }
        for wrong in ["0", "11", "-1", "x", ""] {
            assert!(wrong.parse::<Level>().is_err(), "{wrong}");
        }
    }
}
