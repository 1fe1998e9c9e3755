//! The principal variation, kept in a triangle.
//!
//! ```text
//! ply 0   e4 e5 Nf3      the line from the root
//! ply 1      e5 Nf3      the line that ply 0 copied last
//! ply 2         Nf3
//! ```
//!
//! A node with a new best move takes that move and, behind it, the line of its child.
//! Lines keep their memory: after the first few nodes nothing is allocated.

#[derive(Debug)]
pub(crate) struct Variation<M> {
    lines: Vec<Vec<M>>,
}

impl<M: Copy> Variation<M> {
    pub(crate) fn new() -> Self {
        Self { lines: Vec::new() }
    }

    /// Begins a node at `ply`: it has no line yet.
    #[inline]
    pub(crate) fn clear(&mut self, ply: u16) {
        let ply = usize::from(ply);
        if self.lines.len() <= ply {
            self.lines.resize_with(ply + 1, Vec::new);
        }
        self.lines[ply].clear();
    }

    /// Makes `mv`, followed by the child's line, the line of the node at `ply`.
    pub(crate) fn prefer(&mut self, ply: u16, mv: M) {
        let ply = usize::from(ply);
        let (upper, lower) = self.lines.split_at_mut(ply + 1);
        upper[ply].clear();
        upper[ply].push(mv);
        if let Some(child) = lower.first() {
            upper[ply].extend_from_slice(child);
        }
    }

    /// Makes `mv` the line of the node at `ply`; the continuation is unknown (the child had no open window).
    pub(crate) fn prefer_alone(&mut self, ply: u16, mv: M) {
        let line = &mut self.lines[usize::from(ply)];
        line.clear();
        line.push(mv);
    }

    /// The line from the root.
    pub(crate) fn root(&self) -> &[M] {
        self.lines.first().map_or(&[], Vec::as_slice)
    }
}
