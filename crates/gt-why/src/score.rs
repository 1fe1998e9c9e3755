//! Values, what they prove, and the view they are from.
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

/// A value: whole if the log's attribute is.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(untagged)]
pub enum Score {
    /// A whole number.
    // The viewer writes one that JavaScript's numbers cannot hold as a text.
    Whole(#[cfg_attr(feature = "ts", ts(type = "number | string"))] i64),
    /// Any other; in JSON, one that is not finite is `null`.
    Float(#[cfg_attr(feature = "ts", ts(type = "number | null"))] f64),
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

    /// The difference to another value; whole if both are.
    pub(crate) fn minus(self, other: Self) -> Self {
        match (self, other) {
            (Self::Whole(a), Self::Whole(b)) => Self::Whole(a.saturating_sub(b)),
            _ => Self::Float(self.as_float() - other.as_float()),
        }
    }

    /// Its absolute value.
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
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum Bound {
    /// The position is worth exactly this, at the depth searched.
    Exact,
    /// At least this.
    Lower,
    /// At most this.
    Upper,
}

impl Bound {
    /// What the value of a node searched with this window proves.
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

    /// The sign before the value.
    pub(crate) const fn sign(self) -> &'static str {
        match self {
            Self::Exact => "",
            Self::Lower => "≥ ",
            Self::Upper => "≤ ",
        }
    }
}

/// The view that values are from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(rename = "ScoreView", type = "\"root\" | \"each-player\""))]
pub enum View {
    /// The view of the player to move at the root. The players take turns, `players` of them; with more than two, all
    /// others are one side against the root's.
    Root {
        /// The number of players.
        players: u64,
    },
    /// The view of the player to move at each node, as logged: in max^n every player has his own value.
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

    /// The logged value of a node at this ply, in this view.
    pub(crate) fn told(self, value: Score, ply: u64) -> Score {
        if self.is_roots_turn(ply) { value } else { value.negated() }
    }

    /// The bound in this view, if the logged one is this.
    pub(crate) fn told_bound(self, bound: Bound, ply: u64) -> Bound {
        if self.is_roots_turn(ply) { bound } else { bound.swapped() }
    }
}

/// Serialises as `root` or `each-player`.
impl Serialize for View {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(match self {
            Self::Root { .. } => "root",
            Self::EachPlayer => "each-player",
        })
    }
}
