//! Decoded columns of blocks, kept while they are in use, within a budget of bytes.
//!
//! ```text
//!   young  ──full──▶  old  ──the next time──▶  dropped
//!     ▲                │
//!     └──── used ──────┘
//! ```
//!
//! **Invariant:** what is kept never exceeds the budget by more than one block; it does not grow with the tree.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use gt_log::{Column, Decoded, Kind, Lanes, Result, Tree};

/// Which column of which block, of which state of which log.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Place {
    /// The number of the opened log, never used twice.
    pub(crate) opened: u64,
    pub(crate) tree: usize,
    pub(crate) block: usize,
    pub(crate) column: usize,
}

/// A column of a block, decoded; a text's values are places among the texts.
#[derive(Debug)]
pub(crate) struct Run {
    pub(crate) values: Decoded,
    pub(crate) texts: Vec<String>,
}

impl Run {
    fn read(tree: Tree<'_>, block: usize, column: Column) -> Result<Self> {
        let is_text = |attribute: usize| tree.schema().attributes()[attribute].kind == Kind::Text;
        Ok(match column {
            Column::Attribute(attribute) if is_text(attribute) => {
                let (texts, values) = tree.texts(block, attribute)?;
                Self { values, texts }
            }
            _ => Self { values: tree.decode(block, column)?, texts: Vec::new() },
        })
    }

    fn bytes(&self) -> usize {
        const OVERHEAD: usize = 128;
        let lanes = |lanes: &Lanes| lanes.len() * lanes.width();
        let values = match &self.values {
            Decoded::Constant(_) => 0,
            Decoded::Offsets { lanes: offsets, .. } => lanes(offsets),
            Decoded::Dictionary { values, codes } => 8 * values.len() + lanes(codes),
            Decoded::Wide(values) => 8 * values.len(),
        };
        let texts: usize = self.texts.iter().map(|text| size_of::<String>() + text.len()).sum();
        OVERHEAD + values + texts
    }
}

/// The blocks that are kept.
#[derive(Debug)]
pub(crate) struct Blocks {
    bytes_max: usize,
    kept: Mutex<Kept>,
}

#[derive(Debug, Default)]
struct Kept {
    young: HashMap<Place, Arc<Run>>,
    young_bytes: usize,
    old: HashMap<Place, Arc<Run>>,
}

impl Blocks {
    pub(crate) fn new(bytes_max: usize) -> Self {
        Self { bytes_max, kept: Mutex::default() }
    }

    /// A column of a block, from what is kept or from the log.
    pub(crate) fn get(&self, tree: Tree<'_>, place: Place, column: Column) -> Result<Arc<Run>> {
        if let Some(run) = self.find(place) {
            return Ok(run);
        }
        // Decoded outside of the lock: two requests may do the same work, none waits for the other.
        let run = Arc::new(Run::read(tree, place.block, column)?);
        self.keep(place, &run);
        Ok(run)
    }

    /// How many bytes are kept.
    #[cfg(test)]
    pub(crate) fn bytes(&self) -> usize {
        let kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.young.values().chain(kept.old.values()).map(|run| run.bytes()).sum()
    }

    fn find(&self, place: Place) -> Option<Arc<Run>> {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(run) = kept.young.get(&place) {
            return Some(Arc::clone(run));
        }
        let run = kept.old.remove(&place)?;
        kept.insert(place, Arc::clone(&run), self.bytes_max);
        Some(run)
    }

    fn keep(&self, place: Place, run: &Arc<Run>) {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.insert(place, Arc::clone(run), self.bytes_max);
    }
}

impl Kept {
    fn insert(&mut self, place: Place, run: Arc<Run>, bytes_max: usize) {
        let bytes = run.bytes();
        if self.young_bytes + bytes > bytes_max / 2 {
            self.old = std::mem::take(&mut self.young);
            self.young_bytes = 0;
        }
        if self.young.insert(place, run).is_none() {
            self.young_bytes += bytes;
        }
    }
}
