//! Monte Carlo tree search (UCT): a tree that grows where random play went well.
//!
//! ```text
//! select    from the root, the child with the highest upper confidence bound, down to a move never tried
//! expand    add that move as a node
//! play out  random moves to the end of the game
//! back up   count the result at every node on the way
//! ```
//!
//! The tree does not grow depth-first: nodes are in the order in which they were found, each after its parent.
//! [`Uct::rows`] returns it in that order, [`Uct::show`] depth-first. The same seed gives the same tree.
//! [`Uct::advance`] keeps the part below the moves that were played, for the search of the next move.
//!
//! With an evaluation ([`Uct::evaluating`]), a new node gets the evaluation's value of it, or of the position some
//! random plies on. A node tries its moves in the order of their values, more of them the more often it is visited:
//! in a game with hundreds of moves nothing else gets deep. A full tree stops growing, but its counts go on.

mod candidates;
mod playout;
mod subtree;
mod tree;

use std::sync::Arc;
use std::time::Instant;

pub use tree::Row;

use crate::deepening::{Iteration, SearchResult};
use crate::game::{Evaluate, Game};
use crate::limits::{Clock, Limits};
use crate::observer::Observer;
use playout::Playout;
use tree::{Growth, Tree};

/// The value of a certain win in per mille: 1000 if every playout is won, 0 if even, -1000 if every one is
/// lost.
pub const CERTAIN_PER_MILLE: i32 = 1000;

/// The parameters of UCT.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct UctOptions {
    /// The weight of exploration against exploitation; the square root of two in theory.
    pub exploration: f64,
    /// The seed of the playouts.
    pub seed: u64,
    /// The length beyond which a playout counts as a draw.
    pub playout_plies_max: u32,
    /// The approximate maximum memory of the tree in bytes, rewards included.
    pub memory_max: usize,
    /// With an evaluation: the exploration weight for values, which lie closer together than wins and losses.
    pub exploration_evaluating: f64,
    /// With an evaluation: the number of random plies before it.
    pub evaluation_plies: u32,
    /// With an evaluation: the value at which the odds of winning are e to 1.
    pub evaluation_scale: f64,
    /// With an evaluation: a node has at most one child, plus this many per square root of its visits.
    pub widening: f64,
}

impl UctOptions {
    /// The maximum number of children after this many visits, if an evaluation orders them.
    fn children_max(&self, visits: u64) -> usize {
        1 + (self.widening * (visits as f64).sqrt()) as usize
    }
}

impl Default for UctOptions {
    fn default() -> Self {
        Self {
            exploration: std::f64::consts::SQRT_2,
            seed: 1,
            playout_plies_max: 1000,
            memory_max: usize::MAX,
            exploration_evaluating: 0.2,
            evaluation_plies: 0,
            evaluation_scale: 100.0,
            widening: 1.0,
        }
    }
}

/// A search that can be continued: each call of [`Uct::search`] adds to the tree.
///
/// ```
/// use gt_games::TicTacToe;
/// use gt_search::{Limits, Uct, UctOptions};
///
/// let mut uct = Uct::new(TicTacToe::new(), UctOptions::default());
/// uct.search(&Limits::nodes(500), |_| ());
/// for (index, row) in uct.rows().enumerate() {
///     assert!(row.parent.is_none_or(|parent| parent < index));
/// }
/// ```
pub struct Uct<G: Game> {
    game: G,
    options: UctOptions,
    evaluation: Option<Arc<dyn Evaluate<G> + Send + Sync>>,
    tree: Tree<G::Move>,
    playout: Playout<G::Move>,
    /// The number of nodes when the last search began.
    nodes_before: usize,
}

/// The number of simulations if no limit sets it.
const SIMULATIONS_DEFAULT: u64 = 10_000;
/// The number of simulations before the first progress report; it doubles for each next report.
const SIMULATIONS_TOLD_FIRST: u64 = 1000;

impl<G: Game> Uct<G> {
    /// A tree with only the root.
    #[must_use]
    pub fn new(game: G, options: UctOptions) -> Self {
        let tree = Tree::new(&game);
        let playout = Playout::new(options.seed, options.playout_plies_max, game.players());
        Self { game, options, evaluation: None, tree, playout, nodes_before: 0 }
    }

    /// Uses an evaluation instead of playouts. For two players only; with more it has no effect.
    #[must_use]
    pub fn evaluating(mut self, evaluation: Arc<dyn Evaluate<G> + Send + Sync>) -> Self {
        if self.game.players() == 2 {
            self.evaluation = Some(evaluation);
            self.options.exploration = self.options.exploration_evaluating;
        }
        self
    }

    /// The bytes that the tree takes now, without the allocator's reserve.
    #[must_use]
    pub fn memory(&self) -> usize {
        self.tree.len() * self.tree.node_bytes()
    }

    /// Runs simulations within the limits: at most `nodes_max` of them, and no deeper than `depth_max` plies of tree.
    /// If only the depth is limited, it runs 10,000. `on_iteration` is called as the search progresses.
    ///
    /// The value is in per mille ([`CERTAIN_PER_MILLE`]) for the player to move. The best move is the most visited
    /// one; ties go to the best value, then to the first. Nodes are those that were added, evaluations are playouts.
    pub fn search(
        &mut self,
        limits: &Limits,
        mut on_iteration: impl FnMut(&Iteration<'_, G::Move>),
    ) -> SearchResult<G::Move> {
        let started = Instant::now();
        let mut limits = limits.clone();
        if limits.nodes_max == u64::MAX && limits.time_max.is_none() && limits.stop.is_none() {
            limits.nodes_max = SIMULATIONS_DEFAULT;
        }
        self.nodes_before = if self.tree.is_fresh() { 0 } else { self.tree.len() };
        let mut clock = Clock::start(&limits);
        let mut told_at = SIMULATIONS_TOLD_FIRST;
        if self.tree.is_over() {
            // There is nothing to choose, but the root needs a value.
            self.simulate(0, &mut clock);
        }
        while !clock.stopped() && !self.tree.is_over() {
            self.simulate(limits.depth_max, &mut clock);
            clock.count_node();
            if clock.nodes() == told_at {
                told_at *= 2;
                let result = self.result(clock.nodes(), started);
                on_iteration(&Iteration {
                    depth: result.depth,
                    value: result.value,
                    pv: &result.pv,
                    lines: &result.lines,
                    nodes: result.nodes,
                    evaluations: result.evaluations,
                    endings: 0,
                    elapsed: result.elapsed,
                });
            }
        }
        self.result(clock.nodes(), started)
    }

    /// Advances the root by these moves to `position`: keeps the tree below them and drops the rest. Returns `false`,
    /// and changes nothing, if nothing was searched there.
    pub fn advance(&mut self, moves: &[G::Move], position: &G) -> bool {
        // A search may have treated a node as the end of the game that is not one on the board: a first repetition in
        // chess.
        let reached = self.tree.find(moves).filter(|&at| !self.tree.nodes[at].is_over());
        let Some(at) = reached else { return false };
        self.tree.keep_below(at);
        self.game = position.clone();
        true
    }

    /// The position at the root.
    #[must_use]
    pub fn position(&self) -> &G {
        &self.game
    }

    /// The tree in the order in which it grew, the root first.
    pub fn rows(&self) -> impl ExactSizeIterator<Item = Row<G::Move>> + '_ {
        self.tree.rows()
    }

    /// Shows the tree to an observer as if it had been searched depth-first, children in the order in which they were
    /// found. `alpha` and `beta` are the ends of the scale. The most visited line carries
    /// [`NodeType::PV`](crate::NodeType::PV); other nodes have no expected type, for UCT has none.
    pub fn show<O: Observer<G::Move>>(&self, observer: &mut O) {
        // Showing a tree takes as long as playing through all of it.
        if O::ACTIVE {
            observer.begin(0);
            self.tree.show(&self.game, observer);
        }
    }

    fn result(&self, simulations: u64, started: Instant) -> SearchResult<G::Move> {
        let pv = self.tree.principal_variation();
        SearchResult {
            value: self.tree.value_per_mille(Tree::<G::Move>::ROOT),
            best_move: pv.first().copied().or_else(|| self.game.first_move()),
            depth: u16::try_from(pv.len()).unwrap_or(u16::MAX),
            pv,
            lines: Vec::new(),
            nodes: (self.tree.len() - self.nodes_before) as u64,
            evaluations: simulations,
            endings: 0,
            elapsed: started.elapsed(),
            stopped: !self.tree.is_over(),
        }
    }

    /// Select, expand, play out, back up.
    fn simulate(&mut self, depth_max: u16, clock: &mut Clock) {
        let mut game = self.game.clone();
        let evaluation = self.evaluation.as_deref().map(|evaluation| evaluation as &dyn Evaluate<G>);
        let nodes_max = self.options.memory_max / self.tree.node_bytes();
        let growth = Growth { options: &self.options, evaluation, nodes_max };
        let leaf = self.tree.descend(&mut game, &growth, depth_max, clock);
        let rewards = match evaluation {
            Some(evaluation) => {
                let by = (self.options.evaluation_plies, self.options.evaluation_scale);
                self.playout.evaluate(&mut game, evaluation, by, clock)
            }
            None => self.playout.run(&mut game, clock),
        };
        self.tree.back_up(leaf, rewards);
    }
}
