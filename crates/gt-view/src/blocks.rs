//! What is kept of the logs in memory: decoded columns of blocks, and single cells of blocks that are not.
//!
//! A picture of a large tree looks at one node in each of a thousand blocks. The blocks are too many to keep, the cells
//! are not: the same picture in another colour, or after a zoom and back, finds them.
//!
//! **Invariant:** both stay within a budget; neither grows with the tree.

use std::sync::{Arc, Mutex, PoisonError};

use gt_log::{Column, Decoded, Kind, Lanes, Result, Tree};

use crate::generations::Generations;

/// Which column of which block, of which state of which log.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Place {
    /// The number of the opened log, never used twice.
    pub(crate) opened: u64,
    pub(crate) tree: usize,
    pub(crate) block: usize,
    pub(crate) column: usize,
}

/// Which value of which row, likewise.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Cell {
    pub(crate) opened: u64,
    pub(crate) tree: u32,
    pub(crate) column: u32,
    pub(crate) row: u64,
}

/// A column of a block, decoded; a text's values are places among the texts.
#[derive(Debug)]
pub(crate) struct Run {
    pub(crate) values: Decoded,
    pub(crate) texts: Vec<String>,
    /// The rows without a value, 64 a word; nothing where every row has one.
    missing: Option<Vec<u64>>,
}

impl Run {
    fn read(tree: Tree<'_>, block: usize, column: Column) -> Result<Self> {
        let Column::Attribute(attribute) = column else {
            return Ok(Self { values: tree.decode(block, column)?, texts: Vec::new(), missing: None });
        };
        let missing = tree.missing(block, attribute)?;
        let (texts, values) = if tree.schema().attributes()[attribute].kind == Kind::Text {
            tree.texts(block, attribute)?
        } else {
            (Vec::new(), tree.decode(block, column)?)
        };
        Ok(Self { values, texts, missing })
    }

    /// The value at a place of the block, if there is one.
    #[inline]
    pub(crate) fn get(&self, place: usize) -> Option<i64> {
        let is_missing =
            |words: &Vec<u64>| words.get(place / 64).is_some_and(|word| word >> (place % 64) & 1 == 1);
        if self.missing.as_ref().is_some_and(is_missing) {
            return None;
        }
        Some(self.values.get(place))
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
        OVERHEAD + values + texts + self.missing.as_ref().map_or(0, |words| 8 * words.len())
    }
}

/// The maximum number of cells that are kept: a few megabytes.
const CELLS_MAX: usize = 60_000;

/// The blocks and cells that are kept.
#[derive(Debug)]
pub(crate) struct Blocks {
    runs: Mutex<Generations<Place, Arc<Run>>>,
    cells: Mutex<Generations<Cell, Option<i64>>>,
}

impl Blocks {
    /// Keeps so many bytes of decoded blocks.
    pub(crate) fn new(bytes_max: usize) -> Self {
        Self { runs: Mutex::new(Generations::new(bytes_max)), cells: Mutex::new(Generations::new(CELLS_MAX)) }
    }

    /// A column of a block, from what is kept or from the log.
    pub(crate) fn get(&self, tree: Tree<'_>, place: Place, column: Column) -> Result<Arc<Run>> {
        if let Some(run) = self.runs.lock().unwrap_or_else(PoisonError::into_inner).get(place) {
            return Ok(run);
        }
        // Decoded outside of the lock: two requests may do the same work, none waits for the other.
        let run = Arc::new(Run::read(tree, place.block, column)?);
        let mut runs = self.runs.lock().unwrap_or_else(PoisonError::into_inner);
        runs.insert(place, Arc::clone(&run), run.bytes());
        Ok(run)
    }

    /// What a cell holds, if that is kept.
    pub(crate) fn cell(&self, cell: Cell) -> Option<Option<i64>> {
        self.cells.lock().unwrap_or_else(PoisonError::into_inner).get(cell)
    }

    /// Keeps a cell.
    pub(crate) fn keep_cell(&self, cell: Cell, value: Option<i64>) {
        self.cells.lock().unwrap_or_else(PoisonError::into_inner).insert(cell, value, 1);
    }

    /// How many bytes of decoded blocks are kept.
    #[cfg(test)]
    pub(crate) fn bytes(&self) -> usize {
        self.runs.lock().unwrap_or_else(PoisonError::into_inner).weight()
    }
}
