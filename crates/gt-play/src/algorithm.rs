//! The algorithms by name.

use std::fmt;
use std::str::FromStr;

use gt_games::registry::GameKind;

use crate::error::Error;

/// An algorithm, as it is called on the command line and in logs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)] // `description` says it.
pub enum Algorithm {
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
    ProofNumber,
    Sampling,
    Uct,
}

impl Algorithm {
    /// Every algorithm, in the order in which lists show them.
    pub const ALL: [Self; 13] = [
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
        Self::ProofNumber,
        Self::Sampling,
        Self::Uct,
    ];

    /// Its name.
    #[must_use]
    pub const fn name(self) -> &'static str {
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
            Self::ProofNumber => "proof-number",
            Self::Sampling => "sampling",
            Self::Uct => "uct",
        }
    }

    /// One line about it.
    #[must_use]
    pub const fn description(self) -> &'static str {
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
            Self::ProofNumber => "who wins, proven or disproven by AND and OR, without values",
            Self::Sampling => "paranoid over deals that fit what a player has seen, for hidden hands",
            Self::Uct => "Monte Carlo tree search, any number of players; its value is in per mille",
        }
    }

    /// Whether it is for more than two players.
    #[must_use]
    pub const fn is_for_many(self) -> bool {
        matches!(self, Self::MaxN | Self::Paranoid | Self::BestReply | Self::Sampling | Self::Uct)
    }

    /// Whether several threads can search by it.
    #[must_use]
    pub const fn takes_threads(self) -> bool {
        matches!(self, Self::Pvs | Self::Strong)
    }

    /// Whether it asks the game's evaluation; playouts do not.
    #[must_use]
    pub const fn evaluates(self) -> bool {
        !matches!(self, Self::Uct | Self::ProofNumber)
    }

    /// Whether it asks tables of endgames.
    #[must_use]
    pub const fn asks_endgames(self) -> bool {
        matches!(self, Self::Pvs | Self::Strong)
    }

    /// The one that fits a game best.
    #[must_use]
    pub const fn best_for(game: GameKind, players: usize) -> Self {
        match game {
            GameKind::Thorns => Self::Sampling,
            _ if players > 2 => Self::Paranoid,
            GameKind::Chess => Self::Strong,
            GameKind::Tree => Self::AlphaBeta,
            GameKind::TicTacToe | GameKind::ConnectFour | GameKind::Amazons | GameKind::ChineseCheckers => {
                Self::Pvs
            }
        }
    }

    /// Refuses a number of players or threads that it is not for.
    ///
    /// # Errors
    /// It does not fit.
    pub fn check(self, players: usize, threads: usize) -> Result<(), Error> {
        let name = self.name();
        if players > 2 && !self.is_for_many() {
            return Err(Error::Unfit(format!(
                "`{name}` is for two players; with {players} there are max-n, paranoid, best-reply, sampling and uct"
            )));
        }
        if threads > 1 && !self.takes_threads() {
            return Err(Error::Unfit(format!(
                "`{name}` searches on one thread; several are for pvs and strong"
            )));
        }
        Ok(())
    }
}

impl fmt::Display for Algorithm {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.name())
    }
}

impl FromStr for Algorithm {
    type Err = Error;

    fn from_str(name: &str) -> Result<Self, Error> {
        Self::ALL.into_iter().find(|algorithm| algorithm.name() == name).ok_or_else(|| {
            let names = Self::ALL.map(Self::name).join(", ");
            Error::Unfit(format!("there is no algorithm `{name}`; there are {names}"))
        })
    }
}
