//! The boundary between the engine and the log: handles, codes, texts, and a barrier against panics.
//!
//! ```text
//! call(handle) ─ NULL? ─ this thread's to use? ─ catch_unwind(session) ─▶ code        handle
//!                        deleted? copied by a fork?                  └▶ text, kept in the handle
//! ```
//!
//! **Invariant:** on a handle from `gtl_create` or `gtl_share`, a call that cannot be made is refused with a code and
//! a sentence. If a thread may not use the handle, the sentence is stored for that thread, because it may not write
//! to the handle.

mod error_text;
mod fault;
mod handle;
mod process_events;
mod refusal;
mod thread;

use std::ffi::{c_char, c_int};
use std::panic::{AssertUnwindSafe, catch_unwind};

use gt_log::Lane;

use crate::abi::{GTL_ERROR_ARGUMENT, GTL_ERROR_ORDER, GTL_OK};
use crate::session::Session;
pub(crate) use error_text::{c_text, keep_for_thread, panic_text, thread_error};
pub(crate) use fault::Fault;
pub use handle::GTLog;
pub(crate) use handle::ShortCopies;
use refusal::Refusal;

/// Runs a call on a handle.
///
/// # Safety
/// The handle is NULL, or came from `gtl_create` or `gtl_share`.
#[inline(always)]
pub(crate) unsafe fn on(handle: *mut GTLog, work: impl FnOnce(&mut Session) -> Result<(), Fault>) -> c_int {
    // SAFETY: the handle is NULL or came from this library (caller), and handles are never freed.
    match unsafe { handle.as_ref() } {
        None => GTL_ERROR_ARGUMENT,
        Some(handle) => handle.call(work).unwrap_or_else(refused),
    }
}

/// Runs a call at a node: the short way if possible, or else as [`on`] does.
///
/// # Safety
/// As for [`on`]; `shortly` makes no call on the handle, and does not panic.
#[inline(always)]
pub(crate) unsafe fn at_node(
    handle: *mut GTLog,
    shortly: impl FnOnce(&mut Lane, &ShortCopies<'_>) -> bool,
    work: impl FnOnce(&mut Session) -> Result<(), Fault>,
) -> c_int {
    // SAFETY: the handle is NULL or came from this library (caller), and handles are never freed; `shortly` makes no call on the handle and
    // does not panic (caller).
    if unsafe { handle.as_ref().is_some_and(|handle| handle.call_shortly(shortly)) } {
        return GTL_OK;
    }
    // SAFETY: the handle is NULL or came from this library (caller).
    unsafe { at_length(handle, work) }
}

/// Runs a call the long way; out of line, so that the short way saves no registers for it.
///
/// # Safety
/// As for [`on`].
#[inline(never)]
unsafe fn at_length(handle: *mut GTLog, work: impl FnOnce(&mut Session) -> Result<(), Fault>) -> c_int {
    // SAFETY: the handle is NULL or came from this library (caller).
    unsafe { on(handle, work) }
}

/// Runs a call that returns a number, or a negative code.
///
/// # Safety
/// As for [`on`].
pub(crate) unsafe fn number(handle: *mut GTLog, ask: impl FnOnce(&mut Session) -> Result<u64, Fault>) -> i64 {
    let mut number = 0;
    // SAFETY: the handle is NULL or came from this library (caller).
    let code = unsafe {
        on(handle, |session| {
            number = ask(session)?;
            Ok(())
        })
    };
    if code == GTL_OK { i64::try_from(number).unwrap_or(i64::MAX) } else { code.into() }
}

/// Makes a handle, or returns NULL with the reason stored for this thread.
pub(crate) fn create(make: impl FnOnce() -> Result<Session, Fault>) -> *mut GTLog {
    let made = catch_unwind(AssertUnwindSafe(make));
    let (handle, text) = match made {
        Ok(Ok(session)) => (std::ptr::from_ref(new_handle(session)).cast_mut(), String::new()),
        Ok(Err(fault)) => (std::ptr::null_mut(), fault.into_parts().1.unwrap_or_default()),
        Err(panic) => (std::ptr::null_mut(), panic_text(&*panic)),
    };
    keep_for_thread(c_text(&text));
    handle
}

/// Makes a handle that takes part in the events that concern all handles.
fn new_handle(session: Session) -> &'static GTLog {
    process_events::watch();
    GTLog::new(session)
}

/// Closes what the handle writes, and ends it. An error is stored for this thread.
///
/// # Safety
/// As for [`on`].
pub(crate) unsafe fn delete(handle: *mut GTLog) -> c_int {
    // SAFETY: the handle is NULL or came from this library (caller), and handles are never freed.
    let Some(handle) = (unsafe { handle.as_ref() }) else { return GTL_ERROR_ARGUMENT };
    match handle.delete() {
        Ok((GTL_OK, _)) => GTL_OK,
        Ok((code, text)) => {
            keep_for_thread(text);
            code
        }
        Err(refusal) => refused(refusal),
    }
}

/// The text of the last error, of the handle or, for NULL, of this thread's creations and deletions. If this thread
/// may not use the handle, the reason for that.
///
/// # Safety
/// As for [`on`].
pub(crate) unsafe fn last_error(handle: *const GTLog) -> *const c_char {
    // SAFETY: the handle is NULL or came from this library (caller), and handles are never freed.
    match unsafe { handle.as_ref() }.map(GTLog::error) {
        Some(Ok(error)) => return error.as_ptr(),
        Some(Err(refusal)) => drop(refused(refusal)),
        None => (),
    }
    thread_error()
}

#[cold]
fn refused(Refusal(text): Refusal) -> c_int {
    keep_for_thread(c_text(text));
    GTL_ERROR_ORDER
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::abi::{GTL_ERROR_INTERNAL, GTL_ERROR_WRITE};
    use crate::plan::Plan;
    use std::ffi::CStr;

    fn handle() -> *mut GTLog {
        create(|| Ok(Session::new(gt_log::Header::default(), Plan::new(0, &[]))))
    }

    fn call(handle: *mut GTLog, work: impl FnOnce(&mut Session) -> Result<(), Fault>) -> c_int {
        // SAFETY: the test's handle came from `create` and is never freed.
        unsafe { on(handle, work) }
    }

    fn error_of(handle: *const GTLog) -> String {
        // SAFETY: the test's handle came from `create`; its error text ends with a zero byte and is not
        // changed now.
        unsafe { CStr::from_ptr(last_error(handle)) }.to_string_lossy().into_owned()
    }

    #[test]
    fn a_panic_ends_here_and_turns_logging_off() {
        let log = handle();
        assert_eq!(call(log, |_| panic!("made for the test")), GTL_ERROR_INTERNAL);
        assert!(error_of(log).contains("made for the test"), "{}", error_of(log));
        assert_eq!(call(log, |session| session.enter(0)), GTL_ERROR_WRITE);
        assert!(error_of(log).contains("made for the test"), "the reason stays: {}", error_of(log));
    }

    #[test]
    fn a_call_within_a_call_is_refused() {
        let log = handle();
        let outer = call(log, |_| {
            assert_eq!(call(log, |_| Ok(())), GTL_ERROR_ORDER);
            assert!(error_of(log).contains("callback"), "{}", error_of(log));
            // SAFETY: the test's handle came from `create` and is never freed.
            assert_eq!(unsafe { delete(log) }, GTL_ERROR_ORDER);
            Ok(())
        });
        assert_eq!(outer, GTL_OK);
    }

    #[test]
    fn a_deleted_handle_refuses_every_call() {
        let log = handle();
        // SAFETY: the test's handle came from `create` and is never freed, so it may be deleted repeatedly.
        unsafe {
            assert_eq!(delete(log), GTL_OK);
            assert_eq!(delete(log), GTL_ERROR_ORDER);
        }
        assert_eq!(call(log, |session| session.enter(0)), GTL_ERROR_ORDER);
        assert_eq!(error_of(log), "the handle was deleted");
    }

    #[test]
    fn another_thread_is_refused_while_a_call_is_under_way() {
        let log = handle();
        let shared = log.expose_provenance();
        let outer = call(log, |_| {
            let there = std::thread::spawn(move || {
                let log = std::ptr::with_exposed_provenance_mut(shared);
                (call(log, |_| Ok(())), error_of(log))
            });
            let (code, text) = there.join().unwrap();
            assert_eq!(code, GTL_ERROR_ORDER);
            assert!(text.contains("another thread"), "{text}");
            Ok(())
        });
        assert_eq!((outer, error_of(log)), (GTL_OK, String::new()), "who is refused hears of it alone");
    }
}
