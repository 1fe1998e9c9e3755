//! The limits of an engine for a move.

use std::fmt;
use std::time::Duration;

use gt_play::parse_time;

/// A clock: the initial time of a game, and the increment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clock {
    /// The time at the beginning of the game.
    pub base: Duration,
    /// The increment after every move.
    pub increment: Duration,
}

/// The limits of a move; the first one reached ends the search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Budget {
    /// Wall time.
    pub time: Option<Duration>,
    /// CPU time: of the searching thread, or of a program's process.
    pub cpu: Option<Duration>,
    /// Nodes.
    pub nodes: Option<u64>,
    /// Plies.
    pub depth: Option<u16>,
    /// A clock for the whole game.
    pub clock: Option<Clock>,
}

impl Budget {
    /// Whether nothing limits a move.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Whether the same search would end earlier on a slower machine.
    #[must_use]
    pub fn depends_on_time(&self) -> bool {
        self.time.is_some() || self.cpu.is_some() || self.clock.is_some()
    }

    /// The reason why the parts are incompatible.
    pub(crate) fn problem(&self) -> Option<&'static str> {
        if self.clock.is_some() && (self.time.is_some() || self.cpu.is_some()) {
            return Some("a clock and a time for each move exclude each other");
        }
        if self.cpu.is_some() && !cfg!(target_os = "linux") {
            return Some("this system does not tell the CPU time of a thread; use time, nodes or depth");
        }
        None
    }
}

impl fmt::Display for Budget {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut parts = Vec::new();
        if let Some(nodes) = self.nodes {
            parts.push(format!("{nodes} node{}", if nodes == 1 { "" } else { "s" }));
        }
        if let Some(depth) = self.depth {
            parts.push(format!("depth {depth}"));
        }
        if let Some(time) = self.time {
            parts.push(duration_text(time));
        }
        if let Some(cpu) = self.cpu {
            parts.push(format!("{} of CPU time", duration_text(cpu)));
        }
        let a_move = if parts.is_empty() { String::new() } else { format!("{} a move", parts.join(", ")) };
        match self.clock {
            None => out.write_str(&a_move),
            Some(Clock { base, increment }) => {
                let comma = if a_move.is_empty() { "" } else { ", " };
                write!(
                    out,
                    "{a_move}{comma}{}+{} s on the clock",
                    base.as_secs_f64(),
                    increment.as_secs_f64()
                )
            }
        }
    }
}

fn duration_text(time: Duration) -> String {
    if time < Duration::from_secs(1) {
        format!("{} ms", time.as_secs_f64() * 1e3)
    } else {
        format!("{} s", time.as_secs_f64())
    }
}

/// Parses a clock: `10+0.1`, `2m+500ms`, or `60` without an increment.
///
/// # Errors
/// Returns an error if the text is not a clock.
pub fn clock(text: &str) -> Result<Clock, String> {
    let (base, increment) = text.split_once('+').unwrap_or((text, "0"));
    let time = |text: &str| {
        parse_time(text).map_err(|_| "a clock is written 10+0.1: seconds, and what each move adds".to_owned())
    };
    let clock = Clock { base: time(base)?, increment: time(increment)? };
    if clock.base.is_zero() {
        return Err("a clock needs some time to begin with".to_owned());
    }
    Ok(clock)
}

/// Parses a time above zero.
///
/// # Errors
/// Returns an error if the text is not such a time.
pub fn positive_time(text: &str) -> Result<Duration, String> {
    let time = parse_time(text)?;
    if time.is_zero() { Err("a move needs some time".to_owned()) } else { Ok(time) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn budgets_are_told_in_words() {
        let budget = Budget { nodes: Some(500), depth: Some(4), ..Budget::default() };
        assert_eq!(budget.to_string(), "500 nodes, depth 4 a move");
        let budget = Budget { clock: Some(clock("10+0.1").unwrap()), ..Budget::default() };
        assert_eq!(budget.to_string(), "10+0.1 s on the clock");
        let budget = Budget { time: Some(positive_time("50ms").unwrap()), ..Budget::default() };
        assert_eq!(budget.to_string(), "50 ms a move");
    }

    #[test]
    fn clocks_and_times_are_read() {
        let ms = Duration::from_millis;
        assert_eq!(clock("2m+500ms"), Ok(Clock { base: ms(120_000), increment: ms(500) }));
        assert_eq!(clock("1"), Ok(Clock { base: ms(1000), increment: ms(0) }));
        for wrong in ["", "+1", "1+x", "0+1", "-1", "1+-1", "é"] {
            assert!(clock(wrong).is_err(), "{wrong}");
        }
        assert!(positive_time("0").is_err() && positive_time("1h").is_err());
    }
}
