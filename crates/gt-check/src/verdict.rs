//! From the numbers of trees to a verdict on a check.
//!
//! ```text
//! each tree, last iteration    every tree by itself: all must be as expected
//! sum                          the numbers of all trees added up, and so what they are of
//! worst                        the number of the tree that is furthest from what is expected
//! ```

mod judged;

use std::collections::BTreeMap;

use crate::baseline::Baseline;
use crate::measure::Number;
use crate::suite::{Check, Over};
use judged::Judged;

/// The numbers of one check on one tree.
#[derive(Clone, Debug)]
pub(crate) struct Reading {
    /// The index of the subject in the suite.
    pub(crate) subject: usize,
    pub(crate) tree: usize,
    /// The names of the subject and the tree, as people and baselines know them.
    pub(crate) label: String,
    pub(crate) nodes: u64,
    pub(crate) in_last_iteration: bool,
    pub(crate) number: Number,
    pub(crate) of: Option<Number>,
}

impl Reading {
    /// The label without the tree.
    fn subject_name(&self) -> &str {
        self.label.rsplit_once(", ").map_or(self.label.as_str(), |(subject, _)| subject)
    }
}

/// A judged number.
#[derive(Clone, Debug, PartialEq)]
pub struct Measured {
    /// The tree that it comes from: `LCTII.15, depth 6`; or `sum`, `worst`.
    pub label: String,
    /// The compared number: a percentage, if one is expected.
    pub number: f64,
    /// The number it was compared with, if the expectation names the baseline.
    pub baseline: Option<f64>,
    /// Whether it is as expected.
    pub holds: bool,
    /// The index of the reading that it comes from or, of several, of the one to look at first.
    pub(crate) reading: usize,
}

/// How a check ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// As expected.
    Holds,
    /// Not as expected.
    Fails,
    /// It could not be evaluated: the logs lack something, or there is nothing to measure.
    Skipped,
    /// The check itself is wrong.
    Wrong,
}

/// The verdict on a check.
#[derive(Clone, Debug)]
pub(crate) struct Verdict {
    pub(crate) status: Status,
    /// The reason why it was skipped or is wrong, and other remarks.
    pub(crate) sentence: Option<String>,
    pub(crate) measured: Vec<Measured>,
}

impl Verdict {
    pub(crate) fn without_numbers(status: Status, sentence: String) -> Self {
        Self { status, sentence: Some(sentence), measured: Vec::new() }
    }
}

/// Judges a check.
pub(crate) fn judge(check: &Check, readings: &[Reading], baseline: Option<&Baseline>) -> Verdict {
    let sorted = Sorted::of(check, readings);
    if let Some(drawn) = sorted.wrong {
        return Verdict::without_numbers(Status::Wrong, drawn.to_owned());
    }
    let judged = Judged { check, known: sorted.known, baseline, blessing: false };
    let mut measured = match judged.all() {
        Ok(measured) => measured,
        Err(sentence) => return Verdict::without_numbers(Status::Wrong, sentence),
    };
    let lacks = (!sorted.lacking.is_empty())
        .then(|| format!("needs {}, which the log does not have", sorted.lacking.join("; ")));
    if measured.is_empty() {
        let sentence = lacks.unwrap_or_else(|| "there is nothing to measure".to_owned());
        return Verdict::without_numbers(Status::Skipped, sentence);
    }
    let excess = |measured: &Measured| check.expect.excess(measured.number, measured.baseline);
    measured.sort_by(|one, other| excess(other).total_cmp(&excess(one)));
    let gone = judged.gone(&measured);
    let holds = measured.iter().all(|measured| measured.holds) && gone.is_empty();
    let mut sentences: Vec<String> =
        lacks.map(|lacks| format!("on some logs it {lacks}")).into_iter().collect();
    if !gone.is_empty() {
        sentences.push(format!("the baseline also has {}, which this run has not", gone.join("; ")));
    }
    let sentence = (!sentences.is_empty()).then(|| sentences.join("; "));
    Verdict { status: if holds { Status::Holds } else { Status::Fails }, sentence, measured }
}

/// Whether a check has no numbers because its query is wrong.
pub(crate) fn has_wrong_query(check: &Check, readings: &[Reading]) -> bool {
    Sorted::of(check, readings).wrong.is_some()
}

/// The numbers of a check for a baseline, by their labels.
pub(crate) fn blessed(check: &Check, readings: &[Reading]) -> BTreeMap<String, f64> {
    let judged = Judged { check, known: Sorted::of(check, readings).known, baseline: None, blessing: true };
    judged.all().unwrap_or_default().into_iter().map(|measured| (measured.label, measured.number)).collect()
}

/// A reading with its index, its number and the number that divides it.
type Known<'a> = (usize, &'a Reading, (f64, Option<f64>));

/// The readings of the trees that a check is over, sorted by result.
struct Sorted<'a> {
    known: Vec<Known<'a>>,
    /// The names that logs lack.
    lacking: Vec<&'a str>,
    /// The error in the query, in a form for people.
    wrong: Option<&'a str>,
}

impl<'a> Sorted<'a> {
    fn of(check: &Check, readings: &'a [Reading]) -> Self {
        let mut sorted = Self { known: Vec::new(), lacking: Vec::new(), wrong: None };
        for (place, reading) in readings.iter().enumerate() {
            if check.over == Over::LastIteration && !reading.in_last_iteration {
                continue;
            }
            match numbers(reading) {
                Ok(numbers) => sorted.known.push((place, reading, numbers)),
                Err(Number::Lacking { names, .. }) if check.pack.is_some() => {
                    if !sorted.lacking.contains(&names.as_str()) {
                        sorted.lacking.push(names);
                    }
                }
                Err(Number::Lacking { drawn, .. } | Number::Wrong(drawn)) => sorted.wrong = Some(drawn),
                // An empty aggregate.
                Err(Number::Known(_)) => {}
            }
        }
        sorted
    }
}

/// The number of a reading and the one that divides it; `Err` if one is unknown.
fn numbers(reading: &Reading) -> Result<(f64, Option<f64>), &Number> {
    let of = match &reading.of {
        None => None,
        Some(Number::Known(Some(of))) => Some(*of),
        Some(other) => return Err(other),
    };
    match &reading.number {
        Number::Known(Some(number)) => Ok((*number, of)),
        other => Err(other),
    }
}
