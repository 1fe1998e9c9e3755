//! Facts derived from several answers: shares, rates, the effective branching, the distance to the minimal
//! tree.
//!
//! Everything here is arithmetic on answers; if an answer is missing, so is everything derived from it.

use gt_query::{Answer, Value};

use super::minimal_tree::{MinimalPly, plies_of};
use super::run::Answered;

/// A row of a table, for sentences and tables alike.
pub(super) type Row = Vec<Option<Value>>;

/// The answers of one tree.
pub(super) struct Facts<'a> {
    answers: &'a [Answered<'a>],
}

impl<'a> Facts<'a> {
    pub(super) const fn of(answers: &'a [Answered<'a>]) -> Self {
        Self { answers }
    }

    pub(super) fn answered(&self, name: &str) -> Option<&'a Answered<'a>> {
        self.answers.iter().find(|answered| answered.figure.name == name)
    }

    /// The figure of this name, which must be a number.
    pub(super) fn number(&self, name: &str) -> Option<f64> {
        self.answered(name)?.number()
    }

    /// Like [`Facts::number`], as a count.
    pub(super) fn count(&self, name: &str) -> Option<u64> {
        self.number(name).map(|number| number as u64)
    }

    /// The rows of the figure of this name.
    pub(super) fn rows(&self, name: &str) -> Option<&'a [Row]> {
        match self.answered(name)?.answer.as_ref().ok()? {
            Answer::Rows { rows, .. } => Some(rows),
            _ => None,
        }
    }

    /// `part` as a percentage of `whole`; `None` of zero.
    pub(super) fn percent(&self, part: &str, whole: &str) -> Option<f64> {
        percent(self.number(part)?, self.number(whole)?)
    }

    /// The intended depth of the tree: the remaining depth at the root, or else the largest ply. Unknown for a tree
    /// that was cut off.
    pub(super) fn depth(&self) -> Option<u64> {
        if self.is_cut_off() {
            return None;
        }
        let depth = self.number("depth").filter(|depth| *depth > 0.0).or(self.number("height"))?;
        Some(depth as u64)
    }

    /// Whether nodes of the tree were open when the log broke off.
    pub(super) fn is_cut_off(&self) -> bool {
        self.count("unfinished").is_some_and(|unfinished| unfinished > 0)
    }

    /// The number of nodes of the search that are not in the log.
    pub(super) fn left_out(&self) -> u64 {
        self.count("left-out").unwrap_or(0)
    }

    /// The number of nodes of the search, including those that are not in the log.
    pub(super) fn searched(&self) -> Option<u64> {
        Some(self.count("nodes")?.saturating_add(self.left_out()))
    }

    /// The branching of a uniform tree with the same number of nodes and the same depth: its d-th root.
    pub(super) fn effective_branching(&self) -> Option<f64> {
        let (nodes, depth) = (self.searched()? as f64, self.depth()? as f64);
        (depth > 0.0 && nodes > 1.0).then(|| nodes.powf(1.0 / depth))
    }

    /// Compares the tree with its minimal tree, as far down as both are known and the depth reaches; `None` if nodes
    /// are not in the log.
    pub(super) fn minimal(&self) -> Option<MinimalShare> {
        if self.left_out() > 0 {
            return None;
        }
        let plies = plies_of(self.rows("minimal-tree")?);
        let depth = self.depth()?;
        let known: Vec<&MinimalPly> =
            plies.iter().take_while(|ply| ply.ply <= depth && ply.minimal.is_some()).collect();
        let share = MinimalShare {
            plies: known.last()?.ply,
            nodes: known.iter().map(|ply| ply.nodes).sum(),
            minimal: known.iter().filter_map(|ply| ply.minimal).sum(),
        };
        (share.plies > 0).then_some(share)
    }
}

/// `part` as a percentage of `whole`; `None` of zero.
pub(super) fn percent(part: f64, whole: f64) -> Option<f64> {
    (whole > 0.0).then(|| 100.0 * part / whole)
}

/// A tree down to some ply, compared with its minimal tree.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct MinimalShare {
    /// The last ply compared.
    pub(super) plies: u64,
    /// The nodes of the main search down to that ply.
    pub(super) nodes: u64,
    /// The nodes of the minimal tree.
    pub(super) minimal: f64,
}

impl MinimalShare {
    /// The excess of the nodes over the minimal tree, in percent; negative if the minimal tree has more.
    pub(super) fn above_percent(&self) -> f64 {
        100.0 * (self.nodes as f64 - self.minimal) / self.nodes as f64
    }
}
