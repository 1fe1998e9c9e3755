//! What is logged of a search, and when it goes to the file.

use crate::format::BLOCK_ROWS_MAX;

/// When nodes that have been left go to the file; the first condition that holds counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Flush {
    /// After this many nodes: the rows of a block, 1 to 2^20.
    pub nodes_max: usize,
    /// After this many milliseconds, checked as nodes are entered and left; `None` for never.
    pub time_ms_max: Option<u64>,
}

impl Default for Flush {
    /// Every 32,768 nodes, and every second.
    fn default() -> Self {
        Self { nodes_max: 32_768, time_ms_max: Some(1_000) }
    }
}

impl Flush {
    pub(crate) fn rows_max(self) -> usize {
        self.nodes_max.clamp(1, BLOCK_ROWS_MAX)
    }
}

/// How much of a tree is logged. Beyond that, subtrees are left out: the row above such a subtree is flagged and says how many nodes it
/// stands for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Budget {
    /// The maximum number of rows.
    pub nodes_max: Option<u64>,
    /// About the maximum number of bytes of the file: no subtree is begun once a flush has exceeded it.
    ///
    /// With [`TreeWriter::background`](crate::TreeWriter::background), up to two blocks on their way are noticed only when they have
    /// arrived. Trees that end [later](crate::TreeWriter::finish_later) count: a tree with this budget begins only when they are in the
    /// file.
    pub bytes_max: Option<u64>,
}

/// Where logging starts. Everything outside is left out and counted, except for the path that leads there.
pub struct Trigger {
    pub(crate) condition: Condition,
    pub(crate) once: bool,
}

pub(crate) enum Condition {
    Line(Vec<i64>),
    Predicate(Predicate),
}

/// Tests the moves from the root to a node.
type Predicate = Box<dyn FnMut(&[i64]) -> bool + Send>;

impl Trigger {
    /// Logs the subtree at the end of this line of moves from the root.
    #[must_use]
    pub fn line(moves: impl Into<Vec<i64>>) -> Self {
        Self { condition: Condition::Line(moves.into()), once: false }
    }

    /// Logs, on every line, the subtree of the first node for which `predicate` holds.
    ///
    /// It gets the moves from the root to the node that is being entered (none at the root), and may use anything that it captured.
    #[must_use]
    pub fn when(predicate: impl FnMut(&[i64]) -> bool + Send + 'static) -> Self {
        Self { condition: Condition::Predicate(Box::new(predicate)), once: false }
    }

    /// Logs only the first such subtree of the tree.
    #[must_use]
    pub fn once(mut self) -> Self {
        self.once = true;
        self
    }

    /// Whether logging starts at the node that these moves lead to.
    pub(crate) fn holds(&mut self, line: &[i64]) -> bool {
        match &mut self.condition {
            Condition::Line(moves) => moves == line,
            Condition::Predicate(predicate) => predicate(line),
        }
    }
}

impl std::fmt::Debug for Trigger {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match &self.condition {
            Condition::Line(moves) => write!(f, "Trigger::line({moves:?})"),
            Condition::Predicate(_) => write!(f, "Trigger::when(…)"),
        }
    }
}

/// How a tree is logged.
#[derive(Debug, Default)]
pub struct Options {
    /// When nodes go to the file.
    pub flush: Flush,
    /// How much is logged.
    pub budget: Budget,
    /// Where logging starts; everywhere if `None`.
    pub trigger: Option<Trigger>,
}
