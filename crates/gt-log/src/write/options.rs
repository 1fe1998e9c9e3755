//! What of a search is logged, and when it goes to the file.

use crate::format::BLOCK_ROWS_MAX;

/// When nodes that have been left go to the file: whichever comes first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Flush {
    /// After so many nodes: the rows of a block, 1 to 2^20.
    pub nodes_max: usize,
    /// After so many milliseconds, looked at as nodes are entered and left; `None` for never.
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

/// How much of a tree is logged. Beyond it, subtrees are left out: the row above one is flagged and says how
/// many nodes it stands for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Budget {
    /// At most so many rows.
    pub nodes_max: Option<u64>,
    /// About so many bytes of file: no subtree is begun once a flush has gone beyond. With
    /// [`TreeWriter::background`](crate::TreeWriter::background), the up to two blocks on their way are noticed only when they have arrived.
    /// Trees that end [later](crate::TreeWriter::finish_later) count: a tree with this budget begins when they are in the file.
    pub bytes_max: Option<u64>,
}

/// Where logging sets in. Everything outside is left out and counted, but for the path that leads there.
pub struct Trigger {
    pub(crate) condition: Condition,
    pub(crate) once: bool,
}

pub(crate) enum Condition {
    Line(Vec<i64>),
    Predicate(Predicate),
}

/// Looks at the moves from the root to a node.
type Predicate = Box<dyn FnMut(&[i64]) -> bool + Send>;

impl Trigger {
    /// The subtree at the end of this line of moves from the root.
    #[must_use]
    pub fn line(moves: impl Into<Vec<i64>>) -> Self {
        Self { condition: Condition::Line(moves.into()), once: false }
    }

    /// On every line, the subtree of the first node for which `predicate` holds. It is given the moves from
    /// the root to the node that is being entered (none at the root) and may look at anything it captured.
    #[must_use]
    pub fn when(predicate: impl FnMut(&[i64]) -> bool + Send + 'static) -> Self {
        Self { condition: Condition::Predicate(Box::new(predicate)), once: false }
    }

    /// Only the first such subtree of the tree.
    #[must_use]
    pub fn once(mut self) -> Self {
        self.once = true;
        self
    }

    /// Whether logging sets in at the node that these moves lead to.
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
    /// Where logging sets in; everywhere without one.
    pub trigger: Option<Trigger>,
}
