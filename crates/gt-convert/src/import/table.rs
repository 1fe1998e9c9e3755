//! A file as a table: named columns, and rows a chunk at a time, as often as needed.

use std::sync::Arc;

use gt_log::Kind;

use crate::description::Description;
use crate::{Result, RowPlace};

/// The number of rows read at a time.
pub(super) const CHUNK_ROWS: usize = 8192;
/// The number of bytes of text at which a chunk is passed on before it is full.
pub(super) const CHUNK_BYTES: usize = 1 << 23;

/// Rows, by column.
#[derive(Clone, Debug, Default)]
pub(super) struct Chunk {
    /// The place of each row in the file.
    pub(super) places: Vec<RowPlace>,
    /// The cells of each column of the table; none for a column that was not requested.
    pub(super) columns: Vec<Cells>,
}

/// The cells of a column.
#[derive(Clone, Debug, Default)]
pub(super) struct Cells {
    /// Whole numbers themselves, the bits of floats, or the index of a text in `texts`.
    pub(super) integers: Vec<i64>,
    pub(super) texts: Vec<Arc<str>>,
    /// Whether each value is missing; empty if none is.
    pub(super) missing: Vec<bool>,
}

impl Cells {
    pub(super) fn push(&mut self, integer: i64) {
        self.integers.push(integer);
        if !self.missing.is_empty() {
            self.missing.push(false);
        }
    }

    pub(super) fn push_text(&mut self, text: &str) {
        self.push(self.texts.len() as i64);
        self.texts.push(text.into());
    }

    /// Appends a missing value: the integer is meaningless.
    pub(super) fn push_missing(&mut self) {
        self.missing.resize(self.integers.len(), false);
        self.missing.push(true);
        self.integers.push(0);
    }

    pub(super) fn is_missing(&self, row: usize) -> bool {
        self.missing.get(row).copied().unwrap_or(false)
    }
}

impl Chunk {
    pub(super) fn new(columns: usize) -> Self {
        Self { places: Vec::new(), columns: vec![Cells::default(); columns] }
    }

    pub(super) fn clear(&mut self) {
        self.places.clear();
        for cells in &mut self.columns {
            cells.integers.clear();
            cells.texts.clear();
            cells.missing.clear();
        }
    }
}

/// Called with the progress of reading, in units of the format.
pub(super) type Step<'a> = &'a mut dyn FnMut(u64, u64) -> Result<()>;
/// Processes a chunk, and returns whether to continue.
pub(super) type Visit<'a> = &'a mut dyn FnMut(&Chunk) -> Result<bool>;

pub(super) trait Table {
    /// The columns' names.
    fn names(&self) -> &[String];

    fn description(&self) -> Option<&Description>;

    /// The types of these columns, declared or inferred from all values.
    fn kinds(&mut self, columns: &[usize], step: Step<'_>) -> Result<Vec<Kind>>;

    /// Visits all rows in the file's order, with the columns for which a type is wanted.
    fn read(&mut self, wanted: &[Option<Kind>], step: Step<'_>, visit: Visit<'_>) -> Result<()>;
}
