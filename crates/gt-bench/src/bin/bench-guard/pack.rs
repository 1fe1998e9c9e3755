//! The ready pack of `gt check`: all its queries in one pass, against the slowest of them alone.

use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use gt_bench::row;
use gt_check::{Moves, Pack, RunOptions, Status, Suite};
use gt_games::chess::{Chess, SixTerms};
use gt_log::{Log, LogWriter, Metadata};
use gt_query::engine::{self, Options};
use gt_query::{Environment, MoveCodec, compile};
use gt_record::{Extras, Recorder, header_with};
use gt_search::{Limits, Searcher};

use crate::Outcome;

const NODES: u64 = 14_000_000;
const RUNS: usize = 3;

/// Measures the pack on the log of [`search`].
pub(crate) fn pack(path: &Path) -> Outcome<()> {
    println!("gt check: the pack alpha-beta on a search of {} million nodes", NODES / 1_000_000);
    let pack = Pack::named("alpha-beta")?;
    let suite = Suite::of_pack(pack, &[path.to_owned()]);
    let whole = best(|| check(&suite))?;
    let log = Log::open(path)?;
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

/// Logs a search of the start position, with all that can be logged.
pub(crate) fn search(path: &Path) -> Outcome<()> {
    let extras = Extras { key: true, table_depth: true, players: 0 };
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
pub(crate) fn best(mut run: impl FnMut() -> Outcome<()>) -> Outcome<f64> {
    let mut best = f64::INFINITY;
    for _ in 0..RUNS {
        let start = Instant::now();
        run()?;
        best = best.min(start.elapsed().as_secs_f64());
    }
    Ok(best)
}

/// Runs the pack. A check that does not hold takes its time too, to find the nodes that it shows.
fn check(suite: &Suite) -> Outcome<()> {
    let options = RunOptions {
        other_names: &[],
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
    match report.checks.iter().find(|check| matches!(check.status, Status::Skipped | Status::Wrong)) {
        None => Ok(()),
        Some(check) => Err(format!("the check `{}` was not answered", check.name).into()),
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
}
