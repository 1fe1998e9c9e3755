//! The time that this thread has spent on a processor: other programs on the machine do not count.

use std::time::{Duration, Instant};

/// What `run` returns, and the processor time it took.
pub(crate) fn processor_time<T>(run: impl FnOnce() -> T) -> (T, Duration) {
    let started = (on_processor(), Instant::now());
    let result = run();
    let elapsed = match (started.0, on_processor()) {
        (Some(before), Some(after)) => after - before,
        _ => started.1.elapsed(),
    };
    (result, elapsed)
}

/// Linux tells it in nanoseconds; elsewhere the clock on the wall must do.
fn on_processor() -> Option<Duration> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    text.split_whitespace().next()?.parse().ok().map(Duration::from_nanos)
}
