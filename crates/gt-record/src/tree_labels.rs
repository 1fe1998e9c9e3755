//! The labels that distinguish the trees of one search: depth, line and window, as in their metadata.
//!
//! ```text
//! begin(7) ─▶ root ─▶ nominal_depth=7            the iteration's first root
//!             root ─▶ nominal_depth=7 window=2   searched again with another window
//! begin_line(7, 1) ─▶ root ─▶ nominal_depth=7 line=2
//! ```

use gt_log::Metadata;

/// The labels of the tree whose root comes next.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TreeLabels {
    /// The depth of the iteration.
    pub depth: i16,
    /// The line of the root that the tree is for, from 1, in a search for several.
    pub line: Option<usize>,
    /// The number of its root within the iteration, from 1.
    pub window: u32,
}

impl TreeLabels {
    /// Begins an iteration.
    pub(crate) fn begin(&mut self, depth: i16) {
        *self = Self { depth, line: None, window: 0 };
    }

    /// Begins an iteration for one of several lines; `line` counts from 0.
    pub(crate) fn begin_line(&mut self, depth: i16, line: usize) {
        *self = Self { depth, line: Some(line + 1), window: 0 };
    }

    /// Enters a root, and returns the metadata of its tree, together with those of all trees.
    pub(crate) fn next_root(&mut self, of_all: &Metadata) -> Metadata {
        self.window += 1;
        let mut metadata = of_all.clone();
        metadata.set("nominal_depth", self.depth);
        if let Some(line) = self.line {
            metadata.set("line", line);
        }
        if self.window > 1 {
            metadata.set("window", self.window);
        }
        metadata
    }
}
