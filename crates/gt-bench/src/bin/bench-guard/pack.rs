//! The ready pack of `gt check`: all its queries in one pass, against the slowest of them alone.

use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use gt_bench::row;
use gt_check::{Moves, Pack, RunOptions, Status, Suite};
use gt_games::chess::{Chess, SixTerms};
use gt_log::{Log, LogWriter, Metadata, Tree};
use gt_query::engine::{self, Options};
use gt_query::{Environment, MoveCodec, compile};
use gt_record::{Extras, Recorder, header_with};
use gt_search::{Limits, Searcher};

use crate::Outcome;

const NODES: u64 = 10_000_000;
const RUNS: usize = 3;

/// Measures the pack on a log of a chess search.
pub(crate) fn pack(folder: &Path) -> Outcome<()> {
    println!("gt check: the pack alpha-beta on a search of {} million nodes", NODES / 1_000_000);
    let path = folder.join("search.gtf");
    search(&path)?;
    let pack = Pack::named("alpha-beta")?;
    let suite = Suite::of_pack(pack, std::slice::from_ref(&path));
    let whole = best(|| check(&suite))?;
    let log = Log::open(&path)?;
    let mut slowest = (0.0, "");
    for (name, query, parameters) in pack.queries() {
        let seconds = best(|| ask(&log, query, parameters))?;
        if seconds > slowest.0 {
            slowest = (seconds, name);
        }
    }
    row("the whole pack", &format!("{whole:.3} s"), "");
    row(&format!("its slowest query, of `{}`", slowest.1), &format!("{:.3} s", slowest.0), "");
    row("  the pack against it", &format!("{:.2} times", whole / slowest.0), "at most 3 times");
    Ok(())
}

/// Logs a search of the start position.
fn search(path: &Path) -> Outcome<()> {
    let extras = Extras { table_depth: true, ..Extras::default() };
    let log = LogWriter::create(path, header_with("chess", extras)?)?;
    let mut recorder = Recorder::new(&log, Metadata::new()).with(extras);
    let limits = Limits { nodes_max: NODES, ..Limits::default() };
    let mut searcher = Searcher::new(SixTerms, gt_search::Options::selective());
    searcher.search_observed(&Chess::new(), &limits, &mut recorder, |_| ());
    recorder.finish()?;
    log.finish()?;
    Ok(())
}

/// The shortest of several runs, in seconds.
fn best(mut run: impl FnMut() -> Outcome<()>) -> Outcome<f64> {
    let mut best = f64::INFINITY;
    for _ in 0..RUNS {
        let start = Instant::now();
        run()?;
        best = best.min(start.elapsed().as_secs_f64());
    }
    Ok(best)
}

/// Runs the pack; what it finds must be sound, so that no time goes into showing nodes.
fn check(suite: &Suite) -> Outcome<()> {
    let options = RunOptions {
        own: Path::new("gt"),
        own_version: "",
        jobs: 1,
        only: &[],
        keep: None,
        bless: false,
        limits: gt_log::Limits::default(),
        stop: &AtomicBool::new(false),
        start: &|command| command.spawn(),
        moves: &Numbers,
        progress: &|_, _| (),
    };
    let report = gt_check::run(suite, &options)?;
    match report.checks.iter().find(|check| check.status != Status::Holds) {
        None => Ok(()),
        Some(check) => Err(format!("the check `{}` does not hold", check.name).into()),
    }
}

/// Answers one query on all trees.
fn ask(log: &Log, query: &str, parameters: &[(String, String)]) -> Outcome<()> {
    let mut environment = Environment::new(log.schema());
    for (name, value) in parameters {
        environment = environment.with_metadata(name, value);
    }
    let program = compile(query, &environment).map_err(|errors| errors[0].to_string())?;
    for tree in log.trees() {
        engine::find(&program, tree, &Options { count_only: true, ..Options::default() })?;
    }
    Ok(())
}

/// Moves stay numbers: nothing here is shown.
struct Numbers;

impl Moves for Numbers {
    fn codec<'a>(&self, _: &'a Log) -> Option<Box<dyn MoveCodec + 'a>> {
        None
    }

    fn line(&self, _: &Log, _: Tree<'_>, moves: &[i64]) -> Vec<String> {
        moves.iter().map(i64::to_string).collect()
    }
}
