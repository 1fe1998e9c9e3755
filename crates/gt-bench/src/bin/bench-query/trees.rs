//! The logs that are measured, each made once and kept in `target/bench-data`.
//!
//! ```text
//! generated: the thesis's Trees 1 to 9 ─┐
//! chess: our own search's last iteration ├─▶ derived: the same tree with `score`, `name` and `key`
//! Fruit: imported from Parquet ─────────┘
//! ```
//!
//! **Invariant:** a file that is there is whole: it is written beside its place and renamed. Blocks do not depend on how
//! busy the machine was.

use std::error::Error;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use gt_games::Notation;
use gt_games::chess::{Chess, SixTerms};
use gt_log::{Artificial, Existing, Log, LogWriter, Metadata, Options, Shape};
use gt_record::Recorder;
use gt_search::{Iteration, Limits, Searcher};

use crate::arguments::Asked;
use crate::derived::write_derived;
use crate::fruit;

/// Depth and branching of the thesis's Trees 1 to 9.
pub(crate) const TREES: [(usize, u64); 9] =
    [(24, 2), (15, 3), (10, 5), (9, 7), (8, 9), (5, 35), (5, 30), (5, 20), (5, 10)];

/// The nodes of one iteration of the chess search, at least.
const CHESS_NODES_MIN: u64 = 5_000_000;

/// The folder of the logs.
pub(crate) fn data_folder() -> std::io::Result<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/bench-data");
    std::fs::create_dir_all(&folder)?;
    Ok(folder)
}

/// A tree that the forms are measured on.
pub(crate) struct FormTree {
    pub(crate) name: String,
    pub(crate) path: PathBuf,
    /// Whether it is small enough for DuckDB to join it with itself.
    pub(crate) joins: bool,
}

/// The trees that the forms are measured on: of Trees 1, 3 and 6 those that were asked for, a Fruit tree and a chess
/// tree; the smallest alone for a quick run.
pub(crate) fn form_trees(folder: &Path, asked: &Asked) -> Result<Vec<FormTree>, Box<dyn Error>> {
    let quick = asked.quick;
    let numbers = asked.trees.iter().filter(|number| quick || matches!(number, 1 | 3 | 6));
    let mut trees = Vec::new();
    for &number in numbers {
        let (depth, branching) = TREES[number - 1];
        let source = generated(folder, depth, branching)?;
        let path = derived(folder, &source)?;
        trees.push(FormTree { name: format!("Tree {number}"), path, joins: !matches!(number, 1 | 6) });
    }
    match fruit::imported(folder, fruit::TREES[0].0)? {
        _ if quick || !asked.fruit => {}
        Some(source) => {
            let path = derived(folder, &source)?;
            trees.push(FormTree { name: format!("Fruit {}", fruit::TREES[0].0), path, joins: true });
        }
        None => println!("no Fruit tree: its data is not there"),
    }
    if !quick {
        let path = derived(folder, &chess(folder)?)?;
        trees.push(FormTree { name: "chess".to_owned(), path, joins: true });
    }
    Ok(trees)
}

/// The log of a search of ours from the first position, which deepens until an iteration has millions of nodes.
fn chess(folder: &Path) -> Result<PathBuf, Box<dyn Error>> {
    kept(folder.join(format!("chess-{CHESS_NODES_MIN}.gtf")), |path| {
        println!("searching chess until a tree has {CHESS_NODES_MIN} nodes, once");
        let log = LogWriter::create_with(path, gt_record::header("chess")?, Existing::Replace)?;
        let mut recorder = Recorder::new(&log, Metadata::new());
        let stop = Arc::new(AtomicBool::new(false));
        let limits = Limits { stop: Some(stop.clone()), ..Limits::default() };
        let mut nodes_before = 0;
        let is_enough = |iteration: &Iteration<'_, _>| {
            // An iteration has a second tree where its value falls outside the window, seldom a third: with twice the
            // nodes one of them is large enough.
            let is_large = iteration.nodes - nodes_before >= 2 * CHESS_NODES_MIN;
            nodes_before = iteration.nodes;
            stop.store(is_large, Ordering::Relaxed);
        };
        let mut searcher = Searcher::new(SixTerms, gt_search::Options::selective());
        searcher.search_observed(&Chess::new().into_search_root(), &limits, &mut recorder, is_enough);
        recorder.finish()?;
        log.finish()?;
        if !Log::open(path)?.trees().any(|tree| tree.nodes() >= CHESS_NODES_MIN) {
            return Err(format!("no tree of the chess search has {CHESS_NODES_MIN} nodes").into());
        }
        Ok(())
    })
}

/// The largest tree of a log with the attributes that the forms ask for.
fn derived(folder: &Path, source: &Path) -> Result<PathBuf, Box<dyn Error>> {
    let name = source.file_stem().unwrap_or_default().to_string_lossy();
    kept(folder.join(format!("{name}-derived.gtf")), |path| {
        println!("adding columns to {name}, once");
        let log = Log::open(source)?;
        let largest = log.trees().max_by_key(|tree| tree.nodes()).ok_or("a log without a tree")?;
        write_derived(largest, log.game(), path)
    })
}

/// A full tree as `gt gen` makes it.
pub(crate) fn generated(folder: &Path, depth: usize, branching: u64) -> Result<PathBuf, Box<dyn Error>> {
    kept(folder.join(format!("full-{depth}-{branching}.gtf")), |path| {
        let log = LogWriter::create_with(path, Artificial::header()?, Existing::Replace)?;
        let tree = Artificial { shape: Shape::Full, depth, branching, seed: 1 };
        tree.write(&log, unhurried(), |_| {})?;
        log.finish()?;
        Ok(())
    })
}

/// Blocks end when they are full, not when their time has come.
pub(crate) fn unhurried() -> Options {
    let mut options = Options::default();
    options.flush.time_ms_max = None;
    options
}

/// The file, which `make` writes where it is not there yet.
pub(crate) fn kept(
    path: PathBuf,
    make: impl FnOnce(&Path) -> Result<(), Box<dyn Error>>,
) -> Result<PathBuf, Box<dyn Error>> {
    if !path.exists() {
        let unfinished = path.with_extension("part");
        make(&unfinished)?;
        std::fs::rename(&unfinished, &path)?;
    }
    Ok(path)
}
