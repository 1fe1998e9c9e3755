//! Columns to a block: extremes, encodings, checksums.

use crate::columns::{self, Chooser, Effort, Siblings, constant};
use crate::format::{BlockHead, Column, ColumnHead, PathEntry};
use crate::wire::{put_text, put_unsigned};
use crate::{Kind, Schema};

/// The rows of a block, a vector for each column.
pub(crate) struct Rows<'a> {
    pub(crate) first_row: u64,
    /// The columns as integers, by [`Column::number`].
    pub(crate) columns: &'a [Vec<i64>],
    /// The texts that the codes of each text attribute stand for, by the attribute's position.
    pub(crate) texts: &'a [&'a [String]],
    /// Every row's distance from the root.
    pub(crate) plies: &'a [i64],
}

/// Turns rows into blocks, remembering what served each column best.
#[derive(Clone)]
pub(crate) struct BlockEncoder {
    kinds: Vec<Kind>,
    choosers: Vec<Chooser>,
    effort: Effort,
}

impl BlockEncoder {
    pub(crate) fn new(schema: &Schema, effort: Effort) -> Self {
        let mut kinds = vec![Kind::I64; Column::FIXED];
        kinds.extend(schema.attributes().iter().map(|attribute| attribute.kind));
        Self { choosers: vec![Chooser::default(); kinds.len()], kinds, effort }
    }

    /// The block's head and body.
    pub(crate) fn encode(
        &mut self,
        rows: &Rows<'_>,
        path_kept: usize,
        path_added: Vec<PathEntry>,
    ) -> (BlockHead, Vec<u8>) {
        let count = rows.columns[0].len();
        let mut body = Vec::with_capacity(count * 6);
        let mut heads = Vec::with_capacity(self.kinds.len());
        for number in 0..self.kinds.len() {
            heads.push(self.encode_column(number, rows, &mut body));
        }
        let (ply_min, ply_max) = columns::extremes(rows.plies);
        let head = BlockHead {
            first_row: rows.first_row,
            rows: count as u32,
            leaves: rows.columns[0].iter().map(|&size| u32::from(size == 1)).sum(),
            ply_min: ply_min as u32,
            ply_max: ply_max as u32,
            path_kept: path_kept as u32,
            path_added,
            columns: heads,
        };
        (head, body)
    }

    fn encode_column(&mut self, number: usize, rows: &Rows<'_>, body: &mut Vec<u8>) -> ColumnHead {
        let values = &rows.columns[number];
        let siblings = Siblings { columns: &rows.columns[..number], plies: rows.plies };
        let kind = self.kinds[number];
        if kind == Kind::Text && !values.is_empty() {
            let texts = rows.texts[number - Column::FIXED];
            return self.encode_texts(number, values, texts, &siblings, body);
        }
        if let Some(value) = constant(values).or(values.is_empty().then_some(0)) {
            return ColumnHead {
                min: value,
                max: value,
                stored_bytes: 0,
                compressed_from: None,
                checksum: 0,
            };
        }
        let (min, max) = extremes(kind, values);
        let encoded = self.choosers[number].encode(values, &siblings, self.effort);
        stored(body, &encoded.bytes, min, max, encoded.compressed_from)
    }

    fn encode_texts(
        &mut self,
        number: usize,
        codes: &[i64],
        texts: &[String],
        siblings: &Siblings<'_>,
        body: &mut Vec<u8>,
    ) -> ColumnHead {
        let mut bytes = Vec::new();
        put_unsigned(&mut bytes, texts.len() as u64);
        for text in texts {
            put_text(&mut bytes, text);
        }
        let codes = self.choosers[number].encode(codes, siblings, Effort::Light);
        bytes.extend_from_slice(&codes.bytes);
        if let Effort::Compact { level } = self.effort
            && let Ok(smaller) = zstd::bulk::compress(&bytes, level)
            && smaller.len() < bytes.len()
        {
            return stored(body, &smaller, 0, 0, Some(bytes.len() as u64));
        }
        stored(body, &bytes, 0, 0, None)
    }
}

fn stored(body: &mut Vec<u8>, bytes: &[u8], min: i64, max: i64, compressed_from: Option<u64>) -> ColumnHead {
    body.extend_from_slice(bytes);
    let checksum = crc32c::crc32c(bytes);
    ColumnHead { min, max, stored_bytes: bytes.len() as u64, compressed_from, checksum }
}

/// The least and the greatest value in the order of the kind, as integers of the column.
fn extremes(kind: Kind, values: &[i64]) -> (i64, i64) {
    match kind {
        Kind::U64 => {
            let (min, max) = values
                .iter()
                .fold((u64::MAX, 0), |(min, max), &value| (min.min(value as u64), max.max(value as u64)));
            if values.is_empty() { (0, 0) } else { (min as i64, max as i64) }
        }
        Kind::F32 => float_extremes(values, |bits| f64::from(f32::from_bits(bits as u32))),
        Kind::F64 => float_extremes(values, |bits| f64::from_bits(bits as u64)),
        _ => columns::extremes(values),
    }
}

fn float_extremes(values: &[i64], float: impl Fn(i64) -> f64) -> (i64, i64) {
    let Some(&first) = values.first() else { return (0, 0) };
    let (mut min, mut max) = (first, first);
    for &bits in values {
        let value = float(bits);
        if value.is_nan() {
            return (bits, bits);
        }
        if value < float(min) {
            min = bits;
        }
        if value > float(max) {
            max = bits;
        }
    }
    (min, max)
}
