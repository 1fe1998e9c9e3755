//! A value that changes in the course of the game.

use super::PHASE_MAX;
use std::fmt;
use std::ops::{Add, AddAssign, Mul, Neg, Sub};

/// A value in the opening and in the ending, in hundredths of a pawn.
///
/// Both are in one number, `opening << 32 + ending`, so that one addition or multiplication handles both.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub struct Score(i64);

impl Score {
    /// A value with all pieces on the board, and one with only pawns.
    pub const fn new(opening: i32, ending: i32) -> Self {
        Self(((opening as i64) << 32) + ending as i64)
    }

    /// The value with all pieces on the board.
    #[inline(always)]
    pub const fn opening(self) -> i32 {
        // A negative ending has borrowed from the upper half.
        ((self.0 - self.ending() as i64) >> 32) as i32
    }

    /// The value with only pawns.
    #[inline(always)]
    pub const fn ending(self) -> i32 {
        self.0 as i32
    }

    /// The value between opening (24) and ending (0). Negating the score negates it.
    #[inline(always)]
    pub const fn at_phase(self, phase: i32) -> i32 {
        (self.opening() * phase + self.ending() * (PHASE_MAX - phase)) / PHASE_MAX
    }
}

impl fmt::Debug for Score {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "Score({}, {})", self.opening(), self.ending())
    }
}

impl Add for Score {
    type Output = Self;
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        Self(self.0 + other.0)
    }
}

impl AddAssign for Score {
    #[inline(always)]
    fn add_assign(&mut self, other: Self) {
        self.0 += other.0;
    }
}

impl Sub for Score {
    type Output = Self;
    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        Self(self.0 - other.0)
    }
}

impl Neg for Score {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        Self(-self.0)
    }
}

impl Mul<i32> for Score {
    type Output = Self;
    #[inline(always)]
    fn mul(self, times: i32) -> Self {
        Self(self.0 * i64::from(times))
    }
}

#[cfg(test)]
mod tests {
    use super::Score;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn the_halves_do_not_disturb_each_other(
            [a, b, c, d] in [-20_000i32..20_000, -20_000..20_000, -20_000..20_000, -20_000..20_000],
            times in -64i32..64,
            phase in 0i32..=24,
        ) {
            let (left, right) = (Score::new(a, b), Score::new(c, d));
            prop_assert_eq!((left.opening(), left.ending()), (a, b));
            prop_assert_eq!(left + right, Score::new(a + c, b + d));
            prop_assert_eq!(left - right, Score::new(a - c, b - d));
            prop_assert_eq!(left * times, Score::new(a * times, b * times));
            prop_assert_eq!((-left).at_phase(phase), -left.at_phase(phase));
        }
    }
}
