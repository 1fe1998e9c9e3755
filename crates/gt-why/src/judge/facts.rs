//! What a verdict is made from.

use crate::children::Family;
use crate::iterations::Iteration;
use crate::moves::Move;
use crate::node::Node;
use crate::rival::Rival;
use crate::score::{Bound, Score, View};
use crate::sentence::Sentence;
use crate::step::Step;
use crate::wording::Wording;

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
    pub(super) fn in_brackets(&self, value: Option<Score>, bound: Option<Bound>) -> String {
        value.map_or_else(String::new, |value| format!(" ({})", self.words.worth(value, bound)))
    }

    /// `after e2e4 e7e5, `, or nothing before the first move.
    pub(super) fn after(&self, moves: usize) -> Sentence {
        match &self.line[..moves] {
            [] => Sentence::new(""),
            line => Sentence::new("after ").line(line).say(", "),
        }
    }
}
