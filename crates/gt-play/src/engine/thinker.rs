//! An engine on its game's own types.

use std::ops::Range;
use std::sync::Arc;

use gt_endgame::Tables;
use gt_games::registry::{AnyEvaluation, AnyGame, GameKind, Playable, Setup, Task};
use gt_log::{LogWriter, Metadata};
use gt_record::Recorder;
use gt_search::{AnySearch, Idea, Iteration, Limits, Line, Options, SearchResult, Watched};

use super::{Engine, EngineOptions, LineText, Progress, Request, Thought};
use crate::algorithm::Algorithm;
use crate::deals::deals;
use crate::endgames::open_endgames;
use crate::error::Result;
use crate::method::Means;

/// The most nodes that a stored tree keeps.
const STORED_NODES_MAX: usize = 20_000_000;

pub(super) fn open(options: &EngineOptions, game: GameKind, setup: &Setup) -> Result<Box<dyn Engine>> {
    let shown = game.open(setup)?;
    let algorithm = options.algorithm.unwrap_or(Algorithm::best_for(game, shown.players()));
    algorithm.check(shown.players(), options.threads)?;
    let switches = algorithm.options_without(game, &options.without)?.unwrap_or_default();
    let tables = options.endgames.as_deref().map(|path| open_endgames(path, game, algorithm)).transpose()?;
    let task = Build { options, algorithm, switches, setup, shown, tables };
    Ok(game.run(setup, &[], Some(options.evaluation_for(game)), task)?)
}

/// The task of making an engine for a game's own types.
struct Build<'a> {
    options: &'a EngineOptions,
    algorithm: Algorithm,
    switches: Options,
    setup: &'a Setup,
    shown: Box<dyn AnyGame>,
    tables: Option<Arc<Tables>>,
}

impl Task for Build<'_> {
    type Output = Box<dyn Engine>;

    fn run<G: Playable>(self, game: G, evaluation: AnyEvaluation<G>) -> Self::Output {
        let options = self.options;
        let table_bytes = if self.switches.uses(Idea::Table) { options.table_bytes } else { 0 };
        let means = Means {
            switches: Options { table_bytes, lines: options.lines, ..self.switches },
            threads: options.threads,
            endings: self.tables.as_ref().and_then(Tables::endings::<G>),
            memory_bytes: options.memory_bytes,
            stored_nodes_max: STORED_NODES_MAX,
            proof_table_bytes: options.table_bytes / 2,
            seed: options.seed,
        };
        Box::new(Thinker {
            shown: self.shown,
            game: game.clone().into_search_root(),
            played_out: game,
            setup: self.setup.clone(),
            texts: Vec::new(),
            search: G::begin_search(self.algorithm.method(means), evaluation),
            algorithm: self.algorithm,
            options: options.clone(),
        })
    }
}

struct Thinker<G: Playable> {
    /// The position for those who ask.
    shown: Box<dyn AnyGame>,
    /// The position to search.
    game: G,
    /// The same as in play, which further moves are made on.
    played_out: G,
    setup: Setup,
    /// The moves from the setup to the position.
    texts: Vec<String>,
    search: Box<dyn AnySearch<G>>,
    algorithm: Algorithm,
    options: EngineOptions,
}

impl<G: Playable> Engine for Thinker<G> {
    fn position(&self) -> &dyn AnyGame {
        &*self.shown
    }

    fn set_position(&mut self, setup: &Setup, moves: &[String]) -> Result<()> {
        let follows = *setup == self.setup && moves.starts_with(&self.texts);
        let (mut shown, mut played_out) = match follows {
            true => (self.shown.boxed_clone(), self.played_out.clone()),
            false => (G::KIND.open(setup)?, G::from_setup(setup)?),
        };
        self.algorithm.check(played_out.players(), self.options.threads)?;
        let known = if follows { self.texts.len() } else { 0 };
        let mut played = Vec::with_capacity(moves.len() - known);
        for text in &moves[known..] {
            let mv = played_out.parse_move(text)?;
            shown.play(text)?;
            played_out.make(mv);
            played.push(mv);
        }
        self.game = played_out.clone().into_search_root();
        self.search.follow(follows.then_some(played.as_slice()), &self.game);
        (self.shown, self.played_out, self.setup, self.texts) =
            (shown, played_out, setup.clone(), moves.to_vec());
        Ok(())
    }

    fn forget(&mut self) {
        self.search.forget();
    }

    fn think(&mut self, request: &Request<'_>, tell: &mut dyn FnMut(&Progress)) -> Thought {
        let root = self.game.clone();
        let root_moves: Vec<G::Move> =
            request.root_moves.iter().filter_map(|text| root.parse_move(text).ok()).collect();
        let mut on_iteration = |iteration: &Iteration<'_, G::Move>| tell(&progress_of(&root, iteration));
        let wanted = (&request.limits, root_moves.as_slice());
        let (result, log_error) = match request.log {
            None => (self.search_unseen(wanted, &mut on_iteration), None),
            Some(log) => self.search_logged(log, wanted, &mut on_iteration),
        };
        thought_of(&root, &result, log_error)
    }
}

type SearchRequest<'a, M> = (&'a Limits, &'a [M]);

impl<G: Playable> Thinker<G> {
    fn threads(&self) -> Range<usize> {
        0..self.options.threads.max(1)
    }

    fn search_unseen(
        &mut self,
        wanted: SearchRequest<'_, G::Move>,
        on_iteration: &mut dyn FnMut(&Iteration<'_, G::Move>),
    ) -> SearchResult<G::Move> {
        let (limits, root_moves) = wanted;
        self.search.search(&self.game, limits, root_moves, &mut [], on_iteration).search
    }

    /// Each thread is logged into trees of its own.
    fn search_logged(
        &mut self,
        log: &LogWriter,
        wanted: SearchRequest<'_, G::Move>,
        on_iteration: &mut dyn FnMut(&Iteration<'_, G::Move>),
    ) -> (SearchResult<G::Move>, Option<String>) {
        let threads = self.threads().len();
        let metadata = self.metadata();
        let recorder = |metadata: Metadata| Recorder::new(log, metadata).searching_threads(threads);
        let mut recorders: Vec<Recorder<'_>> = match self.algorithm {
            Algorithm::Sampling => {
                let about = |(number, deal): (usize, G)| {
                    let mut metadata = metadata.clone().with("deal", number + 1);
                    metadata.set("position", deal.position_text());
                    metadata
                };
                deals(&self.game, self.options.seed)
                    .into_iter()
                    .enumerate()
                    .map(about)
                    .map(recorder)
                    .collect()
            }
            _ if threads == 1 => vec![recorder(metadata)],
            _ => self.threads().map(|thread| recorder(metadata.clone().with("thread", thread))).collect(),
        };
        let mut watched: Vec<Watched<'_, G::Move>> = recorders.iter_mut().map(Watched::by).collect();
        let (limits, root_moves) = wanted;
        let result = self.search.search(&self.game, limits, root_moves, &mut watched, on_iteration).search;
        let error = recorders.into_iter().filter_map(|recorder| recorder.finish().err()).last();
        (result, error.map(|error| error.to_string()))
    }

    fn metadata(&self) -> Metadata {
        let metadata = Metadata::new()
            .with("engine", concat!("gt ", env!("CARGO_PKG_VERSION")))
            .with("position", self.shown.position_text())
            .with("algorithm", self.algorithm.name());
        match self.algorithm.evaluates() {
            true => metadata.with("evaluation", self.options.evaluation_for(G::KIND)),
            false => metadata,
        }
    }
}

fn progress_of<G: Playable>(root: &G, iteration: &Iteration<'_, G::Move>) -> Progress {
    Progress {
        depth: iteration.depth,
        lines: line_texts(root, iteration.lines, iteration.value, iteration.pv),
        nodes: iteration.nodes,
        endings: iteration.endings,
        elapsed: iteration.elapsed,
    }
}

fn thought_of<G: Playable>(root: &G, result: &SearchResult<G::Move>, log_error: Option<String>) -> Thought {
    let lines = line_texts(root, &result.lines, result.value, &result.pv);
    let best = result.best_move.map(|mv| root.move_text(mv));
    let expected = lines.first().and_then(|line| line.moves.get(1).cloned());
    let progress = Progress {
        depth: result.depth,
        lines,
        nodes: result.nodes,
        endings: result.endings,
        elapsed: result.elapsed,
    };
    Thought { best, expected, progress, log_error, is_from_book: false }
}

fn line_texts<G: Playable>(root: &G, lines: &[Line<G::Move>], value: i32, pv: &[G::Move]) -> Vec<LineText> {
    let text = |value: i32, pv: &[G::Move]| {
        let mut game = root.clone();
        let name = |&mv: &G::Move| {
            let text = game.move_text(mv);
            game.make(mv);
            text
        };
        LineText { value, moves: pv.iter().map(name).collect() }
    };
    match lines {
        [] => vec![text(value, pv)],
        lines => lines.iter().map(|line| text(line.value, &line.pv)).collect(),
    }
}
