//! Long work: without the interpreter's lock, in a thread of its own, ended by Ctrl-C.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

use pyo3::prelude::*;

use crate::error::GtError;

/// How often the interpreter is asked whether somebody pressed Ctrl-C.
const LOOK_EVERY: Duration = Duration::from_millis(50);

/// Does `work`, which is to end soon after the flag is set. Ctrl-C sets it, and is what this then raises.
pub(crate) fn interruptible<T: Send>(
    py: Python<'_>,
    work: impl FnOnce(&AtomicBool) -> T + Send,
) -> PyResult<T> {
    let cancel = AtomicBool::new(false);
    py.detach(|| {
        std::thread::scope(|scope| {
            let (sender, receiver) = channel();
            let cancel = &cancel;
            scope.spawn(move || {
                // The receiver lives until the thread has ended.
                let _ = sender.send(catch_unwind(AssertUnwindSafe(|| work(cancel))));
            });
            loop {
                match receiver.recv_timeout(LOOK_EVERY) {
                    Ok(done) => return done.map_err(|panic| panicked(&*panic)),
                    Err(RecvTimeoutError::Disconnected) => return Err(panicked(&"the thread ended")),
                    Err(RecvTimeoutError::Timeout) => {
                        if let Err(interrupt) = Python::attach(|py| py.check_signals()) {
                            cancel.store(true, Ordering::Relaxed);
                            let _ = receiver.recv();
                            return Err(interrupt);
                        }
                    }
                }
            }
        })
    })
}

/// Does `work` at once; a panic in it is an exception.
pub(crate) fn guarded<T>(work: impl FnOnce() -> PyResult<T>) -> PyResult<T> {
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|panic| Err(panicked(&*panic)))
}

fn panicked(panic: &(dyn Any + Send)) -> PyErr {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    let text = text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_default();
    GtError::new_err(format!("this is a mistake of GT-Tools, please report it: {text}"))
}
