//! The parameters that a search passes down to a node, and the node type that it expects there.
//!
//! ```text
//! PV ─┬─ PV          the first child of a PV node is expected on the principal variation,
//!     ├─ Cut ── All  the others to fail high; a Cut node's children are expected to fail low,
//!     └─ Cut         an All node's children to fail high (Knuth and Moore's three types).
//! ```

use crate::observer::{EntryRecord, NodeType, Record};
use crate::value::INFINITE;

#[derive(Clone, Copy, Debug)]
pub(crate) struct Node {
    pub(crate) ply: u16,
    pub(crate) depth: i16,
    pub(crate) alpha: i32,
    pub(crate) beta: i32,
    pub(crate) node_type: NodeType,
    pub(crate) move_index: u16,
    /// Plies added by an extension, or removed by a reduction if negative.
    pub(crate) depth_change: i8,
}

/// Fits in two registers: a node is passed at every call.
const _: () = assert!(size_of::<Node>() == 16);

impl Node {
    pub(crate) fn root(depth: u16) -> Self {
        Self {
            ply: 0,
            depth: i16::try_from(depth).unwrap_or(i16::MAX),
            alpha: -INFINITE,
            beta: INFINITE,
            node_type: NodeType::PV,
            move_index: 0,
            depth_change: 0,
        }
    }

    /// The root of a search without expectations: it searches every move with an open window, so Knuth and Moore's
    /// types do not apply, and no node below it has one either.
    pub(crate) fn untyped_root(depth: u16) -> Self {
        Self { node_type: NodeType::default(), ..Self::root(depth) }
    }

    /// The child at `move_index`, one ply less deep, with the parent's window `alpha .. beta` seen from the
    /// other side.
    #[inline]
    pub(crate) fn child(&self, move_index: usize, alpha: i32, beta: i32) -> Self {
        Self {
            ply: self.ply + 1,
            depth: self.depth - 1,
            alpha: -beta,
            beta: -alpha,
            node_type: self.node_type.of_child(move_index),
            move_index: move_index as u16,
            depth_change: 0,
        }
    }

    /// The same node, entered again with an open window after a null window failed.
    #[inline]
    pub(crate) fn again(self) -> Self {
        let kept = NodeType(self.node_type.0 & NodeType::QUIESCENCE_ROOT.0);
        Self { node_type: kept.with(NodeType::PV).with(NodeType::RESEARCH), ..self }
    }

    /// Whether a value fits inside the window: only such a node can be on the principal variation.
    #[inline]
    pub(crate) fn is_open(&self) -> bool {
        self.beta - self.alpha > 1
    }

    /// The record of the node on entry.
    #[inline]
    pub(crate) fn entry(&self) -> EntryRecord {
        EntryRecord {
            ply: self.ply,
            depth: self.depth,
            alpha: self.alpha,
            beta: self.beta,
            node_type: self.node_type,
            move_index: self.move_index,
            reduction: (-self.depth_change).max(0),
            extension: self.depth_change.max(0),
        }
    }

    #[inline]
    pub(crate) fn record(&self, best: i32, note: Note) -> Record {
        Record {
            ply: self.ply,
            depth: self.depth,
            alpha: self.alpha,
            beta: self.beta,
            best,
            node_type: self.node_type,
            move_index: self.move_index,
            static_eval: note.static_eval,
            table_hit: note.table_depth.is_some(),
            table_depth: note.table_depth,
            reduction: (-self.depth_change).max(0),
            extension: self.depth_change.max(0),
            ended: note.ended,
        }
    }
}

impl NodeType {
    /// The type expected of the child at `move_index`; no type if the node has none.
    #[must_use]
    pub const fn of_child(self, move_index: usize) -> Self {
        if self.has(Self::PV) && move_index == 0 {
            Self::PV
        } else if self.has(Self::CUT) {
            Self::ALL
        } else if self.has(Self::PV) || self.has(Self::ALL) {
            Self::CUT
        } else {
            Self(0)
        }
    }
}

/// Findings of a node in addition to its value; kept only while there is an observer.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Note {
    pub(crate) ended: crate::observer::Ended,
    pub(crate) static_eval: Option<i32>,
    /// The depth of the table's entry.
    pub(crate) table_depth: Option<i16>,
}
