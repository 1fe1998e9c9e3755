//! Finds the verdict on a line.
//!
//! ```text
//! the line leaves the tree      what ended the node that lacks its next move       absent.rs
//! the line is in the tree       the first of its moves that was not chosen         present.rs
//! ```

mod absent;
mod facts;
mod present;

use crate::iterations::Iteration;
use crate::sentence::Sentence;
use crate::verdict::{Reason, Verdict};
pub(crate) use facts::Facts;

/// The verdict on a line.
pub(crate) fn judge(facts: &Facts<'_>) -> Verdict {
    match (facts.leaving, facts.line.get(facts.steps.len())) {
        (Some((node, family)), Some(next)) => {
            let verdict = absent::judge(facts, node, family, next);
            elsewhere(facts, verdict)
        }
        _ => present::judge(facts),
    }
}

/// Adds at the start that other iterations have the line.
fn elsewhere(facts: &Facts<'_>, verdict: Verdict) -> Verdict {
    if verdict.reason == Reason::Stopped {
        return verdict;
    }
    let has_line = |iteration: &&Iteration| {
        let whole = if facts.line.len() > 1 { &iteration.line } else { &iteration.first };
        whole.is_some() && !iteration.trees.contains(&facts.tree)
    };
    let depths: Vec<i64> =
        facts.iterations.iter().filter(has_line).filter_map(|iteration| iteration.depth).collect();
    let which = match depths.as_slice() {
        [] => return verdict,
        [only] => format!("iteration of depth {only}"),
        depths => format!("iterations of depth {}", listed(depths)),
    };
    let which = format!("only the {which} searched the line to its end; here, ");
    Verdict::new(Reason::OtherIteration, Sentence::new(&which).then(verdict.sentence))
}

/// `1 to 3 and 7`: consecutive depths as ranges.
fn listed(depths: &[i64]) -> String {
    let runs: Vec<String> = depths
        .chunk_by(|before, depth| before.checked_add(1) == Some(*depth))
        .map(|run| match run {
            [first, .., last] => format!("{first} to {last}"),
            run => run.iter().map(ToString::to_string).collect(),
        })
        .collect();
    match runs.split_last() {
        Some((last, before)) if !before.is_empty() => format!("{} and {last}", before.join(", ")),
        _ => runs.join(""),
    }
}
