//! The columns of a block, gathered from its rows.

use super::block::{BlockEncoder, Rows};
use super::row_buffer::{RowBuffer, RowLayout, RowWords};
use super::staging::{BlockEnd, Mark};
use crate::Kind;
use crate::columns::{Extremes, extremes, missing};
use crate::format::{BlockHead, Column};

/// So many rows are turned into columns at a time: all columns are read from the nearest cache but the first. A multiple of 64.
const GROUP: usize = 256;

const STATUS: usize = Column::Status.number();
const LEFT_OUT: usize = Column::LeftOut.number();

/// A vector for each column of the block that is being filled. It is used again for the next.
pub(crate) struct Gathered {
    layout: RowLayout,
    columns: Vec<Vec<i64>>,
    /// The least and the greatest integer of each, so far.
    extremes: Vec<Extremes>,
    plies: Vec<i64>,
    /// By attribute the rows that lack it, as bits; as many words as are needed.
    missing: Vec<Vec<u64>>,
}

impl Gathered {
    pub(crate) fn new(layout: RowLayout) -> Self {
        let attributes = layout.kinds().len();
        Self {
            columns: vec![Vec::new(); Column::FIXED + attributes],
            extremes: vec![Extremes::OF_NOTHING; Column::FIXED + attributes],
            plies: Vec::new(),
            missing: vec![Vec::new(); attributes],
            layout,
        }
    }

    /// Whether no block is begun.
    pub(crate) fn is_empty(&self) -> bool {
        self.plies.is_empty()
    }

    /// Appends rows. Those before them must be a multiple of 64 in number.
    pub(crate) fn append(&mut self, rows: &RowBuffer) {
        for group in RowWords::groups(rows, &self.layout, GROUP) {
            self.append_missing(group);
            let before = self.plies.len();
            self.plies.extend(group.plies());
            let [sizes, moves, _, _, attributes @ ..] = &mut *self.columns else { return };
            sizes.extend(group.sizes());
            moves.extend(group.last_moves());
            let bytes: &[u8] = bytemuck::cast_slice(group.words);
            let mut offset = self.layout.record_start();
            for (column, kind) in attributes.iter_mut().zip(self.layout.kinds()) {
                gather(column, bytes, self.layout.stride_bytes(), offset, *kind);
                offset += kind.width();
            }
            for (number, (column, extremes)) in self.columns.iter().zip(&mut self.extremes).enumerate() {
                if number != STATUS && number != LEFT_OUT {
                    extremes.look_at(&column[before..]);
                }
            }
        }
    }

    fn append_missing(&mut self, group: RowWords<'_>) {
        let first = self.plies.len() / 64;
        for (word, attributes) in self.missing.chunks_mut(64).enumerate() {
            let mut some = group.missing(word).fold(0, |all, row| all | row);
            while some != 0 {
                let attribute = some.trailing_zeros();
                some &= some - 1;
                let Some(words) = attributes.get_mut(attribute as usize) else { break };
                words.resize(first + GROUP / 64, 0);
                for (row, missing) in group.missing(word).enumerate() {
                    words[first + row / 64] |= (missing >> attribute & 1) << (row % 64);
                }
            }
        }
    }

    /// Encodes the block and forgets its rows.
    pub(crate) fn encode(&mut self, encoder: &mut BlockEncoder, end: BlockEnd) -> (BlockHead, Vec<u8>) {
        let rows = self.plies.len();
        self.set_marks(&end.marks);
        let mut ends: Vec<(i64, i64)> = self.extremes.iter().map(Extremes::ends).collect();
        let attributes = self.columns[Column::FIXED..].iter_mut().zip(&mut ends[Column::FIXED..]);
        for (words, (column, ends)) in self.missing.iter_mut().zip(attributes) {
            if !words.is_empty() {
                words.resize(rows.div_ceil(64), 0);
                missing::fill(column, words);
                *ends = extremes(column);
            }
        }
        let texts: Vec<&[String]> = match end.texts.is_empty() {
            true => vec![&[]; self.missing.len()],
            false => end.texts.iter().map(|texts| texts.texts.as_slice()).collect(),
        };
        let rows = Rows {
            first_row: end.position.first_row,
            columns: &self.columns,
            extremes: &ends,
            missing: &self.missing,
            texts: &texts,
            plies: &self.plies,
        };
        let block = encoder.encode(&rows, end.position);
        self.forget(&end.marks);
        block
    }

    /// Sets the marks of the few rows that have some; the columns are all 0 before.
    fn set_marks(&mut self, marks: &[Mark]) {
        let rows = self.plies.len();
        let [_, _, status, left_out, ..] = &mut *self.columns else { return };
        status.resize(rows, 0);
        left_out.resize(rows, 0);
        for &(row, bits, count) in marks {
            status[row as usize] = i64::from(bits);
            left_out[row as usize] = count as i64;
        }
        if !marks.is_empty() {
            self.extremes[STATUS].look_at(status);
            self.extremes[LEFT_OUT].look_at(left_out);
        }
    }

    fn forget(&mut self, marks: &[Mark]) {
        let [sizes, moves, status, left_out, attributes @ ..] = &mut *self.columns else { return };
        for &(row, ..) in marks {
            status[row as usize] = 0;
            left_out[row as usize] = 0;
        }
        sizes.clear();
        moves.clear();
        attributes.iter_mut().for_each(Vec::clear);
        self.missing.iter_mut().for_each(Vec::clear);
        self.extremes.fill(Extremes::OF_NOTHING);
        self.plies.clear();
    }
}

/// One attribute out of rows of so many bytes.
fn gather(column: &mut Vec<i64>, rows: &[u8], stride: usize, offset: usize, kind: Kind) {
    macro_rules! gather {
        ($type:ty) => {
            column.extend(rows.chunks_exact(stride).map(|row| {
                let mut bytes = [0; size_of::<$type>()];
                bytes.copy_from_slice(&row[offset..offset + size_of::<$type>()]);
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
