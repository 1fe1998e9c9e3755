//! The search itself, on the game's own types.

use std::io::{IsTerminal, Write};
use std::process::ExitCode;

use gt_games::registry::{Playable, Task};
use gt_log::{LogWriter, Metadata, TreeBuilder, Value};
use gt_play::Algorithm;
use gt_record::{Extras, Recorder};
use gt_search::{
    Evaluate, EvaluateAll, Idea, Iteration, Limits, ManyPlayers, Observer, Options, ParallelSearcher, Plain,
    SearchResult, StoredTree, Uct, UctOptions,
};

use super::extra::extras;
use super::logged::{SearchLog, uct_schema};
use super::{Arguments, Format, fault, report};
use crate::commands::Outcome;
use crate::failure::Failure;
use crate::signals::Stop;
use crate::tell::tell_line;

pub(super) struct SearchTask<'a> {
    pub(super) arguments: &'a Arguments,
    pub(super) limits: Limits,
    pub(super) out: &'a mut dyn Write,
}

/// The most nodes that the stored tree keeps.
const STORED_NODES_MAX: usize = 50_000_000;

impl Task for SearchTask<'_> {
    type Output = Outcome;

    fn run<G, E>(self, game: G, evaluation: E) -> Self::Output
    where
        G: Playable,
        E: Evaluate<G> + EvaluateAll<G> + Copy + Send + Sync + 'static,
    {
        let game = game.into_search_root();
        let algorithm = choose(self.arguments, &game)?;
        let planted = self.arguments.fault;
        let options = options(self.arguments, algorithm)?;
        fault::check(planted, algorithm)?;
        let named = self.arguments.evaluation.as_deref().unwrap_or(G::EVALUATIONS[0].name);
        let evaluation_name = algorithm.evaluates().then_some(named);
        let extras = extras(&self.arguments.with, algorithm)?;
        let mut metadata = Metadata::new()
            .with("engine", concat!("gt ", env!("CARGO_PKG_VERSION")))
            .with("position", game.position_text())
            .with("algorithm", algorithm.name());
        if let Some(name) = evaluation_name {
            metadata.set("evaluation", name);
        }
        if game.players() > 2 {
            metadata.set("players", game.players());
        }
        if !self.arguments.without.is_empty() {
            metadata.set("without", self.arguments.without.as_str());
        }
        if let Some(fault) = planted {
            metadata.set("fault", fault.name());
        }
        let log = SearchLog::create(self.arguments, G::NAME, algorithm, extras)?;
        let (stop, _reacting) = Stop::at_signal();
        let limits = Limits { stop: Some(stop.flag()), ..self.limits };

        let search = Search {
            game: &game,
            evaluation,
            algorithm,
            options,
            arguments: self.arguments,
            limits: &limits,
            extras,
        };
        let mut live = live_line(self.arguments.format);
        let mut on_iteration = |iteration: &Iteration<'_, G::Move>| live(report::iteration(&game, iteration));
        let result = match &log {
            None => search.run(&mut vec![(); self.arguments.threads as usize], &mut on_iteration),
            Some(log) if algorithm == Algorithm::Uct => {
                search.run_uct_logged(log, &metadata, &mut on_iteration)
            }
            Some(log) => search.run_logged(log, &metadata, &mut on_iteration),
        };
        let logged = log.map_or(Ok(()), SearchLog::finish);

        match self.arguments.format {
            Format::Text => report::text(&game, &result, planted, self.out)?,
            Format::Json => {
                let about = report::About {
                    game: G::NAME,
                    position: game.position_text(),
                    algorithm: algorithm.name(),
                    evaluation: evaluation_name,
                    fault: planted,
                    log: self.arguments.log.as_ref().map(|path| path.display().to_string()),
                };
                report::json(&game, &about, &result, self.out)?;
            }
        }
        logged?;
        Ok(stop.exit_code().map_or(ExitCode::SUCCESS, ExitCode::from))
    }
}

/// The algorithm that was named, or the one that fits the game; refused where it does not fit.
fn choose<G: Playable>(arguments: &Arguments, game: &G) -> Result<Algorithm, Failure> {
    let algorithm = arguments.algorithm.unwrap_or(Algorithm::best_for(G::KIND, game.players()));
    algorithm
        .check(game.players(), arguments.threads as usize)
        .map_err(|error| Failure::new(error.to_string()))?;
    if arguments.evaluation.is_some() && !algorithm.evaluates() {
        let sentence =
            "plays games to their end and asks no evaluation; `--eval` is for the other algorithms";
        return Err(Failure::new(format!("`{algorithm}` {sentence}")));
    }
    Ok(algorithm)
}

/// What the search does, less what it is told to do without.
fn options(arguments: &Arguments, algorithm: Algorithm) -> Result<Options, Failure> {
    let without = Idea::parse_list(&arguments.without).map_err(Failure::new)?;
    let options = algorithm.options_without(&without).map_err(|error| Failure::new(error.to_string()))?;
    Ok(Options { fault: arguments.fault, ..options.unwrap_or_default() })
}

/// Prints a line on standard error after each iteration: everywhere but where JSON is asked for in a pipe.
fn live_line(format: Format) -> impl FnMut(String) {
    let shown = format == Format::Text || std::io::stderr().is_terminal();
    move |line| {
        if shown {
            tell_line(line);
        }
    }
}

/// A search of one position by one algorithm.
struct Search<'a, G, E> {
    game: &'a G,
    evaluation: E,
    algorithm: Algorithm,
    options: Options,
    arguments: &'a Arguments,
    limits: &'a Limits,
    extras: Extras,
}

impl<G, E> Search<'_, G, E>
where
    G: Playable,
    E: Evaluate<G> + EvaluateAll<G> + Copy + Send + Sync + 'static,
{
    /// Searches; of several observers, the first sees what runs on one thread.
    fn run<O: Observer<G::Move> + Send>(
        &self,
        observers: &mut [O],
        on_iteration: &mut dyn FnMut(&Iteration<'_, G::Move>),
    ) -> SearchResult<G::Move> {
        let (game, evaluation, limits) = (self.game, self.evaluation, self.limits);
        let plain =
            |plain: Plain, observer: &mut O, on_iteration: &mut dyn FnMut(&Iteration<'_, G::Move>)| {
                plain.search(game, &evaluation, limits, observer, on_iteration)
            };
        let many =
            |many: ManyPlayers, observer: &mut O, on_iteration: &mut dyn FnMut(&Iteration<'_, G::Move>)| {
                many.search(game, &evaluation, limits, observer, on_iteration)
            };
        match (self.algorithm, observers) {
            (Algorithm::Pvs | Algorithm::Strong, observers) => {
                let mut searcher = ParallelSearcher::new(evaluation, &self.options, observers.len().max(1));
                searcher.search_observed(game, limits, observers, on_iteration)
            }
            (Algorithm::Uct, _) | (_, []) => self.uct().search(limits, on_iteration),
            (Algorithm::Minimax, [observer, ..]) => plain(Plain::Minimax, observer, on_iteration),
            (Algorithm::Negamax, [observer, ..]) => plain(Plain::Negamax, observer, on_iteration),
            (Algorithm::AlphaBeta, [observer, ..]) => plain(Plain::AlphaBeta, observer, on_iteration),
            (Algorithm::Negascout, [observer, ..]) => plain(Plain::NegaScout, observer, on_iteration),
            (Algorithm::StoredTree, [observer, ..]) => StoredTree::new(
                game.clone(),
                evaluation,
                STORED_NODES_MAX,
            )
            .search_observed(limits, observer, on_iteration),
            (Algorithm::MaxN, [observer, ..]) => many(ManyPlayers::MaxN(None), observer, on_iteration),
            (Algorithm::Paranoid, [observer, ..]) => many(ManyPlayers::Paranoid, observer, on_iteration),
            (Algorithm::BestReply, [observer, ..]) => many(ManyPlayers::BestReply, observer, on_iteration),
        }
    }

    /// The same, each thread logged into trees of its own.
    fn run_logged(
        &self,
        log: &SearchLog<'_>,
        metadata: &Metadata,
        on_iteration: &mut dyn FnMut(&Iteration<'_, G::Move>),
    ) -> SearchResult<G::Move> {
        let threads = self.arguments.threads;
        let recorder = |thread: u64| {
            let metadata = metadata.clone();
            let metadata = if threads == 1 { metadata } else { metadata.with("thread", thread) };
            Recorder::new(&log.writer, metadata)
                .with(self.extras)
                .searching_threads(threads as usize)
                .on_error(|error| log.is_in_trouble(error))
        };
        let mut recorders: Vec<Recorder<'_>> = (0..self.arguments.threads).map(recorder).collect();
        let result = self.run(&mut recorders, on_iteration);
        for recorder in recorders {
            // Of an error the log knows already.
            let _ = recorder.finish();
        }
        result
    }

    /// The tree of a Monte Carlo search is logged when it is done: it does not grow depth-first.
    fn run_uct_logged(
        &self,
        log: &SearchLog<'_>,
        metadata: &Metadata,
        on_iteration: &mut dyn FnMut(&Iteration<'_, G::Move>),
    ) -> SearchResult<G::Move> {
        let mut uct = self.uct();
        let result = uct.search(self.limits, on_iteration);
        if let Err(error) = self.log_uct(&uct, &log.writer, metadata) {
            log.is_in_trouble(&error);
        }
        result
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
        Uct::new(self.game.clone(), UctOptions { seed: self.arguments.seed, ..UctOptions::default() })
    }
}
