//! What an engine calls at every node.

use std::ffi::{c_int, c_void};

use crate::abi::GTL_NO_PARENT;
use crate::boundary::{Fault, GTLog, number, on};
use crate::session::Session;

/// The search goes down a move.
///
/// # Safety
/// As for all calls.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gtl_enterNode(h: *mut GTLog, last_move: i64) -> c_int {
    // SAFETY: `h` is NULL or a handle, and what it is given is as the header asks.
    unsafe { on(h, |session| session.enter(last_move)) }
}

/// The search goes down a move, and some of the node's attributes are known already.
///
/// # Safety
/// As for all calls; the record is NULL or as the descriptor says, in the attributes that are known at entry.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gtl_enterNodeData(h: *mut GTLog, last_move: i64, data: *const c_void) -> c_int {
    // SAFETY: `h` is NULL or a handle, and the record is as the header asks.
    unsafe { on(h, |session| session.enter_with(last_move, data.cast())) }
}

/// The search leaves the node it entered last.
///
/// # Safety
/// As for all calls; the record is NULL or as the descriptor says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gtl_exitNode(h: *mut GTLog, data: *const c_void) -> c_int {
    // SAFETY: `h` is NULL or a handle, and what it is given is as the header asks.
    unsafe { on(h, |session| session.leave(data.cast())) }
}

/// Adds a node below another in a tree that is not searched depth-first: its number from 0, or a negative code.
///
/// # Safety
/// As for all calls; the record is NULL or as the descriptor says.
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
        // SAFETY: the record is as the header asks.
        unsafe { session.add_node(parent, last_move, data.cast()) }
    };
    // SAFETY: `h` is NULL or a handle, as the header asks.
    unsafe { number(h, ask) }
}

/// Gives a node that was added other values.
///
/// # Safety
/// As for all calls; the record is NULL or as the descriptor says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gtl_setNode(h: *mut GTLog, node: i64, data: *const c_void) -> c_int {
    let set = |session: &mut Session| {
        let node = u64::try_from(node)
            .map_err(|_| Fault::argument("a node is given by the number that gtl_addNode gave for it"))?;
        // SAFETY: the record is as the header asks.
        unsafe { session.set_node(node, data.cast()) }
    };
    // SAFETY: `h` is NULL or a handle, as the header asks.
    unsafe { on(h, set) }
}

/// Sends what was logged to the file.
///
/// # Safety
/// As for all calls.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gtl_flush(h: *mut GTLog) -> c_int {
    // SAFETY: `h` is NULL or a handle, and what it is given is as the header asks.
    unsafe { on(h, Session::flush) }
}

/// Whether nodes are being recorded, or would be: 1 or 0.
///
/// # Safety
/// As for all calls.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gtl_isOn(h: *mut GTLog) -> c_int {
    let mut is_on = false;
    // SAFETY: `h` is NULL or a handle, and what it is given is as the header asks.
    unsafe {
        on(h, |session| {
            is_on = session.is_on();
            Ok(())
        });
    }
    c_int::from(is_on)
}
