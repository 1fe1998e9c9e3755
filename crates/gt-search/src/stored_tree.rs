//! The search tree kept in memory, from iteration to iteration and from move to move.
//!
//! ```text
//! stem   board · children, best first
//!  ├─ branch   move · value, depth, bound      a leaf: its move is tentative, its board is the parent's
//!  ├─ branch   move · value, depth, bound
//!  │   └─ stem   board · children …            expanded: the move is committed on a board of its own
//!  └─ branch   …
//! ```
//!
//! A leaf costs a move and a value, no board: most leaves are cut off and never looked at. Searching expands the
//! leaves it looks below and keeps children sorted by value, which is the order for the next iteration.
//! [`StoredTree::observe`] makes a child the new root and drops the rest: what was searched for the last move serves
//! the next one.
//!
//! **Invariant:** what is stored orders the moves, and answers only for the very depth asked for (or by a proven win),
//! so a value at a fixed depth is what a search without memory finds.

mod search;
mod stem;

use crate::deepening::{Iteration, SearchResult, deepen};
use crate::game::{Evaluate, Game};
use crate::limits::Limits;
use crate::observer::Observer;
use search::Growth;
use stem::Stem;

/// A search tree that lives as long as the game.
///
/// ```
/// use gt_games::amazons::{Amazons, Mobility, Size};
/// use gt_search::{Limits, StoredTree};
///
/// let mut tree = StoredTree::new(Amazons::start(Size::new(6, 6)?), Mobility, 1_000_000);
/// let result = tree.search(&Limits::depth(2));
/// for mv in result.pv {
///     assert!(tree.observe(mv)); // the line came true: what was searched below it is still there
/// }
/// tree.search(&Limits::depth(2));
/// # Ok::<(), gt_games::NotationError>(())
/// ```
pub struct StoredTree<G: Game, E> {
    evaluation: E,
    root: Stem<G>,
    nodes: usize,
    nodes_max: usize,
    /// To which depth the root has been searched.
    depth: u16,
}

impl<G: Game, E: Evaluate<G>> StoredTree<G, E> {
    /// A tree of the position alone, which will hold about `nodes_max` nodes at most. Beyond that, searches expand
    /// leaves only for as long as they are below them.
    #[must_use]
    pub fn new(game: G, evaluation: E, nodes_max: usize) -> Self {
        let root = Stem::new(game);
        Self { evaluation, nodes: 1 + root.children.len(), root, nodes_max, depth: 0 }
    }

    /// How many nodes fit into so much memory, each counted as if it were expanded: the tree takes no more.
    #[must_use]
    pub fn nodes_within(bytes: usize) -> usize {
        bytes / (size_of::<stem::Branch<G>>() + size_of::<Stem<G>>())
    }

    /// The position at the root.
    #[must_use]
    pub fn position(&self) -> &G {
        &self.root.board
    }

    /// How many nodes the tree holds.
    #[must_use]
    pub fn nodes_stored(&self) -> usize {
        self.nodes
    }

    /// The moves of the root with their values for the player to move, best first; those that no search has looked at
    /// have none. A value that is not the best may be an upper bound.
    pub fn root_values(&self) -> impl Iterator<Item = (G::Move, Option<i32>)> + '_ {
        self.root.children.iter().map(|branch| (branch.mv, branch.known.map(|known| -known.value)))
    }

    /// Searches, observed by nobody.
    pub fn search(&mut self, limits: &Limits) -> SearchResult<G::Move> {
        self.search_observed(limits, &mut (), |_| ())
    }

    /// Searches from the depth that an earlier search left off; the observer sees every node, `on_iteration` hears of
    /// each completed depth.
    pub fn search_observed<O: Observer<G::Move>>(
        &mut self,
        limits: &Limits,
        observer: &mut O,
        mut on_iteration: impl FnMut(&Iteration<'_, G::Move>),
    ) -> SearchResult<G::Move> {
        let any_move = self.root.children.first().map(|branch| branch.mv);
        let depth_first = self.depth.max(1);
        let mut growth =
            Growth::new(&self.root, &self.evaluation, limits, observer, self.nodes, self.nodes_max);
        let root = &mut self.root;
        let iterate = |depth| growth.iterate(root, depth);
        let result = deepen(limits, depth_first, any_move, iterate, &mut on_iteration);
        self.nodes = growth.nodes_stored();
        debug_assert_eq!(self.nodes, 1 + self.root.count_below());
        self.depth = self.depth.max(result.depth);
        result
    }

    /// The move has been played: its child becomes the root, the rest is dropped. Returns `false`, and changes
    /// nothing, if the move is not legal.
    pub fn observe(&mut self, mv: G::Move) -> bool {
        let Some(at) = self.root.children.iter().position(|branch| branch.mv == mv) else { return false };
        let branch = self.root.children.swap_remove(at);
        self.depth = branch.known.map_or(0, |known| u16::try_from(known.depth).unwrap_or(0));
        self.root = match branch.stem {
            Some(stem) => *stem,
            None => Stem::after(&self.root.board, mv),
        };
        self.nodes = 1 + self.root.count_below();
        true
    }
}
