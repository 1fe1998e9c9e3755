//! How strong an engine plays, where it is not to play as well as it can.

use std::fmt;
use std::str::FromStr;

use crate::error::Error;

/// A level of play, from 1 (a beginner) to 10 (all that the engine can do).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Level(u8);

impl Level {
    /// The weakest.
    pub const MIN: Self = Self(1);
    /// Full strength.
    pub const MAX: Self = Self(10);

    /// The level with this number.
    ///
    /// # Errors
    /// The number is not from 1 to 10.
    pub fn new(number: u8) -> Result<Self, Error> {
        match (Self::MIN.0..=Self::MAX.0).contains(&number) {
            true => Ok(Self(number)),
            false => Err(refused(&number.to_string())),
        }
    }

    /// Its number.
    #[must_use]
    pub const fn number(self) -> u8 {
        self.0
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
