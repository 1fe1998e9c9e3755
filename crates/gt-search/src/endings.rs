//! Known endings: the interface through which a search asks endgame tables.
//!
//! ```text
//! node ──▶ Endings::known(position) ──▶ None          the search goes on (nearly always: the check is cheap)
//!                                   └─▶ Some(KnownEnding)   the node ends, [`Ended::Endgame`], its value exact at every depth
//! ```
//!
//! The root itself is not looked up, since a value alone gives no move: its children are, and the best of them is the
//! move. A source whose values do not show progress names the root's moves that make it ([`Endings::progress`]).
//!
//! **Invariant:** [`Endings::known`] returns the game's result with best play by both sides. It returns nothing for a
//! game that is over.
//!
//! [`Ended::Endgame`]: crate::Ended::Endgame

use crate::driver::Driver;
use crate::game::{Evaluate, Game};
use crate::node::Node;
use crate::observer::{Ended, Observer};
use crate::value::{WIN, WIN_MIN};

/// The known result of a position for the player to move. Distances are in plies, up to the end of the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Ending {
    /// The player to move wins.
    Win {
        /// The number of plies with best play; odd if players alternate.
        plies: u16,
    },
    /// Nobody wins.
    Draw,
    /// The player to move loses.
    Loss {
        /// The number of plies with best play; 0 if the game is over.
        plies: u16,
    },
}

impl Ending {
    /// Returns the value of a node at this distance from the root.
    ///
    /// ```
    /// use gt_search::{Ending, WIN};
    /// assert_eq!(Ending::Win { plies: 5 }.value(2), WIN - 7);
    /// assert_eq!(Ending::Loss { plies: 4 }.value(2), 6 - WIN);
    /// ```
    #[must_use]
    pub fn value(self, ply: u16) -> i32 {
        match self {
            Self::Win { plies } => WIN - i32::from(plies) - i32::from(ply),
            Self::Draw => 0,
            Self::Loss { plies } => i32::from(plies) + i32::from(ply) - WIN,
        }
    }

    /// Returns the same ending for the player who reached it by a move, one ply earlier.
    #[must_use]
    pub fn before_move(self) -> Self {
        match self {
            Self::Win { plies } => Self::Loss { plies: plies + 1 },
            Self::Draw => Self::Draw,
            Self::Loss { plies } => Self::Win { plies: plies + 1 },
        }
    }
}

/// What is known of a position's ending, for the player to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum KnownEnding {
    /// The result, with its distance.
    Measured(Ending),
    /// The player to move wins; how soon is not known.
    Win,
    /// The player to move loses; how soon is not known.
    Loss,
}

impl KnownEnding {
    /// Returns the value of a node at this distance from the root.
    #[must_use]
    pub fn value(self, ply: u16) -> i32 {
        match self {
            Self::Measured(ending) => ending.value(ply),
            Self::Win => WIN_MIN - 1 - i32::from(ply),
            Self::Loss => i32::from(ply) + 1 - WIN_MIN,
        }
    }

    /// Returns the same ending for the player who reached it by a move, one ply earlier.
    #[must_use]
    pub fn before_move(self) -> Self {
        match self {
            Self::Measured(ending) => Self::Measured(ending.before_move()),
            Self::Win => Self::Loss,
            Self::Loss => Self::Win,
        }
    }
}

impl From<Ending> for KnownEnding {
    fn from(ending: Ending) -> Self {
        Self::Measured(ending)
    }
}

/// A source of known endings. It is asked at every node, so it must reject an unknown position quickly, for example
/// by counting pieces.
pub trait Endings<G: Game>: Send + Sync {
    /// Returns the ending with best play, if it is known.
    fn known(&self, game: &G) -> Option<KnownEnding>;

    /// Returns the moves of a root among which the search should choose, if the source knows better than the values it gives: a win at an
    /// unknown distance is won only by moves that make progress. `None` for all moves.
    fn progress(&self, game: &G) -> Option<Vec<G::Move>> {
        let _ = game;
        None
    }
}

impl<G: Game, E: Evaluate<G>, O: Observer<G::Move>> Driver<'_, G, E, O> {
    /// The value of the node if its ending is known; this concludes the node.
    #[inline]
    pub(crate) fn known_ending(&mut self, node: Node) -> Option<i32> {
        let ending = self.endings?.known(&self.walk.game)?;
        self.walk.endings += 1;
        Some(self.walk.conclude(ending.value(node.ply), Ended::Endgame))
    }
}
