//! The verdict: one sentence that says why a line was played or not.

use serde::Serialize;

use crate::moves::Move;
use crate::sentence::Sentence;

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
    pub(crate) fn new(reason: Reason, sentence: Sentence) -> Self {
        Self { sentence, reason }
    }

    pub(crate) fn each_move(&mut self, name: &mut dyn FnMut(&mut Move)) {
        self.sentence.each_move(name);
    }
}
