//! The types and constants that `gt_read.h` declares, in C's layout.

use std::ffi::{c_char, c_int, c_void};

/// The type of a [`GTValue`] that is unknown.
pub const GTL_UNKNOWN: c_int = -1;
/// A sequence of moves: the type of a cell of an answer.
pub const GTL_LINE: c_int = 5;

/// Stands for the whole log in place of a tree's number.
pub const GTL_WHOLE_LOG: i64 = -1;

/// The column of the moves that led to the nodes.
pub const GTL_COLUMN_MOVE: c_int = -1;
/// The column of the parents' node_ids; -1 for the root.
pub const GTL_COLUMN_PARENT: c_int = -2;
/// The column of the plies.
pub const GTL_COLUMN_PLY: c_int = -3;
/// The column of the subtrees' sizes.
pub const GTL_COLUMN_SIZE: c_int = -4;

/// A node of a log's tree.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub struct GTNode {
    /// Its number, in preorder.
    pub id: u64,
    /// Its parent's, or -1.
    pub parent: i64,
    /// The move that led to it.
    pub last_move: i64,
    /// The number of nodes in its subtree, including itself.
    pub size: u64,
    /// Its distance from the root.
    pub ply: u64,
}

/// A value of an attribute, or a cell of an answer.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct GTValue {
    /// `GTL_INT`, `GTL_UINT`, `GTL_FLOAT`, `GTL_BOOL`, `GTL_TEXT`, [`GTL_LINE`] or [`GTL_UNKNOWN`].
    pub kind: c_int,
    /// The number; for [`GTL_LINE`] the number of moves. A `GTL_UINT` must be read as `uint64_t`.
    pub integer: i64,
    /// The number as a double, for any type.
    pub number: f64,
    /// The text, or the moves separated by spaces; otherwise NULL.
    pub text: *const c_char,
}

/// Receives a node and the values of its attributes; returns nonzero to end the visit.
pub type GTVisitFn =
    Option<unsafe extern "C" fn(user: *mut c_void, node: *const GTNode, values: *const GTValue) -> c_int>;
