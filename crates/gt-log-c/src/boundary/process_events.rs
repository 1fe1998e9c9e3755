//! Events that concern every handle: a fork, and the end of the process.
//!
//! After a fork the child must not write to its parent's file, nor wait for threads that it does not have.

use super::handle::GTLog;

/// Tells the handles of these events from now on.
pub(super) fn watch() {
    watch_forks();
    watch_exit();
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

/// Does nothing: other systems have no fork.
#[cfg(not(unix))]
fn watch_forks() {}

/// Marks every handle as copied; runs in the child.
#[cfg(unix)]
unsafe extern "C" fn forked() {
    GTLog::each(GTLog::mark_copied);
}

/// Waits for the files when the process ends, so that an engine that does not close its log loses none of the trees that have ended.
fn watch_exit() {
    static WATCHED: std::sync::Once = std::sync::Once::new();
    WATCHED.call_once(|| {
        // SAFETY: `exiting` is a static function that takes nothing and does not unwind.
        unsafe { libc::atexit(exiting) };
    });
}

extern "C" fn exiting() {
    GTLog::each(GTLog::wait_at_exit);
}
