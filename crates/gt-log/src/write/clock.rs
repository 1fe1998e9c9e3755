//! Tells at every node whether it is time to flush, without asking the system each time.

use std::time::{Duration, Instant};

/// A clock that asks the system so rarely that asking costs nothing, and so often that it is never late by more than a fraction of the
/// interval.
#[repr(C)]
pub(crate) struct FlushClock {
    /// Events until the clock is asked again.
    countdown: u32,
    stride: u32,
    interval: Option<Duration>,
    due: Instant,
    asked: Instant,
}

const STRIDE_MAX: u32 = 4096;

impl FlushClock {
    pub(crate) fn new(time_ms_max: Option<u64>) -> Self {
        let now = Instant::now();
        let interval = time_ms_max.map(Duration::from_millis);
        Self { interval, due: now + interval.unwrap_or_default(), asked: now, countdown: 1, stride: 1 }
    }

    /// Whether it is time to flush. Call this at every event.
    #[inline(always)]
    pub(crate) fn is_due(&mut self) -> bool {
        self.countdown -= 1;
        self.countdown == 0 && self.ask()
    }

    /// Counts an event for which the system's clock need not be asked; `false` if it must be asked.
    #[inline(always)]
    pub(crate) fn is_counted(&mut self) -> bool {
        if self.countdown <= 1 {
            return false;
        }
        self.countdown -= 1;
        true
    }

    /// Starts the next interval.
    pub(crate) fn restart(&mut self) {
        if let Some(interval) = self.interval {
            self.due = Instant::now() + interval;
        }
    }

    #[cold]
    fn ask(&mut self) -> bool {
        let Some(interval) = self.interval else {
            self.countdown = u32::MAX;
            return false;
        };
        let now = Instant::now();
        let elapsed = now - self.asked;
        self.asked = now;
        if elapsed * 64 < interval {
            self.stride = (self.stride * 2).min(STRIDE_MAX);
        } else if elapsed * 16 > interval {
            self.stride = (self.stride / 4).max(1);
        }
        self.countdown = self.stride;
        now >= self.due
    }
}
