//! The columns of a block, gathered from its rows.

use super::block::{BlockEncoder, Rows};
use super::row_buffer::{RowBuffer, RowLayout, RowWords};
use super::staging::{BlockEnd, Mark};
use crate::Kind;
use crate::columns::{Extremes, Narrow};
use crate::format::{BlockHead, Column};

/// So many rows are turned into columns at a time: all columns are read from the nearest cache but the first. A multiple of 64.
const GROUP: usize = 256;

const STATUS: usize = Column::Status.number();
const LEFT_OUT: usize = Column::LeftOut.number();

/// A vector for each column of the block that is being filled. It is used again for the next.
pub(crate) struct Gathered {
    layout: RowLayout,
    columns: Vec<Narrow>,
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
            columns: vec![Narrow::default(); Column::FIXED + attributes],
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
        let mut values = [0; GROUP];
        for group in RowWords::groups(rows, &self.layout, GROUP) {
            self.append_missing(group);
            self.plies.extend(group.plies());
            let mut columns = self.columns.iter_mut().zip(&mut self.extremes);
            let mut append = |values: &[i64]| {
                if let Some((column, extremes)) = columns.next() {
                    let mut ends = Extremes::OF_NOTHING;
                    ends.look_at(values);
                    extremes.add(ends);
                    column.append(values, ends.ends());
                }
            };
            append(collected(group.sizes(), &mut values));
            append(collected(group.last_moves(), &mut values));
            // What few rows have is set at the block's end.
            append(&[]);
            append(&[]);
            let bytes: &[u8] = bytemuck::cast_slice(group.words);
            let mut offset = self.layout.record_start();
            for &kind in self.layout.kinds() {
                append(gathered(bytes, self.layout.stride_bytes(), offset, kind, &mut values));
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
        };
        let block = encoder.encode(&rows, end.position);
        self.forget();
        block
    }

    /// Sets the marks of the few rows that have some; those of all others are 0.
    fn set_marks(&mut self, marks: &[Mark]) {
        let rows = self.plies.len();
        let [_, _, status, left_out, ..] = &mut *self.columns else { return };
        status.set_some(rows, marks.iter().map(|&(row, bits, _)| (row as usize, i64::from(bits))));
        left_out.set_some(rows, marks.iter().map(|&(row, _, count)| (row as usize, count as i64)));
        if !marks.is_empty() {
            // The other rows have none, if there are others.
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
    }
}

/// These integers, a group of them at most.
fn collected(integers: impl Iterator<Item = i64>, values: &mut [i64; GROUP]) -> &[i64] {
    let mut count = 0;
    for (value, integer) in values.iter_mut().zip(integers) {
        *value = integer;
        count += 1;
    }
    &values[..count]
}

/// One attribute out of a group of rows of so many bytes.
fn gathered<'a>(
    rows: &[u8],
    stride: usize,
    offset: usize,
    kind: Kind,
    values: &'a mut [i64; GROUP],
) -> &'a [i64] {
    macro_rules! gathered {
        ($type:ty) => {
            collected(
                rows.chunks_exact(stride).map(|row| {
                    let mut bytes = [0; size_of::<$type>()];
                    bytes.copy_from_slice(&row[offset..offset + size_of::<$type>()]);
                    <$type>::from_le_bytes(bytes) as i64
                }),
                values,
            )
        };
    }
    match kind {
        Kind::I8 => gathered!(i8),
        Kind::I16 => gathered!(i16),
        Kind::I32 => gathered!(i32),
        Kind::I64 => gathered!(i64),
        Kind::U8 | Kind::Bool => gathered!(u8),
        Kind::U16 => gathered!(u16),
        Kind::U32 | Kind::F32 | Kind::Text => gathered!(u32),
        Kind::U64 | Kind::F64 => gathered!(u64),
    }
}
