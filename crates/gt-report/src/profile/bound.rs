//! Values that are bounds.
//!
//! ```text
//!            alpha          beta
//!  ────────────┤    exact    ├────────────▶ best
//!   at most    ┘             └   at least
//! ```
//!
//! A node is searched with a window. A value inside it is the node's; one at its edge or beyond only says on which side
//! of it the node's value lies. Seen by the other player the sides swap.

use gt_query::Value;

/// What a value says of a node.
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
    /// What GTQL's `@bound` answers; `None` where that is unknown.
    pub(super) fn of_cell(cell: Option<&Value>) -> Option<Self> {
        let Value::Text(name) = cell? else { return None };
        [Self::Exact, Self::Lower, Self::Upper].into_iter().find(|bound| bound.name() == &**name)
    }

    /// The same bound as the other player sees it.
    pub(super) const fn swapped(self) -> Self {
        match self {
            Self::Exact => Self::Exact,
            Self::Lower => Self::Upper,
            Self::Upper => Self::Lower,
        }
    }

    /// What stands before the value.
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
