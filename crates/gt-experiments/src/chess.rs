//! Section 5.2: chess positions searched until the solution is found, and the answers of 24 queries on the
//! trees.
//!
//! ```text
//! position ──search, every iteration logged──▶ pos17.gtf ──the iteration that found it──▶ Q1 … Q24
//! ```
//!
//! The search is the library's own, with everything that makes it strong except aspiration windows, so that each
//! iteration is one tree, as in the thesis.

mod report;

pub(crate) use report::report;

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use gt_games::chess::{Chess, SixTerms};
use gt_games::{NULL_MOVE_CODE, Notation, NotationError};
use gt_log::{Existing, Log, LogWriter, Metadata, NewFile, Tree};
use gt_query::{Answer, Value, engine};
use gt_record::Recorder;
use gt_search::{Game, Limits, Options, SearchResult, Searcher};

use crate::error::{Error, ErrorKind, Result};
use crate::positions::Position;
use crate::queries::{self, CHESS, LARGEST_QUIESCENCE, SEARCHED_AGAIN_BELOW};

/// The limits of a position's search.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Effort {
    pub(crate) time_max: Duration,
    pub(crate) nodes_max: u64,
}

/// The search of a position and the answers of the queries on it.
#[derive(Clone, Debug)]
pub struct Searched {
    /// The position.
    pub position: Position,
    /// How the search ended; `None` for a log that was given.
    pub outcome: Option<Ended>,
    /// The nominal depth of that iteration.
    pub depth: u16,
    /// The largest ply in its tree.
    pub deepest: u32,
    /// The nodes of its tree.
    pub nodes: u64,
    /// The log's file.
    pub log: String,
    /// The iteration's tree in it.
    pub tree: usize,
    /// The number of nodes that each of the 24 queries matches; `None` if the log lacks a name in it.
    pub answers: [Option<u64>; 24],
    /// The other reading of Q24: nodes with the flag, and all nodes below them.
    pub searched_again_below: Option<u64>,
    /// The names in the queries that the log lacks.
    pub missing_names: Vec<&'static str>,
    /// The duration of the 24 queries together if matches are only counted.
    pub counting_seconds: f64,
    /// The duration if their node_ids are collected.
    pub collecting_seconds: f64,
    /// The largest quiescence searches, the largest first.
    pub largest_quiescence: Vec<Quiescence>,
}

/// How a search of ours ended.
#[derive(Clone, Debug)]
pub struct Ended {
    /// Whether the iteration shown found the solution; if not, it is the last completed one.
    pub is_solved: bool,
    /// The nodes of all iterations so far.
    pub nodes_total: u64,
    /// Their duration, including the log.
    pub seconds: f64,
    /// The move it would play, in algebraic notation.
    pub best_move: String,
    /// The value, in hundredths of a pawn for the mover.
    pub value: i32,
}

/// The answers of the queries on a tree.
pub(crate) struct Asked {
    pub(crate) answers: [Option<u64>; 24],
    pub(crate) searched_again_below: Option<u64>,
    pub(crate) missing_names: Vec<&'static str>,
    pub(crate) counting_seconds: f64,
    pub(crate) collecting_seconds: f64,
    pub(crate) largest_quiescence: Vec<Quiescence>,
}

/// A quiescence search.
#[derive(Clone, Debug)]
pub struct Quiescence {
    /// The nodes below its root.
    pub nodes: u64,
    /// The line from the position to its root, as the log's numbers where these are not ours.
    pub line: Vec<String>,
    /// Its root, if the line can be followed.
    pub root: Option<Chess>,
}

/// Searches a position into a log in the folder, and queries the log.
pub(crate) fn search(
    position: &Position,
    folder: &Path,
    effort: Effort,
    existing: Existing,
) -> Result<Searched> {
    let name = log_name(position);
    let path = folder.join(&name);
    let about = |kind: ErrorKind| Error::new(&path, kind);
    let new = NewFile::at(&path, existing).map_err(|error| about(error.into()))?;
    let found = search_logged(position, &new, effort).map_err(|error| about(error.into()))?;
    new.keep().map_err(|error| about(error.into()))?;
    let log = Log::open(&path).map_err(|error| about(error.into()))?;
    let tree = log.tree(found.tree).map_err(|error| about(error.into()))?;
    let asked = ask_all(tree, found.depth, &position.game).map_err(about)?;
    Ok(Searched {
        position: position.clone(),
        outcome: Some(Ended {
            is_solved: found.is_solved,
            nodes_total: found.result.nodes,
            seconds: found.result.elapsed.as_secs_f64(),
            best_move: found.result.best_move.map(|mv| position.game.algebraic(mv)).unwrap_or_default(),
            value: found.result.value,
        }),
        depth: found.depth,
        deepest: tree.depth(),
        nodes: tree.nodes(),
        log: name,
        tree: found.tree,
        answers: asked.answers,
        searched_again_below: asked.searched_again_below,
        missing_names: asked.missing_names,
        counting_seconds: asked.counting_seconds,
        collecting_seconds: asked.collecting_seconds,
        largest_quiescence: asked.largest_quiescence,
    })
}

/// Runs on a tree all queries whose names its log has.
pub(crate) fn ask_all(tree: Tree<'_>, depth: u16, game: &Chess) -> std::result::Result<Asked, ErrorKind> {
    let missing_names = queries::missing_names(tree.schema());
    let (answers, counting_seconds, collecting_seconds) = ask(tree, depth, &missing_names)?;
    let searched_again_below = match queries::needs_none_of(SEARCHED_AGAIN_BELOW, &missing_names) {
        true => {
            let below = queries::bind(SEARCHED_AGAIN_BELOW, tree, depth)?;
            engine::run(&below, tree, &engine::Options::default())?.stats.matches.first().copied()
        }
        false => None,
    };
    let largest_quiescence = match queries::needs_none_of(LARGEST_QUIESCENCE, &missing_names) {
        true => largest_quiescence(tree, depth, game)?,
        false => Vec::new(),
    };
    Ok(Asked {
        answers,
        searched_again_below,
        missing_names,
        counting_seconds,
        collecting_seconds,
        largest_quiescence,
    })
}

/// The name of a position's log in the folder.
pub(crate) fn log_name(position: &Position) -> String {
    format!("pos{}.gtf", position.number)
}

struct Found {
    is_solved: bool,
    depth: u16,
    tree: usize,
    result: SearchResult<gt_games::chess::Move>,
}

fn search_logged(position: &Position, new: &NewFile, effort: Effort) -> gt_log::Result<Found> {
    let log = LogWriter::to_writer(new.create()?, gt_record::header("chess")?)?;
    let game = position.game.clone().into_search_root();
    let metadata = Metadata::new()
        .with("engine", concat!("gt ", env!("CARGO_PKG_VERSION")))
        .with("position", game.position_text())
        .with("id", format!("LCTII.{}", position.number))
        .with("solution", &position.solution_text);
    let mut recorder = Recorder::new(&log, metadata);
    let stop = Arc::new(AtomicBool::new(false));
    let limits = Limits {
        nodes_max: effort.nodes_max,
        time_max: Some(effort.time_max),
        stop: Some(Arc::clone(&stop)),
        ..Limits::default()
    };
    let options = Options { aspiration: None, ..Options::selective() };
    let mut is_solved = false;
    let result =
        Searcher::new(SixTerms, options).search_observed(&game, &limits, &mut recorder, |iteration| {
            is_solved = iteration.pv.first().is_some_and(|mv| position.solutions.contains(mv));
            stop.store(is_solved, Ordering::Relaxed);
        });
    recorder.finish()?;
    log.finish()?;
    // A search stopped inside its first iteration reports depth 0.
    let depth = result.depth.max(1);
    Ok(Found { is_solved, depth, tree: usize::from(depth) - 1, result })
}

/// The number of runs, of which the fastest counts: the others were disturbed.
const TIMED_RUNS: usize = 5;

/// The answers of the 24 queries, `None` where the log lacks a name, and the durations of the others together: counted, and
/// collected as the queries are printed.
fn ask(
    tree: Tree<'_>,
    depth: u16,
    missing_names: &[&str],
) -> std::result::Result<([Option<u64>; 24], f64, f64), ErrorKind> {
    let is_asked = CHESS.map(|query| queries::needs_none_of(query, missing_names));
    let asked: Vec<&str> =
        CHESS.into_iter().zip(is_asked).filter_map(|(query, is_asked)| is_asked.then_some(query)).collect();
    let program = queries::bind(&queries::file(&asked), tree, depth)?;
    let timed = |count_only: bool| {
        let options = engine::Options { count_only, ..engine::Options::default() };
        let mut least = f64::INFINITY;
        let mut matches = Vec::new();
        for _ in 0..TIMED_RUNS {
            let start = Instant::now();
            matches = engine::run(&program, tree, &options)?.stats.matches;
            least = least.min(start.elapsed().as_secs_f64());
        }
        Ok::<_, ErrorKind>((matches, least))
    };
    let (counted, counting_seconds) = timed(true)?;
    let (_, collecting_seconds) = timed(false)?;
    let mut counted = counted.into_iter();
    let answers = is_asked.map(|is_asked| if is_asked { counted.next() } else { None });
    Ok((answers, counting_seconds, collecting_seconds))
}

fn largest_quiescence(
    tree: Tree<'_>,
    depth: u16,
    game: &Chess,
) -> std::result::Result<Vec<Quiescence>, ErrorKind> {
    let program = queries::bind(LARGEST_QUIESCENCE, tree, depth)?;
    let outcome = engine::run(&program, tree, &engine::Options::default())?;
    let Some(Ok(Answer::Rows { rows, .. })) = outcome.answers.into_iter().next() else {
        return Ok(Vec::new());
    };
    Ok(rows.iter().filter_map(|row| quiescence(row, game)).collect())
}

/// Reads a row with a size and a line.
fn quiescence(row: &[Option<Value>], game: &Chess) -> Option<Quiescence> {
    let [Some(Value::Integer(size)), Some(Value::Line(codes))] = row else { return None };
    let codes = codes.moves();
    let (line, root) = match followed(game, &codes) {
        Ok((line, root)) => (line, Some(root)),
        Err(_) => (codes.iter().map(i64::to_string).collect(), None),
    };
    Some(Quiescence { nodes: u64::try_from(size - 1).unwrap_or(0), line, root })
}

/// The moves of a line as text, and the position that they lead to.
fn followed(game: &Chess, codes: &[i64]) -> std::result::Result<(Vec<String>, Chess), NotationError> {
    let mut root = game.clone();
    let mut line = Vec::new();
    for &code in codes {
        if code == NULL_MOVE_CODE {
            root.make_logged_null();
            line.push("null".to_owned());
        } else {
            let mv = root.decode(code)?;
            line.push(root.move_text(mv));
            root.make(mv);
        }
    }
    Ok((line, root))
}
