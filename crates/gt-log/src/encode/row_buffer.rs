//! Rows as they come, one after the other.
//!
//! ```text
//! last_move │ size │ ply │ attributes that it lacks, as bits (a word for each 64) │ the record's bytes, padded
//! ```

use std::sync::Arc;

use crate::record::{Row, TextColumn};
use crate::{Kind, Schema};

/// So many rows are handed over at once to a thread that encodes them in the background: few enough to stay in a cache, enough that
/// waking it costs little. A multiple of 64.
pub(super) const ROWS_AT_ONCE: usize = 4096;

/// The same where the searching thread encodes them: few enough that they leave room in the second cache, where they are when columns
/// are gathered from them. A multiple of 64.
pub(super) const ROWS_AT_ONCE_HERE: usize = 512;

/// A buffer has room for so many rows first, and then for so many times more.
const ROWS_AT_FIRST: usize = 64;
const GROWTH: usize = 8;

const LAST_MOVE: usize = 0;
const SIZE: usize = 1;
const PLY: usize = 2;
const MISSING: usize = 3;

/// How the rows of a tree lie in memory, in words of eight bytes. What every row asks for is first: see `State`.
#[derive(Clone, Debug)]
#[repr(C)]
pub(crate) struct RowLayout {
    /// Words for a row.
    stride: u32,
    record_bytes: u32,
    /// Words for the attributes that a row lacks: one at least.
    missing_words: u32,
    has_texts: bool,
    kinds: Arc<[Kind]>,
}

impl RowLayout {
    pub(crate) fn new(schema: &Schema) -> Self {
        let kinds: Arc<[Kind]> = schema.attributes().iter().map(|attribute| attribute.kind).collect();
        let record_bytes: usize = kinds.iter().map(|kind| kind.width()).sum();
        let missing_words = kinds.len().div_ceil(64).max(1);
        // A schema has so few attributes, of eight bytes at most, that all of these are small.
        Self {
            stride: (MISSING + missing_words + record_bytes.div_ceil(8)) as u32,
            record_bytes: record_bytes as u32,
            missing_words: missing_words as u32,
            has_texts: kinds.contains(&Kind::Text),
            kinds,
        }
    }

    pub(crate) fn kinds(&self) -> &[Kind] {
        &self.kinds
    }

    /// Whether records have texts, and are more than their bytes.
    #[inline(always)]
    pub(crate) fn has_texts(&self) -> bool {
        self.has_texts
    }

    #[inline(always)]
    fn stride(&self) -> usize {
        self.stride as usize
    }

    /// The words of what a node is entered with: the attributes that it lacks, and the bytes of its record, padded.
    pub(crate) fn entry_words(&self) -> usize {
        self.stride() - MISSING
    }

    #[inline(always)]
    pub(crate) fn record_bytes(&self) -> usize {
        self.record_bytes as usize
    }

    #[inline(always)]
    pub(crate) fn missing_words(&self) -> usize {
        self.missing_words as usize
    }

    /// Those after the first.
    #[inline(always)]
    pub(crate) fn more_missing_words(&self) -> usize {
        (self.missing_words - 1) as usize
    }

    /// Where the bytes of a record begin in its row.
    pub(crate) fn record_start(&self) -> usize {
        8 * (MISSING + self.missing_words())
    }

    /// The bytes of a row.
    pub(crate) fn stride_bytes(&self) -> usize {
        8 * self.stride()
    }

    /// Where an attribute lies in the bytes of a record.
    pub(crate) fn place(&self, attribute: usize) -> std::ops::Range<usize> {
        let offset: usize = self.kinds[..attribute].iter().map(|kind| kind.width()).sum();
        offset..offset + self.kinds[attribute].width()
    }
}

/// Some rows of a block.
#[derive(Default)]
#[repr(C)]
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

    /// The place of the next row, which counts when [`RowBuffer::count_row`] says so.
    #[inline(always)]
    pub(crate) fn next_row(&mut self, layout: &RowLayout) -> NextRow<'_> {
        let start = self.rows * layout.stride();
        if start + layout.stride() > self.words.len() {
            self.make_room(layout.stride());
        }
        let Some((head, rest)) = self.words[start..].split_first_chunk_mut() else { too_narrow() };
        let (more_missing, record) = rest.split_at_mut(layout.more_missing_words());
        let record: &mut [u8] = bytemuck::cast_slice_mut(record);
        NextRow { head, more_missing, record: &mut record[..layout.record_bytes()] }
    }

    /// The same for rows with one word for the attributes they lack: that word beside the rest of the head, and the record's bytes,
    /// padded. None where there is no room for another row.
    #[inline(always)]
    pub(crate) fn free_row(&mut self, layout: &RowLayout) -> Option<(&mut [u64; MISSING + 1], &mut [u8])> {
        let stride = layout.stride();
        let row = self.words.get_mut(self.rows.wrapping_mul(stride)..)?.get_mut(..stride)?;
        let (head, record) = row.split_first_chunk_mut()?;
        Some((head, bytemuck::cast_slice_mut(record)))
    }

    /// Little for a small tree, and in two steps enough for all that is handed over at once. The memory is asked for as zeros, which new
    /// pages are already.
    #[cold]
    fn make_room(&mut self, stride: usize) {
        let words = if self.words.is_empty() { ROWS_AT_FIRST * stride } else { GROWTH * self.words.len() };
        let rows = std::mem::replace(&mut self.words, vec![0; words]);
        self.words[..rows.len()].copy_from_slice(&rows);
    }

    /// The row that was put last is complete.
    #[inline(always)]
    pub(crate) fn count_row(&mut self) {
        self.rows += 1;
    }

    /// All rows, as words.
    pub(crate) fn words<'a>(&'a self, layout: &RowLayout) -> &'a [u64] {
        &self.words[..self.rows * layout.stride()]
    }
}

/// The place of a row.
pub(crate) struct NextRow<'a> {
    /// All that is before the record, but for the attributes after the first 64 that it lacks.
    head: &'a mut [u64; MISSING + 1],
    more_missing: &'a mut [u64],
    /// The bytes of its record.
    pub(crate) record: &'a mut [u8],
}

impl NextRow<'_> {
    /// Puts all but the record, and what it lacks.
    #[inline(always)]
    pub(crate) fn put_head(&mut self, last_move: i64, size: u64, ply: usize) {
        self.head[LAST_MOVE] = last_move as u64;
        self.head[SIZE] = size;
        self.head[PLY] = ply as u64;
    }

    /// Puts which of the first 64 attributes the record lacks, as bits.
    #[inline(always)]
    pub(crate) fn put_missing(&mut self, missing: u64) {
        self.head[MISSING] = missing;
    }

    /// Says that the record lacks nothing.
    #[inline(always)]
    pub(crate) fn lack_nothing(&mut self) {
        self.put_missing(0);
        if self.has_more_missing() {
            self.more_missing.fill(0);
        }
    }

    /// Whether the record has more than 64 attributes.
    #[inline(always)]
    pub(crate) fn has_more_missing(&self) -> bool {
        !self.more_missing.is_empty()
    }

    /// The word with the bits of the attributes 64 · `word` and on, which says which of them the record lacks.
    pub(crate) fn missing_word(&mut self, word: usize) -> &mut u64 {
        match word.checked_sub(1) {
            None => &mut self.head[MISSING],
            Some(more) => &mut self.more_missing[more],
        }
    }

    /// The row as a record's fields are put into it.
    #[inline(always)]
    pub(crate) fn as_row<'b>(&'b mut self, texts: &'b mut [TextColumn]) -> Row<'b> {
        Row::new(self.record, texts, self.more_missing)
    }
}

#[cold]
fn too_narrow() -> ! {
    unreachable!("a row has room for its head")
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
        let stride = layout.stride();
        buffer.words(layout).chunks(rows * stride).map(move |words| RowWords { words, stride })
    }

    pub(crate) fn last_moves(self) -> impl Iterator<Item = i64> + Clone + use<'a> {
        self.words.chunks_exact(self.stride).map(|row| row[LAST_MOVE] as i64)
    }

    pub(crate) fn sizes(self) -> impl Iterator<Item = i64> + Clone + use<'a> {
        self.words.chunks_exact(self.stride).map(|row| row[SIZE] as i64)
    }

    pub(crate) fn plies(self) -> impl Iterator<Item = i64> + Clone + use<'a> {
        self.words.chunks_exact(self.stride).map(|row| row[PLY] as i64)
    }

    /// Of each row the word that says which of these 64 attributes it lacks.
    pub(crate) fn missing(self, word: usize) -> impl Iterator<Item = u64> + use<'a> {
        self.words.chunks_exact(self.stride).map(move |row| row[MISSING + word])
    }
}
