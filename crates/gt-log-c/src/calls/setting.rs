//! The settings for logging the next trees.

use std::ffi::{c_int, c_void};

use gt_log::{Budget, Flush};

use crate::abi::GTTriggerFn;
use crate::boundary::{Fault, GTLog, on};
use crate::session::{Callback, IfThere, TriggerSetting};

/// Switches logging on or off, from the next tree on.
///
/// # Safety
/// As for all calls.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gtl_setEnabled(h: *mut GTLog, enabled: c_int) -> c_int {
    // SAFETY: `h` is NULL or a handle from this library (caller).
    unsafe {
        on(h, |session| {
            session.settings.is_enabled = enabled != 0;
            Ok(())
        })
    }
}

/// Sets whether existing files are replaced, from the next file on.
///
/// # Safety
/// As for all calls.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gtl_setReplace(h: *mut GTLog, replace: c_int) -> c_int {
    // SAFETY: `h` is NULL or a handle from this library (caller).
    unsafe {
        on(h, |session| {
            session.settings.existing = if replace == 0 { IfThere::Refuse } else { IfThere::Replace };
            Ok(())
        })
    }
}

/// Sets whether trees are added to existing files, from the next file on.
///
/// # Safety
/// As for all calls.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gtl_setAppend(h: *mut GTLog, append: c_int) -> c_int {
    // SAFETY: `h` is NULL or a handle from this library (caller).
    unsafe {
        on(h, |session| {
            session.settings.existing = if append == 0 { IfThere::Refuse } else { IfThere::Append };
            Ok(())
        })
    }
}

/// Sets whether a background thread encodes and writes full blocks, from the next tree on.
///
/// # Safety
/// As for all calls.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gtl_setBackground(h: *mut GTLog, background: c_int) -> c_int {
    // SAFETY: `h` is NULL or a handle from this library (caller).
    unsafe {
        on(h, |session| {
            session.settings.background = background != 0;
            Ok(())
        })
    }
}

/// Logs only the subtree at the end of a line of moves.
///
/// # Safety
/// As for all calls.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gtl_setTriggerLine(
    h: *mut GTLog,
    moves: *const i64,
    count: usize,
    once: c_int,
) -> c_int {
    // SAFETY: `h` is NULL or a handle, and `moves` is NULL or has `count` entries (caller).
    unsafe {
        on(h, |session| {
            session.settings.trigger = TriggerSetting::Line(line(moves, count)?);
            session.settings.once = once != 0;
            Ok(())
        })
    }
}

/// Logs, on every line, only the subtree of the first node that the callback accepts.
///
/// # Safety
/// As for all calls; function and context must be valid wherever the handle is used.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gtl_setTriggerCallback(
    h: *mut GTLog,
    function: GTTriggerFn,
    context: *mut c_void,
    once: c_int,
) -> c_int {
    // SAFETY: `h` is NULL or a handle from this library (caller).
    unsafe {
        on(h, |session| {
            let Some(function) = function else {
                return Err(Fault::argument("a trigger needs a function; gtl_clearTrigger removes one"));
            };
            session.settings.trigger = TriggerSetting::Callback(Callback { function, context });
            session.settings.once = once != 0;
            Ok(())
        })
    }
}

/// Logs everything again.
///
/// # Safety
/// As for all calls.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gtl_clearTrigger(h: *mut GTLog) -> c_int {
    // SAFETY: `h` is NULL or a handle from this library (caller).
    unsafe {
        on(h, |session| {
            session.settings.trigger = TriggerSetting::Everywhere;
            Ok(())
        })
    }
}

/// Limits how much of a tree is logged; 0 for no limit.
///
/// # Safety
/// As for all calls.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gtl_setBudget(h: *mut GTLog, nodes_max: u64, bytes_max: u64) -> c_int {
    let limit = |max: u64| (max > 0).then_some(max);
    // SAFETY: `h` is NULL or a handle from this library (caller).
    unsafe {
        on(h, |session| {
            session.settings.budget = Budget { nodes_max: limit(nodes_max), bytes_max: limit(bytes_max) };
            Ok(())
        })
    }
}

/// Sets when nodes are written to the file; 0 nodes for the default number, 0 milliseconds for never by time.
///
/// # Safety
/// As for all calls.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gtl_setFlush(h: *mut GTLog, nodes_max: u64, time_ms_max: u64) -> c_int {
    let nodes_max = match nodes_max {
        0 => Flush::default().nodes_max,
        nodes => usize::try_from(nodes).unwrap_or(usize::MAX),
    };
    let time_ms_max = (time_ms_max > 0).then_some(time_ms_max.min(TIME_MS_LIMIT));
    // SAFETY: `h` is NULL or a handle from this library (caller).
    unsafe {
        on(h, |session| {
            session.settings.flush = Flush { nodes_max, time_ms_max };
            Ok(())
        })
    }
}

/// A century: clocks overflow further ahead.
const TIME_MS_LIMIT: u64 = 100 * 366 * 24 * 3600 * 1000;

/// # Safety
/// The list is NULL or has `count` moves.
unsafe fn line(moves: *const i64, count: usize) -> Result<Vec<i64>, Fault> {
    if count == 0 {
        return Ok(Vec::new());
    }
    if moves.is_null() {
        return Err(Fault::argument(format!("a line of {count} moves was given as NULL")));
    }
    if count > gt_log::DEPTH_MAX {
        return Err(Fault::argument(format!(
            "a line of {count} moves is deeper than any tree that is logged"
        )));
    }
    // SAFETY: `moves` is not NULL, so it has `count` entries (caller).
    Ok(unsafe { std::slice::from_raw_parts(moves, count) }.to_vec())
}
