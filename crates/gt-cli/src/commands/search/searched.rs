//! A search by one algorithm, watched and logged as far as that was asked for.
//!
//! ```text
//! somebody looks     RootValues ──▶ Recorder, if there is a log, Sketch, if the tree is to be drawn, and Asker, if there are
//!                    queries
//! ```

use std::sync::Arc;

use gt_games::registry::{AnyEvaluation, Playable};
use gt_log::{LogWriter, Metadata, TreeBuilder, Value};
use gt_play::{Algorithm, Means};
use gt_record::{Asker, Extras, Recorder};
use gt_search::{
    AnySearch, Endings, Iteration, Limits, Options, RootValue, RootValues, SearchResult, Uct, ValuedResult,
    Watched,
};

use super::arguments::Arguments;
use super::logged::{SearchLog, uct_schema};
use super::sketch::{Pair, Sketch};
use super::{options, root_moves};

/// Who looks at a search beside its log.
pub(super) struct Spectators<'a, G: Playable> {
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
        spectators: Spectators<'_, G>,
        on_iteration: OnIteration<'_, G::Move>,
    ) -> Found<G> {
        let mut search = G::begin_search(self.algorithm.method(self.means()), self.evaluation);
        if self.algorithm.simulates() {
            return self.run_simulating(&mut *search, log, metadata, on_iteration);
        }
        let is_watched = spectators.sketch.is_some() || spectators.asker.is_some();
        if log.is_none() && !is_watched && !self.arguments.root_moves {
            let ValuedResult { search, values } =
                search.search(self.game, self.limits, &[], &mut [], on_iteration);
            return Found { result: search, values, root_moves: None, sketch: None };
        }
        self.run_watched(&mut *search, log, metadata, spectators, on_iteration)
    }

    /// Each thread, and each deal of a sampling search, is logged into trees of its own; the first is watched, drawn and
    /// asked.
    fn run_watched(
        &self,
        search: &mut dyn AnySearch<G>,
        log: Option<&SearchLog<'_>>,
        metadata: &Metadata,
        Spectators { mut sketch, mut asker }: Spectators<'_, G>,
        on_iteration: OnIteration<'_, G::Move>,
    ) -> Found<G> {
        let view = options::view(self.game, self.algorithm);
        let recorders = self.recorders(log, metadata).into_iter();
        let watcher = |recorder| Pair(recorder, Pair(sketch.take(), asker.take()));
        let mut watchers: Vec<_> =
            recorders.map(watcher).map(|watcher| RootValues::new(view, watcher)).collect();
        let mut watched: Vec<Watched<'_, G::Move>> = watchers.iter_mut().map(Watched::by).collect();
        let ValuedResult { search, values } =
            search.search(self.game, self.limits, &[], &mut watched, on_iteration);
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

    /// What the arguments say of the algorithm.
    fn means(&self) -> Means<G> {
        Means {
            switches: self.switches.clone(),
            threads: self.arguments.threads as usize,
            endings: self.endings.clone(),
            memory_bytes: self.arguments.memory,
            stored_nodes_max: options::STORED_NODES_MAX,
            // A proof is no search of depths: it has a report, and a table, of its own.
            proof_table_bytes: 0,
            seed: self.arguments.seed,
        }
    }

    /// The tree of a Monte Carlo search is logged when it is done: it does not grow depth-first.
    fn run_simulating(
        &self,
        search: &mut dyn AnySearch<G>,
        log: Option<&SearchLog<'_>>,
        metadata: &Metadata,
        on_iteration: OnIteration<'_, G::Move>,
    ) -> Found<G> {
        let result = search.search(self.game, self.limits, &[], &mut [], on_iteration).search;
        let tree = search.playouts();
        if let (Some(log), Some(tree)) = (log, tree)
            && let Err(error) = self.log_playouts(tree, &log.writer, metadata)
        {
            log.is_in_trouble(&error);
        }
        let root_moves = tree.filter(|_| self.arguments.root_moves).map(root_moves::of_playouts);
        Found { result, values: Vec::new(), root_moves, sketch: None }
    }

    fn log_playouts(&self, uct: &Uct<G>, log: &LogWriter, metadata: &Metadata) -> gt_log::Result<()> {
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
}
