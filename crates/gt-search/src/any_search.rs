//! A search by any algorithm, with what it remembers between two moves.
//!
//! ```text
//! Method, evaluation ──▶ Remembering: a table and a history, a stored tree, a tree of playouts, or nothing
//!                            └─ as Box<dyn AnySearch<G>> ──search──▶ ValuedResult
//! ```
//!
//! Code that starts searches of many games (a command, an engine) holds a pointer to this and so contains no copy of the algorithms: they
//! are compiled where the pointer is made.

use std::sync::Arc;

use crate::deepening::Iteration;
use crate::driver::Options;
use crate::endings::Endings;
use crate::game::{Evaluate, EvaluateAll, Game};
use crate::limits::Limits;
use crate::many_players::{ManyPlayers, ValuedResult};
use crate::observer::Observer;
use crate::parallel::ParallelSearcher;
use crate::plain::Plain;
use crate::proof_number::solve;
use crate::stored_tree::StoredTree;
use crate::uct::{Uct, UctOptions};
use crate::watched::Watched;
use crate::worlds::search_worlds;

/// The deals of a position that fit what its player knows.
pub type Deals<G> = Box<dyn Fn(&G) -> Vec<G> + Send>;

/// An algorithm with everything that it must know before the first search.
pub enum Method<G: Game> {
    /// The searches without a memory.
    Plain(Plain),
    /// The searches for many players without a memory.
    Many(ManyPlayers),
    /// Principal variation search with a table.
    Searcher {
        /// Its switches.
        options: Options,
        /// The number of threads.
        threads: usize,
        /// The source of known endings.
        endings: Option<Arc<dyn Endings<G>>>,
    },
    /// The tree kept in memory between searches.
    Stored {
        /// The maximum number of nodes that it keeps.
        nodes_max: usize,
    },
    /// A proof of who wins.
    Proof {
        /// The size of its table, which every proof begins with empty.
        table_bytes: usize,
    },
    /// A paranoid search of deals.
    Sampling {
        /// Returns the deals, which are drawn anew for every move.
        deals: Deals<G>,
    },
    /// Monte Carlo tree search.
    Simulating {
        /// Its options.
        options: UctOptions,
        /// Whether leaves are evaluated rather than played out.
        evaluates: bool,
    },
}

/// A search by any algorithm, with what it remembers between two moves.
pub trait AnySearch<G: Game>: Send {
    /// Searches within the limits, and calls `on_iteration` for each completed depth.
    ///
    /// At the root it searches only `root_moves`, or all moves if that is empty. There is one watcher for each thread, or for each deal of
    /// a sampling search, or none at all; the first one watches an algorithm that runs on one thread.
    fn search(
        &mut self,
        game: &G,
        limits: &Limits,
        root_moves: &[G::Move],
        watchers: &mut [Watched<'_, G::Move>],
        on_iteration: &mut dyn FnMut(&Iteration<'_, G::Move>),
    ) -> ValuedResult<G::Move>;

    /// Advances to the position that these moves reach from the one searched last; without moves, to any other position.
    fn follow(&mut self, moves: Option<&[G::Move]>, position: &G);

    /// Forgets everything that earlier searches left.
    fn forget(&mut self);

    /// The tree of playouts of the last search, if the algorithm grows one.
    fn playouts(&self) -> Option<&Uct<G>>;
}

/// A [`Method`] with its evaluation and its memory.
pub struct Remembering<G: Game, E> {
    evaluation: E,
    memory: Memory<G, E>,
}

enum Memory<G: Game, E> {
    Searcher(ParallelSearcher<G, E>),
    /// The tree below the position; made when it is first needed.
    Stored(usize, Option<StoredTree<G, E>>),
    Plain(Plain),
    Many(ManyPlayers),
    Proof(usize),
    Sampling(Deals<G>),
    /// The tree below the position; made when it is first needed.
    Simulating(UctOptions, bool, Option<Box<Uct<G>>>),
}

impl<G, E> Remembering<G, E>
where
    G: Game,
    E: Evaluate<G> + EvaluateAll<G> + Copy + Send + Sync + 'static,
{
    /// A search that remembers nothing yet.
    pub fn new(method: Method<G>, evaluation: E) -> Self {
        let memory = match method {
            Method::Plain(plain) => Memory::Plain(plain),
            Method::Many(many) => Memory::Many(many),
            Method::Searcher { options, threads, endings } => {
                let mut searcher = ParallelSearcher::new(evaluation, &options, threads);
                searcher.set_endings(endings.as_ref());
                Memory::Searcher(searcher)
            }
            Method::Stored { nodes_max } => Memory::Stored(nodes_max, None),
            Method::Proof { table_bytes } => Memory::Proof(table_bytes),
            Method::Sampling { deals } => Memory::Sampling(deals),
            Method::Simulating { options, evaluates } => Memory::Simulating(options, evaluates, None),
        };
        Self { evaluation, memory }
    }

    /// Searches while these observers watch; the first one watches an algorithm that runs on one thread.
    ///
    /// Searches whose speed without an observer does not matter are compiled only for a [`Watched`].
    fn search_observed<O: Observer<G::Move> + Send>(
        &mut self,
        game: &G,
        (limits, root_moves): (&Limits, &[G::Move]),
        observers: &mut [O],
        on_iteration: &mut dyn FnMut(&Iteration<'_, G::Move>),
    ) -> ValuedResult<G::Move> {
        let evaluation = &self.evaluation;
        let search = match (&mut self.memory, observers) {
            (Memory::Searcher(searcher), observers) => {
                searcher.set_root_moves(root_moves);
                searcher.search_observed(game, limits, observers, on_iteration)
            }
            (Memory::Many(many), observers) => {
                let watched = &mut Watched::by_some(observers.first_mut());
                return many.search_valued(game, evaluation, limits, watched, on_iteration);
            }
            (Memory::Plain(plain), [observer, ..]) => {
                plain.search(game, evaluation, limits, observer, on_iteration)
            }
            (Memory::Plain(plain), []) => plain.search(game, evaluation, limits, &mut (), on_iteration),
            (Memory::Proof(table_bytes), _) => solve(game, *table_bytes, limits).result(game.first_move()),
            (Memory::Sampling(deals), observers) => search_worlds(
                &deals(game),
                ManyPlayers::Paranoid,
                evaluation,
                limits,
                observers,
                on_iteration,
            ),
            (Memory::Stored(nodes_max, tree), observers) => {
                let tree = tree.get_or_insert_with(|| StoredTree::new(game.clone(), *evaluation, *nodes_max));
                tree.search_observed(limits, &mut Watched::by_some(observers.first_mut()), on_iteration)
            }
            (Memory::Simulating(options, evaluates, grown), observers) => {
                let uct = grown.get_or_insert_with(|| {
                    let uct = Uct::new(game.clone(), *options);
                    Box::new(if *evaluates { uct.evaluating(Arc::new(*evaluation)) } else { uct })
                });
                let result = uct.search(limits, on_iteration);
                // The tree does not grow depth-first, so it is shown when the search is done.
                if let [observer, ..] = observers {
                    uct.show(observer);
                }
                result
            }
        };
        ValuedResult { search, values: Vec::new() }
    }

    fn threads(&self) -> usize {
        match &self.memory {
            Memory::Searcher(searcher) => searcher.threads(),
            _ => 1,
        }
    }
}

impl<G, E> AnySearch<G> for Remembering<G, E>
where
    G: Game,
    E: Evaluate<G> + EvaluateAll<G> + Copy + Send + Sync + 'static,
{
    fn search(
        &mut self,
        game: &G,
        limits: &Limits,
        root_moves: &[G::Move],
        watchers: &mut [Watched<'_, G::Move>],
        on_iteration: &mut dyn FnMut(&Iteration<'_, G::Move>),
    ) -> ValuedResult<G::Move> {
        let wanted = (limits, root_moves);
        if watchers.is_empty() {
            let mut nobody = vec![(); self.threads()];
            return self.search_observed(game, wanted, &mut nobody, on_iteration);
        }
        self.search_observed(game, wanted, watchers, on_iteration)
    }

    fn follow(&mut self, moves: Option<&[G::Move]>, position: &G) {
        match &mut self.memory {
            Memory::Stored(_, stored) => {
                let follows = |tree: &mut StoredTree<G, E>| {
                    moves.is_some_and(|moves| moves.iter().all(|&mv| tree.observe(mv)))
                };
                *stored = stored.take().and_then(|mut tree| follows(&mut tree).then_some(tree));
            }
            Memory::Simulating(_, _, grown) => {
                let follows =
                    |tree: &mut Box<Uct<G>>| moves.is_some_and(|moves| tree.advance(moves, position));
                *grown = grown.take().and_then(|mut tree| follows(&mut tree).then_some(tree));
            }
            // A table serves for every position.
            Memory::Searcher(_)
            | Memory::Plain(_)
            | Memory::Many(_)
            | Memory::Proof(_)
            | Memory::Sampling(_) => (),
        }
    }

    fn forget(&mut self) {
        match &mut self.memory {
            Memory::Searcher(searcher) => searcher.clear(),
            Memory::Stored(_, tree) => *tree = None,
            Memory::Simulating(_, _, tree) => *tree = None,
            Memory::Plain(_) | Memory::Many(_) | Memory::Proof(_) | Memory::Sampling(_) => (),
        }
    }

    fn playouts(&self) -> Option<&Uct<G>> {
        match &self.memory {
            Memory::Simulating(_, _, tree) => tree.as_deref(),
            Memory::Searcher(_)
            | Memory::Stored(..)
            | Memory::Plain(_)
            | Memory::Many(_)
            | Memory::Proof(_)
            | Memory::Sampling(_) => None,
        }
    }
}
