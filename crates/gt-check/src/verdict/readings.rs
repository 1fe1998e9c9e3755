//! The numbers of a check on trees, sorted into those that can be judged and those that say why they cannot.

use crate::check::{Check, Over};
use crate::measure::Number;

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
    pub(super) fn subject_name(&self) -> &str {
        self.label.rsplit_once(", ").map_or(self.label.as_str(), |(subject, _)| subject)
    }
}

/// A reading with its index, its number and the number that divides it.
pub(super) type Known<'a> = (usize, &'a Reading, (f64, Option<f64>));

/// The readings of the trees that a check is over, sorted by result.
pub(super) struct Sorted<'a> {
    pub(super) known: Vec<Known<'a>>,
    /// The names that logs lack.
    pub(super) lacking: Vec<&'a str>,
    /// The error in the query, in a form for people.
    pub(super) wrong: Option<&'a str>,
}

impl<'a> Sorted<'a> {
    pub(super) fn of(check: &Check, readings: &'a [Reading]) -> Self {
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
