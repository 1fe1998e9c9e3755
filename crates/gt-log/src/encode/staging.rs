//! The rows of the block that is being filled.

use super::block::Position;
use super::row_buffer::{NextRow, ROWS_AT_ONCE, ROWS_AT_ONCE_HERE, RowBuffer, RowLayout};
use crate::columns::missing;
use crate::record::{TextColumn, Value};

/// A block is closed early if its texts take more bytes than this.
const TEXT_BYTES_OF_BLOCK: usize = 1 << 22;

/// A row that is unfinished or has nodes left out: its place in the block, its status, how many were left out.
pub(crate) type Mark = (u32, u8, u64);

/// The fields that every row needs come first: see `State`.
#[repr(C, align(64))]
pub(crate) struct Staging {
    /// The rows since the last ones were handed over.
    rows: RowBuffer,
    /// The number of rows that fill the buffer: as many as are handed over at once, or as the block has room for.
    rows_full: usize,
    layout: RowLayout,
    texts: Vec<TextColumn>,
    /// The number of rows of the block that were handed over before.
    rows_before: usize,
    rows_max: usize,
    /// The number of rows that are handed over at once.
    rows_at_once: usize,
    marks: Vec<Mark>,
}

/// What belongs to a block in addition to its rows.
pub(crate) struct BlockEnd {
    pub(crate) position: Position,
    pub(crate) marks: Vec<Mark>,
    /// The texts by attribute; empty if the schema has no texts.
    pub(crate) texts: Vec<TextColumn>,
}

impl Staging {
    pub(crate) fn new(layout: RowLayout, rows_max: usize) -> Self {
        Self {
            rows: RowBuffer::default(),
            rows_full: rows_max.min(ROWS_AT_ONCE_HERE),
            texts: new_texts(&layout),
            layout,
            rows_before: 0,
            rows_max,
            rows_at_once: ROWS_AT_ONCE_HERE,
            marks: Vec::new(),
        }
    }

    /// Sets whether rows are handed over to another thread, starting with the next ones.
    pub(crate) fn set_background(&mut self, background: bool) {
        self.rows_at_once = if background { ROWS_AT_ONCE } else { ROWS_AT_ONCE_HERE };
        let rows_full = self.rows_to_fill();
        // There may already be more rows than that, and not a multiple of the number handed over.
        if rows_full > self.rows_full || self.rows.rows() == 0 {
            self.rows_full = rows_full;
        }
    }

    /// The number of rows that fill an empty buffer.
    fn rows_to_fill(&self) -> usize {
        (self.rows_max - self.rows_before.min(self.rows_max)).clamp(1, self.rows_at_once)
    }

    /// The number of rows in the block.
    #[inline(always)]
    pub(crate) fn rows(&self) -> usize {
        self.rows_before + self.rows.rows()
    }

    /// The place of the next row, and the texts of its record's codes. The row counts once [`Staging::count_row`] is called.
    #[inline(always)]
    pub(crate) fn next_row(&mut self) -> (NextRow<'_>, &mut [TextColumn]) {
        (self.rows.next_row(&self.layout), &mut self.texts)
    }

    #[inline(always)]
    pub(crate) fn layout(&self) -> &RowLayout {
        &self.layout
    }

    /// The head of the next row and its record's bytes, padded, if rows have one word for the attributes that they lack. `None` if there is
    /// no room, or if rows must be handed over after this one.
    #[inline(always)]
    pub(crate) fn free_row(&mut self) -> Option<(&mut [u64; 4], &mut [u8])> {
        if self.rows.rows() + 1 >= self.rows_full {
            return None;
        }
        self.rows.free_row(&self.layout)
    }

    /// Whether rows must be handed over before another row is put.
    #[inline(always)]
    pub(crate) fn is_full(&self) -> bool {
        self.rows.rows() >= self.rows_full || self.layout.has_texts() && self.are_texts_full()
    }

    /// Whether the block must be closed before another row is put.
    pub(crate) fn is_block_full(&self) -> bool {
        self.rows() >= self.rows_max || self.layout.has_texts() && self.are_texts_full()
    }

    fn are_texts_full(&self) -> bool {
        self.texts.iter().any(|texts| texts.bytes > TEXT_BYTES_OF_BLOCK)
    }

    /// Counts the row that was put last as complete.
    #[inline(always)]
    pub(crate) fn count_row(&mut self) {
        self.rows.count_row();
    }

    /// Notes that the row that is being put is unfinished or has nodes left out.
    #[cold]
    pub(crate) fn mark_row(&mut self, status: u8, left_out: u64) {
        self.marks.push((self.rows() as u32, status, left_out));
    }

    /// Adds a row whose record has been put, with everything else that is known of it.
    pub(crate) fn push(&mut self, size: u64, last_move: i64, ply: usize, status: u8, left_out: u64) {
        if status != 0 {
            self.mark_row(status, left_out);
        }
        self.rows.next_row(&self.layout).put_head(last_move, size, ply);
        self.rows.count_row();
    }

    /// Puts the record of a node of which only these attributes are known.
    pub(crate) fn put_known(&mut self, values: &[(usize, Value)]) {
        let mut next = self.rows.next_row(&self.layout);
        let mut row = next.as_row(&mut self.texts);
        let mut known = values.iter().peekable();
        for (attribute, &kind) in self.layout.kinds().iter().enumerate() {
            let value =
                known.next_if(|(known, _)| *known == attribute).map_or(&Value::Missing, |(_, value)| value);
            if value.store(kind, &mut row).is_err() {
                row.put_missing(kind);
            }
        }
        // Every attribute has been put, with a value or without.
        let missing = row.end().unwrap_or_default();
        next.put_missing(missing);
    }

    /// Gives the record put last the values that its node was entered with, where it has none itself: `given` has the bytes of the record
    /// at entry, `lacking` the attributes that it lacked; `text` returns the text for a code of that record.
    #[inline(always)]
    pub(crate) fn fill_from<'a>(
        &mut self,
        lacking: &[u64],
        given: &[u8],
        text: impl Fn(usize, u32) -> &'a str,
    ) {
        let mut next = self.rows.next_row(&self.layout);
        if lacking.iter().enumerate().any(|(word, lacking)| *next.missing_word(word) & !lacking != 0) {
            self.fill(lacking, given, text);
        }
    }

    #[cold]
    fn fill<'a>(&mut self, lacking: &[u64], given: &[u8], text: impl Fn(usize, u32) -> &'a str) {
        let mut next = self.rows.next_row(&self.layout);
        for (attribute, kind) in self.layout.kinds().iter().enumerate() {
            let bit = 1 << (attribute % 64);
            if *next.missing_word(attribute / 64) & bit == 0 || missing::contains(lacking, attribute) {
                continue;
            }
            let place = self.layout.place(attribute);
            match *kind {
                crate::Kind::Text => {
                    let mut code = [0; 4];
                    code.copy_from_slice(&given[place.clone()]);
                    let code = self.texts[attribute].code(text(attribute, u32::from_le_bytes(code)));
                    next.record[place].copy_from_slice(&code.to_le_bytes());
                }
                _ => next.record[place.clone()].copy_from_slice(&given[place]),
            }
            *next.missing_word(attribute / 64) &= !bit;
        }
    }

    /// Takes the rows since they were last taken, and continues with an empty buffer. The rows remain part of the block.
    pub(crate) fn take_rows(&mut self, empty: RowBuffer) -> RowBuffer {
        self.rows_before += self.rows.rows();
        self.rows_full = self.rows_to_fill();
        std::mem::replace(&mut self.rows, empty)
    }

    /// Continues with this buffer, which is empty, instead of the one given last, which is still empty.
    pub(crate) fn give_back(&mut self, rows: RowBuffer) {
        self.rows = rows;
    }

    /// Ends the block; all its rows have been taken.
    pub(crate) fn end_block(&mut self, position: Position) -> BlockEnd {
        self.rows_before = 0;
        self.rows_full = self.rows_to_fill();
        let texts = match self.layout.has_texts() {
            true => std::mem::replace(&mut self.texts, new_texts(&self.layout)),
            false => Vec::new(),
        };
        BlockEnd { position, marks: std::mem::take(&mut self.marks), texts }
    }
}

fn new_texts(layout: &RowLayout) -> Vec<TextColumn> {
    vec![TextColumn::default(); layout.kinds().len()]
}
