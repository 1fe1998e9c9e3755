//! The rows of the block that is being filled.

use super::block::Position;
use super::row_buffer::{ROWS_AT_ONCE, RowBuffer, RowLayout};
use crate::columns::missing;
use crate::record::{Row, TextColumn, Value};

/// A block is closed early when its texts take more than this.
const TEXT_BYTES_OF_BLOCK: usize = 1 << 22;

/// A row that is unfinished or has nodes left out: its place in the block, its status, how many were left out.
pub(crate) type Mark = (u32, u8, u64);

pub(crate) struct Staging {
    layout: RowLayout,
    /// The rows since the last were handed over.
    rows: RowBuffer,
    /// Rows of the block that were handed over before.
    rows_before: usize,
    /// How many rows fill the buffer: what is handed over at once, or what the block has room for.
    rows_full: usize,
    rows_max: usize,
    texts: Vec<TextColumn>,
    has_texts: bool,
    marks: Vec<Mark>,
}

/// What a block has beside its rows.
pub(crate) struct BlockEnd {
    pub(crate) position: Position,
    pub(crate) marks: Vec<Mark>,
    /// By attribute; none where the schema has no texts.
    pub(crate) texts: Vec<TextColumn>,
}

impl Staging {
    pub(crate) fn new(layout: RowLayout, rows_max: usize) -> Self {
        Self {
            rows: RowBuffer::default(),
            rows_before: 0,
            rows_full: rows_max.min(ROWS_AT_ONCE),
            rows_max,
            texts: new_texts(&layout),
            has_texts: layout.has_texts(),
            marks: Vec::new(),
            layout,
        }
    }

    /// How many rows the block has.
    #[inline(always)]
    pub(crate) fn rows(&self) -> usize {
        self.rows_before + self.rows.rows()
    }

    /// Room for the record of the next row; it counts when the row is pushed.
    #[inline(always)]
    pub(crate) fn new_row(&mut self) -> Row<'_> {
        self.rows.new_row(&self.layout, &mut self.texts)
    }

    /// The place for the bytes of the next row's record, which lacks nothing. None where there are texts.
    #[inline(always)]
    pub(crate) fn new_record(&mut self) -> Option<&mut [u8]> {
        if self.has_texts {
            return None;
        }
        Some(self.rows.new_record(&self.layout))
    }

    /// Whether rows must be handed over before another.
    #[inline(always)]
    pub(crate) fn is_full(&self) -> bool {
        self.rows.rows() >= self.rows_full || self.has_texts && self.are_texts_full()
    }

    /// Whether the block must be closed before another row.
    pub(crate) fn is_block_full(&self) -> bool {
        self.rows() >= self.rows_max || self.has_texts && self.are_texts_full()
    }

    fn are_texts_full(&self) -> bool {
        self.texts.iter().any(|texts| texts.bytes > TEXT_BYTES_OF_BLOCK)
    }

    /// Adds a row whose record has been put where [`Staging::new_row`] said.
    #[inline(always)]
    pub(crate) fn push(&mut self, size: u64, last_move: i64, ply: usize, status: u8, left_out: u64) {
        if status != 0 {
            self.marks.push((self.rows() as u32, status, left_out));
        }
        self.rows.push(&self.layout, last_move, size, ply);
    }

    /// Puts the record of a node of which only these attributes are known.
    pub(crate) fn put_known(&mut self, values: &[(usize, Value)]) {
        let mut row = self.rows.new_row(&self.layout, &mut self.texts);
        let mut known = values.iter().peekable();
        for (attribute, &kind) in self.layout.kinds().iter().enumerate() {
            let value =
                known.next_if(|(known, _)| *known == attribute).map_or(&Value::Missing, |(_, value)| value);
            if value.store(kind, &mut row).is_err() {
                row.put_missing(kind);
            }
        }
        // It has a value or none for every attribute.
        let _ = row.fault();
    }

    /// Gives the record put last the values that its node was entered with, where it has none itself: `given` has the bytes of
    /// the record at entry, `lacking` the attributes that it lacked, `text` reads the text that a code of it stood for.
    #[inline(always)]
    pub(crate) fn fill_from<'a>(
        &mut self,
        lacking: &[u64],
        given: &[u8],
        text: impl Fn(usize, u32) -> &'a str,
    ) {
        let (missing, _) = self.rows.last_record(&self.layout);
        if missing.iter().zip(lacking).any(|(missing, lacking)| missing & !lacking != 0) {
            self.fill(lacking, given, text);
        }
    }

    #[cold]
    fn fill<'a>(&mut self, lacking: &[u64], given: &[u8], text: impl Fn(usize, u32) -> &'a str) {
        let (words, record) = self.rows.last_record(&self.layout);
        for (attribute, kind) in self.layout.kinds().iter().enumerate() {
            if !missing::contains(words, attribute) || missing::contains(lacking, attribute) {
                continue;
            }
            let place = self.layout.place(attribute);
            match *kind {
                crate::Kind::Text => {
                    let mut code = [0; 4];
                    code.copy_from_slice(&given[place.clone()]);
                    let code = self.texts[attribute].code(text(attribute, u32::from_le_bytes(code)));
                    record[place].copy_from_slice(&code.to_le_bytes());
                }
                _ => record[place.clone()].copy_from_slice(&given[place]),
            }
            words[attribute / 64] &= !(1 << (attribute % 64));
        }
    }

    /// Takes the rows since they were last taken, and goes on with an empty buffer. They stay rows of the block.
    pub(crate) fn take_rows(&mut self, empty: RowBuffer) -> RowBuffer {
        self.rows_before += self.rows.rows();
        self.rows_full = (self.rows_max - self.rows_before.min(self.rows_max)).clamp(1, ROWS_AT_ONCE);
        std::mem::replace(&mut self.rows, empty)
    }

    /// Goes on with this buffer, which is empty, instead of the one given last, which still is.
    pub(crate) fn give_back(&mut self, rows: RowBuffer) {
        self.rows = rows;
    }

    /// Ends the block, all of whose rows have been taken.
    pub(crate) fn end_block(&mut self, position: Position) -> BlockEnd {
        self.rows_before = 0;
        self.rows_full = self.rows_max.min(ROWS_AT_ONCE);
        let texts = match self.has_texts {
            true => std::mem::replace(&mut self.texts, new_texts(&self.layout)),
            false => Vec::new(),
        };
        BlockEnd { position, marks: std::mem::take(&mut self.marks), texts }
    }
}

fn new_texts(layout: &RowLayout) -> Vec<TextColumn> {
    vec![TextColumn::default(); layout.kinds().len()]
}
