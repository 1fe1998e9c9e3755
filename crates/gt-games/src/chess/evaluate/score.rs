//! A value that changes in the course of the game.

use super::PHASE_MAX;
use std::ops::{Add, AddAssign, Mul, Neg, Sub};

/// A value in the opening and in the ending, in hundredths of a pawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Score {
    /// With all pieces on the board.
    pub opening: i32,
    /// With none but pawns.
    pub ending: i32,
}

impl Score {
    pub(super) const fn new(opening: i32, ending: i32) -> Self {
        Self { opening, ending }
    }

    /// The value between opening (24) and ending (0). Turns its sign with the score.
    #[inline]
    pub fn at_phase(self, phase: i32) -> i32 {
        (self.opening * phase + self.ending * (PHASE_MAX - phase)) / PHASE_MAX
    }
}

impl Add for Score {
    type Output = Self;
    #[inline]
    fn add(self, other: Self) -> Self {
        Self::new(self.opening + other.opening, self.ending + other.ending)
    }
}

impl AddAssign for Score {
    #[inline]
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl Sub for Score {
    type Output = Self;
    #[inline]
    fn sub(self, other: Self) -> Self {
        Self::new(self.opening - other.opening, self.ending - other.ending)
    }
}

impl Neg for Score {
    type Output = Self;
    #[inline]
    fn neg(self) -> Self {
        Self::new(-self.opening, -self.ending)
    }
}

impl Mul<i32> for Score {
    type Output = Self;
    #[inline]
    fn mul(self, times: i32) -> Self {
        Self::new(self.opening * times, self.ending * times)
    }
}
