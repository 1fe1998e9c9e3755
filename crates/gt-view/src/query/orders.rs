//! The orders of a result that are known, and the threads that find out others.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::watch;

use crate::error::{Answer, Kind, Refusal};

/// By what, and which way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Sort {
    pub(crate) column: String,
    pub(crate) descending: bool,
}

/// The orders of a run that were asked for last.
#[derive(Default)]
pub(crate) struct Orders {
    known: Mutex<Vec<Known>>,
    /// Told when an order is there.
    changed: watch::Sender<()>,
}

struct Known {
    result: usize,
    sort: Sort,
    /// Nothing while the query runs.
    ids: Option<Answer<Arc<Vec<u64>>>>,
}

/// The maximum number of orders that are kept for a run.
const KNOWN_MAX: usize = 2;

impl Orders {
    pub(super) fn bytes(&self) -> usize {
        let known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let ids = known.iter().filter_map(|known| known.ids.as_ref().and_then(|ids| ids.as_ref().ok()));
        ids.map(|ids| 8 * ids.len()).sum()
    }

    /// Something that changes when an order is there.
    pub(crate) fn changes(&self) -> watch::Receiver<()> {
        self.changed.subscribe()
    }

    /// The nodes of a result in an order; nothing while a thread finds that out with `make`.
    pub(super) fn nodes(
        self: &Arc<Self>,
        result: usize,
        sort: &Sort,
        make: impl FnOnce() -> Answer<Vec<u64>> + Send + 'static,
    ) -> Answer<Option<Arc<Vec<u64>>>> {
        let is_asked = |known: &Known| known.result == result && known.sort == *sort;
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if !known.iter().any(is_asked) {
            if known.len() >= KNOWN_MAX {
                let oldest = known.iter().position(|known| known.ids.is_some());
                let Some(oldest) = oldest else {
                    return Err(Refusal::new(
                        Kind::Conflict,
                        "two orders of this result are being made already",
                    ));
                };
                known.remove(oldest);
            }
            known.push(Known { result, sort: sort.clone(), ids: None });
            let (orders, sort) = (Arc::clone(self), sort.clone());
            let spawned = std::thread::Builder::new().name("order".to_owned()).spawn(move || {
                let ids = catch_unwind(AssertUnwindSafe(make));
                let failed =
                    |_| Err(Refusal::new(Kind::Log, "the viewer failed to answer this; please report it"));
                orders.found(result, &sort, ids.unwrap_or_else(failed).map(Arc::new));
            });
            if let Err(error) = spawned {
                known.retain(|known| !is_asked(known));
                return Err(Refusal::new(
                    Kind::Conflict,
                    format!("the order's thread cannot be started: {error}"),
                ));
            }
        }
        match known.iter().find(|known| is_asked(known)).and_then(|known| known.ids.clone()) {
            Some(ids) => ids.map(Some),
            None => Ok(None),
        }
    }

    fn found(&self, result: usize, sort: &Sort, ids: Answer<Arc<Vec<u64>>>) {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = known.iter_mut().find(|known| known.result == result && known.sort == *sort) {
            known.ids = Some(ids);
        }
        drop(known);
        self.changed.send_replace(());
    }
}
