//! What all requests share.

use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::broadcast;

use crate::calls::Subject;
use crate::error::Answer;
use crate::logs::{Logs, Opened};
use crate::picture::{Picture, Wanted, picture};
use crate::query::charts::Made;
use crate::query::runs::Runs;

/// A log has a new state.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Change {
    pub(crate) log: usize,
    pub(crate) generation: u64,
}

pub(crate) struct App {
    pub(crate) logs: Logs,
    pub(crate) changes: broadcast::Sender<Change>,
    pub(crate) runs: Runs,
    pub(crate) charts: Made,
    pictures: Pictures,
}

/// Changes that wait for a slow reader.
const CHANGES_MAX: usize = 64;

impl App {
    pub(crate) fn new(logs: Logs) -> Self {
        Self {
            logs,
            changes: broadcast::channel(CHANGES_MAX).0,
            runs: Runs::default(),
            charts: Made::default(),
            pictures: Pictures::default(),
        }
    }

    /// Ends what runs in the background.
    pub(crate) fn stop(&self) {
        self.runs.cancel_all();
    }

    /// A picture, drawn now or a little while ago.
    pub(crate) fn picture(&self, opened: &Opened, tree: usize, wanted: Wanted) -> Answer<Arc<Picture>> {
        let key = (opened.number, tree, wanted);
        if let Some(drawn) = self.pictures.find(&key) {
            return Ok(drawn);
        }
        let mut subject = Subject::new(&self.logs, opened, tree)?;
        let drawn = Arc::new(picture(&mut subject, &key.2)?);
        self.pictures.keep(key, &drawn);
        Ok(drawn)
    }

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

/// A log's state, a tree, and what is wanted of it.
type Key = (u64, usize, Wanted);

/// The pictures that were drawn last, the oldest first.
#[derive(Default)]
struct Pictures(Mutex<Vec<(Key, Arc<Picture>)>>);

/// So many pictures are kept: a zoom out draws what was there before.
const PICTURES_MAX: usize = 12;

impl Pictures {
    fn find(&self, key: &Key) -> Option<Arc<Picture>> {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let place = kept.iter().position(|(known, _)| known == key)?;
        let found = kept.remove(place);
        let picture = Arc::clone(&found.1);
        kept.push(found);
        Some(picture)
    }

    fn keep(&self, key: Key, picture: &Arc<Picture>) {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.len() >= PICTURES_MAX {
            kept.remove(0);
        }
        kept.push((key, Arc::clone(picture)));
    }
}
