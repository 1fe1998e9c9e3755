//! The full-strength search for two players.
//!
//! ```text
//! Searcher::search        iterative deepening, aspiration windows           (this file)
//!   └─ Driver::root       the root's moves, ordered by the last iteration   root.rs
//!        └─ Driver::node  principal variation search with a table           node.rs, moves.rs
//!             ├─ the table's entry of a position or of its mirror image     stored.rs
//!             ├─ evaluations, cached and corrected                          evaluations.rs, corrections.rs
//!             ├─ what other threads try is left for the end                 busy.rs
//!             ├─ quiescence                                                 quiescence.rs
//!             └─ null move, reductions, extensions                          selectivity.rs
//! ```
//!
//! **Invariant:** with the default [`Options`], the value at a fixed depth is negamax's. Everything that could change
//! it is off by default.

mod breadth;
mod busy;
mod corrections;
mod evaluations;
mod faults;
mod frontier;
mod history;
mod ideas;
mod moves;
mod node;
mod options;
mod pruning;
mod quiescence;
mod refutations;
mod root;
mod selectivity;
mod singular;
mod stored;

pub use breadth::Breadth;
pub(crate) use busy::Busy;
pub use faults::Fault;
pub use ideas::Idea;
pub use options::Options;

use std::sync::Arc;

use crate::deepening::{Iterated, Iteration, Line, SearchResult, deepen, is_settled};
use crate::endings::Endings;
use crate::game::{Evaluate, Foresight, Game};
use crate::limits::Limits;
use crate::node::Node;
use crate::observer::Observer;
use crate::order::sort_highest_first;
use crate::table::Table;
use crate::value::{INFINITE, tells_winner};
use crate::walk::Walk;
use corrections::Corrections;
use evaluations::Evaluations;
use history::History;
use refutations::Refutations;
use root::RootMove;
use stored::Key;

/// A search with a memory: table, killers and history persist from one search to the next.
///
/// ```
/// use gt_games::connect_four::{ConnectFour, Threats};
/// use gt_search::{Limits, Options, Searcher};
///
/// let mut searcher = Searcher::new(Threats, Options::default());
/// let result = searcher.search(&ConnectFour::new(), &Limits::depth(6));
/// assert_eq!((result.depth, result.pv.len()), (6, 6));
/// ```
pub struct Searcher<G: Game, E> {
    evaluation: E,
    options: Options,
    table: Arc<Table>,
    history: History<G::Move>,
    evaluations: Option<Evaluations>,
    corrections: Option<Corrections>,
    played: Vec<u64>,
    /// The only moves to search at the root; all moves if empty.
    root_moves: Vec<G::Move>,
    /// The moves that the threads of a parallel search are trying now.
    busy: Option<Arc<Busy>>,
    endings: Option<Arc<dyn Endings<G>>>,
}

impl<G: Game, E: Evaluate<G>> Searcher<G, E> {
    /// A searcher with its own table.
    #[must_use]
    pub fn new(evaluation: E, options: Options) -> Self {
        let table = Arc::new(Table::new(options.table_bytes));
        Self::with_table(evaluation, options, table)
    }

    /// A searcher that shares its table with others, as the threads of a parallel search do.
    #[must_use]
    pub fn with_table(evaluation: E, options: Options, table: Arc<Table>) -> Self {
        Self {
            evaluation,
            evaluations: options.evaluation_cache.then(Evaluations::new),
            corrections: options.corrections.then(Corrections::new),
            options,
            table,
            history: History::new(),
            played: Vec::new(),
            root_moves: Vec::new(),
            busy: None,
            endings: None,
        }
    }

    /// Makes the searcher one of several threads that share their work.
    pub(crate) fn sharing(self, busy: Arc<Busy>) -> Self {
        Self { busy: Some(busy), ..self }
    }

    /// Returns its options.
    #[must_use]
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// Sets the hashes of the positions before the root, for [`Options::repetition_draws`].
    pub fn set_played(&mut self, hashes: Vec<u64>) {
        self.played = hashes;
    }

    /// Restricts the root to these moves; if none of them is legal, all moves are searched.
    pub fn set_root_moves(&mut self, moves: Vec<G::Move>) {
        self.root_moves = moves;
    }

    /// Sets the source of known endings; `None` for no source.
    pub fn set_endings(&mut self, endings: Option<Arc<dyn Endings<G>>>) {
        self.endings = endings;
    }

    /// Forgets everything that earlier searches left.
    pub fn clear(&mut self) {
        self.table.clear();
        self.history = History::new();
        self.corrections = self.options.corrections.then(Corrections::new);
    }

    /// Searches without an observer.
    pub fn search(&mut self, game: &G, limits: &Limits) -> SearchResult<G::Move> {
        self.search_observed(game, limits, &mut (), |_| ())
    }

    /// Searches. The observer sees every node; `on_iteration` is called for each completed depth.
    pub fn search_observed<O: Observer<G::Move>>(
        &mut self,
        game: &G,
        limits: &Limits,
        observer: &mut O,
        on_iteration: impl FnMut(&Iteration<'_, G::Move>),
    ) -> SearchResult<G::Move> {
        self.new_search();
        self.run(game, limits, observer, on_iteration)
    }

    /// Ages the table, so that entries of older searches are replaced first.
    pub(crate) fn new_search(&self) {
        self.table.new_search();
    }

    /// Searches without ageing the table.
    pub(crate) fn run<O: Observer<G::Move>>(
        &mut self,
        game: &G,
        limits: &Limits,
        observer: &mut O,
        mut on_iteration: impl FnMut(&Iteration<'_, G::Move>),
    ) -> SearchResult<G::Move> {
        self.history.new_search();
        let depth_first = if self.options.iterative { 1 } else { limits.depth_max };
        let mut driver = Driver::new(self, game, limits, observer);
        let any_move = driver.root_moves.first().map(|root_move| root_move.mv);
        deepen(limits, depth_first, any_move, &mut |depth| driver.iterate(depth), &mut on_iteration)
    }
}

/// The factor by which a window grows each time the value falls outside it.
const WIDENING: i32 = 4;
/// A window wider than this may as well be open.
const HALF_WIDTH_MAX: i32 = 1000;

/// The value minus half a window's width; an open bound if the window would be too wide to be useful.
fn lowered(value: i32, half_width: i32) -> i32 {
    if half_width > HALF_WIDTH_MAX || tells_winner(value) { -INFINITE } else { value - half_width }
}

/// One search: the walk and everything that it consults.
pub(crate) struct Driver<'a, G: Game, E, O> {
    pub(crate) walk: Walk<'a, G, E, O>,
    pub(crate) endings: Option<&'a dyn Endings<G>>,
    options: &'a Options,
    table: &'a Table,
    busy: Option<&'a Busy>,
    history: &'a mut History<G::Move>,
    refutations: Refutations<G::Move>,
    evaluations: Option<&'a mut Evaluations>,
    corrections: Option<&'a mut Corrections>,
    root_moves: Vec<RootMove<G::Move>>,
    /// Whether some of the root's moves are excluded.
    is_restricted: bool,
    /// The number of root moves that already have their own line in this iteration; they are skipped.
    lines_done: usize,
    /// The order of the moves in [`Walk::moves`].
    picks: Vec<moves::Pick>,
    /// The hashes of the game so far and of the line to the node.
    path: Vec<u64>,
    /// The themes of the moves on the line to the node.
    themes: Vec<u16>,
    /// The evaluations on the line to the node, by ply.
    static_evals: Vec<Option<i32>>,
    /// Values of the completed iterations, the last at the end.
    values: Vec<i32>,
    depth_nominal: u16,
    /// Whether the table has one entry for a position and its mirror image.
    mirrors: bool,
    /// Whether every node at the horizon is a leaf.
    leaves_at_horizon: bool,
    foresight: Foresight,
    /// The values of a node's moves, if the evaluation foresees them; overwritten by the next node.
    foreseen: Vec<i32>,
}

impl<'a, G: Game, E: Evaluate<G>, O: Observer<G::Move>> Driver<'a, G, E, O> {
    fn new(searcher: &'a mut Searcher<G, E>, game: &G, limits: &Limits, observer: &'a mut O) -> Self {
        let walk = Walk::new(game, &searcher.evaluation, limits, observer);
        let options = &searcher.options;
        let leaves_at_horizon = options.quiescence_plies_max.is_none()
            && !options.check_extensions
            && !options.repetition_draws
            && searcher.endings.is_none();
        let mut driver = Self {
            walk,
            endings: searcher.endings.as_deref(),
            options,
            table: &searcher.table,
            busy: searcher.busy.as_deref(),
            history: &mut searcher.history,
            refutations: Refutations::new(options.refutations),
            evaluations: searcher.evaluations.as_mut(),
            corrections: searcher.corrections.as_mut(),
            root_moves: Vec::new(),
            is_restricted: false,
            lines_done: 0,
            picks: Vec::with_capacity(256),
            path: searcher.played.clone(),
            themes: Vec::with_capacity(64),
            static_evals: Vec::with_capacity(64),
            values: Vec::new(),
            depth_nominal: 0,
            mirrors: searcher.evaluation.is_mirror_symmetric(),
            leaves_at_horizon,
            foresight: searcher.evaluation.foresight(),
            foreseen: Vec::new(),
        };
        driver.list_root_moves(&searcher.root_moves);
        driver
    }

    /// One iteration: a line for the best move, then for the best of the others, up to the number requested.
    fn iterate(&mut self, depth: u16) -> Iterated<G::Move> {
        self.depth_nominal = depth;
        let open_ends = self.walk.open_ends;
        let mut lines: Vec<Line<G::Move>> = Vec::new();
        for done in 0..self.options.lines.clamp(1, self.root_moves.len().max(1)) {
            self.lines_done = done;
            self.sort_root_moves();
            let (alpha, beta) = if done == 0 { self.aspiration_window() } else { (-INFINITE, INFINITE) };
            let value = self.search_line(depth, alpha, beta);
            if self.walk.stopped() && done > 0 {
                break;
            }
            lines.push(Line { value, pv: self.walk.variation.root().to_vec() });
            self.sort_root_moves();
        }
        self.lines_done = 0;
        // A later line can have a higher value than an earlier one: the searches between them changed the
        // table.
        sort_highest_first(&mut lines, |line| line.value);
        let Line { value, pv } = lines.first().cloned().unwrap_or_default();
        self.values.push(value);
        Iterated {
            value,
            pv,
            lines,
            nodes: self.walk.nodes(),
            evaluations: self.walk.evaluations,
            endings: self.walk.endings,
            stopped: self.walk.stopped(),
            settled: is_settled(value, depth) || self.walk.open_ends == open_ends,
            // The root's first move is the best of the last iteration.
            counts_when_stopped: true,
        }
    }

    /// Searches the root until the value lies inside its window.
    fn search_line(&mut self, depth: u16, alpha: i32, beta: i32) -> i32 {
        let mut node = self.flag_quiescence_root(Node::root(depth));
        (node.alpha, node.beta) = (alpha, beta);
        match self.options.lines {
            0 | 1 => self.walk.observer.begin(node.depth),
            _ => self.walk.observer.begin_line(node.depth, self.lines_done),
        }
        let mut half_width = self.options.aspiration.unwrap_or(INFINITE).max(1);
        loop {
            let value = self.observe(None, node, Self::root);
            if self.walk.stopped() || (node.alpha < value && value < node.beta) {
                return value;
            }
            half_width = half_width.saturating_mul(WIDENING);
            if value <= node.alpha && node.alpha > -INFINITE {
                node.alpha = lowered(value, half_width);
            } else if value >= node.beta && node.beta < INFINITE {
                node.beta = -lowered(-value, half_width);
            } else {
                return value;
            }
            node = node.again();
            self.sort_root_moves();
        }
    }

    /// A window around the mean of the last two iterations: in many games values of odd and even depths differ
    /// systematically, because one player has had an extra move.
    fn aspiration_window(&self) -> (i32, i32) {
        match (self.options.aspiration, self.values.as_slice()) {
            (Some(half_width), &[.., earlier, last]) if !tells_winner(earlier) && !tells_winner(last) => {
                let (half_width, value) = (half_width.max(1), (earlier + last) / 2);
                (value - half_width, value + half_width)
            }
            _ => (-INFINITE, INFINITE),
        }
    }

    /// The key of the position in the table.
    #[inline]
    fn key(&self) -> Key {
        Key::of(&self.walk.game, self.mirrors)
    }

    /// Prefetches what a node at the position will look up first.
    #[inline]
    fn prefetch(&self) {
        self.table.prefetch(self.key().hash);
        if let Some(evaluations) = &self.evaluations {
            evaluations.prefetch(self.walk.game.hash());
        }
    }

    /// Calls [`Walk::observe`] with the driver instead of the walk.
    #[inline]
    fn observe(
        &mut self,
        last_move: Option<G::Move>,
        node: Node,
        body: impl FnOnce(&mut Self, Node) -> i32,
    ) -> i32 {
        self.walk.enter(last_move, node);
        let value = body(self, node);
        self.walk.leave(node, value);
        value
    }
}
