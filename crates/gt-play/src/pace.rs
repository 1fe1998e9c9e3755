//! Clocks, and how much of one a move may take.
//!
//! ```text
//! 0 ────────── soft ─────────────── hard ─────────── what is left
//!      a new iteration begins    the search is     the flag falls
//!      only before `soft`        stopped
//! ```

use std::time::Duration;

/// What a move may take.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Pace {
    /// As long as nobody says stop.
    #[default]
    Endless,
    /// The same for every move.
    Fixed(Duration),
    /// A clock that runs down.
    Clock {
        /// What is left of it.
        left: Duration,
        /// What every move adds.
        increment: Duration,
        /// How many moves it is for; the rest of the game where nothing is said.
        moves_to_go: Option<u32>,
    },
}

/// How long a search may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Allowance {
    /// No iteration begins after this.
    pub soft: Duration,
    /// The search is stopped.
    pub hard: Duration,
}

/// A game that has no end in sight is taken to have so many moves left.
const MOVES_AHEAD: u32 = 30;
/// No control is planned further ahead.
const MOVES_AHEAD_MAX: u32 = 60;

impl Pace {
    /// The allowance for a move of which `overhead` is lost between the clock and the search; none where time does not
    /// matter.
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
                // Every move of the plan loses the overhead once.
                let usable = left.saturating_sub(overhead);
                let planned = usable.saturating_sub(overhead * (moves - 1)) / moves + increment.mul_f64(0.8);
                // Half the clock for one move, unless it is the last one before more is given.
                let share = if moves == 1 { 0.9 } else { 0.5 };
                let most = usable.mul_f64(share);
                let hard = (planned * 4).min(most).max(floor);
                // An iteration takes some times as long as the one before: one that begins late is not finished.
                let soft = planned.mul_f64(0.6).min(hard).max(floor);
                Some(Allowance { soft, hard })
            }
        }
    }
}

const TIME_FORM: &str = "a time is written 10, 10s, 500ms or 2m";

/// Reads a time as people write it: `10` and `10s` are seconds, `500ms` milliseconds, `2m` minutes.
///
/// # Errors
/// The text is no time; the sentence says how one is written.
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

    /// A game of 100 moves on one second with a hundredth more for each.
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
