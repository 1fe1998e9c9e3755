//! From the numbers of trees to a verdict on a check.
//!
//! ```text
//! each tree, last iteration    every tree by itself: all must be as expected
//! sum                          the numbers of all trees added up, and so what they are of
//! worst                        the number of the tree that is furthest from what is expected
//! ```

use std::collections::BTreeMap;

use crate::baseline::Baseline;
use crate::expect::Scale;
use crate::measure::Number;
use crate::suite::{Check, Over};

/// The numbers of one check on one tree.
#[derive(Clone, Debug)]
pub(crate) struct Reading {
    /// The place of the subject in the suite.
    pub(crate) subject: usize,
    pub(crate) tree: usize,
    /// The subject's name and the tree's, as people and baselines know them.
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

/// A number that was judged.
#[derive(Clone, Debug, PartialEq)]
pub struct Measured {
    /// The tree that it is of: `LCTII.15, depth 6`; or `sum`, `worst`.
    pub label: String,
    /// The number that is compared: a percentage, where one is expected.
    pub number: f64,
    /// What it was compared with, where the expectation names the baseline.
    pub baseline: Option<f64>,
    /// Whether it is as expected.
    pub holds: bool,
    /// The place of the reading that it comes from or, of several, of the one to look at first.
    pub(crate) reading: usize,
}

/// How a check ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// As expected.
    Holds,
    /// Not as expected.
    Fails,
    /// It could not be asked: the logs lack something, or there is nothing to measure.
    Skipped,
    /// The check itself is wrong.
    Wrong,
}

/// The verdict on a check.
#[derive(Clone, Debug)]
pub(crate) struct Verdict {
    pub(crate) status: Status,
    /// Why it was skipped or is wrong, and what else there is to say.
    pub(crate) sentence: Option<String>,
    pub(crate) measured: Vec<Measured>,
}

impl Verdict {
    fn without_numbers(status: Status, sentence: String) -> Self {
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
    let excess = |one: &Measured| check.expect.excess(one.number, one.baseline);
    measured.sort_by(|one, other| excess(other).total_cmp(&excess(one)));
    let gone = judged.gone(&measured);
    let holds = measured.iter().all(|one| one.holds) && gone.is_empty();
    let mut sentences: Vec<String> =
        lacks.map(|lacks| format!("on some logs it {lacks}")).into_iter().collect();
    if !gone.is_empty() {
        sentences.push(format!("the baseline also has {}, which this run has not", gone.join("; ")));
    }
    let sentence = (!sentences.is_empty()).then(|| sentences.join("; "));
    Verdict { status: if holds { Status::Holds } else { Status::Fails }, sentence, measured }
}

/// The numbers of a check as a baseline keeps them, by their labels.
pub(crate) fn blessed(check: &Check, readings: &[Reading]) -> BTreeMap<String, f64> {
    let judged = Judged { check, known: Sorted::of(check, readings).known, baseline: None, blessing: true };
    judged.all().unwrap_or_default().into_iter().map(|one| (one.label, one.number)).collect()
}

/// A reading with its place, its number and what that is of.
type Known<'a> = (usize, &'a Reading, (f64, Option<f64>));

/// The readings of the trees that a check is over, by what is known.
struct Sorted<'a> {
    known: Vec<Known<'a>>,
    /// What logs lack.
    lacking: Vec<&'a str>,
    /// What is wrong with the query, drawn for people.
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
                // An aggregate of nothing.
                Err(Number::Known(_)) => {}
            }
        }
        sorted
    }
}

/// The number of a reading and what it is of; `Err` where one is not known.
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

struct Judged<'a> {
    check: &'a Check,
    known: Vec<Known<'a>>,
    baseline: Option<&'a Baseline>,
    /// Whether the numbers become a baseline, instead of being compared with one.
    blessing: bool,
}

impl Judged<'_> {
    fn all(&self) -> Result<Vec<Measured>, String> {
        match self.check.over {
            Over::EachTree | Over::LastIteration => self.each(),
            Over::Sum => self.sum(),
            Over::Worst => self.worst(),
        }
    }

    fn each(&self) -> Result<Vec<Measured>, String> {
        let scaled = |(place, reading, (number, of)): &Known<'_>| {
            let number = self.scaled(*number, *of, reading.nodes)?;
            Some(self.measured(*place, reading.label.clone(), number))
        };
        self.known.iter().filter_map(scaled).collect()
    }

    fn sum(&self) -> Result<Vec<Measured>, String> {
        let number = self.known.iter().map(|(_, _, (number, _))| number).sum();
        let of = self.check.of.as_ref().map(|_| self.known.iter().filter_map(|(_, _, (_, of))| *of).sum());
        let nodes = self.known.iter().map(|(_, reading, _)| reading.nodes).sum();
        let Some(scaled) = self.scaled(number, of, nodes).filter(|_| !self.known.is_empty()) else {
            return Ok(Vec::new());
        };
        let mut measured = self.measured(0, "sum".to_owned(), scaled)?;
        measured.reading = self.most_to_blame(scaled, measured.baseline);
        Ok(vec![measured])
    }

    /// The reading that adds most to a sum that is too high, or takes most from one that is too low.
    fn most_to_blame(&self, scaled: f64, baseline: Option<f64>) -> usize {
        let is_high = self.check.expect.fails_high(scaled, baseline);
        let blame = |(number, of): (f64, Option<f64>)| match (is_high, of) {
            (true, _) => number,
            (false, Some(of)) => of - number,
            (false, None) => -number,
        };
        let most = self.known.iter().max_by(|one, other| blame(one.2).total_cmp(&blame(other.2)));
        most.map_or(0, |(place, _, _)| *place)
    }

    fn worst(&self) -> Result<Vec<Measured>, String> {
        let expect = &self.check.expect;
        let badness = |number: f64| match (expect.needs_baseline(), expect.wants_high()) {
            // What is compared with a baseline must not be chosen by it.
            (true, true) => -number,
            (true, false) => number,
            (false, _) => expect.excess(number, None),
        };
        let scaled = self.known.iter().filter_map(|(place, reading, (number, of))| {
            Some((*place, self.scaled(*number, *of, reading.nodes)?))
        });
        let worst = scaled.max_by(|one, other| badness(one.1).total_cmp(&badness(other.1)));
        worst.into_iter().map(|(place, number)| self.measured(place, "worst".to_owned(), number)).collect()
    }

    /// What the baseline has of the same logs and this run has not.
    fn gone(&self, measured: &[Measured]) -> Vec<&str> {
        let is_each = matches!(self.check.over, Over::EachTree | Over::LastIteration);
        let Some(baseline) = self.baseline.filter(|_| is_each && self.check.expect.needs_baseline()) else {
            return Vec::new();
        };
        let is_of_a_log = |key: &str| {
            let mut logs = self.known.iter().map(|(_, reading, _)| reading.subject_name());
            logs.any(|log| key.strip_prefix(log).is_some_and(|rest| rest.starts_with(", ")))
        };
        let keys = baseline.numbers.get(&self.check.name).into_iter().flat_map(BTreeMap::keys);
        keys.map(String::as_str)
            .filter(|key| is_of_a_log(key) && measured.iter().all(|one| one.label != *key))
            .collect()
    }

    fn measured(&self, reading: usize, label: String, number: f64) -> Result<Measured, String> {
        let baseline = self.baseline_of(&label)?;
        let holds = self.check.expect.holds(number, baseline);
        Ok(Measured { label, number, baseline, holds, reading })
    }

    /// The blessed number. A tree that the baseline does not know of has none, and so is not as expected.
    fn baseline_of(&self, key: &str) -> Result<Option<f64>, String> {
        if self.blessing || !self.check.expect.needs_baseline() {
            return Ok(None);
        }
        let known = self.baseline.filter(|baseline| baseline.numbers.contains_key(&self.check.name));
        match known {
            Some(baseline) => Ok(baseline.number(&self.check.name, key)),
            None => Err(format!(
                "the baseline has no numbers of the check `{}`; `--bless` adds them\n",
                self.check.name
            )),
        }
    }

    /// The number as it is compared; `None` of nothing.
    fn scaled(&self, number: f64, of: Option<f64>, nodes: u64) -> Option<f64> {
        let share = |whole: f64| (whole != 0.0).then(|| number / whole);
        match (self.check.expect.scale(), of) {
            (Scale::Plain, None) => Some(number),
            (Scale::Plain, Some(of)) => share(of),
            (Scale::Percent, Some(of)) => share(of).map(|share| 100.0 * share),
            (Scale::Percent, None) => None,
            (Scale::PercentOfNodes, _) => share(nodes as f64).map(|share| 100.0 * share),
        }
    }
}
