//! The open path: the nodes that have been entered and not left.
//!
//! Each node has a frame. The values with which it was entered are at the frame's end, so that entering and leaving touch one place in
//! memory:
//!
//! ```text
//! last_move │ start_row │ flags │ left_out │ attributes that it lacks, as bits │ the record's bytes, padded
//! ```

use crate::encode::RowLayout;
use crate::format::{DEPTH_MAX, PathEntry};

const FLAGS: usize = 2;
const LEFT_OUT: usize = 3;
const HEAD: usize = 4;

/// What is special about an open node.
pub(crate) mod flag {
    /// The node is outside every subtree that the trigger selects.
    pub(crate) const OUTSIDE: u64 = 1;
    pub(crate) const ROOT: u64 = 2;
    /// Nodes were left out directly below the node: the frame says how many.
    pub(crate) const LEFT_OUT: u64 = 4;
    /// The search is in a subtree directly below the node that is left out.
    pub(crate) const SKIPPING: u64 = 8;
    /// The node's move is in the line that a trigger looks at.
    pub(crate) const IN_LINE: u64 = 16;
    /// Any of these flags needs a further check when the node is left.
    pub(crate) const LOOK: u64 = OUTSIDE | ROOT | LEFT_OUT | SKIPPING | IN_LINE;
    /// The node was entered with values.
    pub(crate) const HAS_ENTRY: u64 = 32;
    /// The node was open when the path was last recorded.
    pub(super) const RECORDED: u64 = 64;
}

/// An open node.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Open {
    pub(crate) last_move: i64,
    /// The row that the first node of its subtree has or will get.
    pub(crate) start_row: u64,
    pub(crate) flags: u64,
    /// The number of nodes left out directly below it so far.
    pub(crate) left_out: u64,
}

/// The part of an open node that is enough to leave most nodes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Last {
    pub(crate) last_move: i64,
    pub(crate) start_row: u64,
    pub(crate) flags: u64,
    /// Which of the first 64 attributes it was entered without, as bits, if it was entered with values.
    pub(crate) lacking: u64,
}

/// The open nodes, root first.
#[repr(C)]
pub(crate) struct OpenPath {
    /// Has room for more frames than there are nodes, but for no more than [`DEPTH_MAX`].
    words: Vec<u64>,
    nodes: usize,
    /// The number of words in a frame.
    stride: usize,
}

impl OpenPath {
    pub(crate) fn new(layout: &RowLayout) -> Self {
        Self { words: Vec::new(), nodes: 0, stride: HEAD + layout.entry_words() }
    }

    #[inline(always)]
    pub(crate) fn len(&self) -> usize {
        self.nodes
    }

    /// The part of the node on top that most nodes need.
    #[inline(always)]
    pub(crate) fn last(&self) -> Option<Last> {
        let start = self.nodes.wrapping_sub(1).wrapping_mul(self.stride);
        let &[last_move, start_row, flags, _, lacking] = self.words.get(start..)?.first_chunk()?;
        Some(Last { last_move: last_move as i64, start_row, flags, lacking })
    }

    /// The node on top, with everything that is known of it.
    pub(crate) fn top(&self) -> Option<Open> {
        let Last { last_move, start_row, flags, .. } = self.last()?;
        let left_out = self.words[(self.nodes - 1) * self.stride + LEFT_OUT];
        Some(Open {
            last_move,
            start_row,
            flags,
            left_out: if flags & flag::LEFT_OUT == 0 { 0 } else { left_out },
        })
    }

    /// Pushes a node, and returns the place for the values with which it is entered; `None` if there is no room for another node: then call
    /// [`OpenPath::make_room`].
    #[inline(always)]
    pub(crate) fn push(&mut self, last_move: i64, start_row: u64, flags: u64) -> Option<&mut [u64]> {
        let start = self.nodes.wrapping_mul(self.stride);
        let frame = self.words.get_mut(start..)?.get_mut(..self.stride)?;
        // The number of nodes left out means nothing without its flag.
        let (head, entry) = frame.split_first_chunk_mut::<HEAD>()?;
        head[0] = last_move as u64;
        head[1] = start_row;
        head[FLAGS] = flags;
        self.nodes += 1;
        Some(entry)
    }

    /// Makes room for another node, unless the path has its maximum length.
    #[cold]
    pub(crate) fn make_room(&mut self) {
        let frames = (2 * self.nodes).clamp(64, DEPTH_MAX);
        if self.nodes < frames {
            self.words.resize(frames * self.stride, 0);
        }
    }

    /// Removes the node on top, and returns how many are left.
    #[inline(always)]
    pub(crate) fn shorten(&mut self) -> usize {
        self.nodes = self.nodes.saturating_sub(1);
        self.nodes
    }

    /// Sets and clears flags of the node on top.
    pub(crate) fn flag_top(&mut self, set: u64, cleared: u64) {
        if let Some(top) = self.nodes.checked_sub(1) {
            let flags = &mut self.words[top * self.stride + FLAGS];
            *flags = *flags & !cleared | set;
        }
    }

    /// Adds to the number of nodes that were left out directly below the node on top.
    pub(crate) fn leave_out(&mut self, nodes: u64) {
        if let (Some(top), true) = (self.top(), nodes > 0) {
            self.flag_top(flag::LEFT_OUT, 0);
            self.words[(self.nodes - 1) * self.stride + LEFT_OUT] = top.left_out.saturating_add(nodes);
        }
    }

    fn flags(&self, place: usize) -> u64 {
        self.words[place * self.stride + FLAGS]
    }

    /// The values with which the node at this place was entered, if it was entered with values.
    pub(crate) fn entry(&self, place: usize) -> &[u64] {
        &self.words[place * self.stride..][HEAD..self.stride]
    }

    /// The values with which the node on top was entered, to be filled in.
    pub(crate) fn last_entry_mut(&mut self) -> &mut [u64] {
        let top = self.nodes.saturating_sub(1) * self.stride;
        self.words.get_mut(top + HEAD..top + self.stride).unwrap_or_default()
    }

    /// The places of nodes that were entered with values, from the node `first` on.
    pub(crate) fn entries(&self, first: usize) -> impl Iterator<Item = usize> {
        (first..self.nodes).filter(|&place| self.flags(place) & flag::HAS_ENTRY != 0)
    }

    /// The number of nodes of the last recorded path that are still open.
    fn kept(&self) -> usize {
        // These nodes are below all others.
        let last = (0..self.nodes).rev().find(|&place| self.flags(place) & flag::RECORDED != 0);
        last.map_or(0, |place| place + 1)
    }

    /// Records the path: returns how many nodes of the last recorded path are still open, and the nodes added below them.
    pub(crate) fn record(&mut self) -> (usize, Vec<PathEntry>) {
        let kept = self.kept();
        let mut added = Vec::with_capacity(self.nodes - kept);
        for frame in self.words.chunks_exact_mut(self.stride).take(self.nodes).skip(kept) {
            frame[FLAGS] |= flag::RECORDED;
            added.push(PathEntry { last_move: frame[0] as i64, start_row: frame[1] });
        }
        (kept, added)
    }

    /// Whether the path differs from the one recorded last, which had this many nodes: some nodes were entered, or left (without a row,
    /// outside a trigger).
    pub(crate) fn has_changed(&self, recorded: usize) -> bool {
        self.nodes != recorded || self.kept() != self.nodes
    }
}
