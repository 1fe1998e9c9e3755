//! Ctrl-C, and the other ways to ask a program to end (SIGTERM, SIGHUP).
//!
//! ```text
//! signal ──▶ the thread of `watch` ──▶ what the running command wants (`react`), or else:
//!                                      remove the files under construction, then die of the signal
//! ```
//!
//! A command that can stop in order sets a [`Reaction`]; a second signal always ends the program at once. SIGHUP stays
//! ignored where the caller ignores it (`nohup`). SIGXFSZ, which would kill a program at its limit of file size, is never
//! delivered, so that such a write fails like one on a full disk.

#[cfg(not(unix))]
mod elsewhere;
#[cfg(unix)]
mod unix;

use std::sync::atomic::{AtomicU8, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use gt_log::NewFile;

#[cfg(not(unix))]
pub(crate) use elsewhere::{deliverable, watch};
#[cfg(unix)]
pub(crate) use unix::{deliverable, watch};

/// Why the program is asked to end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Wish {
    /// Ctrl-C.
    Interrupt,
    /// The terminal is gone.
    #[cfg_attr(not(unix), allow(dead_code))]
    HangUp,
    /// The system, or somebody with `kill`, wants the program to end.
    #[cfg_attr(not(unix), allow(dead_code))]
    Terminate,
}

impl Wish {
    /// The exit code of a program that ended in order because of it: as a shell would name the signal.
    fn exit_code(self) -> u8 {
        match self {
            Self::HangUp => 129,
            Self::Interrupt => 130,
            Self::Terminate => 143,
        }
    }
}

/// Whether the program goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Then {
    /// The command ends by itself, soon.
    GoOn,
    /// It ends now.
    End,
}

type Reaction = Box<dyn FnMut(Wish) -> Then + Send>;

static REACTION: Mutex<Option<Reaction>> = Mutex::new(None);

fn reaction() -> MutexGuard<'static, Option<Reaction>> {
    REACTION.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Says what becomes of a signal while the guard lives.
pub(crate) fn react(to: impl FnMut(Wish) -> Then + Send + 'static) -> Reacting {
    *reaction() = Some(Box::new(to));
    Reacting(())
}

/// While it lives, signals are the command's business.
pub(crate) struct Reacting(());

impl Drop for Reacting {
    fn drop(&mut self) {
        *reaction() = None;
    }
}

/// Raised by the first signal; the second ends the program.
#[derive(Clone, Default)]
pub(crate) struct Stop {
    flag: Arc<std::sync::atomic::AtomicBool>,
    exit_code: Arc<AtomicU8>,
}

impl Stop {
    /// A flag that signals raise while the guard lives.
    pub(crate) fn at_signal() -> (Self, Reacting) {
        let stop = Self::default();
        let raised = stop.clone();
        let reacting = react(move |wish| {
            raised.exit_code.store(wish.exit_code(), Ordering::Relaxed);
            if raised.flag.swap(true, Ordering::Relaxed) { Then::End } else { Then::GoOn }
        });
        (stop, reacting)
    }

    /// The flag itself, for a search to look at.
    pub(crate) fn flag(&self) -> Arc<std::sync::atomic::AtomicBool> {
        self.flag.clone()
    }

    /// The exit code, where a signal came.
    pub(crate) fn exit_code(&self) -> Option<u8> {
        self.flag.load(Ordering::Relaxed).then(|| self.exit_code.load(Ordering::Relaxed))
    }
}

/// What a signal does: the program goes on, or ends without a rest of what it was writing.
fn handle(wish: Wish, die: impl FnOnce()) {
    let then = reaction().as_mut().map_or(Then::End, |react| react(wish));
    if then == Then::End {
        NewFile::remove_all_drafts();
        die();
    }
}
