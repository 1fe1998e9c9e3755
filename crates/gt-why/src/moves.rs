//! Moves: numbers for which the caller may have names.
//!
//! What a move is called can depend on the position that it is made in. A move therefore knows the moves before it:
//!
//! ```text
//! the line that was asked for   e2e4 e7e5 g1f3
//! a reply to e7e5               ├────────┤ f1c4         two moves of the line lead there
//! the rival's refutation        d2d4 d7d5 c2c4 …        none does, moves beside the line do
//! ```

use std::fmt;

use gt_report::NameMoves;
use serde::{Serialize, Serializer};

use crate::node::Place;

/// A move of a log. It is shown, and serialised, by its name if it has one, otherwise as its number.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(rename = "MoveName", type = "string | number"))]
pub struct Move {
    /// The log's `last_move`.
    pub number: i64,
    /// The game's notation of it.
    pub name: Option<String>,
    /// The number of moves of the explained line that lead to the node where it is made.
    shared: usize,
    /// The moves after those, beside the line.
    beside: Vec<i64>,
}

impl Move {
    /// A move that is made at a node of the explained line.
    pub(crate) fn made_at(node: Place, number: i64) -> Self {
        Self::after(node.ply, number)
    }

    /// The move that leads from a node of the explained line to this one, or another that is made there.
    pub(crate) fn leading_to(node: Place, number: i64) -> Self {
        Self::after(node.ply.saturating_sub(1), number)
    }

    fn after(shared: u64, number: i64) -> Self {
        Self { number, name: None, shared: shared as usize, beside: Vec::new() }
    }

    /// A move that is made after these, from the root.
    pub(crate) fn beside(before: &[i64], number: i64) -> Self {
        Self { number, name: None, shared: 0, beside: before.to_vec() }
    }

    /// The moves of a line from the root.
    pub(crate) fn line(numbers: &[i64]) -> Vec<Self> {
        (0..).zip(numbers).map(|(shared, &number)| Self::after(shared, number)).collect()
    }

    /// Gives the move its name; `line` is the explained line.
    pub(crate) fn name_by(&mut self, line: &[i64], names: &dyn NameMoves) {
        let shared = &line[..self.shared.min(line.len())];
        self.name = match self.beside.as_slice() {
            [] => names.name(shared, self.number),
            beside => names.name(&[shared, beside].concat(), self.number),
        };
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
