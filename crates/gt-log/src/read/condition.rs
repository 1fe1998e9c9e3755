//! The state in which a log was found.

/// The state in which a log was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Condition {
    /// The state of the index at the end of the file.
    pub index: IndexState,
    /// The file's length.
    pub bytes: u64,
    /// How many bytes belong to no readable part: what was being written when the log was cut off, or damage.
    pub bytes_lost: u64,
    /// Parts that could be read but belong to nothing, because what they build on is lost.
    pub parts_lost: usize,
    /// How each tree ended, in the order of the trees.
    pub trees: Vec<TreeEnding>,
}

impl Condition {
    /// Whether the log was closed properly and nothing is missing.
    #[must_use]
    pub fn is_whole(&self) -> bool {
        self.index == IndexState::Present
            && self.parts_lost == 0
            && self.trees.iter().all(|ending| *ending == TreeEnding::Finished)
    }
}

/// The state of the index at the end of the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IndexState {
    /// The index exists and was used.
    Present,
    /// There is no index: the log was not closed, or was cut off. The index was rebuilt from the parts.
    Missing,
    /// The index is damaged. It was rebuilt from the parts.
    Damaged,
}

/// How a tree ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TreeEnding {
    /// The writer finished the tree.
    Finished,
    /// The log ends inside the tree. The nodes that were open were completed and are marked unfinished.
    CutOff {
        /// The number of these nodes.
        nodes_completed: u64,
    },
}
