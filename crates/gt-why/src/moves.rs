//! Moves: numbers for which the caller may have names.

use std::fmt;

use serde::{Serialize, Serializer};

/// Returns the name of the move with this number; `None` if it has none.
pub type Names<'a> = dyn Fn(i64) -> Option<String> + 'a;

/// A move of a log. It is shown, and serialised, by its name if it has one, otherwise as its number.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(rename = "MoveName", type = "string | number"))]
pub struct Move {
    /// The log's `last_move`.
    pub number: i64,
    /// The game's notation of it.
    pub name: Option<String>,
}

impl Move {
    pub(crate) fn name_by(&mut self, names: &Names<'_>) {
        self.name = names(self.number);
    }
}

impl From<i64> for Move {
    fn from(number: i64) -> Self {
        Self { number, name: None }
    }
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.name {
            Some(name) => f.write_str(name),
            None => self.number.fmt(f),
        }
    }
}

impl Serialize for Move {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match &self.name {
            Some(name) => serializer.serialize_str(name),
            None => serializer.serialize_i64(self.number),
        }
    }
}
