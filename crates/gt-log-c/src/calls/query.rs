//! Queries that are answered while the engine searches.

use std::ffi::{c_char, c_int, c_void};

use crate::abi::GTQueryFn;
use crate::boundary::{Fault, GTLog, number, on};
use crate::descriptor::text as text_of;
use crate::queries::QueryCallback;

/// Attaches the queries of a text, from the next tree on.
///
/// # Safety
/// As for all calls.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gtl_attachQuery(h: *mut GTLog, text: *const c_char) -> c_int {
    // SAFETY: `h` is NULL or a handle, and `text` is NULL or ends with a zero byte (caller).
    unsafe {
        on(h, |session| {
            if text.is_null() {
                return Err(Fault::argument("gtl_attachQuery needs the text of a query, and was given NULL"));
            }
            session.attach_queries(&text_of(text))
        })
    }
}

/// Removes all queries, and the callback.
///
/// # Safety
/// As for all calls.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gtl_detachQueries(h: *mut GTLog) -> c_int {
    // SAFETY: `h` is NULL or a handle from this library (caller).
    unsafe {
        on(h, |session| {
            session.detach_queries();
            Ok(())
        })
    }
}

/// Returns the number of nodes that match a query, so far or in the last ended tree; or a negative code.
///
/// # Safety
/// As for all calls.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gtl_queryCount(h: *mut GTLog, query: usize) -> i64 {
    // SAFETY: `h` is NULL or a handle from this library (caller).
    unsafe { number(h, |session| Ok(session.tally(query)?.count)) }
}

/// Copies the node_ids of a query's matches, as many as fit; returns their total number, or a negative code.
///
/// # Safety
/// As for all calls; the buffer has space for `capacity` node_ids.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gtl_queryMatches(
    h: *mut GTLog,
    query: usize,
    buffer: *mut u64,
    capacity: usize,
) -> i64 {
    // SAFETY: `h` is NULL or a handle, and the buffer has space for `capacity` node_ids (caller).
    unsafe {
        number(h, |session| {
            let nodes = &session.tally(query)?.nodes;
            if buffer.is_null() && capacity > 0 {
                return Err(Fault::argument(format!("a buffer for {capacity} node_ids was given as NULL")));
            }
            if !buffer.is_null() {
                std::ptr::copy_nonoverlapping(nodes.as_ptr(), buffer, nodes.len().min(capacity));
            }
            Ok(nodes.len() as u64)
        })
    }
}

/// Sets the callback for matches, from now on; NULL for none.
///
/// # Safety
/// As for all calls; function and context must be valid wherever the handle is used.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gtl_setQueryCallback(
    h: *mut GTLog,
    callback: GTQueryFn,
    user: *mut c_void,
) -> c_int {
    // SAFETY: `h` is NULL or a handle from this library (caller).
    unsafe {
        on(h, |session| {
            session.settings.queries.callback = callback.map(|function| QueryCallback { function, user });
            Ok(())
        })
    }
}

/// Sets the maximum number of nodes that queries hold; 0 for no limit.
///
/// # Safety
/// As for all calls.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gtl_setQueryLimit(h: *mut GTLog, nodes_held_max: u64) -> c_int {
    let nodes_held_max = match nodes_held_max {
        0 => usize::MAX,
        nodes => usize::try_from(nodes).unwrap_or(usize::MAX),
    };
    // SAFETY: `h` is NULL or a handle from this library (caller).
    unsafe {
        on(h, |session| {
            session.settings.queries.nodes_held_max = nodes_held_max;
            Ok(())
        })
    }
}
