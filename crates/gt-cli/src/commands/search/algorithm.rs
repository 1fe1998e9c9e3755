//! The algorithms by name.

/// An algorithm, as it is called on the command line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Algorithm {
    Minimax,
    Negamax,
    AlphaBeta,
    Negascout,
    Pvs,
    Strong,
    StoredTree,
    MaxN,
    Paranoid,
    BestReply,
    Uct,
}

impl Algorithm {
    pub(crate) const ALL: [Self; 11] = [
        Self::Minimax,
        Self::Negamax,
        Self::AlphaBeta,
        Self::Negascout,
        Self::Pvs,
        Self::Strong,
        Self::StoredTree,
        Self::MaxN,
        Self::Paranoid,
        Self::BestReply,
        Self::Uct,
    ];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Minimax => "minimax",
            Self::Negamax => "negamax",
            Self::AlphaBeta => "alpha-beta",
            Self::Negascout => "negascout",
            Self::Pvs => "pvs",
            Self::Strong => "strong",
            Self::StoredTree => "stored-tree",
            Self::MaxN => "max-n",
            Self::Paranoid => "paranoid",
            Self::BestReply => "best-reply",
            Self::Uct => "uct",
        }
    }

    pub(crate) fn description(self) -> &'static str {
        match self {
            Self::Minimax => "every line to the depth, one player high, the other low",
            Self::Negamax => "the same, each player for himself",
            Self::AlphaBeta => "without the lines that cannot matter",
            Self::Negascout => "a null window for all moves but the first",
            Self::Pvs => "negascout with a table and good ordering; the value at a depth stays negamax's",
            Self::Strong => "pvs with quiescence, null moves, reductions and extensions",
            Self::StoredTree => "the tree kept in memory, its children sorted",
            Self::MaxN => "each player for himself, any number of players",
            Self::Paranoid => "all others against the one to move, any number of players",
            Self::BestReply => "only the strongest reply of all others, any number of players",
            Self::Uct => "Monte Carlo tree search, any number of players; its value is in per mille",
        }
    }

    /// Whether it is for more than two players.
    pub(crate) fn is_for_many(self) -> bool {
        matches!(self, Self::MaxN | Self::Paranoid | Self::BestReply | Self::Uct)
    }
}
