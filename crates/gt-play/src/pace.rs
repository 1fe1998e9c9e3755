//! Clocks, and the share of one that a move may take.
//!
//! ```text
//! 0 ────────── soft ─────────────── hard ─────────── what is left
//!      a new iteration begins    the search is     the flag falls
//!      only before `soft`        stopped
//! ```

use std::time::Duration;

/// The time available to a move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Pace {
    /// Unlimited, until stopped.
    #[default]
    Endless,
    /// The same time for every move.
    Fixed(Duration),
    /// A clock that runs down.
    Clock {
        /// The time left.
        left: Duration,
        /// The increment per move.
        increment: Duration,
        /// The number of moves it is for; by default the rest of the game.
        moves_to_go: Option<u32>,
    },
}

/// The time limits of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Allowance {
    /// The time after which no iteration begins.
    pub soft: Duration,
    /// The time at which the search is stopped.
    pub hard: Duration,
}

/// The assumed number of moves left in a game without a known end.
const MOVES_AHEAD: u32 = 30;
/// The maximum number of moves to plan ahead.
const MOVES_AHEAD_MAX: u32 = 60;

impl Pace {
    /// Returns the allowance for a move of which `overhead` is lost between the clock and the search; `None` if time
    /// is unlimited.
    ///
    /// ```
    /// use gt_play::Pace;
    /// use std::time::Duration;
    ///
    /// let second = Duration::from_secs(1);
    /// let pace = Pace::Clock { left: 60 * second, increment: Duration::ZERO, moves_to_go: None };
    /// let allowance = pace.allowance(Duration::from_millis(10)).unwrap();
    /// assert!(allowance.soft < 3 * second && allowance.hard < 10 * second);
    /// ```
    #[must_use]
    pub fn allowance(self, overhead: Duration) -> Option<Allowance> {
        let floor = Duration::from_millis(1);
        match self {
            Self::Endless => None,
            Self::Fixed(time) => {
                let hard = time.saturating_sub(overhead).max(floor);
                Some(Allowance { soft: hard, hard })
            }
            Self::Clock { left, increment, moves_to_go } => {
                let moves = moves_to_go.unwrap_or(MOVES_AHEAD).clamp(1, MOVES_AHEAD_MAX);
                // Every planned move loses the overhead once.
                let usable = left.saturating_sub(overhead);
                let planned = usable.saturating_sub(overhead * (moves - 1)) / moves + increment.mul_f64(0.8);
                // At most half the clock for one move, unless it is the last one before more time is added.
                let share = if moves == 1 { 0.9 } else { 0.5 };
                let most = usable.mul_f64(share);
                let hard = (planned * 4).min(most).max(floor);
                // An iteration takes several times as long as the one before: one that begins late would not finish.
                let soft = planned.mul_f64(0.6).min(hard).max(floor);
                Some(Allowance { soft, hard })
            }
        }
    }
}

const TIME_FORM: &str = "a time is written 10, 10s, 500ms or 2m";

/// Parses a time: `10` and `10s` are seconds, `500ms` milliseconds, `2m` minutes.
///
/// # Errors
/// Returns a sentence on how a time is written if the text is not one.
pub fn parse_time(text: &str) -> Result<Duration, String> {
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let seconds = match &text[digits.len()..] {
        "ms" => 0.001,
        "" | "s" => 1.0,
        "m" => 60.0,
        _ => return Err(TIME_FORM.to_owned()),
    };
    let number: f64 = digits.parse().map_err(|_| TIME_FORM.to_owned())?;
    Duration::try_from_secs_f64(number * seconds)
        .map_err(|_| "a time cannot be negative or endless".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const MS: Duration = Duration::from_millis(1);

    proptest! {
        #[test]
        fn no_move_takes_the_whole_clock(
            left in 0..10_000_000u32,
            increment in 0..100_000u32,
            moves_to_go in proptest::option::of(0..500u32),
            overhead in 0..500u32,
        ) {
            let (left, overhead) = (MS * left, MS * overhead);
            let pace = Pace::Clock { left, increment: MS * increment, moves_to_go };
            let Allowance { soft, hard } = pace.allowance(overhead).unwrap();
            prop_assert!(soft <= hard && soft >= MS);
            prop_assert!(hard == MS || hard + overhead <= left);
        }
    }

    /// A game of 100 moves on one second with an increment of ten milliseconds.
    #[test]
    fn a_short_clock_lasts() {
        let (mut left, increment, overhead) = (1000 * MS, 10 * MS, 10 * MS);
        for ply in 0..100 {
            let pace = Pace::Clock { left, increment, moves_to_go: None };
            let spent = pace.allowance(overhead).unwrap().hard + overhead / 2;
            assert!(spent < left, "the flag falls at move {ply} with {left:?} left");
            left = left - spent + increment;
        }
    }
}
