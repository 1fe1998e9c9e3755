//! Endings whose value is known: the door by which a search asks tables of endgames.
//!
//! ```text
//! node ──▶ Endings::known(position) ──▶ None          the search goes on (nearly always: the check is cheap)
//!                                   └─▶ Some(Ending)  the node ends, [`Ended::Endgame`], its value exact at every depth
//! ```
//!
//! The root itself is not asked, since a value alone is no move: its children are, and the best of them is the move.
//!
//! **Invariant:** what [`Endings::known`] says is the game's value with best play of both sides. It says nothing of a game that
//! is over.
//!
//! [`Ended::Endgame`]: crate::Ended::Endgame

use crate::driver::Driver;
use crate::game::{Evaluate, Game};
use crate::node::Node;
use crate::observer::{Ended, Observer};
use crate::value::WIN;

/// What is known of a position, for the player to move. Distances are in plies, up to the end of the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Ending {
    /// The player to move wins.
    Win {
        /// In so many plies, with best play; an odd number where players alternate.
        plies: u16,
    },
    /// Nobody wins.
    Draw,
    /// The player to move loses.
    Loss {
        /// In so many plies, with best play; 0 where the game is over.
        plies: u16,
    },
}

impl Ending {
    /// The value of a node so far from the root.
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

    /// The same ending for the player who came to it by a move, one ply before.
    #[must_use]
    pub fn before_move(self) -> Self {
        match self {
            Self::Win { plies } => Self::Loss { plies: plies + 1 },
            Self::Draw => Self::Draw,
            Self::Loss { plies } => Self::Win { plies: plies + 1 },
        }
    }
}

/// Somebody who knows endings. Asked at every node, so a position that is not known must be refused at once, by a count of its
/// pieces for example.
pub trait Endings<G: Game>: Send + Sync {
    /// The ending with best play, where it is known.
    fn known(&self, game: &G) -> Option<Ending>;
}

impl<G: Game, E: Evaluate<G>, O: Observer<G::Move>> Driver<'_, G, E, O> {
    /// The value of the node, where somebody knows its ending; the node is concluded then.
    #[inline]
    pub(crate) fn known_ending(&mut self, node: Node) -> Option<i32> {
        let ending = self.endings?.known(&self.walk.game)?;
        self.walk.endings += 1;
        Some(self.walk.conclude(ending.value(node.ply), Ended::Endgame))
    }
}
