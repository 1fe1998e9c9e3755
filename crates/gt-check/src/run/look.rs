//! One subject: its log, its trees, and the numbers of all checks on each.

use std::path::{Path, PathBuf};
use std::time::Instant;

use gt_log::{Log, Tree};
use gt_query::engine::{Failure, Options};
use gt_report::profile::searches;

use super::options::RunOptions;
use crate::check::Check;
use crate::measure::{Number, Place, Question};
use crate::moves::NodeLine;
use crate::report::Example;
use crate::subject::{LogMaker, NoLog, give_names};
use crate::suite::{Subject, Suite, TreeChoice};
use crate::verdict::{Reading, Verdict};
use crate::worst::{Search, WorstNode, visible};

/// The measurements of a subject.
#[derive(Default)]
pub(super) struct SubjectReadings {
    pub(super) path: Option<PathBuf>,
    pub(super) trees: usize,
    pub(super) nodes: u64,
    /// For each check, the numbers of each tree.
    pub(super) readings: Vec<Vec<Reading>>,
    /// The name of the engine that wrote the log, from its metadata.
    pub(super) engine: Option<String>,
    pub(super) no_log: Option<NoLog>,
    pub(super) seconds: f64,
}

impl SubjectReadings {
    pub(super) fn without_log(no_log: NoLog) -> Self {
        Self { no_log: Some(no_log), ..Self::default() }
    }
}

/// Makes the subject's log and measures its trees.
pub(super) fn look(
    log_maker: &LogMaker<'_>,
    options: &RunOptions<'_>,
    number: usize,
    subject: &Subject,
    threads: usize,
) -> SubjectReadings {
    let started = Instant::now();
    let mut measured = match log_maker.log(number, subject) {
        Err(no_log) => SubjectReadings::without_log(no_log),
        Ok((path, log)) => {
            let found = Look { log_maker, options, subject, number, log: &log, path: &path, threads }.trees();
            SubjectReadings { path: Some(path), ..found.unwrap_or_else(SubjectReadings::without_log) }
        }
    };
    measured.seconds = started.elapsed().as_secs_f64();
    measured
}

struct Look<'a> {
    log_maker: &'a LogMaker<'a>,
    options: &'a RunOptions<'a>,
    subject: &'a Subject,
    number: usize,
    log: &'a Log,
    path: &'a Path,
    threads: usize,
}

impl Look<'_> {
    fn trees(&self) -> Result<SubjectReadings, NoLog> {
        let (log, checks) = (self.log, &self.log_maker.suite.checks);
        let unreadable = |error: gt_log::Error| NoLog::Suite(format!("{}: {error}", self.path.display()));
        let trees = chosen(log, self.subject.trees).map_err(unreadable)?;
        if trees.is_empty() {
            return Err(NoLog::Engine("there is no tree in the log".to_owned()));
        }
        let last = last_iterations(log).map_err(unreadable)?;
        let codec = self.options.moves.codec(log);
        let labels = labels(log);
        let questions: Vec<Question<'_>> = checks.iter().flat_map(questions).collect();
        let options =
            Options { threads: self.threads, cancel: Some(self.options.stop), ..Options::default() };
        let mut measured = SubjectReadings {
            readings: checks.iter().map(|_| Vec::new()).collect(),
            ..SubjectReadings::default()
        };
        measured.engine =
            trees[0].metadata().get("engine").or(log.metadata().get("engine")).map(str::to_owned);
        for tree in trees {
            let place = Place { log, tree, moves: codec.as_deref() };
            let numbers = place.measure(&questions, &options).map_err(|failure| match failure {
                Failure::Cancelled => NoLog::Stopped,
                other => NoLog::Suite(format!("{}: {other}", self.path.display())),
            })?;
            let mut numbers = numbers.into_iter();
            for (check, readings) in checks.iter().zip(&mut measured.readings) {
                readings.push(Reading {
                    subject: self.number,
                    tree: tree.number(),
                    label: format!("{}, {}", self.subject.name, labels[tree.number()]),
                    nodes: tree.nodes(),
                    in_last_iteration: last.contains(&tree.number()),
                    number: numbers.next().unwrap_or(Number::Known(None)),
                    of: check.of.as_ref().map(|_| numbers.next().unwrap_or(Number::Known(None))),
                });
            }
            measured.trees += 1;
            measured.nodes += tree.nodes();
        }
        Ok(measured)
    }
}

/// The queries of a check.
pub(crate) fn questions(check: &Check) -> impl Iterator<Item = Question<'_>> {
    let name = || format!("{}, check `{}`", check.file.display(), check.name);
    let question = move |text| Question { text, parameters: &check.parameters, name: name() };
    [Some(&check.query), check.of.as_ref()].into_iter().flatten().map(move |text| question(text))
}

fn chosen(log: &Log, choice: TreeChoice) -> gt_log::Result<Vec<Tree<'_>>> {
    Ok(match choice {
        TreeChoice::All => log.trees().collect(),
        TreeChoice::Last => log.trees().last().into_iter().collect(),
        TreeChoice::Largest => log.trees().max_by_key(Tree::nodes).into_iter().collect(),
        TreeChoice::Number(number) => vec![log.tree(number)?],
    })
}

/// The trees of the last depth of each search; for searches without depths, their last trees.
pub(crate) fn last_iterations(log: &Log) -> gt_log::Result<Vec<usize>> {
    let depth = |tree: usize| log.tree(tree).ok().and_then(|tree| tree.metadata().get("nominal_depth"));
    let mut last = Vec::new();
    for search in searches(log)? {
        let Some(&end) = search.trees.last() else { continue };
        let of_end = |tree: &usize| *tree == end || (depth(end).is_some() && depth(*tree) == depth(end));
        last.extend(search.trees.iter().copied().filter(of_end));
    }
    Ok(last)
}

/// The labels of trees: depth, window and thread if these distinguish them, otherwise the number.
fn labels(log: &Log) -> Vec<String> {
    let label = |tree: Tree<'_>| {
        let metadata = tree.metadata();
        let mut label = format!("depth {}", metadata.get("nominal_depth")?);
        for key in ["window", "thread"] {
            if let Some(value) = metadata.get(key) {
                label += &format!(" {key} {value}");
            }
        }
        Some(label)
    };
    let labels: Option<Vec<String>> = log.trees().map(label).collect();
    let mut seen = std::collections::HashSet::new();
    match labels {
        Some(labels) if labels.iter().all(|label| seen.insert(label)) => labels,
        _ => log.trees().map(|tree| format!("tree {}", tree.number())).collect(),
    }
}

/// The maximum numbers of trees shown for a failed check, and of nodes for each.
const TREES_SHOWN: usize = 2;
const NODES_SHOWN: usize = 3;

/// The worst trees of a failed check with their worst nodes.
pub(super) fn examples(
    suite: &Suite,
    options: &RunOptions<'_>,
    subjects: &[SubjectReadings],
    check: &Check,
    verdict: &Verdict,
    readings: &[Reading],
) -> Vec<Example> {
    let failed = verdict.measured.iter().filter(|measured| !measured.holds).take(TREES_SHOWN);
    failed
        .filter_map(|measured| {
            let reading = readings.get(measured.reading)?;
            let path = subjects.get(reading.subject)?.path.as_ref()?;
            let mut log = Log::open_with(path, options.limits).ok()?;
            give_names(&mut log, options.other_names).ok()?;
            let is_high = check.expect.fails_high(measured.number, measured.baseline);
            let subject = suite.subjects.get(reading.subject)?.name.clone();
            example(options, check, &log, path, reading, is_high)
                .map(|example| Example { subject, ..example })
        })
        .collect()
}

fn example(
    options: &RunOptions<'_>,
    check: &Check,
    log: &Log,
    path: &Path,
    reading: &Reading,
    is_high: bool,
) -> Option<Example> {
    let tree = log.tree(reading.tree).ok()?;
    let codec = options.moves.codec(log);
    let place = Place { log, tree, moves: codec.as_deref() };
    let mut asked = questions(check);
    let search = Search { query: asked.next()?, of: asked.next(), is_high };
    let engine = Options { cancel: Some(options.stop), ..Options::default() };
    // If the nodes cannot be found, the query still shows where to look.
    let found = search.nodes(&place, NODES_SHOWN, &engine).unwrap_or_default();
    let places: Vec<NodeLine> = found.iter().map(|found| found.line.clone()).collect();
    let lines = options.moves.lines(path, log, tree, &places);
    let worst = |(found, line): (crate::worst::Found, Vec<String>)| WorstNode {
        node: found.line.node,
        size: found.size,
        value: found.value,
        mate: found.mate,
        line,
    };
    let shown = if is_high { &search.query } else { search.of.as_ref().unwrap_or(&search.query) };
    let query = place.bind(shown).ok()?.queries.first().map(visible)?;
    let used = |(name, _): &&(String, String)| query.contains(&format!("${name}"));
    Some(Example {
        subject: String::new(),
        log: path.to_owned(),
        tree: reading.tree,
        label: reading.label.clone(),
        nodes: found.into_iter().zip(lines).map(worst).collect(),
        parameters: check.parameters.iter().filter(used).cloned().collect(),
        other_names: options.other_names.to_vec(),
        moves: options.moves.option(),
        query,
    })
}
