//! Signals of Unix, taken by a thread that waits for them.

use nix::sys::signal::{SigSet, Signal, raise};

use super::{Wish, handle};

/// Takes signals from now on. To be called before there are other threads: they inherit that signals wait here.
pub(crate) fn watch() {
    let mut waited = taken();
    let mut blocked = waited;
    blocked.add(Signal::SIGXFSZ);
    if is_hang_up_ignored() {
        waited.remove(Signal::SIGHUP);
        blocked.remove(Signal::SIGHUP);
    }
    if blocked.thread_block().is_err() {
        return;
    }
    std::thread::spawn(move || {
        while let Ok(signal) = waited.wait() {
            let wish = match signal {
                Signal::SIGHUP => Wish::HangUp,
                Signal::SIGTERM => Wish::Terminate,
                _ => Wish::Interrupt,
            };
            handle(wish, || {
                // Of the signal itself, so that a shell that runs a script knows.
                let _ = deliverable(|| raise(signal));
                std::process::exit(wish.exit_code().into());
            });
        }
    });
}

fn taken() -> SigSet {
    [Signal::SIGINT, Signal::SIGTERM, Signal::SIGHUP].into_iter().collect()
}

/// Starts something that must not inherit that signals wait here: not every program begins by unblocking them.
pub(crate) fn deliverable<T>(start: impl FnOnce() -> T) -> T {
    let before = SigSet::thread_get_mask();
    let mut all = taken();
    all.add(Signal::SIGXFSZ);
    let _ = all.thread_unblock();
    let started = start();
    if let Ok(before) = before {
        let _ = before.thread_set_mask();
    }
    started
}

/// Linux hands a blocked signal to a thread that waits for it even where it is ignored; other systems do not.
fn is_hang_up_ignored() -> bool {
    let Ok(status) = std::fs::read_to_string("/proc/self/status") else { return false };
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    mask.is_some_and(|mask| mask & (1 << (Signal::SIGHUP as u32 - 1)) != 0)
}
