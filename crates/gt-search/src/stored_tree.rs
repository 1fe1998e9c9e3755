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
//! A leaf stores a move and a value but no board: most leaves are cut off and never looked at. A stem's board is
//! packed, if the game supports that ([`Game::pack`]), and unpacked while the search is below it. Searching expands
//! the leaves it looks below and keeps children sorted by value, which is the order for the next iteration.
//! [`StoredTree::observe`] makes a child the new root and drops the rest, so the work on the last move helps with the
//! next.
//!
//! **Invariant:** stored values order the moves, and answer only for exactly the requested depth (or by a proven
//! win), so a value at a fixed depth is the one that a search without memory finds.

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
    /// The position at the root.
    game: G,
    root: Stem<G>,
    nodes: usize,
    nodes_max: usize,
    /// The depth to which the root has been searched.
    depth: u16,
}

impl<G: Game, E: Evaluate<G>> StoredTree<G, E> {
    /// A tree with only the root, limited to about `nodes_max` nodes. Beyond that, searches expand leaves only while
    /// they are below them.
    #[must_use]
    pub fn new(game: G, evaluation: E, nodes_max: usize) -> Self {
        let root = Stem::new(&game);
        Self { evaluation, game, nodes: 1 + root.children.len(), root, nodes_max, depth: 0 }
    }

    /// The number of nodes that fit into `bytes` of memory, each counted as if it were expanded.
    #[must_use]
    pub fn nodes_within(bytes: usize) -> usize {
        bytes / (size_of::<stem::Branch<G>>() + size_of::<Stem<G>>())
    }

    /// The position at the root.
    #[must_use]
    pub fn position(&self) -> &G {
        &self.game
    }

    /// The number of nodes in the tree.
    #[must_use]
    pub fn nodes_stored(&self) -> usize {
        self.nodes
    }

    /// The bytes that the nodes take, without the allocator's overhead.
    #[must_use]
    pub fn bytes_stored(&self) -> usize {
        self.root.bytes()
    }

    /// The moves of the root with their values for the player to move, best first; a move that no search has looked
    /// at has none. A value that is not the best may be an upper bound.
    pub fn root_values(&self) -> impl Iterator<Item = (G::Move, Option<i32>)> + '_ {
        self.root.children.iter().map(|branch| (branch.mv, branch.known.map(|known| -known.value)))
    }

    /// Searches without an observer.
    pub fn search(&mut self, limits: &Limits) -> SearchResult<G::Move> {
        self.search_observed(limits, &mut (), |_| ())
    }

    /// Continues at the depth where an earlier search stopped. The observer sees every node; `on_iteration` is called
    /// for each completed depth.
    pub fn search_observed<O: Observer<G::Move>>(
        &mut self,
        limits: &Limits,
        observer: &mut O,
        mut on_iteration: impl FnMut(&Iteration<'_, G::Move>),
    ) -> SearchResult<G::Move> {
        let any_move = self.root.children.first().map(|branch| branch.mv);
        let depth_first = self.depth.max(1);
        let mut growth =
            Growth::new(&self.game, &self.evaluation, limits, observer, self.nodes, self.nodes_max);
        let root = &mut self.root;
        let mut iterate = |depth| growth.iterate(root, depth);
        let result = deepen(limits, depth_first, any_move, &mut iterate, &mut on_iteration);
        self.nodes = growth.nodes_stored();
        debug_assert_eq!(self.nodes, 1 + self.root.count_below());
        self.depth = self.depth.max(result.depth);
        result
    }

    /// Plays a move: its child becomes the root, the rest is dropped. Returns `false`, and changes nothing, if the
    /// move is not legal.
    pub fn observe(&mut self, mv: G::Move) -> bool {
        let Some(at) = self.root.children.iter().position(|branch| branch.mv == mv) else { return false };
        let branch = self.root.children.swap_remove(at);
        self.depth = branch.known.map_or(0, |known| u16::try_from(known.depth).unwrap_or(0));
        self.root = match branch.stem {
            Some(stem) => *stem,
            None => Stem::after(&self.game, mv),
        };
        self.game.make(mv);
        self.nodes = 1 + self.root.count_below();
        true
    }
}
