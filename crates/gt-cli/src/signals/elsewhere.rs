//! Ctrl-C on systems other than Unix.

use super::{Wish, handle};

pub(crate) fn watch() {
    // Without it, Ctrl-C ends the program as it would any other.
    let _ = ctrlc::set_handler(|| {
        handle(Wish::Interrupt, || std::process::exit(Wish::Interrupt.exit_code().into()));
    });
}

pub(crate) fn deliverable<T>(start: impl FnOnce() -> T) -> T {
    start()
}
