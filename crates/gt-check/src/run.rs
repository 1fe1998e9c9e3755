//! A suite run: searches and queries side by side, then verdicts.
//!
//! ```text
//! subjects ──jobs──▶ log ──▶ trees ──▶ a number for each query     (threads)
//!                              └──▶ readings ──▶ verdicts ──▶ worst nodes ──▶ Report
//! ```
//!
//! **Invariant:** trouble with one subject is told and costs the others nothing.

mod blessing;
mod folder;
mod look;
mod selection;

use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use gt_log::{Log, Tree};
use gt_query::MoveCodec;

use crate::baseline::Baseline;
use crate::error::{Error, Result};
use crate::process::Start;
use crate::report::{Blessing, CheckReport, EngineReport, Report, SubjectReport, SubjectStatus};
use crate::subject::{Trouble, Workshop, version};
use crate::suite::{Check, Over, Source, Suite};
use crate::verdict::{Reading, Status, Verdict, has_wrong_query, judge};
use folder::Folder;
use look::Looked;
pub(crate) use look::{last_iterations, questions};

/// How moves are written, by whoever knows the games.
pub trait Moves: Sync {
    /// The moves of a log as texts and back, where they have texts.
    fn codec<'a>(&self, log: &'a Log) -> Option<Box<dyn MoveCodec + 'a>>;
    /// A line from a tree's root as texts.
    fn line(&self, log: &Log, tree: Tree<'_>, moves: &[i64]) -> Vec<String>;
}

/// How to run a suite.
pub struct RunOptions<'a> {
    /// The program `gt`, for suites that search with it.
    pub own: &'a Path,
    /// What it calls itself.
    pub own_version: &'a str,
    /// How many subjects are worked on at once; 0 for as many as there are processors.
    pub jobs: usize,
    /// Only checks and subjects whose names hold one of these, or match it where it has a `*`; all, where there is none.
    pub only: &'a [String],
    /// Where the logs of searches are kept; else they stay only where a check fails.
    pub keep: Option<&'a Path>,
    /// Whether the numbers become the baseline.
    pub bless: bool,
    /// How much memory a log's parts may take.
    pub limits: gt_log::Limits,
    /// Other names for the attributes and aliases of every log, each a list as in `best=value, type=nodeType`.
    pub other_names: &'a [String],
    /// Set it to end the run; engines are ended with it.
    pub stop: &'a AtomicBool,
    /// Starts a program.
    pub start: &'a Start<'a>,
    /// How moves are written.
    pub moves: &'a dyn Moves,
    /// Told how many subjects are done, and of how many.
    pub progress: &'a (dyn Fn(usize, usize) + Sync),
}

/// Runs a suite.
///
/// # Errors
/// Where the suite does not fit its baseline, nothing fits `only`, or the folder for logs cannot be made.
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
    let workshop = Workshop {
        suite: &suite,
        folder: folder.path(),
        own: options.own,
        limits: options.limits,
        other_names: options.other_names,
        stop: options.stop,
        start: options.start,
    };
    let looked = look_at_all(&workshop, options);
    let engine = engine(&workshop, options, &looked);
    let mut run = Run { suite: &suite, options, looked, baseline };
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

/// Works on all subjects, a few at a time; the results are in the order of the suite.
fn look_at_all(workshop: &Workshop<'_>, options: &RunOptions<'_>) -> Vec<Looked> {
    let subjects = &workshop.suite.subjects;
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let jobs = if options.jobs == 0 { cores } else { options.jobs }.clamp(1, subjects.len().max(1));
    let (next, done) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let looked: Vec<Mutex<Option<Looked>>> = subjects.iter().map(|_| Mutex::new(None)).collect();
    let work = || {
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            let Some(subject) = subjects.get(number) else { return };
            let found = if options.stop.load(Ordering::Relaxed) {
                Looked::in_trouble(Trouble::Stopped)
            } else {
                look::look(workshop, options, number, subject, cores.div_ceil(jobs))
            };
            *looked[number].lock().unwrap_or_else(PoisonError::into_inner) = Some(found);
            (options.progress)(done.fetch_add(1, Ordering::Relaxed) + 1, subjects.len());
        }
    };
    std::thread::scope(|scope| {
        for _ in 1..jobs {
            scope.spawn(work);
        }
        work();
    });
    let taken = |one: Mutex<Option<Looked>>| one.into_inner().unwrap_or_else(PoisonError::into_inner);
    looked.into_iter().map(|one| taken(one).unwrap_or_else(|| Looked::in_trouble(Trouble::Stopped))).collect()
}

/// What is known of the engine.
fn engine(workshop: &Workshop<'_>, options: &RunOptions<'_>, looked: &[Looked]) -> Option<EngineReport> {
    let engine = workshop.suite.engine.as_ref()?;
    let told = || looked.iter().find_map(|looked| looked.engine.clone());
    let version = match &engine.version {
        Some(words) => version(workshop, words),
        None if engine.is_own => Some(options.own_version.to_owned()),
        None => told(),
    };
    Some(EngineReport { name: engine.name.clone(), command: engine.command.clone(), version })
}

/// What was found out, and what it is judged by.
struct Run<'a> {
    suite: &'a Suite,
    options: &'a RunOptions<'a>,
    looked: Vec<Looked>,
    baseline: Option<Baseline>,
}

impl Run<'_> {
    /// The numbers of a check on all trees.
    fn readings(&self, check: usize) -> Vec<Reading> {
        self.looked
            .iter()
            .flat_map(|looked| looked.readings.get(check).into_iter().flatten().cloned())
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
                    look::examples(self.suite, self.options, &self.looked, check, &verdict, &readings)
                }
                Status::Holds | Status::Skipped | Status::Wrong => Vec::new(),
            };
            CheckReport::new(check, verdict, readings.len(), examples)
        };
        self.suite.checks.iter().enumerate().map(report).collect()
    }

    /// Why a number of all trees cannot be compared with its baseline: it is not of all trees.
    fn cannot_compare(&self, check: &Check) -> Option<&'static str> {
        if !check.expect.needs_baseline() || !matches!(check.over, Over::Sum | Over::Worst) {
            return None;
        }
        if self.suite.is_partial {
            return Some("its baseline is of all positions, and some are left out");
        }
        let is_troubled = self.looked.iter().any(|looked| looked.trouble.is_some());
        is_troubled.then_some("its baseline is of all positions, and some have no log")
    }

    fn subjects(&self) -> Vec<SubjectReport> {
        let report = |(subject, looked): (&crate::suite::Subject, &Looked)| SubjectReport {
            name: subject.name.clone(),
            log: looked.path.clone(),
            is_searched: matches!(subject.source, Source::Search(_)),
            trees: looked.trees,
            nodes: looked.nodes,
            seconds: looked.seconds,
            status: match &looked.trouble {
                None => SubjectStatus::Done,
                Some(Trouble::Engine(sentence)) => SubjectStatus::Failed(sentence.clone()),
                Some(Trouble::Suite(sentence)) => SubjectStatus::Wrong(sentence.clone()),
                Some(Trouble::Stopped) => SubjectStatus::Stopped,
            },
        };
        self.suite.subjects.iter().zip(&self.looked).map(report).collect()
    }

    /// Makes the numbers the baseline, and compares with them from now on.
    fn bless(&mut self, version: Option<String>) -> Blessing {
        let troubled = self.looked.iter().filter(|looked| looked.trouble.is_some()).count();
        if troubled > 0 {
            return Blessing::Refused(format!("{troubled} of {} logs are missing", self.looked.len()));
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
