//! The list of all handles, for events that concern each: the end of a thread, a fork, and the end of the process.
//!
//! After a fork the child must not write to its parent's file, nor wait for threads that it does not have. The list
//! only grows, so that the child can walk it without a lock: another thread of the parent may have held one.

use std::sync::atomic::{AtomicPtr, Ordering};

use super::handle::GTLog;

static NEWEST: AtomicPtr<GTLog> = AtomicPtr::new(std::ptr::null_mut());

/// Adds a new handle to the list.
pub(super) fn enlist(handle: &'static GTLog) {
    watch_forks();
    watch_exit();
    let mut next = NEWEST.load(Ordering::Acquire);
    loop {
        handle.older.store(next, Ordering::Release);
        let this = std::ptr::from_ref(handle).cast_mut();
        match NEWEST.compare_exchange_weak(next, this, Ordering::AcqRel, Ordering::Acquire) {
            Ok(_) => return,
            Err(other) => next = other,
        }
    }
}

#[cfg(unix)]
fn watch_forks() {
    static WATCHED: std::sync::Once = std::sync::Once::new();
    WATCHED.call_once(|| {
        // SAFETY: `forked` is a static function that only stores to atomics, which is safe in the child of a
        // fork.
        unsafe { libc::pthread_atfork(None, None, Some(forked)) };
    });
}

/// Other systems have no fork.
#[cfg(not(unix))]
fn watch_forks() {}

/// Runs in the child.
#[cfg(unix)]
unsafe extern "C" fn forked() {
    each(GTLog::mark_copied);
}

/// An engine that ends without closing its log loses none of the trees that have ended.
fn watch_exit() {
    static WATCHED: std::sync::Once = std::sync::Once::new();
    WATCHED.call_once(|| {
        // SAFETY: `exiting` is a static function that takes nothing and does not unwind.
        unsafe { libc::atexit(exiting) };
    });
}

extern "C" fn exiting() {
    each(GTLog::wait_at_exit);
}

/// Calls `work` with every handle that was ever made.
pub(super) fn each(work: impl Fn(&GTLog)) {
    let mut next = NEWEST.load(Ordering::Acquire);
    // SAFETY: the list contains only pointers to handles, which are never freed.
    while let Some(handle) = unsafe { next.as_ref() } {
        work(handle);
        next = handle.older.load(Ordering::Acquire);
    }
}
