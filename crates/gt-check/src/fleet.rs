//! The checks of a suite on logs from elsewhere, one at a time and on any machine.
//!
//! ```text
//! suite.toml ──Checks::read──▶ PlainCheck ──(sent)──▶ Checks ──on_log──▶ TreeNumber: a number, judged where a tree is enough
//!                                                        └──sum──▶ the numbers of all trees, added up and judged
//! ```
//!
//! **Invariant:** a number is judged as [`run`](crate::run()) judges it. There is no baseline: blessed numbers belong
//! to a suite's own logs.

use std::path::{Path, PathBuf};

use gt_log::Log;
use gt_query::engine::{Failure, Options};

use crate::check::{Check, Over};
use crate::error::{Error, Result};
use crate::expect::Expectation;
use crate::keys::SourceFile;
use crate::measure::{Number, Place, Question};
use crate::moves::Moves;
use crate::run::{last_iterations, questions};
use crate::suite::read_checks;

/// A check as plain texts that can be sent.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PlainCheck {
    /// Its name.
    pub name: String,
    /// The query.
    pub query: String,
    /// The query whose number divides that of the first.
    pub of: Option<String>,
    /// The expectation.
    pub expect: String,
    /// The trees that it is over; empty for each.
    pub over: String,
    /// The values of `$x` in the queries.
    pub parameters: Vec<(String, String)>,
    /// The pack that it comes from.
    pub pack: Option<String>,
}

/// Checks without the logs and positions of a suite.
#[derive(Clone, Debug)]
pub struct Checks(Vec<Check>);

/// The numbers of a check on a tree.
#[derive(Clone, Debug, PartialEq)]
pub struct TreeNumber {
    /// The index of the check.
    pub check: usize,
    /// The tree's number in its log.
    pub tree: usize,
    /// The number of nodes in the tree.
    pub nodes: u64,
    /// The number of the query; `None` if the aggregate is empty.
    pub number: Option<f64>,
    /// The number of the `of` query.
    pub of: Option<f64>,
    /// The compared number, and whether it is as expected; `None` if all trees are judged together, or there is
    /// nothing to judge.
    pub judged: Option<(f64, bool)>,
    /// The reason why there is no number.
    pub sentence: Option<String>,
}

impl Checks {
    /// Reads the checks of a suite's file; the logs, positions and engines that it names are ignored.
    ///
    /// # Errors
    /// Returns the first problem, with the line.
    pub fn read(path: &Path) -> Result<Self> {
        let file = SourceFile::read(path)?;
        let folder = path.parent().map_or_else(PathBuf::new, Path::to_owned);
        let mut keys = file.keys()?;
        let mut checks = Vec::new();
        for keys in keys.tables("check", "[[check]]")? {
            read_checks(keys, &file, &folder, &mut checks)?;
        }
        if checks.is_empty() {
            return Err(Error::of(path, "there is no `[[check]]` in it: nothing is expected"));
        }
        Self(checks).without_baselines().map_err(|sentence| Error::of(path, sentence))
    }

    /// Restores checks that were sent.
    ///
    /// # Errors
    /// Returns a sentence about the first wrong one.
    pub fn of_plain(plain: Vec<PlainCheck>) -> std::result::Result<Self, String> {
        plain.into_iter().map(check_of).collect::<std::result::Result<_, _>>().map(Self)?.without_baselines()
    }

    /// Returns each check as plain texts.
    pub fn plain(&self) -> impl Iterator<Item = PlainCheck> {
        self.0.iter().map(|check| PlainCheck {
            name: check.name.clone(),
            query: check.query.clone(),
            of: check.of.clone(),
            expect: check.expect.to_string(),
            over: check.over.name().to_owned(),
            parameters: check.parameters.clone(),
            pack: check.pack.clone(),
        })
    }

    fn without_baselines(self) -> std::result::Result<Self, String> {
        match self.0.iter().find(|check| check.expect.needs_baseline()) {
            None => Ok(self),
            Some(check) => Err(format!(
                "the check `{}` expects `{}`, and logs beside those of the suite have no baseline",
                check.name, check.expect
            )),
        }
    }

    /// Returns the numbers of all checks on the trees of a log; for a check over the last iteration, only on
    /// its trees.
    ///
    /// # Errors
    /// Returns an error if the log is damaged, or the run was stopped.
    pub fn on_log(
        &self,
        log: &Log,
        moves: &dyn Moves,
        options: &Options<'_>,
    ) -> std::result::Result<Vec<TreeNumber>, Failure> {
        let (codec, last) = (moves.codec(log), last_iterations(log)?);
        let asked: Vec<Question<'_>> = self.0.iter().flat_map(questions).collect();
        let mut found = Vec::new();
        for tree in log.trees() {
            let mut numbers =
                Place { log, tree, moves: codec.as_deref() }.measure(&asked, options)?.into_iter();
            let mut next = || numbers.next().unwrap_or(Number::Known(None));
            for (place, check) in self.0.iter().enumerate() {
                let (number, of) = (next(), check.of.as_ref().map(|_| next()));
                if check.over != Over::LastIteration || last.contains(&tree.number()) {
                    found.push(judged(check, place, (tree.number(), tree.nodes()), number, of));
                }
            }
        }
        Ok(found)
    }

    /// Judges the sum over all trees: the compared number, and whether it is as expected. `None` if there is nothing
    /// to compare.
    #[must_use]
    pub fn sum(&self, check: usize, number: f64, of: Option<f64>, nodes: u64) -> Option<(f64, bool)> {
        let expect = &self.0.get(check)?.expect;
        let scaled = expect.scaled(number, of, nodes)?;
        Some((scaled, expect.holds(scaled, None)))
    }
}

fn check_of(plain: PlainCheck) -> std::result::Result<Check, String> {
    let wrong = |why: String| format!("the check `{}`: {why}", plain.name);
    let expect: Expectation = plain.expect.parse().map_err(wrong)?;
    let over = match plain.over.as_str() {
        "" => Over::EachTree,
        name => match Over::ALL.into_iter().find(|(own, _)| *own == name) {
            Some((_, over)) => over,
            None => {
                let names = Over::ALL.map(|(name, _)| name).join("\", \"");
                return Err(wrong(format!("`over` is \"{names}\", not \"{name}\"")));
            }
        },
    };
    let check = Check {
        name: plain.name.clone(),
        why: None,
        query: plain.query.clone(),
        of: plain.of.clone(),
        expect,
        over,
        parameters: plain.parameters.clone(),
        pack: plain.pack.clone(),
        file: PathBuf::from("checks"),
        line: 1,
    };
    check.examine().map_err(wrong)?;
    Ok(check)
}

/// The result of a check on a tree.
fn judged(
    check: &Check,
    place: usize,
    (tree, nodes): (usize, u64),
    number: Number,
    of: Option<Number>,
) -> TreeNumber {
    let mut sentence = None;
    let mut known = |number: Number| match number {
        Number::Known(number) => number,
        Number::Lacking { names, .. } if check.pack.is_some() => {
            sentence = Some(format!("needs {names}, which the log does not have"));
            None
        }
        Number::Lacking { drawn, .. } | Number::Wrong(drawn) => {
            sentence = Some(drawn.trim_end().to_owned());
            None
        }
    };
    let (number, of) = (known(number), of.and_then(&mut known));
    let compared = match (number, &check.of, of) {
        (None, _, _) | (_, Some(_), None) => None,
        (Some(number), _, of) => check.expect.scaled(number, of, nodes),
    };
    let compared = compared.filter(|_| check.over != Over::Sum);
    let judged = compared.map(|compared| (compared, check.expect.holds(compared, None)));
    TreeNumber { check: place, tree, nodes, number, of, judged, sentence }
}
