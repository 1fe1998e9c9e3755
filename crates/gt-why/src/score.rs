//! Values, what they prove, and whose view they are from.
//!
//! ```text
//! logged: the player to move        told: the player to move at the root
//!   ply 0   12                         12
//!   ply 1  -12, at least              12, at most: a bound changes sides with the sign
//!   ply 2   12                         12
//! ```

use std::cmp::Ordering;
use std::fmt;

use serde::{Serialize, Serializer};

/// A value: whole where the log's attribute is.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Score {
    /// A whole number.
    Whole(i64),
    /// Any other.
    Float(f64),
}

impl Score {
    pub(crate) fn negated(self) -> Self {
        match self {
            Self::Whole(value) => Self::Whole(value.saturating_neg()),
            Self::Float(value) => Self::Float(-value),
        }
    }

    fn as_float(self) -> f64 {
        match self {
            Self::Whole(value) => value as f64,
            Self::Float(value) => value,
        }
    }

    /// How much larger it is than another; whole where both are.
    pub(crate) fn minus(self, other: Self) -> Self {
        match (self, other) {
            (Self::Whole(a), Self::Whole(b)) => Self::Whole(a.saturating_sub(b)),
            _ => Self::Float(self.as_float() - other.as_float()),
        }
    }

    /// Its distance from 0.
    pub(crate) fn size(self) -> f64 {
        self.as_float().abs()
    }
}

impl PartialOrd for Score {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        match (self, other) {
            (Self::Whole(a), Self::Whole(b)) => Some(a.cmp(b)),
            _ => self.as_float().partial_cmp(&other.as_float()),
        }
    }
}

impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Whole(value) => value.fmt(f),
            Self::Float(value) => value.fmt(f),
        }
    }
}

/// What a value proves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Bound {
    /// The position is worth just this, to the depth that it was searched.
    Exact,
    /// At least this.
    Lower,
    /// At most this.
    Upper,
}

impl Bound {
    /// What the value of a node proves that was searched with this window.
    pub(crate) fn of(value: Score, alpha: Score, beta: Score) -> Self {
        if value >= beta {
            Self::Lower
        } else if value <= alpha {
            Self::Upper
        } else {
            Self::Exact
        }
    }

    pub(crate) const fn swapped(self) -> Self {
        match self {
            Self::Exact => Self::Exact,
            Self::Lower => Self::Upper,
            Self::Upper => Self::Lower,
        }
    }

    /// What stands before the value.
    pub(crate) const fn sign(self) -> &'static str {
        match self {
            Self::Exact => "",
            Self::Lower => "≥ ",
            Self::Upper => "≤ ",
        }
    }
}

/// Whose view values are told from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum View {
    /// That of the player to move at the root. The players take turns, `players` of them; where there are more than two,
    /// all others are one side against the root's.
    Root {
        /// How many players there are.
        players: u64,
    },
    /// That of the player to move at each node, as logged: in max^n every player has a value of his own.
    EachPlayer,
}

impl View {
    /// Whether the root's side is to move at this ply.
    pub(crate) const fn is_roots_turn(self, ply: u64) -> bool {
        match self {
            Self::Root { players } => ply.is_multiple_of(players),
            Self::EachPlayer => true,
        }
    }

    /// A value that a node at this ply was logged with, as it is told.
    pub(crate) fn told(self, value: Score, ply: u64) -> Score {
        if self.is_roots_turn(ply) { value } else { value.negated() }
    }

    /// What a told value proves, where the logged one proves this.
    pub(crate) fn told_bound(self, bound: Bound, ply: u64) -> Bound {
        if self.is_roots_turn(ply) { bound } else { bound.swapped() }
    }
}

/// `root` or `each-player`.
impl Serialize for View {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(match self {
            Self::Root { .. } => "root",
            Self::EachPlayer => "each-player",
        })
    }
}
