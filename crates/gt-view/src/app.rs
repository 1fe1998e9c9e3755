//! What all requests share.

use tokio::sync::broadcast;

use crate::logs::Logs;

/// A log has a new state.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Change {
    pub(crate) log: usize,
    pub(crate) generation: u64,
}

pub(crate) struct App {
    pub(crate) logs: Logs,
    pub(crate) changes: broadcast::Sender<Change>,
}

/// Changes that wait for a slow reader.
const CHANGES_MAX: usize = 64;

impl App {
    pub(crate) fn new(logs: Logs) -> Self {
        Self { logs, changes: broadcast::channel(CHANGES_MAX).0 }
    }

    /// Ends what runs in the background.
    pub(crate) fn stop(&self) {}

    /// Opens the logs again whose files have changed, and tells those who listen.
    pub(crate) fn refresh(&self) {
        for (log, shown) in self.logs.shown.iter().enumerate() {
            if let Some(generation) = shown.refresh() {
                // Nobody may listen.
                let _ = self.changes.send(Change { log, generation });
            }
        }
    }
}
