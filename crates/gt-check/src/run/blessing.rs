//! The baseline before a run, and the one made by a run.

use crate::baseline::Baseline;
use crate::check::Check;
use crate::error::{Error, Result};
use crate::report::Blessing;
use crate::suite::Suite;
use crate::verdict::{Reading, blessed};

/// The baseline at the start of a run, if a check needs one.
pub(super) fn before(suite: &Suite, bless: bool) -> Result<Option<Baseline>> {
    let needed = suite.checks.iter().find(|check| check.expect.needs_baseline());
    let Some(check) = needed else {
        let nothing = "no check compares with a baseline, so there is nothing to bless";
        return if bless { Err(Error::of(&suite.path, nothing)) } else { Ok(None) };
    };
    let found = Baseline::read(&suite.baseline, suite);
    match found {
        // Numbers of another engine are replaced; those of checks that are not run stay.
        _ if bless => Ok(found.unwrap_or_default()),
        Ok(None) => Err(Error::of(
            &suite.baseline,
            format!(
                "there is no baseline yet, and the check `{}` needs one; `--bless` writes it",
                check.name
            ),
        )),
        found => found,
    }
}

/// The baseline with the numbers of a run; entries that the run did not cover stay.
pub(super) fn after(
    suite: &Suite,
    before: Option<Baseline>,
    version: Option<String>,
    asked: &[(&Check, Vec<Reading>)],
) -> Baseline {
    let mut baseline = Baseline::frame(suite, version);
    let before = before.unwrap_or_default();
    for (name, position) in before.positions {
        baseline.positions.entry(name).or_insert(position);
    }
    baseline.numbers = before.numbers;
    for (check, readings) in asked {
        renew(&mut baseline, suite, check, readings);
    }
    baseline
}

fn renew(baseline: &mut Baseline, suite: &Suite, check: &Check, readings: &[Reading]) {
    let is_of =
        |key: &str, subject: &str| key.strip_prefix(subject).is_some_and(|rest| rest.starts_with(", "));
    let numbers = baseline.numbers.entry(check.name.clone()).or_default();
    numbers.retain(|key, _| !suite.subjects.iter().any(|subject| is_of(key, &subject.name)));
    numbers.extend(blessed(check, readings));
}

/// Writes a baseline.
pub(super) fn write(baseline: &Baseline, suite: &Suite) -> Blessing {
    match baseline.write(&suite.baseline) {
        Ok(()) => Blessing::Written(suite.baseline.clone()),
        Err(error) => Blessing::Refused(error.to_string()),
    }
}
