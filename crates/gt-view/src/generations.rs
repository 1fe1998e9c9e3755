//! A cache that forgets: what was not used for a while goes.
//!
//! ```text
//!   young  ──full──▶  old  ──the next time──▶  forgotten
//!     ▲                │
//!     └──── used ──────┘
//! ```
//!
//! **Invariant:** what is kept never weighs more than the budget and one entry.

use std::collections::HashMap;
use std::hash::Hash;

/// Entries with weights, within a budget.
#[derive(Debug)]
pub(crate) struct Generations<K, V> {
    weight_max: usize,
    young: HashMap<K, (V, usize)>,
    young_weight: usize,
    old: HashMap<K, (V, usize)>,
}

impl<K: Eq + Hash, V: Clone> Generations<K, V> {
    pub(crate) fn new(weight_max: usize) -> Self {
        Self { weight_max, young: HashMap::new(), young_weight: 0, old: HashMap::new() }
    }

    pub(crate) fn get(&mut self, key: K) -> Option<V> {
        if let Some((value, _)) = self.young.get(&key) {
            return Some(value.clone());
        }
        let (value, weight) = self.old.remove(&key)?;
        self.insert(key, value.clone(), weight);
        Some(value)
    }

    pub(crate) fn insert(&mut self, key: K, value: V, weight: usize) {
        if self.young_weight + weight > self.weight_max / 2 {
            self.old = std::mem::take(&mut self.young);
            self.young_weight = 0;
        }
        if self.young.insert(key, (value, weight)).is_none() {
            self.young_weight += weight;
        }
    }

    /// What all entries weigh.
    #[cfg(test)]
    pub(crate) fn weight(&self) -> usize {
        self.young.values().chain(self.old.values()).map(|(_, weight)| weight).sum()
    }
}
