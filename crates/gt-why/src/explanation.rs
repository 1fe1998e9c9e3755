//! The explanation of a line.

use gt_report::NameMoves;
use serde::Serialize;

use crate::candidate::Candidate;
use crate::iterations::Iteration;
use crate::moves::Move;
use crate::rival::Rival;
use crate::score::View;
use crate::step::Step;
use crate::verdict::Verdict;
use crate::wording::Wording;

/// A line of moves, explained. Values, bounds and windows are from the view of [`Explanation::view`].
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Explanation {
    /// The number of the tree.
    pub tree: usize,
    /// The nominal depth of its iteration.
    pub depth: Option<i64>,
    /// The view that values are from.
    pub view: View,
    /// How values are told.
    #[serde(skip)]
    pub(crate) words: Wording,
    /// The requested line; by default the move played.
    pub asked: Vec<Move>,
    /// The move that the tree chose at its root.
    pub played: Option<Candidate>,
    /// The moves of the line that are in the tree.
    pub line: Vec<Step>,
    /// The point where the line leaves the tree, if it does.
    pub leaves: Option<LeavingPoint>,
    /// Why the line was played or not.
    #[serde(flatten)]
    pub verdict: Verdict,
    /// The move that came closest to the one played; present if the line begins with the move played.
    pub rival: Option<Rival>,
    /// The iterations of the search, in order.
    pub iterations: Vec<Iteration>,
    /// What the log lacks.
    pub missing: Vec<Missing>,
}

/// The point where a line leaves the tree.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct LeavingPoint {
    /// The move that is not in the tree.
    #[serde(rename = "move")]
    pub mv: Move,
    /// The node_id of the node that lacks it.
    pub node: u64,
    /// The reason why that node ended.
    pub ended: String,
    /// The number of different moves searched there.
    pub siblings: usize,
    /// The best of them, best first, at most ten.
    pub instead: Vec<Candidate>,
}

/// An attribute that the log lacks.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(rename = "MissingAttribute"))]
pub struct Missing {
    /// Its name.
    pub attribute: &'static str,
    /// The information it would have provided.
    pub tells: &'static str,
}

impl Explanation {
    /// Gives names to the moves, each in its place.
    #[must_use]
    pub fn with_names(mut self, names: &dyn NameMoves) -> Self {
        let line: Vec<i64> = self.asked.iter().map(|mv| mv.number).collect();
        let name = &mut |mv: &mut Move| mv.name_by(&line, names);
        self.asked.iter_mut().for_each(&mut *name);
        self.played.iter_mut().for_each(|candidate| name(&mut candidate.mv));
        for step in &mut self.line {
            name(&mut step.mv);
            step.chosen.iter_mut().for_each(&mut *name);
            step.reply.iter_mut().for_each(|candidate| name(&mut candidate.mv));
        }
        if let Some(leaves) = &mut self.leaves {
            name(&mut leaves.mv);
            leaves.instead.iter_mut().for_each(|candidate| name(&mut candidate.mv));
        }
        self.verdict.each_move(name);
        self.rival.iter_mut().for_each(|rival| rival.each_move(name));
        self.iterations.iter_mut().for_each(|iteration| iteration.best.iter_mut().for_each(&mut *name));
        self
    }
}
