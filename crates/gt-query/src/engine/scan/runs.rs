//! Runs: adjacent rows that are children of the same node.
//!
//! ```text
//! row      0 1 2 3 4 5 6        from the end, with a stack of the subtrees that reach back to a row; rows without
//! size     1 1 1 4 1 1 7        children between two that have some are taken together: 4..6 of 6, 3 of 6, 0..3 of 3
//! ```

use std::ops::Range;

use crate::engine::bits::Bitmap;
use crate::engine::crossing::{JointId, Regions, Skeleton};

/// The parent of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::engine) enum Parent {
    /// A row of the block.
    Row(usize),
    /// A crossing node; `None` for the root.
    Joint(Option<JointId>),
}

/// A subtree that reaches back from the current row.
#[derive(Clone, Copy, Debug)]
pub(in crate::engine) struct Open {
    start: usize,
    parent: Parent,
    /// The ply of its children.
    ply: u64,
}

/// The rows of a block that have children or are crossing nodes, with the size of each row's subtree.
pub(in crate::engine) struct Rows<'a> {
    pub(in crate::engine) branches: &'a Bitmap,
    pub(in crate::engine) sizes: &'a [u32],
    pub(in crate::engine) regions: &'a Regions,
    pub(in crate::engine) crossing: &'a Bitmap,
    pub(in crate::engine) skeleton: &'a Skeleton,
}

impl Rows<'_> {
    /// Calls `visit` with each run of inner nodes from the last, with its parent and its ply; parents before
    /// children.
    #[inline]
    pub(in crate::engine) fn each_run(
        &self,
        stack: &mut Vec<Open>,
        mut visit: impl FnMut(Parent, u64, Range<usize>),
    ) {
        stack.clear();
        for region in &self.regions.segments {
            let ply = region.parent.map_or(0, |parent| self.skeleton.joints[parent].ply() + 1);
            stack.push(Open { start: region.first_start, parent: Parent::Joint(region.parent), ply });
        }
        let mut end = self.sizes.len();
        while end > 0 {
            let branch = self.branches.last_before(end);
            leaves(stack, branch.map_or(0, |row| row + 1)..end, &mut visit);
            let Some(row) = branch else { return };
            end = row;
            if self.crossing.get(row) {
                continue;
            }
            while stack.last().is_some_and(|open| open.start > row) {
                stack.pop();
            }
            let Some(open) = stack.last() else { continue };
            let ply = open.ply;
            visit(open.parent, ply, row..row + 1);
            let start = (row + 1).saturating_sub(self.sizes[row] as usize);
            stack.push(Open { start, parent: Parent::Row(row), ply: ply + 1 });
        }
    }
}

/// Visits a range of rows without children.
#[inline]
fn leaves(stack: &mut Vec<Open>, mut range: Range<usize>, visit: &mut impl FnMut(Parent, u64, Range<usize>)) {
    while !range.is_empty() {
        let Some(open) = stack.last() else { return };
        if open.start >= range.end {
            stack.pop();
            continue;
        }
        let start = open.start.max(range.start);
        visit(open.parent, open.ply, start..range.end);
        range.end = start;
    }
}
