//! A file as a table: named columns, and rows a chunk at a time, as often as they are needed.

use std::sync::Arc;

use gt_log::Kind;

use crate::description::Description;
use crate::{Result, RowPlace};

/// How many rows are read at a time.
pub(super) const CHUNK_ROWS: usize = 8192;
/// A chunk is handed on before it is full when its rows have so many bytes of text.
pub(super) const CHUNK_BYTES: usize = 1 << 23;

/// Rows, by column.
#[derive(Clone, Debug, Default)]
pub(super) struct Chunk {
    /// Where each row is in the file.
    pub(super) places: Vec<RowPlace>,
    /// For each column of the table; a column that was not asked for has no cells.
    pub(super) columns: Vec<Cells>,
}

/// The cells of a column.
#[derive(Clone, Debug, Default)]
pub(super) struct Cells {
    /// Whole numbers themselves, floats by their bits, a text by its place in `texts`.
    pub(super) integers: Vec<i64>,
    pub(super) texts: Vec<Arc<str>>,
    /// Whether there is no value; empty when all have one.
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

    /// No value: the integer means nothing.
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

/// How far a reading has come, in units of the format's own.
pub(super) type Step<'a> = &'a mut dyn FnMut(u64, u64) -> Result<()>;
/// What is done with a chunk; whether to go on.
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
