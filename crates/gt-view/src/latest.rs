//! The last few of something that takes a while to make.

use std::sync::{Arc, Mutex, PoisonError};

/// What was made last, the oldest first.
pub(crate) struct Latest<K, V> {
    count_max: usize,
    kept: Mutex<Vec<(K, Arc<V>)>>,
}

impl<K: PartialEq, V> Latest<K, V> {
    pub(crate) fn new(count_max: usize) -> Self {
        Self { count_max, kept: Mutex::new(Vec::new()) }
    }

    /// How many are kept.
    #[cfg(test)]
    pub(crate) fn count(&self) -> usize {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner).len()
    }

    pub(crate) fn find(&self, key: &K) -> Option<Arc<V>> {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let place = kept.iter().position(|(known, _)| known == key)?;
        let found = kept.remove(place);
        let value = Arc::clone(&found.1);
        kept.push(found);
        Some(value)
    }

    pub(crate) fn keep(&self, key: K, value: &Arc<V>) {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.len() >= self.count_max {
            kept.remove(0);
        }
        kept.push((key, Arc::clone(value)));
    }
}
