//! The columns of a block, gathered from its rows.

use std::slice::ChunksExact;

use super::block::{BlockEncoder, Rows};
use super::row_buffer::{RowBuffer, RowLayout, RowWords};
use super::staging::{BlockEnd, Mark};
use crate::Kind;
use crate::columns::{Extremes, Integer, Narrow};
use crate::format::{BlockHead, Column};

/// How many rows are turned into columns at a time: all columns but the first read them from the nearest cache. A multiple of 64.
const GROUP: usize = 256;

const STATUS: usize = Column::Status.number();
const LEFT_OUT: usize = Column::LeftOut.number();

/// A vector for each column of the block that is being filled; the next block reuses it.
pub(crate) struct Gathered {
    layout: RowLayout,
    columns: Vec<Narrow>,
    /// The least and the greatest integer of each column so far.
    extremes: Vec<Extremes>,
    plies: Narrow,
    ply_extremes: Extremes,
    /// For each attribute the rows that lack it, as bits; only as many words as are needed.
    missing: Vec<Vec<u64>>,
    group: Box<Group>,
}

impl Gathered {
    pub(crate) fn new(layout: RowLayout) -> Self {
        let attributes = layout.kinds().len();
        Self {
            columns: vec![Narrow::default(); Column::FIXED + attributes],
            extremes: vec![Extremes::OF_NOTHING; Column::FIXED + attributes],
            plies: Narrow::default(),
            ply_extremes: Extremes::OF_NOTHING,
            missing: vec![Vec::new(); attributes],
            group: Box::default(),
            layout,
        }
    }

    /// Whether no block has begun.
    pub(crate) fn is_empty(&self) -> bool {
        self.plies.len() == 0
    }

    /// Appends rows. The number of rows before them must be a multiple of 64.
    pub(crate) fn append(&mut self, rows: &RowBuffer) {
        for group in RowWords::groups(rows, &self.layout, GROUP) {
            self.append_missing(group);
            let memory = &mut *self.group;
            memory.append_words(group.plies(), &mut self.plies, &mut self.ply_extremes);
            let mut columns = self.columns.iter_mut().zip(&mut self.extremes);
            let (Some(sizes), Some(last_moves)) = (columns.next(), columns.next()) else { return };
            memory.append_words(group.sizes(), sizes.0, sizes.1);
            memory.append_words(group.last_moves(), last_moves.0, last_moves.1);
            let bytes: &[u8] = bytemuck::cast_slice(group.words);
            let rows = bytes.chunks_exact(self.layout.stride_bytes());
            let mut offset = self.layout.record_start();
            // Skips two columns whose values few rows have; these are set at the block's end.
            for (&kind, (column, extremes)) in self.layout.kinds().iter().zip(columns.skip(2)) {
                memory.append(rows.clone(), offset, kind, column, extremes);
                offset += kind.width();
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
                *ends = column.fill_missing(words);
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
            ply_ends: self.ply_extremes.ends(),
        };
        let block = encoder.encode(&rows, end.position);
        self.forget();
        block
    }

    /// Sets the marks of the few rows that have marks; those of all other rows are 0.
    fn set_marks(&mut self, marks: &[Mark]) {
        let rows = self.plies.len();
        let [_, _, status, left_out, ..] = &mut *self.columns else { return };
        status.set_some(rows, marks.iter().map(|&(row, bits, _)| (row as usize, i64::from(bits))));
        left_out.set_some(rows, marks.iter().map(|&(row, _, count)| (row as usize, count as i64)));
        if !marks.is_empty() {
            // The other rows, if there are any, have no marks.
            let zero = if marks.len() < rows { &[0][..] } else { &[] };
            let (bits, counts): (Vec<i64>, Vec<i64>) =
                marks.iter().map(|&(_, bits, count)| (i64::from(bits), count as i64)).unzip();
            for (number, marked) in [(STATUS, bits), (LEFT_OUT, counts)] {
                self.extremes[number].look_at(&marked);
                self.extremes[number].look_at(zero);
            }
        }
    }

    fn forget(&mut self) {
        self.columns.iter_mut().for_each(Narrow::clear);
        self.missing.iter_mut().for_each(Vec::clear);
        self.extremes.fill(Extremes::OF_NOTHING);
        self.plies.clear();
        self.ply_extremes = Extremes::OF_NOTHING;
    }
}

/// Appends integers to a column, and extends its extremes.
fn append<T: Integer>(column: &mut Narrow, extremes: &mut Extremes, values: &[T]) {
    let mut ends = Extremes::OF_NOTHING;
    ends.look_at(values);
    extremes.add(ends);
    column.append(values, ends.ends());
}

/// Memory for a group's integers of one column, in the narrowest type that holds the column's kind.
struct Group {
    of_i16: [i16; GROUP],
    of_i32: [i32; GROUP],
    of_i64: [i64; GROUP],
}

impl Default for Group {
    fn default() -> Self {
        Self { of_i16: [0; GROUP], of_i32: [0; GROUP], of_i64: [0; GROUP] }
    }
}

impl Group {
    /// Appends integers that have a separate word in each row. Most are small, and at half the width they take half the time.
    fn append_words(
        &mut self,
        words: impl Iterator<Item = i64> + Clone,
        column: &mut Narrow,
        extremes: &mut Extremes,
    ) {
        let mut beyond = 0;
        let halves = words.clone().map(|word| {
            // 0 if the word fits.
            beyond |= (word as u64).wrapping_add(1 << 31) >> 32;
            word as i32
        });
        let halves = collected(halves, &mut self.of_i32);
        match beyond {
            0 => append(column, extremes, halves),
            _ => append(column, extremes, collected(words, &mut self.of_i64)),
        }
    }

    /// Appends one attribute of a group of rows to its column.
    fn append(
        &mut self,
        rows: ChunksExact<'_, u8>,
        offset: usize,
        kind: Kind,
        column: &mut Narrow,
        extremes: &mut Extremes,
    ) {
        macro_rules! gather {
            ($type:ty, $list:ident, $integer:ty) => {
                gather!($type, $list, $integer, |value: $type| value as $integer)
            };
            ($type:ty, $list:ident, $integer:ty, $convert:expr) => {{
                let values = rows.map(|row| {
                    let mut bytes = [0; size_of::<$type>()];
                    bytes.copy_from_slice(&row[offset..offset + size_of::<$type>()]);
                    $convert(<$type>::from_le_bytes(bytes))
                });
                append(column, extremes, collected(values, &mut self.$list));
            }};
        }
        match kind {
            Kind::I8 => gather!(i8, of_i16, i16),
            Kind::I16 => gather!(i16, of_i16, i16),
            Kind::I32 => gather!(i32, of_i32, i32),
            Kind::I64 => gather!(i64, of_i64, i64),
            Kind::U8 => gather!(u8, of_i16, i16),
            // A record that was given as bytes may have any nonzero byte for true.
            Kind::Bool => gather!(u8, of_i16, i16, |byte: u8| i16::from(byte != 0)),
            Kind::U16 => gather!(u16, of_i32, i32),
            Kind::U32 | Kind::F32 | Kind::Text => gather!(u32, of_i64, i64),
            Kind::U64 | Kind::F64 => gather!(u64, of_i64, i64),
        }
    }
}

/// Collects these integers, at most a group of them.
fn collected<T>(integers: impl Iterator<Item = T>, values: &mut [T; GROUP]) -> &[T] {
    let mut count = 0;
    for (value, integer) in values.iter_mut().zip(integers) {
        *value = integer;
        count += 1;
    }
    &values[..count]
}
