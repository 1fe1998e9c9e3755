//! The causes of differences.

use crate::attributes::Role;

/// The first cause of a difference.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub enum Cause {
    /// The node was entered with other bounds.
    Window = 1,
    /// The transposition table had another answer.
    Table = 2,
    /// Moves were searched in another order.
    Order = 3,
    /// The move was reduced differently.
    Reduction = 4,
    /// The move was extended differently.
    Extension = 5,
    /// One search skipped moves that the other searched: it cut off, stopped, or pruned them.
    Cutoff = 6,
    /// The position was evaluated differently.
    Evaluation = 7,
    /// The node was entered with another depth, without a reduction or extension.
    Depth = 8,
    /// No cause that the log shows.
    Other = 9,
}

impl Cause {
    /// All of them.
    pub const ALL: [Self; 9] = [
        Self::Window,
        Self::Table,
        Self::Order,
        Self::Reduction,
        Self::Extension,
        Self::Cutoff,
        Self::Evaluation,
        Self::Depth,
        Self::Other,
    ];

    /// Returns the name in JSON, reports and text.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Window => "window",
            Self::Table => "table",
            Self::Order => "order",
            Self::Reduction => "reduction",
            Self::Extension => "extension",
            Self::Cutoff => "cutoff",
            Self::Evaluation => "evaluation",
            Self::Depth => "depth",
            Self::Other => "other",
        }
    }

    /// Returns the alias of the value of `cause` in the merged tree.
    #[must_use]
    pub const fn alias(self) -> &'static str {
        match self {
            Self::Window => "CauseWindow",
            Self::Table => "CauseTable",
            Self::Order => "CauseOrder",
            Self::Reduction => "CauseReduction",
            Self::Extension => "CauseExtension",
            Self::Cutoff => "CauseCutoff",
            Self::Evaluation => "CauseEvaluation",
            Self::Depth => "CauseDepth",
            Self::Other => "CauseOther",
        }
    }

    /// The cause if a node was entered differently and nothing before it differs.
    pub(crate) fn of_entry(roles: u16) -> Self {
        let causes = [
            (Role::Extension, Self::Extension),
            (Role::Reduction, Self::Reduction),
            (Role::Depth, Self::Depth),
            (Role::Order, Self::Order),
            (Role::Window, Self::Window),
        ];
        causes.into_iter().find(|(role, _)| role.is_in(roles)).map_or(Self::Other, |(_, cause)| cause)
    }

    /// The cause if a node was left differently and nothing in it differs.
    pub(crate) fn of_leaving(roles: u16, is_leaf: bool) -> Self {
        match roles {
            roles if Role::Ended.is_in(roles) => Self::Cutoff,
            roles if Role::Value.is_in(roles) && is_leaf => Self::Evaluation,
            _ => Self::Other,
        }
    }
}
