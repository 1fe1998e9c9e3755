//! A node as stored in the log.

use crate::score::{Bound, Score, View};

/// A node's place in its tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Place {
    pub(crate) row: u64,
    /// Its node_id.
    pub(crate) node: u64,
    pub(crate) ply: u64,
    /// The number of nodes in its subtree.
    pub(crate) nodes: u64,
}

/// The reason why a node ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Ending {
    /// All its moves were searched, except those the search skipped.
    Searched,
    /// A move failed high.
    Cutoff,
    /// The depth was used up.
    Horizon,
    /// The game is over.
    Terminal,
    /// The transposition table answered.
    TableHit,
    /// Standing pat was enough.
    StandPat,
    /// A null move failed high.
    NullMove,
    /// A draw by rule.
    Draw,
    /// A limit stopped the search, or the log breaks off.
    Stopped,
    /// It has no children, and the log gives no reason.
    Leaf,
    /// The engine's own name for it.
    Other(String),
}

impl Ending {
    /// The ending with this name in logs.
    pub(crate) fn by_name(name: &str) -> Self {
        match name {
            "Searched" => Self::Searched,
            "Cutoff" => Self::Cutoff,
            "Horizon" => Self::Horizon,
            "Terminal" => Self::Terminal,
            "TableHit" => Self::TableHit,
            "StandPat" => Self::StandPat,
            "NullMoveCutoff" => Self::NullMove,
            "DrawByRule" => Self::Draw,
            "Stopped" => Self::Stopped,
            other => Self::Other(other.to_owned()),
        }
    }

    /// The name in logs.
    pub(crate) fn name(&self) -> &str {
        match self {
            Self::Searched => "Searched",
            Self::Cutoff => "Cutoff",
            Self::Horizon => "Horizon",
            Self::Terminal => "Terminal",
            Self::TableHit => "TableHit",
            Self::StandPat => "StandPat",
            Self::NullMove => "NullMoveCutoff",
            Self::Draw => "DrawByRule",
            Self::Stopped => "Stopped",
            Self::Leaf => "Leaf",
            Self::Other(name) => name,
        }
    }
}

/// A node's logged values, from the view of the player to move there.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Node {
    pub(crate) place: Place,
    pub(crate) best: Option<Score>,
    pub(crate) alpha: Option<Score>,
    pub(crate) beta: Option<Score>,
    pub(crate) depth: Option<Score>,
    pub(crate) reduction: Option<i64>,
    pub(crate) extension: Option<i64>,
    pub(crate) table_depth: Option<Score>,
    pub(crate) ending: Ending,
    pub(crate) is_research: bool,
    pub(crate) is_quiescence: bool,
    /// The number of nodes directly below it that are not in the log.
    pub(crate) left_out: u64,
}

impl Node {
    /// What its logged value proves.
    pub(crate) fn bound(&self) -> Option<Bound> {
        Some(Bound::of(self.best?, self.alpha?, self.beta?))
    }

    /// Its value in this view.
    pub(crate) fn value(&self, view: View) -> Option<Score> {
        Some(view.told(self.best?, self.place.ply))
    }

    /// What that value proves.
    pub(crate) fn told_bound(&self, view: View) -> Option<Bound> {
        Some(view.told_bound(self.bound()?, self.place.ply))
    }

    /// Its window in this view, the lower end first.
    pub(crate) fn window(&self, view: View) -> Option<[Score; 2]> {
        let (alpha, beta) = (self.alpha?, self.beta?);
        if view.is_roots_turn(self.place.ply) {
            Some([alpha, beta])
        } else {
            Some([beta.negated(), alpha.negated()])
        }
    }

    /// Whether it was left with a value that the search accepted as its own.
    pub(crate) fn is_finished(&self) -> bool {
        self.ending != Ending::Stopped
    }
}
