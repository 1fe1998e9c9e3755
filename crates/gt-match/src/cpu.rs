//! Ends a search when its thread has used its CPU time.
//!
//! A thread uses no more CPU time than wall time, so the watch sleeps for the rest of the CPU time, checks, and
//! sleeps again for what is left then: few checks, and none too late.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// The CPU time of one thread.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ThreadClock {
    #[cfg(target_os = "linux")]
    clock: nix::time::ClockId,
}

#[cfg(target_os = "linux")]
impl ThreadClock {
    /// The clock of the calling thread.
    pub(crate) fn mine() -> Option<Self> {
        // Linux numbers the clocks of threads as the complement of the thread's id, followed by "of a thread" and "as
        // scheduled" in the lowest three bits.
        let number = (!nix::unistd::gettid().as_raw() << 3) | 6;
        let clock = Self { clock: nix::time::ClockId::from_raw(number) };
        clock.used().map(|_| clock)
    }

    /// The CPU time that the thread has used.
    pub(crate) fn used(&self) -> Option<Duration> {
        nix::time::clock_gettime(self.clock).ok().map(Duration::from)
    }
}

#[cfg(not(target_os = "linux"))]
impl ThreadClock {
    pub(crate) fn mine() -> Option<Self> {
        None
    }

    pub(crate) fn used(&self) -> Option<Duration> {
        None
    }
}

/// Sets flags when threads have used their time.
pub(crate) struct CpuWatch {
    shared: Arc<Shared>,
}

#[derive(Default)]
struct Shared {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
enum State {
    #[default]
    Idle,
    Watching {
        clock: ThreadClock,
        until: Duration,
        flag: Arc<AtomicBool>,
    },
    Over,
}

impl Shared {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn set(&self, state: State) {
        *self.state() = state;
        self.changed.notify_all();
    }

    fn watch(&self) {
        let mut state = self.state();
        loop {
            let left = match &*state {
                State::Over => return,
                State::Idle => None,
                State::Watching { clock, until, flag } => {
                    let left = until.saturating_sub(clock.used().unwrap_or(*until));
                    if left.is_zero() {
                        flag.store(true, Ordering::Relaxed);
                    }
                    Some(left)
                }
            };
            state = match left {
                Some(left) if !left.is_zero() => {
                    self.changed.wait_timeout(state, left).unwrap_or_else(PoisonError::into_inner).0
                }
                _ => {
                    *state = State::Idle;
                    self.changed.wait(state).unwrap_or_else(PoisonError::into_inner)
                }
            };
        }
    }
}

impl CpuWatch {
    pub(crate) fn start() -> Self {
        let shared = Arc::new(Shared::default());
        let watched = shared.clone();
        std::thread::spawn(move || watched.watch());
        Self { shared }
    }

    /// Sets the flag once the calling thread has used this much more CPU time.
    pub(crate) fn begin(&self, time: Duration, flag: &Arc<AtomicBool>) {
        let Some((clock, used)) = ThreadClock::mine().and_then(|clock| Some((clock, clock.used()?))) else {
            return;
        };
        self.shared.set(State::Watching { clock, until: used + time, flag: flag.clone() });
    }

    /// Stops watching.
    pub(crate) fn end(&self) {
        self.shared.set(State::Idle);
    }
}

impl Drop for CpuWatch {
    fn drop(&mut self) {
        self.shared.set(State::Over);
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn a_flag_is_raised_after_the_cpu_time_and_not_before() {
        let watch = CpuWatch::start();
        let clock = ThreadClock::mine().unwrap();
        for budget in [Duration::from_millis(5), Duration::from_millis(30)] {
            let flag = Arc::new(AtomicBool::new(false));
            let before = clock.used().unwrap();
            watch.begin(budget, &flag);
            // Time spent sleeping does not count.
            std::thread::sleep(budget * 3);
            assert!(!flag.load(Ordering::Relaxed));
            while !flag.load(Ordering::Relaxed) {
                std::hint::spin_loop();
            }
            assert!(clock.used().unwrap() - before >= budget);
            watch.end();
        }
    }
}
