//! The texts of errors, as C reads them, and the last one of each thread.

use std::any::Any;
use std::cell::RefCell;
use std::ffi::{CString, c_char};

thread_local! {
    static THREAD_ERROR: RefCell<CString> = RefCell::default();
}

/// The error of this thread's last creation or deletion.
pub(crate) fn thread_error() -> *const c_char {
    THREAD_ERROR.try_with(|error| error.borrow().as_ptr()).unwrap_or(c"".as_ptr())
}

pub(crate) fn keep_for_thread(text: CString) {
    // A thread that is ending can no longer store it.
    let _ = THREAD_ERROR.try_with(|error| error.replace(text));
}

pub(crate) fn c_text(text: &str) -> CString {
    CString::new(text.replace('\0', "\u{fffd}")).unwrap_or_default()
}

pub(crate) fn panic_text(panic: &(dyn Any + Send)) -> String {
    let what = panic
        .downcast_ref::<&str>()
        .copied()
        .or_else(|| panic.downcast_ref::<String>().map(String::as_str))
        .unwrap_or("of an unknown kind");
    format!("a fault of the logging library turned logging off ({what}); please report it")
}
