//! A search by one algorithm, watched and logged as far as that was asked for.
//!
//! ```text
//! nobody looks       every thread is observed by ()
//! somebody looks     RootValues ──▶ Recorder, if there is a log, Sketch, if the tree is to be drawn, and Asker, if there are
//!                    queries
//! ```

use std::sync::Arc;

use gt_games::registry::{AnyEvaluation, Playable};
use gt_log::{LogWriter, Metadata, TreeBuilder, Value};
use gt_play::Algorithm;
use gt_record::{Asker, Extras, Recorder};
use gt_search::{
    Endings, Iteration, Limits, ManyPlayers, Observer, Options, ParallelSearcher, Plain, RootValue,
    RootValues, SearchResult, StoredTree, Uct, UctOptions, ValuedResult, search_worlds,
};

use super::logged::{SearchLog, uct_schema};
use super::sketch::{Pair, Sketch};
use super::{Arguments, options, root_moves};

/// Who looks at a search beside its log.
pub(super) struct Watchers<'a, G: Playable> {
    /// Draws the tree.
    pub(super) sketch: Option<Sketch<G>>,
    /// Asks queries.
    pub(super) asker: Option<Asker<'a>>,
}

/// What a search found.
pub(super) struct Found<G: Playable> {
    pub(super) result: SearchResult<G::Move>,
    /// The value for every player, where the algorithm has them.
    pub(super) values: Vec<i32>,
    /// What was found for each move, where that was asked for.
    pub(super) root_moves: Option<Vec<RootValue<G::Move>>>,
    /// The tree, where it is to be drawn.
    pub(super) sketch: Option<Sketch<G>>,
}

/// A search of one position by one algorithm.
pub(super) struct Search<'a, G: Playable> {
    pub(super) game: &'a G,
    pub(super) evaluation: AnyEvaluation<G>,
    pub(super) algorithm: Algorithm,
    /// Of pvs and strong.
    pub(super) switches: Options,
    pub(super) arguments: &'a Arguments,
    pub(super) limits: &'a Limits,
    pub(super) extras: Extras,
    pub(super) endings: Option<Arc<dyn Endings<G>>>,
}

type OnIteration<'a, M> = &'a mut dyn FnMut(&Iteration<'_, M>);

impl<G: Playable> Search<'_, G> {
    /// Searches, watched and logged as the arguments say.
    pub(super) fn run(
        &self,
        log: Option<&SearchLog<'_>>,
        metadata: &Metadata,
        watchers: Watchers<'_, G>,
        on_iteration: OnIteration<'_, G::Move>,
    ) -> Found<G> {
        if self.algorithm.simulates() {
            return self.run_uct(log, metadata, on_iteration);
        }
        let is_watched = watchers.sketch.is_some() || watchers.asker.is_some();
        if log.is_none() && !is_watched && !self.arguments.root_moves {
            let ValuedResult { search, values } =
                self.observed(&mut vec![(); self.arguments.threads as usize], on_iteration);
            return Found { result: search, values, root_moves: None, sketch: None };
        }
        self.run_watched(log, metadata, watchers, on_iteration)
    }

    /// Each thread, and each deal of a sampling search, is logged into trees of its own; the first is watched, drawn and
    /// asked.
    fn run_watched(
        &self,
        log: Option<&SearchLog<'_>>,
        metadata: &Metadata,
        Watchers { mut sketch, mut asker }: Watchers<'_, G>,
        on_iteration: OnIteration<'_, G::Move>,
    ) -> Found<G> {
        let view = options::view(self.game, self.algorithm);
        let recorders = self.recorders(log, metadata).into_iter();
        let watcher = |recorder| Pair(recorder, Pair(sketch.take(), asker.take()));
        let mut watchers: Vec<_> =
            recorders.map(watcher).map(|watcher| RootValues::new(view, watcher)).collect();
        let ValuedResult { search, values } = self.observed(&mut watchers, on_iteration);
        let root_moves = watchers.first().filter(|_| self.arguments.root_moves).map(RootValues::sorted);
        for Pair(recorder, Pair(drawn, _)) in watchers.into_iter().map(RootValues::into_inner) {
            sketch = sketch.or(drawn);
            // Of an error the log knows already.
            let _ = recorder.map(Recorder::finish);
        }
        Found { result: search, values, root_moves, sketch }
    }

    /// What writes the log: one for each thread, or for each deal, whose trees then carry its hands. None of them where nothing is
    /// logged.
    fn recorders<'l>(
        &self,
        log: Option<&'l SearchLog<'_>>,
        metadata: &Metadata,
    ) -> Vec<Option<Recorder<'l>>> {
        let threads = self.arguments.threads as usize;
        let metadata_of_all: Vec<Metadata> = match self.algorithm {
            Algorithm::Sampling => {
                let deals = gt_play::deals(self.game, self.arguments.seed).into_iter().enumerate();
                let of_deal = |(number, deal): (usize, G)| {
                    let mut metadata = metadata.clone().with("deal", number + 1);
                    metadata.set("position", deal.position_text());
                    metadata
                };
                deals.map(of_deal).collect()
            }
            _ if threads == 1 => vec![metadata.clone()],
            _ => (0..threads).map(|thread| metadata.clone().with("thread", thread)).collect(),
        };
        let recorder = |metadata: Metadata| {
            let log = log?;
            let recorder = Recorder::new(&log.writer, metadata).with(self.extras).searching_threads(threads);
            Some(recorder.on_error(|error| log.is_in_trouble(error)))
        };
        metadata_of_all.into_iter().map(recorder).collect()
    }

    /// Searches; of several observers, the first sees what runs on one thread.
    fn observed<O: Observer<G::Move> + Send>(
        &self,
        observers: &mut [O],
        on_iteration: OnIteration<'_, G::Move>,
    ) -> ValuedResult<G::Move> {
        let (game, evaluation, limits) = (self.game, self.evaluation, self.limits);
        let plain = |plain: Plain, observer: &mut O, on_iteration: OnIteration<'_, G::Move>| {
            of_two(plain.search(game, &evaluation, limits, observer, on_iteration))
        };
        let many = |many: ManyPlayers, observer: &mut O, on_iteration: OnIteration<'_, G::Move>| {
            many.search_valued(game, &evaluation, limits, observer, on_iteration)
        };
        match (self.algorithm, observers) {
            (Algorithm::Pvs | Algorithm::Strong, observers) => {
                let mut searcher = ParallelSearcher::new(evaluation, &self.switches, observers.len().max(1));
                let counted = || G::counted_endings().filter(|_| self.algorithm == Algorithm::Strong);
                searcher.set_endings(self.endings.clone().or_else(counted).as_ref());
                of_two(searcher.search_observed(game, limits, observers, on_iteration))
            }
            (Algorithm::Sampling, observers) => {
                let worlds = gt_play::deals(game, self.arguments.seed);
                of_two(search_worlds(
                    &worlds,
                    ManyPlayers::Paranoid,
                    &evaluation,
                    limits,
                    observers,
                    on_iteration,
                ))
            }
            // A proof is no search of depths: it has a report of its own.
            (Algorithm::Uct | Algorithm::UctEval | Algorithm::ProofNumber, _) | (_, []) => {
                of_two(self.uct().search(limits, on_iteration))
            }
            (Algorithm::Minimax, [observer, ..]) => plain(Plain::Minimax, observer, on_iteration),
            (Algorithm::Negamax, [observer, ..]) => plain(Plain::Negamax, observer, on_iteration),
            (Algorithm::AlphaBeta, [observer, ..]) => plain(Plain::AlphaBeta, observer, on_iteration),
            (Algorithm::Negascout, [observer, ..]) => plain(Plain::NegaScout, observer, on_iteration),
            (Algorithm::StoredTree, [observer, ..]) => {
                let nodes_max = options::stored_nodes_max::<G>(self.arguments);
                let mut tree = StoredTree::new(game.clone(), evaluation, nodes_max);
                of_two(tree.search_observed(limits, observer, on_iteration))
            }
            (Algorithm::MaxN, [observer, ..]) => many(ManyPlayers::MaxN(None), observer, on_iteration),
            (Algorithm::Paranoid, [observer, ..]) => many(ManyPlayers::Paranoid, observer, on_iteration),
            (Algorithm::BestReply, [observer, ..]) => many(ManyPlayers::BestReply, observer, on_iteration),
        }
    }

    /// The tree of a Monte Carlo search is logged when it is done: it does not grow depth-first.
    fn run_uct(
        &self,
        log: Option<&SearchLog<'_>>,
        metadata: &Metadata,
        on_iteration: OnIteration<'_, G::Move>,
    ) -> Found<G> {
        let mut uct = self.uct();
        let result = uct.search(self.limits, on_iteration);
        if let Some(log) = log
            && let Err(error) = self.log_uct(&uct, &log.writer, metadata)
        {
            log.is_in_trouble(&error);
        }
        let root_moves = self.arguments.root_moves.then(|| root_moves::of_playouts(&uct));
        Found { result, values: Vec::new(), root_moves, sketch: None }
    }

    fn log_uct(&self, uct: &Uct<G>, log: &LogWriter, metadata: &Metadata) -> gt_log::Result<()> {
        let mut tree = TreeBuilder::new(&uct_schema(self.extras)?);
        let mut positions: Vec<G> = Vec::with_capacity(uct.rows().len());
        for row in uct.rows() {
            let parent = row.parent.and_then(|parent| positions.get(parent));
            let (mut position, mut code) = (parent.unwrap_or(self.game).clone(), 0);
            if let Some(mv) = row.last_move {
                code = position.encode(mv);
                position.make(mv);
            }
            let mut values = vec![Value::UInt(row.visits), Value::Float(row.value)];
            if self.extras.key {
                values.push(Value::UInt(position.hash()));
            }
            positions.push(position);
            tree.add(row.parent.map(|parent| parent as u64), code, &values)?;
        }
        tree.finish(log, metadata, gt_log::Options::default())?;
        Ok(())
    }

    fn uct(&self) -> Uct<G> {
        let default = UctOptions::default();
        let memory_max = self.arguments.memory.unwrap_or(default.memory_max);
        let uct =
            Uct::new(self.game.clone(), UctOptions { seed: self.arguments.seed, memory_max, ..default });
        if self.algorithm.evaluates() { uct.evaluating(Arc::new(self.evaluation)) } else { uct }
    }
}

/// The result of a search for two players, who have no values of their own.
fn of_two<M>(search: SearchResult<M>) -> ValuedResult<M> {
    ValuedResult { search, values: Vec::new() }
}
