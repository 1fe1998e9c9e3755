//! The results of a suite, as data; each module below writes them in one form, for people or for machines.

mod json;
mod junit;
mod text;

use std::path::PathBuf;

use crate::check::Check;
use crate::verdict::{Measured, Status, Verdict};
use crate::worst::WorstNode;

/// The results of a suite.
#[derive(Debug)]
pub struct Report {
    /// The suite's file.
    pub suite: PathBuf,
    /// The engine that searched.
    pub engine: Option<EngineReport>,
    /// The logs and positions.
    pub subjects: Vec<SubjectReport>,
    /// The checks.
    pub checks: Vec<CheckReport>,
    /// The result of writing the baseline, if that was requested.
    pub blessing: Option<Blessing>,
    /// The folder with the logs of searches, if they were kept.
    pub logs: Option<PathBuf>,
    /// Whether the run was stopped.
    pub is_stopped: bool,
    /// The total duration.
    pub seconds: f64,
}

/// An engine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EngineReport {
    /// Its name.
    pub name: String,
    /// The command, as in the suite.
    pub command: String,
    /// Its own version text.
    pub version: Option<String>,
}

/// A log or a position of the suite.
#[derive(Clone, Debug)]
pub struct SubjectReport {
    /// Its name.
    pub name: String,
    /// Its log.
    pub log: Option<PathBuf>,
    /// Whether an engine searched it in this run.
    pub is_searched: bool,
    /// The number of trees measured.
    pub trees: usize,
    /// The number of nodes in these trees.
    pub nodes: u64,
    /// The duration of search and queries.
    pub seconds: f64,
    /// Its result.
    pub status: SubjectStatus,
}

/// The result for a log or a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SubjectStatus {
    /// Its trees were measured.
    Done,
    /// The engine failed.
    Failed(String),
    /// The suite names something that does not exist.
    Wrong(String),
    /// The run was stopped before it.
    Stopped,
}

/// A check and its verdict.
#[derive(Clone, Debug)]
pub struct CheckReport {
    /// Its name.
    pub name: String,
    /// The reason why it should hold.
    pub why: Option<String>,
    /// The query.
    pub query: String,
    /// The query whose number divides that of the first.
    pub of: Option<String>,
    /// The expectation.
    pub expect: String,
    /// The trees that it is over.
    pub over: &'static str,
    /// Whether the numbers are percentages.
    pub is_percentage: bool,
    /// The verdict.
    pub status: Status,
    /// The reason why it was skipped or is wrong, and other remarks.
    pub sentence: Option<String>,
    /// The judged numbers, the worst first.
    pub measured: Vec<Measured>,
    /// The number of trees that they come from.
    pub trees: usize,
    /// The places to look at, if it fails.
    pub examples: Vec<Example>,
}

/// A tree in which a check fails.
#[derive(Clone, Debug)]
pub struct Example {
    /// The log or position.
    pub subject: String,
    /// The log's file.
    pub log: PathBuf,
    /// The number of the tree in it.
    pub tree: usize,
    /// The subject's and the tree's name.
    pub label: String,
    /// The worst nodes.
    pub nodes: Vec<WorstNode>,
    /// The query that shows them.
    pub query: String,
    /// The values of its parameters.
    pub parameters: Vec<(String, String)>,
    /// Other names given to the log, as lists.
    pub other_names: Vec<String>,
    /// The value of `--moves` with which `gt query` writes moves as this report does, if it needs one.
    pub moves: Option<&'static str>,
}

/// The result of writing a baseline.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Blessing {
    /// It was written here.
    Written(PathBuf),
    /// It was not written, with the reason.
    Refused(String),
}

impl CheckReport {
    pub(crate) fn new(check: &Check, verdict: Verdict, trees: usize, examples: Vec<Example>) -> Self {
        Self {
            name: check.name.clone(),
            why: check.why.clone(),
            query: check.query.trim().to_owned(),
            of: check.of.as_ref().map(|of| of.trim().to_owned()),
            expect: check.expect.to_string(),
            over: check.over.name(),
            is_percentage: check.expect.scale() != crate::expect::Scale::Plain,
            status: verdict.status,
            sentence: verdict.sentence,
            measured: verdict.measured,
            trees,
            examples,
        }
    }
}

impl Report {
    /// Whether everything is as expected.
    #[must_use]
    pub fn holds(&self) -> bool {
        let checks = self.checks.iter().all(|check| matches!(check.status, Status::Holds | Status::Skipped));
        let subjects = self.subjects.iter().all(|subject| subject.status == SubjectStatus::Done);
        checks && subjects && !matches!(self.blessing, Some(Blessing::Refused(_)))
    }

    /// Returns the errors in the suite itself, each in a form for people.
    pub fn errors(&self) -> impl Iterator<Item = String> {
        let checks = self.checks.iter().filter(|check| check.status == Status::Wrong);
        let checks = checks.map(|check| check.sentence.clone().unwrap_or_default());
        let subjects = self.subjects.iter().filter_map(|subject| match &subject.status {
            SubjectStatus::Wrong(sentence) => Some(format!("{}: {sentence}\n", subject.name)),
            SubjectStatus::Done | SubjectStatus::Failed(_) | SubjectStatus::Stopped => None,
        });
        checks.chain(subjects)
    }

    /// Returns the exit code: 0 if all checks hold, 1 if one does not, 2 if the suite is wrong.
    #[must_use]
    pub fn exit_code(&self) -> u8 {
        if self.errors().next().is_some() { 2 } else { u8::from(!self.holds()) }
    }
}

/// A number in a form for people.
fn shown(number: f64, is_percentage: bool) -> String {
    let size = number.abs();
    let text = if number.fract() == 0.0 && size < 1e15 {
        let sign = if number < 0.0 { "-" } else { "" };
        format!("{sign}{}", gt_report::grouped(size as u64))
    } else if size >= 0.01 {
        let decimals = if size < 10.0 { 3 } else { 1 };
        let text = format!("{number:.decimals$}");
        text.trim_end_matches('0').trim_end_matches('.').to_owned()
    } else {
        format!("{number:.2e}")
    };
    if is_percentage { text + "%" } else { text }
}

#[cfg(test)]
mod tests {
    use super::shown;

    #[test]
    fn numbers_have_no_needless_digits() {
        let numbers = [0.0, 1234.0, -5.0, 0.416, 19.04, 19.96, 0.0012].map(|number| shown(number, false));
        assert_eq!(numbers, ["0", "1,234", "-5", "0.416", "19", "20", "1.20e-3"]);
        assert_eq!(shown(91.53, true), "91.5%");
    }
}
