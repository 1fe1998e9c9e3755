//! The calls of an engine at every node.

use std::ffi::{c_int, c_void};

use gt_log::Lane;

use crate::abi::GTL_NO_PARENT;
use crate::boundary::{Fault, GTLog, ShortCopies, at_node, number, on};
use crate::session::Session;

/// Goes down a move.
///
/// # Safety
/// As for all calls.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gtl_enterNode(h: *mut GTLog, last_move: i64) -> c_int {
    // SAFETY: `h` is NULL or a handle from this library (caller).
    unsafe { at_node(h, |lane, _| lane.try_enter(last_move), move |session| session.enter(last_move)) }
}

/// Goes down a move, with the attributes that are already known.
///
/// # Safety
/// As for all calls; the record is NULL or matches the descriptor, in the attributes that are known at entry.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gtl_enterNodeData(h: *mut GTLog, last_move: i64, data: *const c_void) -> c_int {
    // SAFETY: `h` is NULL or a handle, and `data` is NULL or a record that matches its descriptor (caller).
    unsafe {
        let shortly = |lane: &mut Lane, copies: &ShortCopies<'_>| {
            let fill = |row: &mut [u8]| copies.copy_at_entry(data.cast(), row);
            !data.is_null() && lane.try_enter_filled(last_move, copies.missing_at_entry(), fill)
        };
        at_node(h, shortly, move |session| session.enter_with(last_move, data.cast()))
    }
}

/// Leaves the last entered node.
///
/// # Safety
/// As for all calls; the record is NULL or matches the descriptor.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gtl_exitNode(h: *mut GTLog, data: *const c_void) -> c_int {
    // SAFETY: `h` is NULL or a handle, and `data` is NULL or a record that matches its descriptor (caller).
    unsafe {
        let shortly = |lane: &mut Lane, copies: &ShortCopies<'_>| {
            !data.is_null() && lane.try_leave_filled(|row| copies.copy(data.cast(), row))
        };
        at_node(h, shortly, move |session| session.leave(data.cast()))
    }
}

/// Adds a node below another in a tree that is not searched depth-first; returns its number from 0, or a negative
/// code.
///
/// # Safety
/// As for all calls; the record is NULL or matches the descriptor.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gtl_addNode(h: *mut GTLog, parent: i64, last_move: i64, data: *const c_void) -> i64 {
    let parent = match parent {
        GTL_NO_PARENT => Ok(None),
        parent => u64::try_from(parent).map(Some),
    };
    let ask = |session: &mut Session| {
        let parent = parent.map_err(|_| {
            Fault::argument("a parent is GTL_NO_PARENT, for the root, or a number that gtl_addNode gave")
        })?;
        // SAFETY: `data` is NULL or a record that matches the descriptor (caller).
        unsafe { session.add_node(parent, last_move, data.cast()) }
    };
    // SAFETY: `h` is NULL or a handle from this library (caller).
    unsafe { number(h, ask) }
}

/// Replaces the values of an added node.
///
/// # Safety
/// As for all calls; the record is NULL or matches the descriptor.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gtl_setNode(h: *mut GTLog, node: i64, data: *const c_void) -> c_int {
    let set = |session: &mut Session| {
        let node = u64::try_from(node)
            .map_err(|_| Fault::argument("a node is given by the number that gtl_addNode gave for it"))?;
        // SAFETY: `data` is NULL or a record that matches the descriptor (caller).
        unsafe { session.set_node(node, data.cast()) }
    };
    // SAFETY: `h` is NULL or a handle from this library (caller).
    unsafe { on(h, set) }
}

/// Writes everything logged so far to the file.
///
/// # Safety
/// As for all calls.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gtl_flush(h: *mut GTLog) -> c_int {
    // SAFETY: `h` is NULL or a handle from this library (caller).
    unsafe { on(h, Session::flush) }
}

/// Returns whether nodes are being recorded, or would be: 1 or 0.
///
/// # Safety
/// As for all calls.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gtl_isOn(h: *mut GTLog) -> c_int {
    let mut is_on = false;
    // SAFETY: `h` is NULL or a handle from this library (caller).
    unsafe {
        on(h, |session| {
            is_on = session.is_on();
            Ok(())
        });
    }
    c_int::from(is_on)
}
