//! A watch over a run's memory: a `group by` with a group for every node must not take the machine down.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use super::runs::Run;

/// What the process may grow by while a query runs.
const GROWTH_BYTES_MAX: u64 = 1 << 30;
const LOOK_EVERY: Duration = Duration::from_millis(100);

/// Cancels a run when the process has grown too far.
pub(super) struct Watch(Arc<AtomicBool>);

impl Watch {
    pub(super) fn start(run: Arc<Run>) -> Self {
        let too_large = Arc::new(AtomicBool::new(false));
        let told = Arc::clone(&too_large);
        // Where this cannot be known, nothing is watched.
        if let Some(before) = resident_bytes() {
            let _ = std::thread::Builder::new().name("watch".to_owned()).spawn(move || {
                while run.is_under_way() {
                    std::thread::sleep(LOOK_EVERY);
                    if resident_bytes().unwrap_or(0) > before + GROWTH_BYTES_MAX {
                        told.store(true, Ordering::Relaxed);
                        run.stop();
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
