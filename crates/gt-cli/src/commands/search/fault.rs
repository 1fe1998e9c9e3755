//! `--fault NAME`: a mistake planted in the search on purpose, for tests of checks.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use gt_play::Algorithm;
use gt_search::Fault;

use crate::failure::Failure;

/// Reads the name of a fault; `--help` lists them all.
pub(super) fn parser() -> impl TypedValueParser<Value = Fault> {
    let names = Fault::ALL.map(|fault| PossibleValue::new(fault.name()).help(fault.sentence()));
    PossibleValuesParser::new(names).try_map(|name| Fault::named(&name).ok_or("no such fault"))
}

/// Refuses a fault where the algorithm has no place for it.
pub(super) fn check(fault: Option<Fault>, algorithm: Algorithm) -> Result<(), Failure> {
    match fault {
        Some(fault) if !matches!(algorithm, Algorithm::Pvs | Algorithm::Strong) => {
            Err(Failure::new(format!(
                "`--fault {}` can be planted in pvs and strong, not in {}",
                fault.name(),
                algorithm.name()
            )))
        }
        _ => Ok(()),
    }
}
