//! A watch over a run's memory: a `group by` with a group for every node must not take the machine down.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// What the process may grow by while a query runs.
const GROWTH_BYTES_MAX: u64 = 1 << 30;
const LOOK_EVERY: Duration = Duration::from_millis(100);

/// Stops a query when the process has grown too far.
pub(super) struct Watch(Arc<AtomicBool>);

impl Watch {
    /// Watches as long as the query is under way.
    pub(super) fn start(
        is_under_way: impl Fn() -> bool + Send + 'static,
        stop: impl Fn() + Send + 'static,
    ) -> Self {
        let too_large = Arc::new(AtomicBool::new(false));
        let told = Arc::clone(&too_large);
        // Where this cannot be known, nothing is watched.
        if let Some(before) = resident_bytes() {
            let _ = std::thread::Builder::new().name("watch".to_owned()).spawn(move || {
                while is_under_way() {
                    std::thread::sleep(LOOK_EVERY);
                    if resident_bytes().unwrap_or(0) > before + GROWTH_BYTES_MAX {
                        told.store(true, Ordering::Relaxed);
                        stop();
                    }
                }
            });
        }
        Self(too_large)
    }

    pub(super) fn was_too_large(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

pub(super) fn too_large_sentence() -> String {
    format!(
        "the query was stopped: its result took more than {} MB; group by something with fewer values, or use `gt query`",
        GROWTH_BYTES_MAX >> 20
    )
}

/// What the process holds in memory, where the system tells.
fn resident_bytes() -> Option<u64> {
    const PAGE_BYTES: u64 = 4096;
    let text = std::fs::read_to_string("/proc/self/statm").ok()?;
    let pages: u64 = text.split_whitespace().nth(1)?.parse().ok()?;
    Some(pages * PAGE_BYTES)
}
