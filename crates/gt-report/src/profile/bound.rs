//! Values that are bounds.
//!
//! ```text
//!            alpha          beta
//!  ────────────┤    exact    ├────────────▶ best
//!   at most    ┘             └   at least
//! ```
//!
//! A node is searched with a window. A value inside it is the node's; one at its edge or beyond is only a bound on
//! the node's value. From the other player's view the sides swap.

use gt_query::Value;

/// What a value proves about a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Bound {
    /// The value is the node's.
    Exact,
    /// The node is worth at least this: it failed high.
    Lower,
    /// The node is worth at most this: it failed low.
    Upper,
}

impl Bound {
    /// The answer of GTQL's `@bound`; `None` if it is unknown.
    pub(super) fn of_cell(cell: Option<&Value>) -> Option<Self> {
        let Value::Text(name) = cell? else { return None };
        [Self::Exact, Self::Lower, Self::Upper].into_iter().find(|bound| bound.name() == &**name)
    }

    /// Returns the bound from the other player's view.
    pub(super) const fn swapped(self) -> Self {
        match self {
            Self::Exact => Self::Exact,
            Self::Lower => Self::Upper,
            Self::Upper => Self::Lower,
        }
    }

    /// The sign before the value.
    pub(super) const fn sign(self) -> &'static str {
        match self {
            Self::Exact => "",
            Self::Lower => "≥",
            Self::Upper => "≤",
        }
    }

    /// The bound's name in GTQL and in JSON.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Exact => "exact",
            Self::Lower => "lower",
            Self::Upper => "upper",
        }
    }
}
