//! Rows in the order in which they come.
//!
//! ```text
//! last_move │ size │ ply │ attributes that it lacks, as bits (a word for each 64) │ the record's bytes, padded
//! ```

use std::sync::Arc;

use crate::record::{Row, TextColumn};
use crate::{Kind, Schema};

/// How many rows are handed over at once to a thread that encodes them in the background: few enough to stay in a cache, enough that waking
/// the thread costs little. A multiple of 64.
pub(super) const ROWS_AT_ONCE: usize = 4096;

/// How many rows are handed over at once if the searching thread encodes them: few enough to leave room in the second-level cache, where
/// they are when columns are gathered from them. A multiple of 64.
pub(super) const ROWS_AT_ONCE_HERE: usize = 512;

/// How many rows a buffer has room for at first, and by how much it grows each time.
const ROWS_AT_FIRST: usize = 64;
const GROWTH: usize = 8;

const LAST_MOVE: usize = 0;
const SIZE: usize = 1;
const PLY: usize = 2;
const MISSING: usize = 3;

/// How the rows of a tree lie in memory, in words of eight bytes. The fields that every row needs come first: see `State`.
#[derive(Clone, Debug)]
#[repr(C)]
pub(crate) struct RowLayout {
    /// The number of words in a row.
    stride: u32,
    record_bytes: u32,
    /// The number of words for the attributes that a row lacks, at least one.
    missing_words: u32,
    has_texts: bool,
    kinds: Arc<[Kind]>,
}

impl RowLayout {
    pub(crate) fn new(schema: &Schema) -> Self {
        let kinds: Arc<[Kind]> = schema.attributes().iter().map(|attribute| attribute.kind).collect();
        let record_bytes: usize = kinds.iter().map(|kind| kind.width()).sum();
        let missing_words = kinds.len().div_ceil(64).max(1);
        // A schema has so few attributes, of at most eight bytes each, that all of these numbers are small.
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

    /// Whether records have texts, and so are more than their bytes.
    #[inline(always)]
    pub(crate) fn has_texts(&self) -> bool {
        self.has_texts
    }

    #[inline(always)]
    fn stride(&self) -> usize {
        self.stride as usize
    }

    /// The number of words for the values with which a node is entered: the attributes that it lacks, and the padded bytes of its record.
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

    /// The number of these words after the first.
    #[inline(always)]
    pub(crate) fn more_missing_words(&self) -> usize {
        (self.missing_words - 1) as usize
    }

    /// Where the record's bytes begin in its row.
    pub(crate) fn record_start(&self) -> usize {
        8 * (MISSING + self.missing_words())
    }

    /// The number of bytes in a row.
    pub(crate) fn stride_bytes(&self) -> usize {
        8 * self.stride()
    }

    /// Where an attribute lies in the record's bytes.
    pub(crate) fn place(&self, attribute: usize) -> std::ops::Range<usize> {
        let offset: usize = self.kinds[..attribute].iter().map(|kind| kind.width()).sum();
        offset..offset + self.kinds[attribute].width()
    }
}

/// Some rows of a block.
#[derive(Default)]
#[repr(C)]
pub(crate) struct RowBuffer {
    /// Has room for more rows than there are, so that a new row need not be cleared.
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

    /// The place of the next row; the row counts once [`RowBuffer::count_row`] is called.
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

    /// The place of the next row if rows have one word for the attributes that they lack: the row's head with that word, and the record's
    /// bytes, padded. `None` if there is no room for another row.
    #[inline(always)]
    pub(crate) fn free_row(&mut self, layout: &RowLayout) -> Option<(&mut [u64; MISSING + 1], &mut [u8])> {
        let stride = layout.stride();
        let row = self.words.get_mut(self.rows.wrapping_mul(stride)..)?.get_mut(..stride)?;
        let (head, record) = row.split_first_chunk_mut()?;
        Some((head, bytemuck::cast_slice_mut(record)))
    }

    /// Makes little room for a small tree, and in two steps enough for all rows that are handed over at once. The memory is requested as
    /// zeros, which new pages already are.
    #[cold]
    fn make_room(&mut self, stride: usize) {
        let words = if self.words.is_empty() { ROWS_AT_FIRST * stride } else { GROWTH * self.words.len() };
        let rows = std::mem::replace(&mut self.words, vec![0; words]);
        self.words[..rows.len()].copy_from_slice(&rows);
    }

    /// Counts the row that was put last as complete.
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
    /// Everything before the record, except for missing attributes after the first 64.
    head: &'a mut [u64; MISSING + 1],
    more_missing: &'a mut [u64],
    /// The bytes of the row's record.
    pub(crate) record: &'a mut [u8],
}

impl NextRow<'_> {
    /// Puts everything but the record and the attributes that it lacks.
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

    /// Notes that the record lacks no attribute.
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

    /// The word whose bits say which of the 64 attributes from 64 · `word` on the record lacks.
    pub(crate) fn missing_word(&mut self, word: usize) -> &mut u64 {
        match word.checked_sub(1) {
            None => &mut self.head[MISSING],
            Some(more) => &mut self.more_missing[more],
        }
    }

    /// The row as the target of a record's fields.
    #[inline(always)]
    pub(crate) fn as_row<'b>(&'b mut self, texts: &'b mut [TextColumn]) -> Row<'b> {
        Row::new(self.record, texts, self.more_missing)
    }
}

#[cold]
fn too_narrow() -> ! {
    unreachable!("a row has room for its head")
}

/// The words of rows, by their meaning.
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

    /// For each row, the word that says which of these 64 attributes it lacks.
    pub(crate) fn missing(self, word: usize) -> impl Iterator<Item = u64> + use<'a> {
        self.words.chunks_exact(self.stride).map(move |row| row[MISSING + word])
    }
}
