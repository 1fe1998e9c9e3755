//! The rows of the block that is being filled.
//!
//! Records are kept as the bytes they came as, one after the other, and turned into columns when the block
//! is full: leaving a node costs one copy.

use super::block::{BlockEncoder, Position, Rows};
use super::entry::Entry;
use crate::columns::missing;
use crate::format::{BlockHead, Column};
use crate::record::{AttributeSet, Row, TextColumn, Value};
use crate::{Kind, Schema};

/// A block is closed early when its texts take more than this.
const TEXT_BYTES_OF_BLOCK: usize = 1 << 22;

pub(crate) struct Staging {
    /// The record of row `i` is at `i * record_bytes`. There is room for more than there are rows, so that
    /// leaving a node clears nothing.
    records: Vec<u8>,
    texts: Vec<TextColumn>,
    has_texts: bool,
    record_bytes: usize,
    kinds: Vec<Kind>,
    sizes: Vec<i64>,
    moves: Vec<i64>,
    plies: Vec<i64>,
    /// The few rows that are unfinished or have nodes left out: place, status, nodes left out.
    marks: Vec<(u32, u8, u64)>,
    /// The attributes that the record put last lacks.
    missing_of_row: AttributeSet,
    /// By attribute the rows that lack it, as bits; as many as are needed.
    missing: Vec<Vec<u64>>,
    rows_max: usize,
}

impl Staging {
    pub(crate) fn new(schema: &Schema, rows_max: usize) -> Self {
        Self::of_kinds(schema.attributes().iter().map(|attribute| attribute.kind).collect(), rows_max)
    }

    /// Another for the same tree, with nothing in it.
    pub(crate) fn empty_like(&self) -> Self {
        Self::of_kinds(self.kinds.clone(), self.rows_max)
    }

    fn of_kinds(kinds: Vec<Kind>, rows_max: usize) -> Self {
        Self {
            records: Vec::new(),
            texts: vec![TextColumn::default(); kinds.len()],
            has_texts: kinds.contains(&Kind::Text),
            record_bytes: kinds.iter().map(|kind| kind.width()).sum(),
            sizes: Vec::new(),
            moves: Vec::new(),
            plies: Vec::new(),
            marks: Vec::new(),
            missing_of_row: AttributeSet::default(),
            missing: vec![Vec::new(); kinds.len()],
            kinds,
            rows_max,
        }
    }

    pub(crate) fn rows(&self) -> usize {
        self.sizes.len()
    }

    /// Room for the record of the next row; it counts when the row is pushed.
    #[inline(always)]
    pub(crate) fn new_row(&mut self) -> Row<'_> {
        let start = self.sizes.len() * self.record_bytes;
        let end = start + self.record_bytes;
        if end > self.records.len() {
            self.make_room(end);
        }
        Row::new(&mut self.records[start..end], &mut self.texts, &mut self.missing_of_row)
    }

    #[cold]
    fn make_room(&mut self, bytes: usize) {
        let at_once = 64 * self.record_bytes;
        self.records.resize((2 * bytes).max(at_once), 0);
    }

    /// Whether the block must be closed before another row.
    #[inline(always)]
    pub(crate) fn is_full(&self) -> bool {
        self.sizes.len() >= self.rows_max || self.has_texts && self.are_texts_full()
    }

    fn are_texts_full(&self) -> bool {
        self.texts.iter().any(|texts| texts.bytes > TEXT_BYTES_OF_BLOCK)
    }

    /// Adds a row whose record has been put where [`Staging::new_row`] said.
    #[inline(always)]
    pub(crate) fn push(&mut self, size: u64, last_move: i64, ply: usize, status: u8, left_out: u64) {
        if status != 0 {
            self.marks.push((self.sizes.len() as u32, status, left_out));
        }
        if !self.missing_of_row.is_empty() {
            self.note_missing();
        }
        self.sizes.push(size as i64);
        self.moves.push(last_move);
        self.plies.push(ply as i64);
    }

    #[inline(always)]
    fn note_missing(&mut self) {
        let row = self.sizes.len();
        self.missing_of_row.for_each(|attribute| {
            let words = &mut self.missing[attribute];
            if words.len() <= row / 64 {
                words.resize(2 * (row / 64) + 8, 0);
            }
            missing::set(words, row);
        });
    }

    /// Whether the record put last lacks something.
    #[inline(always)]
    pub(crate) fn lacks_something(&self) -> bool {
        !self.missing_of_row.is_empty()
    }

    /// Puts the record of a node of which only these attributes are known.
    pub(crate) fn put_known(&mut self, values: &[(usize, Value)]) {
        let kinds = std::mem::take(&mut self.kinds);
        let mut row = self.new_row();
        let mut known = values.iter().peekable();
        for (attribute, &kind) in kinds.iter().enumerate() {
            let value =
                known.next_if(|(known, _)| *known == attribute).map_or(&Value::Missing, |(_, value)| value);
            if value.store(kind, &mut row).is_err() {
                row.put_missing(kind);
            }
        }
        // It has a value or none for every attribute.
        let _ = row.fault();
        self.kinds = kinds;
    }

    /// Gives the record put last the values that its node was entered with, where it has none itself.
    #[inline(always)]
    pub(crate) fn fill_from(&mut self, entry: &Entry<'_>) {
        let start = self.sizes.len() * self.record_bytes;
        let Self { missing_of_row, kinds, texts, records, record_bytes, .. } = self;
        let record = &mut records[start..start + *record_bytes];
        missing_of_row.take_others(entry.missing, |attribute| fill(record, attribute, entry, kinds, texts));
    }

    /// Encodes the rows and empties the staging. `columns` is memory to work in, the same for every block.
    pub(crate) fn take_block(
        &mut self,
        encoder: &mut BlockEncoder,
        columns: &mut Vec<Vec<i64>>,
        position: Position,
    ) -> (BlockHead, Vec<u8>) {
        columns.resize_with(Column::FIXED + self.kinds.len(), Vec::new);
        self.fill_columns(columns);
        let missing = self.take_missing(columns);
        let texts: Vec<&[String]> = self.texts.iter().map(|texts| texts.texts.as_slice()).collect();
        let rows = Rows {
            first_row: position.first_row,
            columns,
            missing: &missing,
            texts: &texts,
            plies: &self.plies,
        };
        let block = encoder.encode(&rows, position);
        self.plies.clear();
        self.marks.clear();
        self.texts.iter_mut().for_each(TextColumn::clear);
        block
    }

    /// By attribute the rows that lack it, as bits (none where every row has it); these rows are filled in.
    fn take_missing(&mut self, columns: &mut [Vec<i64>]) -> Vec<Vec<u64>> {
        let rows = columns[0].len();
        let mut missing = vec![Vec::new(); self.kinds.len()];
        for ((taken, words), column) in
            missing.iter_mut().zip(&mut self.missing).zip(&mut columns[Column::FIXED..])
        {
            if !words.is_empty() {
                *taken = std::mem::take(words);
                taken.resize(rows.div_ceil(64), 0);
                missing::fill(column, taken);
            }
        }
        missing
    }

    fn fill_columns(&mut self, columns: &mut [Vec<i64>]) {
        let rows = self.sizes.len();
        let [sizes, moves, status, left_out, attributes @ ..] = columns else { return };
        std::mem::swap(sizes, &mut self.sizes);
        std::mem::swap(moves, &mut self.moves);
        self.sizes.clear();
        self.moves.clear();
        for column in [&mut *status, &mut *left_out] {
            column.clear();
            column.resize(rows, 0);
        }
        for &(row, bits, count) in &self.marks {
            status[row as usize] = i64::from(bits);
            left_out[row as usize] = count as i64;
        }
        let records = &self.records[..rows * self.record_bytes];
        let mut offset = 0;
        for (column, kind) in attributes.iter_mut().zip(&self.kinds) {
            column.clear();
            gather(column, records, self.record_bytes, offset, *kind);
            offset += kind.width();
        }
    }
}

/// Puts the value of an attribute that a node was entered with into its record.
#[cold]
fn fill(record: &mut [u8], attribute: usize, entry: &Entry<'_>, kinds: &[Kind], texts: &mut [TextColumn]) {
    let offset: usize = kinds[..attribute].iter().map(|kind| kind.width()).sum();
    let place = offset..offset + kinds[attribute].width();
    let given = &entry.record[place.clone()];
    if kinds[attribute] == Kind::Text {
        let code = texts[attribute].code(entry.text(attribute, given));
        record[place].copy_from_slice(&code.to_le_bytes());
    } else {
        record[place].copy_from_slice(given);
    }
}

/// One attribute out of all records.
fn gather(column: &mut Vec<i64>, records: &[u8], record_bytes: usize, offset: usize, kind: Kind) {
    macro_rules! gather {
        ($type:ty) => {
            column.extend(records.chunks_exact(record_bytes).map(|record| {
                let mut bytes = [0; size_of::<$type>()];
                bytes.copy_from_slice(&record[offset..offset + size_of::<$type>()]);
                <$type>::from_le_bytes(bytes) as i64
            }))
        };
    }
    match kind {
        Kind::I8 => gather!(i8),
        Kind::I16 => gather!(i16),
        Kind::I32 => gather!(i32),
        Kind::I64 => gather!(i64),
        Kind::U8 | Kind::Bool => gather!(u8),
        Kind::U16 => gather!(u16),
        Kind::U32 | Kind::F32 | Kind::Text => gather!(u32),
        Kind::U64 | Kind::F64 => gather!(u64),
    }
}
