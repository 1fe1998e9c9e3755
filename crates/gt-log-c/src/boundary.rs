//! The boundary between the engine and the log: handles, codes, texts, and panics that end here.
//!
//! ```text
//! call(handle) ─ NULL? ─ in use? ─ catch_unwind(session) ─▶ code
//!                                                    └▶ text, kept in the handle
//! ```
//!
//! **Invariant:** the session behind a handle is borrowed by one call at a time: `busy` is set while it is.
//! Handles are not locked: two threads that use one at a time break the contract of the header.

use std::any::Any;
use std::cell::{Cell, RefCell, UnsafeCell};
use std::ffi::{CString, c_char, c_int};
use std::panic::{AssertUnwindSafe, catch_unwind};

use gt_log::Error;

use crate::abi::{
    GTL_ERROR_ARGUMENT, GTL_ERROR_INTERNAL, GTL_ERROR_LIMIT, GTL_ERROR_ORDER, GTL_ERROR_QUERY,
    GTL_ERROR_WRITE, GTL_OK,
};
use crate::session::Session;

/// What a `GTLogHdl` points to.
pub struct GTLog {
    busy: Cell<bool>,
    session: UnsafeCell<Session>,
    error: RefCell<CString>,
}

/// Why a call failed. Boxed, so that the outcome of a call that did not fail is one register.
#[derive(Clone, Debug)]
pub(crate) struct Fault(Box<Reason>);

#[derive(Clone, Debug)]
struct Reason {
    code: c_int,
    /// Nothing where the text of an earlier error is to stay.
    text: Option<String>,
}

impl Fault {
    pub(crate) fn argument(text: impl Into<String>) -> Self {
        Self::new(GTL_ERROR_ARGUMENT, Some(text.into()))
    }

    pub(crate) fn order(text: impl Into<String>) -> Self {
        Self::new(GTL_ERROR_ORDER, Some(text.into()))
    }

    pub(crate) fn write(text: impl Into<String>) -> Self {
        Self::new(GTL_ERROR_WRITE, Some(text.into()))
    }

    pub(crate) fn limit(text: impl Into<String>) -> Self {
        Self::new(GTL_ERROR_LIMIT, Some(text.into()))
    }

    pub(crate) fn query(text: impl Into<String>) -> Self {
        Self::new(GTL_ERROR_QUERY, Some(text.into()))
    }

    /// An error that was reported before has turned logging off: its text stays.
    pub(crate) fn still_off() -> Self {
        Self::new(GTL_ERROR_WRITE, None)
    }

    /// Of ending something before the next begins, only what is news matters.
    pub(crate) fn unless_reported(self) -> Result<(), Self> {
        if self.0.text.is_some() { Err(self) } else { Ok(()) }
    }

    /// Of what a call came to in the log and in the queries: the log's error, unless that is no news.
    pub(crate) fn first(logged: Result<(), Self>, watched: Result<(), Self>) -> Result<(), Self> {
        match (logged, watched) {
            (Err(fault), Err(news)) if fault.0.text.is_none() => Err(news),
            (logged, watched) => logged.and(watched),
        }
    }

    fn new(code: c_int, text: Option<String>) -> Self {
        Self(Box::new(Reason { code, text }))
    }
}

impl From<Error> for Fault {
    fn from(error: Error) -> Self {
        let code = match &error {
            Error::Io(_) | Error::Closed => GTL_ERROR_WRITE,
            Error::LeaveWithoutEnter { .. }
            | Error::StillOpen { .. }
            | Error::SecondRoot { .. }
            | Error::NoNodes { .. } => GTL_ERROR_ORDER,
            Error::TooDeep | Error::TooManyNodes => GTL_ERROR_LIMIT,
            Error::WrongRecord { .. } | Error::Schema(_) => GTL_ERROR_ARGUMENT,
            _ => GTL_ERROR_INTERNAL,
        };
        Self::new(code, Some(error.to_string()))
    }
}

impl GTLog {
    pub(crate) fn new(session: Session) -> Self {
        Self { busy: Cell::new(false), session: UnsafeCell::new(session), error: RefCell::default() }
    }

    #[inline(always)]
    fn call(&self, work: impl FnOnce(&mut Session) -> Result<(), Fault>) -> c_int {
        if self.busy.replace(true) {
            return self.refuse_nested_call();
        }
        // SAFETY: `busy` was not set, so no other call holds the session.
        let session = unsafe { &mut *self.session.get() };
        let outcome = catch_unwind(AssertUnwindSafe(|| work(session)));
        self.busy.set(false);
        match outcome {
            Ok(Ok(())) => GTL_OK,
            Ok(Err(fault)) => self.keep(fault),
            Err(panic) => self.give_up(panic),
        }
    }

    #[cold]
    fn refuse_nested_call(&self) -> c_int {
        self.keep(Fault::order(
            "a callback called its own handle; it may look at the engine, but not log or ask",
        ))
    }

    #[cold]
    fn keep(&self, fault: Fault) -> c_int {
        let Reason { code, text } = *fault.0;
        if let Some(text) = text
            && let Ok(mut error) = self.error.try_borrow_mut()
        {
            *error = c_text(&text);
        }
        code
    }

    /// After a panic the writers may be in any state: they are left alone for good.
    #[cold]
    fn give_up(&self, panic: Box<dyn Any + Send>) -> c_int {
        let text = panic_text(&*panic);
        std::mem::forget(panic);
        // SAFETY: the call that panicked is over, and no other has begun.
        unsafe { &mut *self.session.get() }.give_up();
        self.keep(Fault::new(GTL_ERROR_INTERNAL, Some(text)))
    }
}

/// Runs a call on a handle.
///
/// # Safety
/// The handle is NULL, or came from `gtl_create`, was not deleted, and is used by no other thread now.
#[inline(always)]
pub(crate) unsafe fn on(handle: *mut GTLog, work: impl FnOnce(&mut Session) -> Result<(), Fault>) -> c_int {
    // SAFETY: NULL or a live handle, by the caller's word.
    match unsafe { handle.as_ref() } {
        None => GTL_ERROR_ARGUMENT,
        Some(handle) => handle.call(work),
    }
}

/// Makes a handle, or NULL with the reason kept for this thread.
pub(crate) fn create(make: impl FnOnce() -> Result<Session, Fault>) -> *mut GTLog {
    let (handle, text) = match catch_unwind(AssertUnwindSafe(make)) {
        Ok(Ok(session)) => (Box::into_raw(Box::new(GTLog::new(session))), String::new()),
        Ok(Err(fault)) => (std::ptr::null_mut(), fault.0.text.unwrap_or_default()),
        Err(panic) => (std::ptr::null_mut(), panic_text(&*panic)),
    };
    keep_for_thread(c_text(&text));
    handle
}

/// Closes what the handle writes, and frees it. What goes wrong is kept for this thread.
///
/// # Safety
/// As for [`on`]; the handle is gone afterwards.
pub(crate) unsafe fn delete(handle: *mut GTLog) -> c_int {
    // SAFETY: by the caller's word.
    let code = unsafe { on(handle, Session::close) };
    if handle.is_null() {
        return code;
    }
    // SAFETY: by the caller's word.
    if unsafe { &*handle }.busy.get() {
        // Called from a callback: the call that is under way still needs it.
        return code;
    }
    // SAFETY: it was made by `Box::into_raw`, and nobody uses it again.
    let handle = unsafe { Box::from_raw(handle) };
    if code != GTL_OK {
        keep_for_thread(handle.error.take());
    }
    // Nothing is open any more, so nothing is left that could panic; still, no panic may leave.
    let _ = catch_unwind(AssertUnwindSafe(move || drop(handle)));
    code
}

/// The text of the last error, of the handle or, for NULL, of this thread's creations and deletions.
///
/// # Safety
/// As for [`on`].
pub(crate) unsafe fn last_error(handle: *const GTLog) -> *const c_char {
    // SAFETY: NULL or a live handle, by the caller's word.
    match unsafe { handle.as_ref() } {
        Some(handle) => handle.error.try_borrow().map_or(c"".as_ptr(), |error| error.as_ptr()),
        None => THREAD_ERROR.try_with(|error| error.borrow().as_ptr()).unwrap_or(c"".as_ptr()),
    }
}

thread_local! {
    static THREAD_ERROR: RefCell<CString> = RefCell::default();
}

fn keep_for_thread(text: CString) {
    // A thread that is ending has no place for it any more.
    let _ = THREAD_ERROR.try_with(|error| error.replace(text));
}

fn c_text(text: &str) -> CString {
    CString::new(text.replace('\0', "\u{fffd}")).unwrap_or_default()
}

fn panic_text(panic: &(dyn Any + Send)) -> String {
    let what = panic
        .downcast_ref::<&str>()
        .copied()
        .or_else(|| panic.downcast_ref::<String>().map(String::as_str))
        .unwrap_or("of an unknown kind");
    format!("a fault of the logging library turned logging off ({what}); please report it")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::abi::GTL_ERROR_INTERNAL;
    use crate::plan::Plan;
    use std::ffi::CStr;

    fn error_of(log: &GTLog) -> String {
        // SAFETY: a live handle and a text it owns.
        unsafe { CStr::from_ptr(last_error(log)) }.to_string_lossy().into_owned()
    }

    #[test]
    fn a_panic_ends_here_and_turns_logging_off() {
        let log = GTLog::new(Session::new(gt_log::Header::default(), Plan::new(0, &[])));
        assert_eq!(log.call(|_| panic!("made for the test")), GTL_ERROR_INTERNAL);
        assert!(error_of(&log).contains("made for the test"), "{}", error_of(&log));
        assert_eq!(log.call(|session| session.enter(0)), GTL_ERROR_WRITE);
        assert!(error_of(&log).contains("made for the test"), "the reason stays: {}", error_of(&log));
    }

    #[test]
    fn a_call_within_a_call_is_refused() {
        let log = GTLog::new(Session::new(gt_log::Header::default(), Plan::new(0, &[])));
        let outer = log.call(|_| {
            assert_eq!(log.call(|_| Ok(())), GTL_ERROR_ORDER);
            Ok(())
        });
        assert_eq!(outer, GTL_OK);
    }
}
