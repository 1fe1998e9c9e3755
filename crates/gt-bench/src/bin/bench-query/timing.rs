//! Seconds: of one run, of the best of several, of runs in turn.
//!
//! Machines are shared, so a figure is CPU time divided by the threads: what an idle machine would take. What is said of
//! one thread against two is time on the clock, since only that shows whether two threads help.

use std::error::Error;
use std::time::Instant;

use gt_log::Log;
use gt_query::engine::{self, Stats};
use gt_query::{Environment, Program, compile};

use crate::THREADS;

/// A program that takes longer is run fewer times than was asked for.
const SECONDS_MAX: f64 = 2.0;

pub(crate) fn options(threads: usize) -> engine::Options<'static> {
    engine::Options { threads, ..engine::Options::default() }
}

/// The program of a query text that is known to fit the log.
pub(crate) fn compiled(text: &str, log: &Log) -> Result<Program, String> {
    compile(text, &Environment::new(log.schema())).map_err(|errors| format!("{text}: {errors:?}"))
}

/// The CPU seconds of the best run for each thread.
pub(crate) fn measure(program: &Program, log: &Log, runs: usize) -> Result<(f64, Stats), Box<dyn Error>> {
    let tree = log.tree(0)?;
    let mut stats = Stats::default();
    let run = || timed(|| engine::run(program, tree, &options(THREADS)).map(|outcome| stats = outcome.stats));
    let best = best_of(runs, run)?;
    Ok((best, stats))
}

/// The seconds on the clock of the best run with so many threads.
pub(crate) fn measure_wall(
    program: &Program,
    log: &Log,
    threads: usize,
    runs: usize,
) -> Result<(f64, Stats), Box<dyn Error>> {
    let tree = log.tree(0)?;
    let mut stats = Stats::default();
    let run = || {
        let start = Instant::now();
        stats = engine::find(program, tree, &options(threads))?.stats;
        Ok::<f64, engine::Failure>(start.elapsed().as_secs_f64())
    };
    let best = best_of(runs, run)?;
    Ok((best, stats))
}

/// The least of what `run` gives.
pub(crate) fn best_of<E>(runs: usize, mut run: impl FnMut() -> Result<f64, E>) -> Result<f64, E> {
    let (mut best, mut done, started) = (f64::INFINITY, 0, Instant::now());
    loop {
        best = best.min(run()?);
        done += 1;
        let seconds = started.elapsed().as_secs_f64();
        // What takes a millisecond is run more often: somebody else may have the processor's caches for as long.
        let wants_more = done < runs && seconds < SECONDS_MAX || done < 20 * runs && seconds < 0.3;
        if !wants_more {
            return Ok(best);
        }
    }
}

/// The CPU seconds of a run for each thread.
pub(crate) fn timed(run: impl FnOnce() -> Result<(), engine::Failure>) -> Result<f64, engine::Failure> {
    let start = process_seconds();
    run()?;
    Ok((process_seconds() - start) / THREADS as f64)
}

/// The CPU time that all threads of this process have used.
fn process_seconds() -> f64 {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: the clock exists on every Unix and `time` is writable.
    unsafe { libc::clock_gettime(libc::CLOCK_PROCESS_CPUTIME_ID, &mut time) };
    time.tv_sec as f64 + time.tv_nsec as f64 / 1e9
}

/// The times of several things, one after the other and again, so that what else the machine does meets all alike.
pub(crate) fn in_turn<const N: usize>(
    runs: usize,
    mut round: impl FnMut() -> Result<[f64; N], engine::Failure>,
) -> Result<Vec<[f64; N]>, engine::Failure> {
    let mut rounds = Vec::new();
    let started = Instant::now();
    while rounds.len() < 5 * runs.max(1) || rounds.len() < 200 && started.elapsed().as_millis() < 500 {
        rounds.push(round()?);
    }
    Ok(rounds)
}

/// How many times as long as the first this takes: the median, as single runs of a millisecond are a matter of luck.
pub(crate) fn ratio_of<const N: usize>(rounds: &[[f64; N]], what: usize) -> f64 {
    median(rounds.iter().map(|round| round[what] / round[0]).collect())
}

pub(crate) fn milliseconds_of<const N: usize>(rounds: &[[f64; N]], what: usize) -> f64 {
    1e3 * median(rounds.iter().map(|round| round[what]).collect())
}

pub(crate) fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}
