//! The search itself, on the game's own types.

use std::io::{IsTerminal, Write};
use std::process::ExitCode;
use std::sync::Arc;

use gt_endgame::Tables;
use gt_games::registry::{Playable, Task};
use gt_log::Metadata;
use gt_play::Algorithm;
use gt_record::Extras;
use gt_search::{Endings, Evaluate, EvaluateAll, Iteration, Limits};

use super::extra::extras;
use super::logged::SearchLog;
use super::searched::Search;
use super::sketch::Sketch;
use super::{Arguments, Format, Show, fault, options, proof, report};
use crate::commands::Outcome;
use crate::failure::Failure;
use crate::signals::Stop;
use crate::tell::tell_line;

pub(super) struct SearchTask<'a> {
    pub(super) arguments: &'a Arguments,
    pub(super) limits: Limits,
    pub(super) out: &'a mut dyn Write,
}

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
        fault::check(planted, algorithm)?;
        options::check(self.arguments, algorithm)?;
        if algorithm == Algorithm::ProofNumber {
            return proof::run(self.arguments, &game, self.limits, self.out);
        }
        let named = self.arguments.evaluation.as_deref().unwrap_or(G::EVALUATIONS[0].name);
        let evaluation_name = algorithm.evaluates().then_some(named);
        let players = if options::has_players_values(algorithm) { game.players() } else { 0 };
        let extras = Extras { players, ..extras(&self.arguments.with, algorithm)? };
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
        if let Some(fault) = planted {
            metadata.set("fault", fault.name());
        }
        let endings = endings::<G>(self.arguments, algorithm)?;
        if let Some(path) = &self.arguments.endgames {
            metadata.set("endgames", path.display());
        }
        let log = SearchLog::create(self.arguments, G::NAME, algorithm, extras)?;
        if let Some(log) = &log {
            log.name_moves(&game.move_names());
        }
        let (stop, _reacting) = Stop::at_signal();
        let limits = whole(self.arguments, &game, Limits { stop: Some(stop.flag()), ..self.limits });

        let search = Search {
            game: &game,
            evaluation,
            algorithm,
            arguments: self.arguments,
            limits: &limits,
            extras,
            endings,
        };
        let mut live = live_line(self.arguments.format);
        let mut on_iteration = |iteration: &Iteration<'_, G::Move>| live(report::iteration(&game, iteration));
        let sketch = self.arguments.show.map(|Show::Tree| Sketch::new(&game, algorithm));
        let found = search.run(log.as_ref(), &metadata, sketch, &mut on_iteration);
        let logged = log.map_or(Ok(()), SearchLog::finish);

        match self.arguments.format {
            Format::Text => {
                report::text(&game, &found, planted, self.out)?;
                report::endings(self.arguments.endgames.is_some(), &found.result, self.out)?;
            }
            Format::Json => {
                let about = report::About {
                    game: G::NAME,
                    position: game.position_text(),
                    algorithm: algorithm.name(),
                    evaluation: evaluation_name,
                    fault: planted,
                    asked_endgames: self.arguments.endgames.is_some(),
                    log: self.arguments.log.as_ref().map(|path| path.display().to_string()),
                };
                report::json(&game, &about, &found, self.out)?;
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
    if arguments.show.is_some()
        && (arguments.threads > 1
            || matches!(algorithm, Algorithm::Uct | Algorithm::ProofNumber | Algorithm::Sampling))
    {
        let sentence = "`--show tree` draws the tree of one thread that searches depth by depth";
        return Err(Failure::new(format!(
            "{sentence}; leave it away with uct, proof-number, sampling and --threads"
        )));
    }
    if arguments.evaluation.is_some() && !algorithm.evaluates() {
        let sentence =
            "plays games to their end and asks no evaluation; `--eval` is for the other algorithms";
        return Err(Failure::new(format!("`{algorithm}` {sentence}")));
    }
    Ok(algorithm)
}

/// The limits of a search; one that can look at everything at once does so, unless it was told a depth.
fn whole<G: Playable>(arguments: &Arguments, game: &G, limits: Limits) -> Limits {
    let Some(height) = game.search_depth() else { return limits };
    let depth_max = arguments.depth.unwrap_or(height);
    Limits { depth_first: arguments.first_depth.unwrap_or(depth_max), depth_max, ..limits }
}

/// The tables of endgames that were named, as the search asks them.
fn endings<G: Playable>(
    arguments: &Arguments,
    algorithm: Algorithm,
) -> Result<Option<Arc<dyn Endings<G>>>, Failure> {
    let Some(path) = &arguments.endgames else { return Ok(None) };
    let tables = gt_play::open_endgames(path, G::KIND, algorithm);
    Ok(Tables::endings(&tables.map_err(|error| Failure::new(error.to_string()))?))
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
