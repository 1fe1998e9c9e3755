//! Runs a suite: searches and queries in parallel, then verdicts.
//!
//! ```text
//! subjects ──jobs──▶ log ──▶ trees ──▶ a number for each query     (threads)
//!                              └──▶ readings ──▶ verdicts ──▶ worst nodes ──▶ Report
//! ```
//!
//! **Invariant:** a problem with one subject is reported and does not affect the others.

mod blessing;
mod folder;
mod look;
mod options;
mod selection;

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use crate::baseline::Baseline;
use crate::check::{Check, Over};
use crate::error::{Error, Result};
use crate::report::{Blessing, CheckReport, EngineReport, Report, SubjectReport, SubjectStatus};
use crate::subject::{LogMaker, NoLog, version};
use crate::suite::{Source, Suite};
use crate::verdict::{Reading, Status, Verdict, has_wrong_query, judge};
use folder::Folder;
use look::SubjectReadings;
pub(crate) use look::{last_iterations, questions};
pub use options::RunOptions;

/// Runs a suite.
///
/// # Errors
/// Returns an error if the suite does not fit its baseline, nothing matches `only`, or the folder for logs
/// cannot be made.
pub fn run(suite: &Suite, options: &RunOptions<'_>) -> Result<Report> {
    let started = Instant::now();
    let suite = selection::select(suite, options.only)?;
    let baseline = blessing::before(&suite, options.bless)?;
    let folder = Folder::new(options.keep).map_err(|error| {
        Error::of(
            options.keep.unwrap_or(&std::env::temp_dir()),
            format!("no folder for logs can be made: {error}"),
        )
    })?;
    let log_maker = LogMaker {
        suite: &suite,
        folder: folder.path(),
        own: options.own,
        limits: options.limits,
        other_names: options.other_names,
        stop: options.stop,
        start: options.start,
    };
    let measured = measure_all(&log_maker, options);
    let engine = engine(&log_maker, options, &measured);
    let mut run = Run { suite: &suite, options, measured, baseline };
    let blessing =
        options.bless.then(|| run.bless(engine.as_ref().and_then(|engine| engine.version.clone())));
    let checks = run.checks();
    let subjects = run.subjects();
    let mut report = Report {
        suite: suite.path.clone(),
        engine,
        subjects,
        checks,
        blessing,
        logs: None,
        is_stopped: options.stop.load(Ordering::Relaxed),
        seconds: started.elapsed().as_secs_f64(),
    };
    report.logs = folder.finish(!report.holds() && !report.is_stopped && has_searches(&suite));
    Ok(report)
}

fn has_searches(suite: &Suite) -> bool {
    suite.subjects.iter().any(|subject| matches!(subject.source, Source::Search(_)))
}

/// Processes all subjects, a few at a time; the results are in the order of the suite.
fn measure_all(log_maker: &LogMaker<'_>, options: &RunOptions<'_>) -> Vec<SubjectReadings> {
    let subjects = &log_maker.suite.subjects;
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let jobs = if options.jobs == 0 { cores } else { options.jobs }.clamp(1, subjects.len().max(1));
    let (next, done) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let measured: Vec<Mutex<Option<SubjectReadings>>> = subjects.iter().map(|_| Mutex::new(None)).collect();
    let work = || {
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            let Some(subject) = subjects.get(number) else { return };
            let found = if options.stop.load(Ordering::Relaxed) {
                SubjectReadings::without_log(NoLog::Stopped)
            } else {
                look::look(log_maker, options, number, subject, cores.div_ceil(jobs))
            };
            *measured[number].lock().unwrap_or_else(PoisonError::into_inner) = Some(found);
            (options.progress)(done.fetch_add(1, Ordering::Relaxed) + 1, subjects.len());
        }
    };
    std::thread::scope(|scope| {
        for _ in 1..jobs {
            scope.spawn(work);
        }
        work();
    });
    let taken = |readings: Mutex<Option<SubjectReadings>>| {
        readings.into_inner().unwrap_or_else(PoisonError::into_inner)
    };
    measured
        .into_iter()
        .map(|readings| taken(readings).unwrap_or_else(|| SubjectReadings::without_log(NoLog::Stopped)))
        .collect()
}

/// The report on the engine.
fn engine(
    log_maker: &LogMaker<'_>,
    options: &RunOptions<'_>,
    measured: &[SubjectReadings],
) -> Option<EngineReport> {
    let engine = log_maker.suite.engine.as_ref()?;
    let told = || measured.iter().find_map(|measured| measured.engine.clone());
    let version = match &engine.version {
        Some(words) => version(log_maker, words),
        None if engine.is_own => Some(options.own_version.to_owned()),
        None => told(),
    };
    Some(EngineReport { name: engine.name.clone(), command: engine.command.clone(), version })
}

/// The measurements of a run, and the data to judge them by.
struct Run<'a> {
    suite: &'a Suite,
    options: &'a RunOptions<'a>,
    measured: Vec<SubjectReadings>,
    baseline: Option<Baseline>,
}

impl Run<'_> {
    /// The numbers of a check on all trees.
    fn readings(&self, check: usize) -> Vec<Reading> {
        self.measured
            .iter()
            .flat_map(|measured| measured.readings.get(check).into_iter().flatten().cloned())
            .collect()
    }

    fn checks(&self) -> Vec<CheckReport> {
        let report = |(place, check)| {
            let readings = self.readings(place);
            let verdict = match self.cannot_compare(check) {
                Some(why) => Verdict::without_numbers(Status::Skipped, why.to_owned()),
                None => judge(check, &readings, self.baseline.as_ref()),
            };
            let examples = match verdict.status {
                Status::Fails => {
                    look::examples(self.suite, self.options, &self.measured, check, &verdict, &readings)
                }
                Status::Holds | Status::Skipped | Status::Wrong => Vec::new(),
            };
            CheckReport::new(check, verdict, readings.len(), examples)
        };
        self.suite.checks.iter().enumerate().map(report).collect()
    }

    /// The reason why a number over all trees cannot be compared with its baseline: some trees are missing.
    fn cannot_compare(&self, check: &Check) -> Option<&'static str> {
        if !check.expect.needs_baseline() || !matches!(check.over, Over::Sum | Over::Worst) {
            return None;
        }
        if self.suite.is_partial {
            return Some("its baseline is of all positions, and some are left out");
        }
        let is_troubled = self.measured.iter().any(|measured| measured.no_log.is_some());
        is_troubled.then_some("its baseline is of all positions, and some have no log")
    }

    fn subjects(&self) -> Vec<SubjectReport> {
        let report = |(subject, measured): (&crate::suite::Subject, &SubjectReadings)| SubjectReport {
            name: subject.name.clone(),
            log: measured.path.clone(),
            is_searched: matches!(subject.source, Source::Search(_)),
            trees: measured.trees,
            nodes: measured.nodes,
            seconds: measured.seconds,
            status: match &measured.no_log {
                None => SubjectStatus::Done,
                Some(NoLog::Engine(sentence)) => SubjectStatus::Failed(sentence.clone()),
                Some(NoLog::Suite(sentence)) => SubjectStatus::Wrong(sentence.clone()),
                Some(NoLog::Stopped) => SubjectStatus::Stopped,
            },
        };
        self.suite.subjects.iter().zip(&self.measured).map(report).collect()
    }

    /// Makes the numbers the baseline, to which they are compared from now on.
    fn bless(&mut self, version: Option<String>) -> Blessing {
        let troubled = self.measured.iter().filter(|measured| measured.no_log.is_some()).count();
        if troubled > 0 {
            return Blessing::Refused(format!("{troubled} of {} logs are missing", self.measured.len()));
        }
        let asked = self.suite.checks.iter().enumerate().filter(|(_, check)| check.expect.needs_baseline());
        let asked = asked.filter(|(_, check)| self.cannot_compare(check).is_none());
        let asked: Vec<(&Check, Vec<Reading>)> =
            asked.map(|(place, check)| (check, self.readings(place))).collect();
        if let Some((check, _)) = asked.iter().find(|(check, readings)| has_wrong_query(check, readings)) {
            return Blessing::Refused(format!("the query of the check `{}` is wrong", check.name));
        }
        let before = self.baseline.take();
        let baseline = blessing::after(self.suite, before, version, &asked);
        let written = blessing::write(&baseline, self.suite);
        self.baseline = Some(baseline);
        written
    }
}
