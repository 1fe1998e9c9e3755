//! The verdict: one sentence that says why a line was played or not.
//!
//! ```text
//! the line leaves the tree      what ended the node that lacks its next move       absent.rs
//! the line is in the tree       the first of its moves that was not chosen         present.rs
//! ```

mod absent;
mod present;
mod sentence;

use serde::Serialize;

use crate::children::Family;
use crate::explanation::Step;
use crate::iterations::Iteration;
use crate::moves::Move;
use crate::node::Node;
use crate::rival::Rival;
use crate::score::{Bound, Score, View};
use crate::wording::Wording;
pub use sentence::Sentence;

/// Why a line was played or not.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Verdict {
    /// The sentence.
    #[serde(rename = "verdict")]
    pub sentence: Sentence,
    /// The kind of reason.
    pub reason: Reason,
}

/// The kinds of reasons.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "kebab-case")]
pub enum Reason {
    /// The search wants to play it.
    Played,
    /// A move of it was proven no better than the one chosen.
    Refuted,
    /// A move of it has an exact value, and another a better one.
    Worse,
    /// A move of it was searched with less depth, and never again.
    Reduced,
    /// A node was cut off before its move was searched.
    Cutoff,
    /// A node searched other moves, and skipped this one.
    Pruned,
    /// The transposition table answered.
    TableHit,
    /// A null move cut a node off.
    NullMove,
    /// Standing pat was enough.
    StandPat,
    /// The depth was used up.
    Horizon,
    /// The game ends before the line does.
    GameOver,
    /// A limit stopped the search.
    Stopped,
    /// Other iterations searched it, this one did not.
    OtherIteration,
    /// The log left out nodes where it would be.
    LeftOut,
    /// The log does not show it.
    Unknown,
}

impl Verdict {
    fn new(reason: Reason, sentence: Sentence) -> Self {
        Self { sentence, reason }
    }

    pub(crate) fn each_move(&mut self, name: &mut dyn FnMut(&mut Move)) {
        self.sentence.each_move(name);
    }
}

/// The facts for a verdict.
pub(crate) struct Facts<'a> {
    pub(crate) view: View,
    pub(crate) words: Wording,
    pub(crate) line: &'a [Move],
    pub(crate) root: &'a Node,
    /// The moves of the line that are in the tree,
    pub(crate) steps: &'a [Step],
    /// their nodes,
    pub(crate) nodes: &'a [Node],
    /// and the parents of these.
    pub(crate) parents: &'a [Node],
    /// The node without the line's next move, and the moves it searched.
    pub(crate) leaving: Option<(&'a Node, &'a Family)>,
    pub(crate) rival: Option<&'a Rival>,
    pub(crate) iterations: &'a [Iteration],
    pub(crate) tree: usize,
}

impl Facts<'_> {
    /// What a node is worth, as ` (at most 12)`; nothing if that is unknown.
    fn in_brackets(&self, value: Option<Score>, bound: Option<Bound>) -> String {
        value.map_or_else(String::new, |value| format!(" ({})", self.words.worth(value, bound)))
    }

    /// `after e2e4 e7e5, `, or nothing before the first move.
    fn after(&self, moves: usize) -> Sentence {
        match &self.line[..moves] {
            [] => Sentence::new(""),
            line => Sentence::new("after ").line(line).say(", "),
        }
    }
}

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
