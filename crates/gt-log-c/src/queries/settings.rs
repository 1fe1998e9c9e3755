//! The settings of attached queries.

use std::ffi::c_void;

use crate::abi::GTL_QUERY_NODES_HELD_MAX;

/// The settings of queries.
#[derive(Clone, Copy)]
pub(crate) struct QuerySettings {
    pub(crate) callback: Option<QueryCallback>,
    /// The maximum number of nodes that the queries of a text hold.
    pub(crate) nodes_held_max: usize,
}

impl Default for QuerySettings {
    fn default() -> Self {
        let nodes_held_max = usize::try_from(GTL_QUERY_NODES_HELD_MAX).unwrap_or(usize::MAX);
        Self { callback: None, nodes_held_max }
    }
}

/// The engine's callback for matches. The engine guarantees that function and context are valid.
#[derive(Clone, Copy)]
pub(crate) struct QueryCallback {
    pub(crate) function: unsafe extern "C" fn(*mut c_void, usize, u64),
    pub(crate) user: *mut c_void,
}

impl QueryCallback {
    pub(super) fn call(self, query: usize, node_id: u64) {
        // SAFETY: the engine that set the callback guarantees that function and context are valid wherever
        // the handle is used.
        unsafe { (self.function)(self.user, query, node_id) }
    }
}
