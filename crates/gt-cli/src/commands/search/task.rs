//! The search itself, on the game's own types.

use std::io::{IsTerminal, Write};
use std::process::ExitCode;
use std::sync::Arc;

use gt_endgame::Tables;
use gt_games::registry::{AnyEvaluation, Playable, Task};
use gt_log::Metadata;
use gt_play::Algorithm;
use gt_record::{Asker, AskerEvent, Extras};
use gt_search::{Endings, Iteration, Limits};

use super::arguments::{Arguments, Show};
use super::extra::extras;
use super::logged::{SearchLog, header};
use super::questions::Questions;
use super::searched::{Search, Spectators};
use super::sketch::Sketch;
use super::teller::Teller;
use super::{fault, options, proof, report};
use crate::commands::format::Format;
use crate::failure::{Failure, Outcome};
use crate::moves::{Moves, Namers};
use crate::signals::Stop;
use crate::tell::{tell_line, tell_lines};

pub(super) struct SearchTask<'a> {
    pub(super) arguments: &'a Arguments,
    pub(super) limits: Limits,
    pub(super) out: &'a mut dyn Write,
}

impl Task for SearchTask<'_> {
    type Output = Outcome;

    fn run<G: Playable>(self, game: G, evaluation: AnyEvaluation<G>) -> Self::Output {
        let game = game.into_search_root();
        let algorithm = choose(self.arguments, &game)?;
        let planted = self.arguments.fault;
        fault::check(planted, algorithm)?;
        options::check(self.arguments, algorithm)?;
        let switches = options::switches(self.arguments, algorithm, G::KIND)?;
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
        if !self.arguments.without.is_empty() {
            metadata.set("without", self.arguments.without.as_str());
        }
        if let Some(fault) = planted {
            metadata.set("fault", fault.name());
        }
        let endings = endings::<G>(self.arguments, algorithm)?;
        if let Some(path) = &self.arguments.endgames {
            metadata.set("endgames", path.display());
        }
        let (stop, _reacting) = Stop::at_signal();
        let limits = whole(self.arguments, &game, Limits { stop: Some(stop.flag()), ..self.limits });
        let names = game.move_names();
        let header = header(G::NAME, algorithm, extras).map_err(|error| Failure::new(error.to_string()))?;
        let mut questions = Questions::read(self.arguments, header, &names)?;
        let first = first_tree(&metadata, self.arguments, &limits);
        if let Some(Err(drawn)) = questions.as_mut().map(|questions| questions.check(&first)) {
            tell_lines(&drawn);
            return Ok(ExitCode::from(2));
        }
        let log = SearchLog::create(self.arguments, G::NAME, algorithm, extras)?;
        if let Some(log) = &log {
            log.name_moves(&names);
        }

        let search = Search {
            game: &game,
            evaluation,
            algorithm,
            switches,
            arguments: self.arguments,
            limits: &limits,
            extras,
            endings,
        };
        let mut live = live_line(self.arguments.format);
        let mut on_iteration = |iteration: &Iteration<'_, G::Move>| live(report::iteration(&game, iteration));
        let sketch = self.arguments.show.map(|Show::Tree| Sketch::new(&game, algorithm));
        // Who only asks has nothing to search for when nobody reads the answers.
        let stop_unread = log.is_none().then(|| stop.flag());
        let namers = match self.arguments.query_moves {
            Moves::San => Namers::after_position(self.arguments.position.open()?),
            Moves::Text | Moves::Number => Namers::default(),
        };
        let teller = |questions| Teller::new(questions, self.arguments.format, namers, stop_unread);
        let mut teller = questions.as_ref().map(teller);
        let asker = questions.as_ref().zip(teller.as_mut()).map(|(questions, teller)| {
            let tell = |tree, labels, told: AskerEvent<'_>| teller.take(tree, labels, told);
            Asker::new(extras, metadata.clone(), |tree| questions.program_for(tree), tell)
        });
        let found = search.run(log.as_ref(), &metadata, Spectators { sketch, asker }, &mut on_iteration);
        let answered = teller.map_or(Ok(()), Teller::finish);
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
        answered?;
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
    if arguments.query.is_some() && (arguments.threads > 1 || !is_depth_first(algorithm)) {
        let sentence = "`--query` is answered while one thread searches depth by depth";
        return Err(Failure::new(format!(
            "{sentence}; with uct, uct-eval, proof-number, sampling and --threads, write a log and ask it with `gt query`"
        )));
    }
    if arguments.evaluation.is_some() && !algorithm.evaluates() {
        let sentence =
            "plays games to their end and asks no evaluation; `--eval` is for the other algorithms";
        return Err(Failure::new(format!("`{algorithm}` {sentence}")));
    }
    Ok(algorithm)
}

/// Whether an algorithm enters and leaves the nodes of one tree after the other.
fn is_depth_first(algorithm: Algorithm) -> bool {
    !algorithm.simulates() && !matches!(algorithm, Algorithm::ProofNumber | Algorithm::Sampling)
}

/// What the metadata of the first tree say.
fn first_tree(of_all: &Metadata, arguments: &Arguments, limits: &Limits) -> Metadata {
    let mut metadata = of_all.clone().with("nominal_depth", limits.depth_first.min(limits.depth_max));
    if arguments.multi_pv.is_some_and(|lines| lines > 1) {
        metadata.set("line", 1);
    }
    metadata
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
