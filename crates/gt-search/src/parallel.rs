//! Parallel search: every thread searches the whole tree, and they help each other through one table.
//!
//! ```text
//! thread 0   depth 1  2  3  4 …   the answer is its
//! thread 1   depth 1  2  3  4 …   tries other moves at the same nodes, so that each finds the other's answers
//! ```
//!
//! There are no locks and no waiting: a thread postpones moves that another one is trying (`driver/busy.rs`). Threads
//! race, so node counts differ from run to run. Values at a fixed depth do not, with the default [`Options`]: the
//! table answers only for exactly the requested depth. With selective options they may, because the entries that a
//! thread finds decide which moves it skips.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::deepening::{Iteration, SearchResult};
use crate::driver::{Busy, Options, Searcher};
use crate::endings::Endings;
use crate::game::{Evaluate, Game};
use crate::limits::Limits;
use crate::observer::Observer;
use crate::table::Table;

/// One [`Searcher`] per thread, around one table.
///
/// ```
/// use gt_games::connect_four::{ConnectFour, Threats};
/// use gt_search::{Limits, Options, ParallelSearcher};
///
/// let mut searcher = ParallelSearcher::new(Threats, &Options::default(), 2);
/// let result = searcher.search(&ConnectFour::new(), &Limits::depth(6));
/// assert!(result.best_move.is_some());
/// ```
pub struct ParallelSearcher<G: Game, E> {
    searchers: Vec<Searcher<G, Arc<E>>>,
}

impl<G, E> ParallelSearcher<G, E>
where
    G: Game,
    E: Evaluate<G> + Send + Sync,
{
    /// A searcher for `threads` threads, with a minimum of one.
    #[must_use]
    pub fn new(evaluation: E, options: &Options, threads: usize) -> Self {
        let evaluation = Arc::new(evaluation);
        let table = Arc::new(Table::new(options.table_bytes));
        let searcher = || Searcher::with_table(evaluation.clone(), options.clone(), table.clone());
        if threads <= 1 {
            return Self { searchers: vec![searcher()] };
        }
        let busy = Arc::new(Busy::new());
        Self { searchers: (0..threads).map(|_| searcher().sharing(busy.clone())).collect() }
    }

    /// The number of threads.
    #[must_use]
    pub fn threads(&self) -> usize {
        self.searchers.len()
    }

    /// Like [`Searcher::set_root_moves`].
    pub fn set_root_moves(&mut self, moves: &[G::Move]) {
        self.searchers.iter_mut().for_each(|searcher| searcher.set_root_moves(moves.to_vec()));
    }

    /// Like [`Searcher::set_endings`].
    pub fn set_endings(&mut self, endings: Option<&Arc<dyn Endings<G>>>) {
        self.searchers.iter_mut().for_each(|searcher| searcher.set_endings(endings.cloned()));
    }

    /// Forgets everything that earlier searches left.
    pub fn clear(&mut self) {
        self.searchers.iter_mut().for_each(Searcher::clear);
    }

    /// Searches without an observer.
    pub fn search(&mut self, game: &G, limits: &Limits) -> SearchResult<G::Move> {
        let mut observers = vec![(); self.threads()];
        self.search_observed(game, limits, &mut observers, |_| ())
    }

    /// Searches with one thread per observer, up to the number of threads. `on_iteration` is called for the depths
    /// that the first thread completes. The counts of the result are totals over all threads; the limit on nodes is
    /// divided equally among them.
    pub fn search_observed<O: Observer<G::Move> + Send>(
        &mut self,
        game: &G,
        limits: &Limits,
        observers: &mut [O],
        mut on_iteration: impl FnMut(&Iteration<'_, G::Move>),
    ) -> SearchResult<G::Move> {
        let threads = self.searchers.len().min(observers.len());
        let Some(((first, first_observer), others)) = split(&mut self.searchers, observers) else {
            return self.searchers[0].search_observed(game, limits, &mut (), on_iteration);
        };
        first.new_search();
        let limits = Limits {
            nodes_max: (limits.nodes_max / threads as u64).max(1),
            gives_way: limits.gives_way || takes_all_cores(threads),
            ..limits.clone()
        };
        let done = Arc::new(AtomicBool::new(false));
        let helper_limits = Limits { stop: Some(done.clone()), ..limits.clone() };
        std::thread::scope(|scope| {
            let helpers: Vec<_> = others
                .map(|(searcher, observer)| {
                    let (game, limits) = (game.clone(), &helper_limits);
                    scope.spawn(move || searcher.run(&game, limits, observer, |_| ()))
                })
                .collect();
            let mut result = first.run(game, &limits, first_observer, &mut on_iteration);
            done.store(true, Ordering::Relaxed);
            for helper in helpers {
                let helped = helper.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
                result.nodes += helped.nodes;
                result.evaluations += helped.evaluations;
                result.endings += helped.endings;
            }
            result
        })
    }
}

/// Whether this many threads leave no core free.
fn takes_all_cores(threads: usize) -> bool {
    std::thread::available_parallelism().is_ok_and(|cores| threads >= cores.get())
}

type Pair<'a, S, O> = (&'a mut S, &'a mut O);

/// The first searcher with its observer, and the other pairs.
fn split<'a, S, O>(
    searchers: &'a mut [S],
    observers: &'a mut [O],
) -> Option<(Pair<'a, S, O>, impl Iterator<Item = Pair<'a, S, O>>)> {
    let mut pairs = searchers.iter_mut().zip(observers);
    pairs.next().map(|first| (first, pairs))
}
