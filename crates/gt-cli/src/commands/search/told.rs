//! What a query came to in a tree of the search, and where in the search that is.

use gt_query::{Answer, RunError};
use gt_record::TreeLabels;
use gt_report::{counted, grouped};

/// Where in a search something is told: the tree's number, and its labels.
#[derive(Clone, Copy)]
pub(super) struct TreePlace {
    pub(super) tree: usize,
    pub(super) labels: TreeLabels,
}

impl TreePlace {
    pub(super) fn words(self) -> String {
        let TreeLabels { depth, line, window } = self.labels;
        let line = line.map_or_else(String::new, |line| format!(", line {line}"));
        let window = if window > 1 { format!(", window {window}") } else { String::new() };
        format!("depth {depth:>2}{line}{window}")
    }
}

/// What a query came to in a tree.
pub(super) struct TreeEnd {
    pub(super) nodes: u64,
    pub(super) matches: u64,
    /// How many of the matches were printed.
    pub(super) printed: u64,
    pub(super) answer: Result<Answer, RunError>,
}

impl TreeEnd {
    pub(super) fn sentence(&self) -> String {
        let matches = match self.matches {
            0 => "no match".to_owned(),
            1 => "1 match".to_owned(),
            many => format!("{} matches", grouped(many)),
        };
        let hidden = match self.matches.saturating_sub(self.printed) {
            0 => String::new(),
            hidden => format!(", {} not printed", grouped(hidden)),
        };
        format!("{matches} in {}{hidden}", counted(self.nodes, "node"))
    }
}
