//! Moves named where they are made, along lines.

use gt_report::NameMoves;

/// A walk through a tree, which knows the moves that lead to where it is.
pub(crate) struct Walk<'a> {
    written: &'a dyn NameMoves,
    line: Vec<i64>,
}

impl<'a> Walk<'a> {
    /// A walk that begins after these moves from the root.
    pub(crate) fn new(written: &'a dyn NameMoves, line: &[i64]) -> Self {
        Self { written, line: line.to_vec() }
    }

    /// Goes to a node at this ply, from 1, along the walk's line or back to a sibling of one of its nodes; returns the name of
    /// the move to it, if it has one.
    pub(crate) fn to(&mut self, ply: usize, code: i64) -> Option<String> {
        self.line.truncate(ply - 1);
        let name = self.written.name(&self.line, code);
        self.line.push(code);
        name
    }
}
