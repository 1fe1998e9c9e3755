//! The algorithms by name.

use std::fmt;
use std::str::FromStr;

use gt_games::registry::GameKind;
use gt_search::{Idea, Options};

use crate::error::Error;

/// An algorithm, with its name on the command line and in logs.
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
    UctEval,
}

impl Algorithm {
    /// Every algorithm, in the order in which lists show them.
    pub const ALL: [Self; 14] = [
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
        Self::UctEval,
    ];

    /// Returns its name.
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
            Self::UctEval => "uct-eval",
        }
    }

    /// Returns a one-line description.
    #[must_use]
    pub const fn description(self) -> &'static str {
        match self {
            Self::Minimax => "every line to the depth, one player high, the other low",
            Self::Negamax => "the same, each player for himself",
            Self::AlphaBeta => "without the lines that cannot matter",
            Self::Negascout => "a null window for all moves but the first",
            Self::Pvs => "negascout with a table and good ordering; the value at a depth stays negamax's",
            Self::Strong => {
                "pvs that looks where it pays: quiescence, reductions, extensions; in Amazons the best moves only"
            }
            Self::StoredTree => "the tree kept in memory, its children sorted",
            Self::MaxN => "each player for himself, any number of players",
            Self::Paranoid => "all others against the one to move, any number of players",
            Self::BestReply => "only the strongest reply of all others, any number of players",
            Self::ProofNumber => "who wins, proven or disproven by AND and OR, without values",
            Self::Sampling => "paranoid over deals that fit what a player has seen, for hidden hands",
            Self::Uct => "Monte Carlo tree search, any number of players; its value is in per mille",
            Self::UctEval => "the same with the evaluation instead of playouts, the best moves first",
        }
    }

    /// Whether it supports more than two players.
    #[must_use]
    pub const fn is_for_many(self) -> bool {
        matches!(self, Self::MaxN | Self::Paranoid | Self::BestReply | Self::Sampling | Self::Uct)
    }

    /// Whether it can search with several threads.
    #[must_use]
    pub const fn takes_threads(self) -> bool {
        matches!(self, Self::Pvs | Self::Strong)
    }

    /// Whether it uses the game's evaluation; playouts do not.
    #[must_use]
    pub const fn evaluates(self) -> bool {
        !matches!(self, Self::Uct | Self::ProofNumber)
    }

    /// Whether its tree grows from simulations, so that it is logged at the end.
    #[must_use]
    pub const fn simulates(self) -> bool {
        matches!(self, Self::Uct | Self::UctEval)
    }

    /// Whether it uses endgame tables.
    #[must_use]
    pub const fn asks_endgames(self) -> bool {
        matches!(self, Self::Pvs | Self::Strong)
    }

    /// Returns the one that fits a game best.
    #[must_use]
    pub const fn best_for(game: GameKind, players: usize) -> Self {
        match game {
            GameKind::Thorns => Self::Sampling,
            _ if players > 2 => Self::Paranoid,
            GameKind::Chess | GameKind::Amazons => Self::Strong,
            GameKind::Tree => Self::AlphaBeta,
            GameKind::TicTacToe | GameKind::ConnectFour | GameKind::ChineseCheckers => Self::Pvs,
        }
    }

    /// Returns the options of its search without some ideas; `None` for an algorithm that has no options.
    ///
    /// # Errors
    /// Returns an error if it does not use one of the ideas.
    pub fn options_without(self, game: GameKind, ideas: &[Idea]) -> Result<Option<Options>, Error> {
        let options = match self {
            Self::Pvs => Some(Options::default()),
            Self::Strong => Some(strong_options(game)),
            Self::Minimax
            | Self::Negamax
            | Self::AlphaBeta
            | Self::Negascout
            | Self::StoredTree
            | Self::MaxN
            | Self::Paranoid
            | Self::BestReply
            | Self::ProofNumber
            | Self::Sampling
            | Self::Uct
            | Self::UctEval => None,
        };
        let used: Vec<&str> = Idea::ALL
            .into_iter()
            .filter(|&idea| options.as_ref().is_some_and(|options| options.uses(idea)))
            .map(Idea::name)
            .collect();
        match ideas.iter().find(|idea| !used.contains(&idea.name())) {
            Some(idea) if used.is_empty() => {
                Err(Error::Unfit(format!("`{self}` does without `{}` already: it is plain", idea.name())))
            }
            Some(idea) => {
                let used = used.join(", ");
                Err(Error::Unfit(format!("`{self}` does without `{}` already; it uses {used}", idea.name())))
            }
            None => {
                Ok(options.map(|options| ideas.iter().fold(options, |options, &idea| options.without(idea))))
            }
        }
    }

    /// Rejects an unsupported number of players or threads.
    ///
    /// # Errors
    /// Returns an error if it does not fit.
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

/// Returns the features of [`Algorithm::Strong`] beyond principal variation search, in each game.
#[must_use]
pub fn strong_options(game: GameKind) -> Options {
    match game {
        GameKind::Amazons => Options::broad(),
        GameKind::TicTacToe
        | GameKind::ConnectFour
        | GameKind::Chess
        | GameKind::ChineseCheckers
        | GameKind::Tree
        | GameKind::Thorns => Options::selective(),
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
