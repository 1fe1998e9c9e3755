//! A sentence with moves, which get their names later.

use std::fmt;

use serde::{Serialize, Serializer};

use crate::moves::Move;

/// A sentence; its moves are shown by their names if they have been given some.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(type = "string"))]
pub struct Sentence {
    parts: Vec<Part>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Part {
    Words(String),
    Move(Move),
}

/// The number of moves shown at each end of a longer line.
const LINE_ENDS: usize = 8;

impl Sentence {
    pub(crate) fn new(words: &str) -> Self {
        Self::default().say(words)
    }

    pub(crate) fn say(mut self, words: &str) -> Self {
        match self.parts.last_mut() {
            _ if words.is_empty() => {}
            Some(Part::Words(before)) => before.push_str(words),
            _ => self.parts.push(Part::Words(words.to_owned())),
        }
        self
    }

    pub(crate) fn mv(mut self, mv: &Move) -> Self {
        self.parts.push(Part::Move(mv.clone()));
        self
    }

    /// Appends a sequence of moves; only the two ends of a very long line.
    pub(crate) fn line(mut self, moves: &[Move]) -> Self {
        let middle = moves.len().saturating_sub(2 * LINE_ENDS);
        for (place, mv) in moves.iter().enumerate() {
            if middle > 0 && (LINE_ENDS..LINE_ENDS + middle).contains(&place) {
                if place == LINE_ENDS {
                    self = self.say(&format!(" … {middle} moves …"));
                }
                continue;
            }
            self = self.say(if place == 0 { "" } else { " " }).mv(mv);
        }
        self
    }

    pub(crate) fn then(mut self, other: Self) -> Self {
        for part in other.parts {
            self = match part {
                Part::Words(words) => self.say(&words),
                mv @ Part::Move(_) => {
                    self.parts.push(mv);
                    self
                }
            };
        }
        self
    }

    pub(crate) fn each_move(&mut self, name: &mut dyn FnMut(&mut Move)) {
        for part in &mut self.parts {
            if let Part::Move(mv) = part {
                name(mv);
            }
        }
    }
}

/// Writes the sentence with its capital, if it begins with a word, and its full stop.
impl fmt::Display for Sentence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (place, part) in self.parts.iter().enumerate() {
            match part {
                Part::Words(words) if place == 0 => {
                    let mut characters = words.chars();
                    if let Some(first) = characters.next() {
                        write!(f, "{}{}", first.to_uppercase(), characters.as_str())?;
                    }
                }
                Part::Words(words) => f.write_str(words)?,
                Part::Move(mv) => mv.fmt(f)?,
            }
        }
        f.write_str(".")
    }
}

impl Serialize for Sentence {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}
