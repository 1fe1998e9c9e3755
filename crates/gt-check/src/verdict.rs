//! From the numbers of trees to a verdict on a check.
//!
//! ```text
//! each tree, last iteration    every tree by itself: all must be as expected
//! sum                          the numbers of all trees added up, and so what they are of
//! worst                        the number of the tree that is furthest from what is expected
//! ```

mod judged;
mod readings;

use std::collections::BTreeMap;

use crate::baseline::Baseline;
use crate::check::Check;
use judged::Judged;
pub use judged::Measured;
pub(crate) use readings::Reading;
use readings::Sorted;

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
