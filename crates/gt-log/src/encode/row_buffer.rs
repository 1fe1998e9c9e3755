//! Rows as they come, one after the other.
//!
//! ```text
//! last_move │ size │ ply │ attributes that it lacks, as bits (a word for each 64) │ the record's bytes, padded
//! ```

use std::sync::Arc;

use crate::record::{Row, TextColumn};
use crate::{Kind, Schema};

/// So many rows are handed over at once: few enough to stay in a cache, enough that handing over costs nothing. A multiple of 64.
pub(super) const ROWS_AT_ONCE: usize = 1024;

const LAST_MOVE: usize = 0;
const SIZE: usize = 1;
const PLY: usize = 2;
const MISSING: usize = 3;

/// How the rows of a tree lie in memory, in words of eight bytes.
#[derive(Clone, Debug)]
pub(crate) struct RowLayout {
    kinds: Arc<[Kind]>,
    record_bytes: usize,
    /// Words for the attributes that a row lacks: one at least.
    missing_words: usize,
    /// Words for a row.
    stride: usize,
}

impl RowLayout {
    pub(crate) fn new(schema: &Schema) -> Self {
        let kinds: Arc<[Kind]> = schema.attributes().iter().map(|attribute| attribute.kind).collect();
        let record_bytes: usize = kinds.iter().map(|kind| kind.width()).sum();
        let missing_words = kinds.len().div_ceil(64).max(1);
        Self {
            stride: MISSING + missing_words + record_bytes.div_ceil(8),
            kinds,
            record_bytes,
            missing_words,
        }
    }

    pub(crate) fn kinds(&self) -> &[Kind] {
        &self.kinds
    }

    pub(crate) fn has_texts(&self) -> bool {
        self.kinds.contains(&Kind::Text)
    }

    #[inline(always)]
    pub(crate) fn record_bytes(&self) -> usize {
        self.record_bytes
    }

    #[inline(always)]
    pub(crate) fn missing_words(&self) -> usize {
        self.missing_words
    }

    /// Where the bytes of a record begin in its row.
    pub(crate) fn record_start(&self) -> usize {
        8 * (MISSING + self.missing_words)
    }

    /// The bytes of a row.
    pub(crate) fn stride_bytes(&self) -> usize {
        8 * self.stride
    }

    /// Where an attribute lies in the bytes of a record.
    pub(crate) fn place(&self, attribute: usize) -> std::ops::Range<usize> {
        let offset: usize = self.kinds[..attribute].iter().map(|kind| kind.width()).sum();
        offset..offset + self.kinds[attribute].width()
    }
}

/// Some rows of a block.
#[derive(Default)]
pub(crate) struct RowBuffer {
    /// There is room for more than there are rows, so that a new one clears nothing.
    words: Vec<u64>,
    rows: usize,
}

impl RowBuffer {
    #[inline(always)]
    pub(crate) fn rows(&self) -> usize {
        self.rows
    }

    pub(crate) fn clear(&mut self) {
        self.rows = 0;
    }

    /// Room for the record of the next row; it counts when the row is pushed.
    #[inline(always)]
    pub(crate) fn new_row<'a>(&'a mut self, layout: &RowLayout, texts: &'a mut [TextColumn]) -> Row<'a> {
        let (missing, record) = self.next_record(layout);
        Row::new(record, texts, missing)
    }

    /// The place for the bytes of the next row's record, which lacks nothing; it counts when the row is pushed.
    #[inline(always)]
    pub(crate) fn new_record(&mut self, layout: &RowLayout) -> &mut [u8] {
        let (missing, record) = self.next_record(layout);
        missing[0] = 0;
        if missing.len() > 1 {
            missing.fill(0);
        }
        record
    }

    /// The words and the bytes of the next row's record.
    #[inline(always)]
    fn next_record(&mut self, layout: &RowLayout) -> (&mut [u64], &mut [u8]) {
        let start = self.rows * layout.stride;
        let end = start + layout.stride;
        if end > self.words.len() {
            self.make_room(layout.stride);
        }
        let (missing, record) = self.words[start + MISSING..end].split_at_mut(layout.missing_words);
        let record: &mut [u8] = bytemuck::cast_slice_mut(record);
        (missing, &mut record[..layout.record_bytes])
    }

    /// Little for a small tree, and then enough for all that is handed over at once.
    #[cold]
    fn make_room(&mut self, stride: usize) {
        let words = if self.words.is_empty() { 64 * stride } else { ROWS_AT_ONCE * stride };
        self.words.resize(words.max(2 * self.words.len()), 0);
    }

    /// The attributes that the record put last lacks, and its bytes.
    #[inline(always)]
    pub(crate) fn last_record(&mut self, layout: &RowLayout) -> (&mut [u64], &mut [u8]) {
        let start = self.rows * layout.stride;
        let (missing, record) =
            self.words[start + MISSING..start + layout.stride].split_at_mut(layout.missing_words);
        (missing, bytemuck::cast_slice_mut(record))
    }

    /// Adds the row whose record was put last.
    #[inline(always)]
    pub(crate) fn push(&mut self, layout: &RowLayout, last_move: i64, size: u64, ply: usize) {
        let start = self.rows * layout.stride;
        let head = &mut self.words[start..start + MISSING];
        head[LAST_MOVE] = last_move as u64;
        head[SIZE] = size;
        head[PLY] = ply as u64;
        self.rows += 1;
    }

    /// All rows, as words.
    pub(crate) fn words<'a>(&'a self, layout: &RowLayout) -> &'a [u64] {
        &self.words[..self.rows * layout.stride]
    }
}

/// The words of rows, by what they hold.
#[derive(Clone, Copy)]
pub(crate) struct RowWords<'a> {
    pub(crate) words: &'a [u64],
    stride: usize,
}

impl<'a> RowWords<'a> {
    pub(crate) fn groups(
        buffer: &'a RowBuffer,
        layout: &RowLayout,
        rows: usize,
    ) -> impl Iterator<Item = RowWords<'a>> + use<'a> {
        let stride = layout.stride;
        buffer.words(layout).chunks(rows * stride).map(move |words| RowWords { words, stride })
    }

    pub(crate) fn last_moves(self) -> impl Iterator<Item = i64> + use<'a> {
        self.words.chunks_exact(self.stride).map(|row| row[LAST_MOVE] as i64)
    }

    pub(crate) fn sizes(self) -> impl Iterator<Item = i64> + use<'a> {
        self.words.chunks_exact(self.stride).map(|row| row[SIZE] as i64)
    }

    pub(crate) fn plies(self) -> impl Iterator<Item = i64> + use<'a> {
        self.words.chunks_exact(self.stride).map(|row| row[PLY] as i64)
    }

    /// Of each row the word that says which of these 64 attributes it lacks.
    pub(crate) fn missing(self, word: usize) -> impl Iterator<Item = u64> + use<'a> {
        self.words.chunks_exact(self.stride).map(move |row| row[MISSING + word])
    }
}
