//! Subtrees nest: the one walk over sizes that tells whether rows form a tree, from the last row to the first.
//!
//! ```text
//! row     0  1  2  3  4        from the end: 4 spans 0..=4; 3 is below it and spans 3..=3; 2 spans 0..=2, so it is
//! size    1  1  3  1  5        below 4 too; 1 and 0 are below 2
//! ```
//!
//! **Invariant:** the ancestors on the stack contain each other, root first, and all of them contain the row placed last.

/// A node above the current row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Ancestor {
    /// The first row of its subtree.
    pub(super) start_row: u64,
    pub(super) ply: i64,
}

impl Ancestor {
    /// The node's preorder number.
    pub(super) fn node(&self) -> i64 {
        self.start_row as i64 + self.ply
    }
}

/// The nodes above the current row.
pub(super) struct Nesting {
    ancestors: Vec<Ancestor>,
}

impl Nesting {
    /// Starts with rows below these nodes, root first.
    pub(super) fn below(ancestors: Vec<Ancestor>) -> Self {
        Self { ancestors }
    }

    /// Places the row before those placed so far, and returns its parent, if it has one; an error if its subtree reaches beyond its
    /// parent's.
    pub(super) fn place(
        &mut self,
        row: u64,
        size: i64,
    ) -> Result<(Ancestor, Option<Ancestor>), &'static str> {
        while self.ancestors.last().is_some_and(|ancestor| ancestor.start_row > row) {
            self.ancestors.pop();
        }
        let parent = self.ancestors.last().copied();
        let start =
            u64::try_from(size).ok().filter(|&size| size > 0).and_then(|size| (row + 1).checked_sub(size));
        let Some(start_row) = start else { return Err("its subtree's size is impossible") };
        if parent.is_some_and(|parent| start_row < parent.start_row) {
            return Err("its subtree reaches beyond its parent's");
        }
        let placed = Ancestor { start_row, ply: parent.map_or(0, |parent| parent.ply + 1) };
        if size > 1 {
            self.ancestors.push(placed);
        }
        Ok((placed, parent))
    }
}
