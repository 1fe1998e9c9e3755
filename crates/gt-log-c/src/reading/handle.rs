//! The handle type of readers and answers: a lockable value that can be emptied, with its last error.

use std::collections::HashSet;
use std::ffi::{CString, c_char, c_int};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::abi::{GTL_ERROR_ARGUMENT, GTL_ERROR_ORDER, GTL_OK};
use crate::boundary::{Fault, c_text, keep_for_thread, panic_text};

/// A value that C holds a pointer to.
pub struct Kept<T>(Mutex<Inside<T>>);

struct Inside<T> {
    /// `None` once closed.
    what: Option<T>,
    error: CString,
}

impl<T> Kept<T> {
    /// Makes a value, or returns NULL with the reason stored for this thread.
    pub(crate) fn make(make: impl FnOnce() -> Result<T, Fault>) -> *mut Self {
        let (made, text) = match catch_unwind(AssertUnwindSafe(make)) {
            Ok(Ok(what)) => (Some(what), String::new()),
            Ok(Err(fault)) => (None, fault.into_parts().1.unwrap_or_default()),
            Err(panic) => (None, panic_text(&*panic)),
        };
        keep_for_thread(c_text(&text));
        let Some(what) = made else { return std::ptr::null_mut() };
        let inside = Inside { what: Some(what), error: CString::default() };
        // The value is never freed, so pointers to it stay valid.
        Box::into_raw(Box::new(Self(Mutex::new(inside))))
    }

    /// Runs a call, and returns its code.
    ///
    /// # Safety
    /// The pointer is NULL, or came from [`Kept::make`].
    pub(crate) unsafe fn call(
        this: *const Self,
        closed: &str,
        work: impl FnOnce(&mut T) -> Result<(), Fault>,
    ) -> c_int {
        // SAFETY: the pointer is NULL or came from `make` (caller), whose values are never freed.
        let Some(this) = (unsafe { this.as_ref() }) else { return GTL_ERROR_ARGUMENT };
        let mut inside = this.lock();
        let Some(what) = &mut inside.what else {
            inside.error = c_text(closed);
            return GTL_ERROR_ORDER;
        };
        let fault = match catch_unwind(AssertUnwindSafe(|| work(what))) {
            Ok(Ok(())) => return GTL_OK,
            Ok(Err(fault)) => fault,
            Err(panic) => Fault::internal(panic_text(&*panic)),
        };
        let (code, text) = fault.into_parts();
        inside.error = c_text(&text.unwrap_or_default());
        code
    }

    /// Runs a call that returns a number, or a negative code.
    ///
    /// # Safety
    /// As for [`Kept::call`].
    pub(crate) unsafe fn number(
        this: *const Self,
        closed: &str,
        work: impl FnOnce(&mut T) -> Result<u64, Fault>,
    ) -> i64 {
        let mut number = 0;
        // SAFETY: the pointer is NULL or came from `make` (caller).
        let code = unsafe {
            Self::call(this, closed, |what| {
                number = work(what)?;
                Ok(())
            })
        };
        if code == GTL_OK { i64::try_from(number).unwrap_or(i64::MAX) } else { code.into() }
    }

    /// Runs a call that returns a text, or NULL.
    ///
    /// # Safety
    /// As for [`Kept::call`].
    pub(crate) unsafe fn text(
        this: *const Self,
        closed: &str,
        work: impl FnOnce(&mut T) -> Result<Option<*const c_char>, Fault>,
    ) -> *const c_char {
        let mut text = None;
        // SAFETY: the pointer is NULL or came from `make` (caller).
        unsafe {
            Self::call(this, closed, |what| {
                text = work(what)?;
                Ok(())
            });
        }
        text.unwrap_or(std::ptr::null())
    }

    /// Drops the value; a second call is refused.
    ///
    /// # Safety
    /// As for [`Kept::call`].
    pub(crate) unsafe fn close(this: *const Self, closed: &str) -> c_int {
        // SAFETY: the pointer is NULL or came from `make` (caller), whose values are never freed.
        let Some(this) = (unsafe { this.as_ref() }) else { return GTL_ERROR_ARGUMENT };
        let mut inside = this.lock();
        if inside.what.take().is_none() {
            inside.error = c_text(closed);
            return GTL_ERROR_ORDER;
        }
        GTL_OK
    }

    /// The last error; the text is valid until the next call.
    ///
    /// # Safety
    /// As for [`Kept::call`], and the pointer is not NULL.
    pub(crate) unsafe fn error(this: *const Self) -> *const c_char {
        // SAFETY: the pointer is not NULL and came from `make` (caller), whose values are never freed.
        unsafe { &*this }.lock().error.as_ptr()
    }

    fn lock(&self) -> MutexGuard<'_, Inside<T>> {
        // A call that panicked has left an error, and its data is only read.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The texts that were passed to C: each is stored once, at a fixed address.
#[derive(Default)]
pub(crate) struct Texts(HashSet<CString>);

impl Texts {
    pub(crate) fn keep(&mut self, text: &str) -> *const c_char {
        let text = c_text(text);
        if !self.0.contains(&text) {
            self.0.insert(text.clone());
        }
        // A `CString` stores its bytes on the heap, so they stay in place when the set grows.
        self.0.get(&text).map_or(std::ptr::null(), |text| text.as_ptr())
    }
}
