//! Searches of the library's own, logged if wanted.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use gt_games::registry::Setup;
use gt_log::{Existing, LogWriter};
use gt_play::{Algorithm, EngineOptions, Request, Thought};
use gt_search::Limits;
use pyo3::prelude::*;

use crate::error::{self, GameError, WriteError};
use crate::work::interruptible;
use crate::{game, log};

/// How deep a search goes when nothing limits it.
const DEPTH_DEFAULT: u16 = 6;
/// How often the search is told that somebody pressed Ctrl-C.
const LOOK_EVERY: Duration = Duration::from_millis(20);

/// What a search found.
#[pyclass(frozen, get_all, module = "gt_tools")]
pub(crate) struct SearchResult {
    /// The best move; `None` where the game is over.
    best: Option<String>,
    /// Its value, for the player to move.
    value: i32,
    /// The line that is expected.
    line: Vec<String>,
    /// The depth that was completed.
    depth: u16,
    /// How many nodes were searched.
    nodes: u64,
    /// How long it took.
    seconds: f64,
    /// Where it was logged.
    log: Option<PathBuf>,
}

#[pymethods]
impl SearchResult {
    fn __repr__(&self) -> String {
        let best = self.best.as_deref().unwrap_or("none");
        format!(
            "<gt_tools.SearchResult {best}, value {}, depth {}, {} nodes>",
            self.value, self.depth, self.nodes
        )
    }
}

/// Searches a position; the arguments are those of `gt search`.
#[pyfunction]
#[pyo3(signature = (name, position = "", *, board = None, players = None, moves = Vec::new(), depth = None, nodes = None,
    seconds = None, algorithm = None, evaluation = None, threads = 1, seed = 1, log = None, force = false))]
#[allow(clippy::too_many_arguments)] // They are keywords of a Python function.
pub(crate) fn search(
    py: Python<'_>,
    name: &str,
    position: &str,
    board: Option<String>,
    players: Option<usize>,
    moves: Vec<String>,
    depth: Option<u16>,
    nodes: Option<u64>,
    seconds: Option<f64>,
    algorithm: Option<&str>,
    evaluation: Option<String>,
    threads: usize,
    seed: u64,
    log: Option<&Bound<'_, PyAny>>,
    force: bool,
) -> PyResult<SearchResult> {
    let kind = game::kind(name)?;
    let playing = |error: gt_play::Error| GameError::new_err(error.to_string());
    let algorithm = algorithm.map(str::parse::<Algorithm>).transpose();
    let algorithm = algorithm.map_err(|error| GameError::new_err(error.to_string()))?;
    let setup = Setup { position: position.to_owned(), board, players };
    let options = EngineOptions { algorithm, evaluation, threads, seed, ..EngineOptions::default() };
    let mut engine = options.open(kind, &setup).map_err(playing)?;
    engine.set_position(&setup, &moves).map_err(playing)?;
    let limits = limits(depth, nodes, seconds)?;
    if let (Some(algorithm), None, None) =
        (algorithm.filter(|algorithm| algorithm.simulates()), nodes, seconds)
    {
        let sentence = format!("`{algorithm}` goes on until it is told to stop: give nodes= or seconds=");
        return Err(GameError::new_err(sentence));
    }
    let path = log.map(log::path_of).transpose()?;
    let writer = match &path {
        None => None,
        Some(path) => {
            let existing = if force { Existing::Replace } else { Existing::Keep };
            let header = gt_record::header(kind.name());
            let writer = header.and_then(|header| LogWriter::create_with(path, header, existing));
            Some(writer.map_err(|error| error::writing(&error))?)
        }
    };
    let stop = Arc::new(AtomicBool::new(false));
    let limits = Limits { stop: Some(Arc::clone(&stop)), ..limits };
    let thought = interruptible(py, |cancel| {
        let done = AtomicBool::new(false);
        std::thread::scope(|scope| {
            let (stop, done) = (&stop, &done);
            scope.spawn(move || {
                while !done.load(Ordering::Relaxed) {
                    if cancel.load(Ordering::Relaxed) {
                        stop.store(true, Ordering::Relaxed);
                    }
                    std::thread::sleep(LOOK_EVERY);
                }
            });
            let request = Request { log: writer.as_ref(), ..Request::new(limits) };
            let thought = engine.think(&request, &mut |_| ());
            done.store(true, Ordering::Relaxed);
            thought
        })
    })?;
    if let Some(error) = &thought.log_error {
        return Err(WriteError::new_err(format!("the log of the search is not whole: {error}")));
    }
    if let Some(writer) = writer {
        writer.finish().map_err(|error| error::writing(&error))?;
    }
    Ok(found(thought, path))
}

fn limits(depth: Option<u16>, nodes: Option<u64>, seconds: Option<f64>) -> PyResult<Limits> {
    let mut limits = Limits::default();
    let is_unlimited = depth.is_none() && nodes.is_none() && seconds.is_none();
    if let Some(depth) = depth.or(is_unlimited.then_some(DEPTH_DEFAULT)) {
        if !(1..=200).contains(&depth) {
            return Err(GameError::new_err(format!("a search goes 1 to 200 plies deep, not {depth}")));
        }
        limits.depth_max = depth;
    }
    limits.nodes_max = nodes.unwrap_or(u64::MAX);
    if let Some(seconds) = seconds {
        let time = Duration::try_from_secs_f64(seconds);
        limits.time_max =
            Some(time.map_err(|_| GameError::new_err(format!("{seconds} is no time to search for")))?);
    }
    Ok(limits)
}

fn found(thought: Thought, log: Option<PathBuf>) -> SearchResult {
    let progress = thought.progress;
    let line = progress.lines.into_iter().next().unwrap_or_default();
    SearchResult {
        best: thought.best,
        value: line.value,
        line: line.moves,
        depth: progress.depth,
        nodes: progress.nodes,
        seconds: progress.elapsed.as_secs_f64(),
        log,
    }
}
