//! The types and constants that `gt_log.h` declares, in C's layout; `read` has those of `gt_read.h`.

mod read;

pub use read::*;

use std::ffi::{c_char, c_int, c_void};

/// The maximum number of aliases in a descriptor.
pub const GTL_ALIASES_MAX: usize = 256;
/// The maximum number of attributes in a descriptor, and in a log.
pub const GTL_ATTRIBUTES_MAX: usize = gt_log::ATTRIBUTES_MAX;

/// Signed integer of 1, 2, 4 or 8 bytes: the default type of an attribute.
pub const GTL_INT: c_int = 0;
/// Unsigned integer of 1, 2, 4 or 8 bytes.
pub const GTL_UINT: c_int = 1;
/// `float` or `double`.
pub const GTL_FLOAT: c_int = 2;
/// True or false, of 1, 2, 4 or 8 bytes: zero is false.
pub const GTL_BOOL: c_int = 3;
/// A `const char *` in UTF-8; NULL is the empty text.
pub const GTL_TEXT: c_int = 4;

/// Added to a type: the attribute is known when a node is entered, and `gtl_enterNodeData` reads it.
pub const GTL_AT_ENTRY: c_int = 0x100;

/// The parent of a root, for `gtl_addNode`.
pub const GTL_NO_PARENT: i64 = -1;

/// Done.
pub const GTL_OK: c_int = 0;
/// An argument is NULL or invalid.
pub const GTL_ERROR_ARGUMENT: c_int = -1;
/// The call does not fit the calls before it, and was ignored.
pub const GTL_ERROR_ORDER: c_int = -2;
/// The system refused to write; logging to this file is off.
pub const GTL_ERROR_WRITE: c_int = -3;
/// A tree is too large or too deep to be logged completely.
pub const GTL_ERROR_LIMIT: c_int = -4;
/// An internal error of the library; logging is off.
pub const GTL_ERROR_INTERNAL: c_int = -5;

/// A query cannot be understood, or has no answer.
pub const GTL_ERROR_QUERY: c_int = -6;

/// A log cannot be read, or is damaged.
pub const GTL_ERROR_READ: c_int = -7;

/// The default maximum number of nodes that attached queries hold (see `gtl_setQueryLimit`).
pub const GTL_QUERY_NODES_HELD_MAX: u64 = 1 << 20;

/// A name for a number, for use in queries.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct GTAlias {
    /// The name.
    pub name: *const c_char,
    /// Its number.
    pub value: i64,
}

/// One field of the caller's record.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct GTAttribute {
    /// The attribute's name.
    pub name: *const c_char,
    /// `offsetof` the field.
    pub offset: usize,
    /// `sizeof` the field.
    pub size: usize,
    /// [`GTL_INT`], [`GTL_UINT`], [`GTL_FLOAT`], [`GTL_BOOL`] or [`GTL_TEXT`], with [`GTL_AT_ENTRY`] if it is known
    /// at entry.
    pub kind: c_int,
}

/// The description of the caller's records.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct GTDataDescript {
    /// The name of the game.
    pub game: *const c_char,
    /// `sizeof` the record.
    pub record_size: usize,
    /// The number of aliases.
    pub alias_count: usize,
    /// The aliases.
    pub aliases: [GTAlias; GTL_ALIASES_MAX],
    /// The number of attributes.
    pub attribute_count: usize,
    /// The attributes.
    pub attributes: [GTAttribute; GTL_ATTRIBUTES_MAX],
}

/// A metadata entry of a tree: a text under a name.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct GTMeta {
    /// The name.
    pub key: *const c_char,
    /// The text.
    pub value: *const c_char,
}

/// Decides whether logging starts at the node that a line of moves leads to.
pub type GTTriggerFn =
    Option<unsafe extern "C" fn(line: *const i64, count: usize, context: *mut c_void) -> c_int>;

/// Receives a match of an attached query.
pub type GTQueryFn = Option<unsafe extern "C" fn(user: *mut c_void, query: usize, node_id: u64)>;
