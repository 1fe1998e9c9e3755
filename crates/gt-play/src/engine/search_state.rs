//! What remembers between two moves, one for each kind of algorithm.

use std::sync::Arc;

use gt_games::registry::{AnyEvaluation, Playable};
use gt_search::{
    Endings, Idea, Iteration, Limits, ManyPlayers, Observer, Options, ParallelSearcher, Plain, SearchResult,
    StoredTree, Uct, UctOptions, search_worlds, solve,
};

use super::EngineOptions;
use crate::algorithm::{Algorithm, strong_options};
use crate::deals::deals;

/// The most nodes that a stored tree keeps.
const STORED_NODES_MAX: usize = 20_000_000;

pub(super) enum SearchState<G: Playable> {
    /// A table and a history.
    Searcher(Box<ParallelSearcher<G, AnyEvaluation<G>>>),
    /// The tree below the position; made when it is first needed.
    /// It holds so many nodes at most.
    Stored(usize, Option<Box<StoredTree<G, AnyEvaluation<G>>>>),
    /// Nothing.
    Plain(Plain),
    Many(ManyPlayers),
    /// Nothing: a proof begins with an empty table of so many bytes.
    Proof(usize),
    /// Nothing: deals are drawn anew for every move, from this seed.
    Sampling(u64),
    /// The tree below the position; made when it is first needed.
    Playouts(UctOptions, Leaves, Option<Box<Uct<G>>>),
}

/// What a new node of a simulated tree is worth.
#[derive(Clone, Copy)]
pub(super) enum Leaves {
    Playouts,
    Evaluated,
}

impl<G: Playable> SearchState<G> {
    pub(super) fn new(
        algorithm: Algorithm,
        options: &EngineOptions,
        evaluation: AnyEvaluation<G>,
        endings: Option<&Arc<dyn Endings<G>>>,
    ) -> Self {
        let searcher = |base: Options| {
            let base = options.without.iter().fold(base, |base, &idea| base.without(idea));
            let table_bytes = if base.uses(Idea::Table) { options.table_bytes } else { 0 };
            let search = Options { table_bytes, lines: options.lines, ..base };
            let mut searcher = ParallelSearcher::new(evaluation, &search, options.threads);
            searcher.set_endings(endings);
            searcher
        };
        let default = UctOptions::default();
        let memory_max = options.memory_bytes.unwrap_or(default.memory_max);
        let simulations = UctOptions { seed: options.seed, memory_max, ..default };
        match algorithm {
            Algorithm::Minimax => Self::Plain(Plain::Minimax),
            Algorithm::Negamax => Self::Plain(Plain::Negamax),
            Algorithm::AlphaBeta => Self::Plain(Plain::AlphaBeta),
            Algorithm::Negascout => Self::Plain(Plain::NegaScout),
            Algorithm::Pvs => Self::Searcher(Box::new(searcher(Options::default()))),
            Algorithm::Strong => {
                let mut searcher = searcher(strong_options(G::KIND));
                if endings.is_none() {
                    searcher.set_endings(G::counted_endings().as_ref());
                }
                Self::Searcher(Box::new(searcher))
            }
            Algorithm::StoredTree => {
                let nodes_max = options.memory_bytes.map(StoredTree::<G, AnyEvaluation<G>>::nodes_within);
                Self::Stored(nodes_max.unwrap_or(STORED_NODES_MAX), None)
            }
            Algorithm::MaxN => Self::Many(ManyPlayers::MaxN(None)),
            Algorithm::Paranoid => Self::Many(ManyPlayers::Paranoid),
            Algorithm::BestReply => Self::Many(ManyPlayers::BestReply),
            Algorithm::ProofNumber => Self::Proof(options.table_bytes / 2),
            Algorithm::Sampling => Self::Sampling(options.seed),
            Algorithm::Uct => Self::Playouts(simulations, Leaves::Playouts, None),
            Algorithm::UctEval => Self::Playouts(simulations, Leaves::Evaluated, None),
        }
    }

    pub(super) fn forget(&mut self) {
        match self {
            Self::Searcher(searcher) => searcher.clear(),
            Self::Stored(_, tree) => *tree = None,
            Self::Playouts(_, _, tree) => *tree = None,
            Self::Plain(_) | Self::Many(_) | Self::Proof(_) | Self::Sampling(_) => (),
        }
    }

    /// The game went on by these moves to a position, or to one that does not follow from the last.
    pub(super) fn follow(&mut self, moves: Option<&[G::Move]>, position: &G) {
        match self {
            Self::Stored(_, stored) => {
                let follows = |tree: &mut Box<StoredTree<G, AnyEvaluation<G>>>| {
                    moves.is_some_and(|moves| moves.iter().all(|&mv| tree.observe(mv)))
                };
                *stored = stored.take().and_then(|mut tree| follows(&mut tree).then_some(tree));
            }
            Self::Playouts(_, _, grown) => {
                let follows =
                    |tree: &mut Box<Uct<G>>| moves.is_some_and(|moves| tree.advance(moves, position));
                *grown = grown.take().and_then(|mut tree| follows(&mut tree).then_some(tree));
            }
            // A table serves for every position.
            Self::Searcher(_) | Self::Plain(_) | Self::Many(_) | Self::Proof(_) | Self::Sampling(_) => (),
        }
    }

    /// Searches; an algorithm for one thread is seen by the first observer.
    pub(super) fn search<O: Observer<G::Move> + Send>(
        &mut self,
        game: &G,
        evaluation: AnyEvaluation<G>,
        (limits, root_moves): (&Limits, &[G::Move]),
        observers: &mut [O],
        on_iteration: &mut dyn FnMut(&Iteration<'_, G::Move>),
    ) -> SearchResult<G::Move> {
        match (self, observers) {
            (Self::Searcher(searcher), observers) => {
                searcher.set_root_moves(root_moves);
                searcher.search_observed(game, limits, observers, on_iteration)
            }
            (Self::Plain(plain), [observer, ..]) => {
                plain.search(game, &evaluation, limits, observer, on_iteration)
            }
            (Self::Plain(plain), []) => plain.search(game, &evaluation, limits, &mut (), on_iteration),
            (Self::Many(many), [observer, ..]) => {
                many.search(game, &evaluation, limits, observer, on_iteration)
            }
            (Self::Many(many), []) => many.search(game, &evaluation, limits, &mut (), on_iteration),
            (Self::Proof(table_bytes), _) => solve(game, *table_bytes, limits).result(game.first_move()),
            (Self::Sampling(seed), observers) => {
                let (worlds, many) = (deals(game, *seed), ManyPlayers::Paranoid);
                search_worlds(&worlds, many, &evaluation, limits, observers, on_iteration)
            }
            (Self::Stored(nodes_max, tree), observers) => {
                let tree = tree
                    .get_or_insert_with(|| Box::new(StoredTree::new(game.clone(), evaluation, *nodes_max)));
                match observers {
                    [observer, ..] => tree.search_observed(limits, observer, on_iteration),
                    [] => tree.search_observed(limits, &mut (), on_iteration),
                }
            }
            (Self::Playouts(options, leaves, grown), observers) => {
                let grow = || {
                    let uct = Uct::new(game.clone(), *options);
                    Box::new(match leaves {
                        Leaves::Playouts => uct,
                        Leaves::Evaluated => uct.evaluating(Arc::new(evaluation)),
                    })
                };
                let uct = grown.get_or_insert_with(grow);
                let result = uct.search(limits, on_iteration);
                // Its tree does not grow depth-first: it is shown when it is done.
                if let [observer, ..] = observers {
                    uct.show(observer);
                }
                result
            }
        }
    }
}
