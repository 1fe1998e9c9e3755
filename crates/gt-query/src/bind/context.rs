//! The context of an expression: what it may refer to and contain.

use crate::error::ErrorKind;
use crate::ir::{Anchor, Scope};
use crate::vocabulary::Part;

/// The context of an expression.
#[derive(Clone, Debug)]
pub(super) struct Context {
    pub(super) place: Place,
    pub(super) aggregates: Aggregates,
    /// Whether the expression is a column of a result; only such a column may be a line of moves.
    pub(super) selected: bool,
}

/// The nodes that an expression can refer to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// The node and its relatives.
    Node,
    /// The node and its relatives, in a part like `child:` outside an aggregate, where there is no child yet.
    Outside(Part),
    /// The node and one of its children, siblings or twins, in an aggregate over these.
    Other,
}

/// Whether aggregates are allowed.
#[derive(Clone, Debug)]
pub(super) enum Aggregates {
    /// Aggregates over this scope.
    Over(Scope),
    /// Aggregates over the scope that is written before them.
    Written,
    /// No aggregates.
    Refused(ErrorKind),
}

impl Context {
    /// The context of a part whose aggregates range over its own scope.
    pub(super) fn of_part(part: Part, scope: Scope) -> Self {
        let place = if scope.anchor() == Anchor::Other { Place::Outside(part) } else { Place::Node };
        Self { place, aggregates: Aggregates::Over(scope), selected: false }
    }

    /// The context of aggregates over the matches.
    pub(super) fn of_matches() -> Self {
        Self { place: Place::Node, aggregates: Aggregates::Over(Scope::Matches), selected: false }
    }

    /// The context of a `let`.
    pub(super) fn derived() -> Self {
        Self { place: Place::Node, aggregates: Aggregates::Written, selected: false }
    }

    /// The context of values of one node, without aggregates.
    pub(super) fn refusing(kind: ErrorKind) -> Self {
        Self { place: Place::Node, aggregates: Aggregates::Refused(kind), selected: false }
    }

    /// Returns this context for a column of a result.
    pub(super) fn selected(mut self) -> Self {
        self.selected = true;
        self
    }

    pub(super) fn inside_aggregate(scope: Scope) -> Self {
        let place = if scope.anchor() == Anchor::Other { Place::Other } else { Place::Node };
        Self { place, aggregates: Aggregates::Refused(ErrorKind::AggregateInAggregate), selected: false }
    }
}
