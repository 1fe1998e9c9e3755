//! The numbers that a check's expectation is compared with: of each tree, the sum, or the worst.

use std::collections::BTreeMap;

use super::readings::Known;
use crate::baseline::Baseline;
use crate::check::{Check, Over};

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

/// The readings of a check, to be judged.
pub(super) struct Judged<'a> {
    pub(super) check: &'a Check,
    pub(super) known: Vec<Known<'a>>,
    pub(super) baseline: Option<&'a Baseline>,
    /// Whether the numbers become a baseline, instead of being compared with one.
    pub(super) blessing: bool,
}

impl Judged<'_> {
    pub(super) fn all(&self) -> Result<Vec<Measured>, String> {
        match self.check.over {
            Over::EachTree | Over::LastIteration => self.each(),
            Over::Sum => self.sum(),
            Over::Worst => self.worst(),
        }
    }

    fn each(&self) -> Result<Vec<Measured>, String> {
        let scaled = |(place, reading, (number, of)): &Known<'_>| {
            let number = self.check.expect.scaled(*number, *of, reading.nodes)?;
            Some(self.measured(*place, reading.label.clone(), number))
        };
        self.known.iter().filter_map(scaled).collect()
    }

    fn sum(&self) -> Result<Vec<Measured>, String> {
        let number = self.known.iter().map(|(_, _, (number, _))| number).sum();
        let of = self.check.of.as_ref().map(|_| self.known.iter().filter_map(|(_, _, (_, of))| *of).sum());
        let nodes = self.known.iter().map(|(_, reading, _)| reading.nodes).sum();
        let Some(scaled) = self.check.expect.scaled(number, of, nodes).filter(|_| !self.known.is_empty())
        else {
            return Ok(Vec::new());
        };
        let mut measured = self.measured(0, "sum".to_owned(), scaled)?;
        measured.reading = self.most_to_blame(scaled, measured.baseline);
        Ok(vec![measured])
    }

    /// The reading that raises a sum that is too high the most, or lowers one that is too low the most.
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
            // A number to compare with a baseline must not be chosen by it.
            (true, true) => -number,
            (true, false) => number,
            (false, _) => expect.excess(number, None),
        };
        let scaled = self.known.iter().filter_map(|(place, reading, (number, of))| {
            Some((*place, self.check.expect.scaled(*number, *of, reading.nodes)?))
        });
        let worst = scaled.max_by(|one, other| badness(one.1).total_cmp(&badness(other.1)));
        worst.into_iter().map(|(place, number)| self.measured(place, "worst".to_owned(), number)).collect()
    }

    /// The entries of the baseline for the same logs that this run lacks.
    pub(super) fn gone(&self, measured: &[Measured]) -> Vec<&str> {
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
            .filter(|key| is_of_a_log(key) && measured.iter().all(|measured| measured.label != *key))
            .collect()
    }

    fn measured(&self, reading: usize, label: String, number: f64) -> Result<Measured, String> {
        let baseline = self.baseline_of(&label)?;
        let holds = self.check.expect.holds(number, baseline);
        Ok(Measured { label, number, baseline, holds, reading })
    }

    /// The blessed number. A tree unknown to the baseline has none, and so is not as expected.
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
}
