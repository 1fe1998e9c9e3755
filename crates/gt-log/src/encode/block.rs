//! Columns to a block: extremes, encodings, checksums.

use crate::columns::{Chooser, Effort, Narrow, Needs, Siblings, Values, Workbench, missing};
use crate::format::{BlockHead, Column, ColumnHead, EntryValues, PathEntry};
use crate::wire::{put_text, put_unsigned};
use crate::{Kind, Schema};

/// The rows of a block, with a vector for each column.
pub(crate) struct Rows<'a> {
    pub(crate) first_row: u64,
    /// The columns as integers, by [`Column::number`].
    pub(crate) columns: &'a [Narrow],
    /// The least and the greatest integer of each column.
    pub(crate) extremes: &'a [(i64, i64)],
    /// The texts for which the codes of each text attribute stand, by the attribute's position.
    pub(crate) texts: &'a [&'a [String]],
    /// For each attribute the rows that lack it, as bits; empty if every row has it. The columns have a value for these rows too.
    pub(crate) missing: &'a [Vec<u64>],
    /// Every row's distance from the root.
    pub(crate) plies: &'a Narrow,
    /// The least and the greatest distance.
    pub(crate) ply_ends: (i64, i64),
}

/// The position of a block: its first row, and the open path below it, as a change from the previous block's.
pub(crate) struct Position {
    pub(crate) first_row: u64,
    pub(crate) path_kept: usize,
    pub(crate) path_added: Vec<PathEntry>,
    pub(crate) entry_values: Vec<EntryValues>,
}

/// Turns rows into blocks, and remembers which encoding served each column best.
pub(crate) struct BlockEncoder {
    kinds: Vec<Kind>,
    choosers: Vec<Chooser>,
    effort: Effort,
    /// For each column of the block, whether it lacks values.
    lacking: Vec<bool>,
    /// The other columns that the columns encoded so far need.
    needs: Needs,
    /// The bytes of a column that precede its integers.
    before: Vec<u8>,
    bench: Workbench,
}

impl BlockEncoder {
    pub(crate) fn new(schema: &Schema, effort: Effort) -> Self {
        let mut kinds = vec![Kind::I64; Column::FIXED];
        kinds.extend(schema.attributes().iter().map(|attribute| attribute.kind));
        Self {
            choosers: vec![Chooser::default(); kinds.len()],
            kinds,
            effort,
            lacking: Vec::new(),
            needs: Needs::none(),
            before: Vec::new(),
            bench: Workbench::default(),
        }
    }

    /// The block's head and body.
    pub(crate) fn encode(&mut self, rows: &Rows<'_>, position: Position) -> (BlockHead, Vec<u8>) {
        let count = rows.columns[0].len();
        let mut body = Vec::with_capacity(count * 6);
        let mut heads = Vec::with_capacity(self.kinds.len());
        self.lacking.clear();
        self.lacking.resize(Column::FIXED, false);
        self.lacking.extend(rows.missing.iter().map(|rows| !rows.is_empty()));
        self.needs.begin(self.kinds.len());
        for number in 0..self.kinds.len() {
            heads.push(self.encode_column(number, rows, &mut body));
        }
        let head = BlockHead {
            first_row: rows.first_row,
            rows: count as u32,
            leaves: rows.columns[0].count(1) as u32,
            ply_min: rows.ply_ends.0 as u32,
            ply_max: rows.ply_ends.1 as u32,
            path_kept: position.path_kept as u32,
            path_added: position.path_added,
            entry_values: position.entry_values,
            columns: heads,
        };
        (head, body)
    }

    fn encode_column(&mut self, number: usize, rows: &Rows<'_>, body: &mut Vec<u8>) -> ColumnHead {
        let (narrow, ends, kind) = (&rows.columns[number], rows.extremes[number], self.kinds[number]);
        let missing = number.checked_sub(Column::FIXED).map_or(&[][..], |attribute| &rows.missing[attribute]);
        let is_missing = !missing.is_empty();
        if narrow.len() == 0 || is_missing && missing::is_all(missing, narrow.len()) {
            return ColumnHead { missing: is_missing, ..constant_head(0) };
        }
        if !is_missing && kind != Kind::Text && ends.0 == ends.1 {
            return constant_head(ends.0);
        }
        self.before.clear();
        if is_missing {
            missing::put(&mut self.before, missing, narrow.len());
        }
        let mut of_kind = (0, 0);
        if kind == Kind::Text {
            let texts = rows.texts[number - Column::FIXED];
            put_unsigned(&mut self.before, texts.len() as u64);
            texts.iter().for_each(|text| put_text(&mut self.before, text));
        } else {
            of_kind = narrow.extremes_of_kind(kind, ends);
        }
        let siblings = Siblings {
            number,
            columns: rows.columns,
            extremes: rows.extremes,
            lacking: &self.lacking,
            needs: &self.needs,
            plies: rows.plies,
            ply_max: rows.ply_ends.1,
        };
        // Between two 64-bit unsigned integers, or two floats, the integers here are not the values between them.
        let free = if matches!(kind, Kind::U64 | Kind::F32 | Kind::F64) { &[] } else { missing };
        let column = Values { column: narrow, ends, missing: free, siblings };
        let start = body.len();
        let encoded = self.choosers[number].put(&self.before, column, self.effort, body, &mut self.bench);
        self.needs.set(number, encoded.needs);
        let bytes = &body[start..];
        ColumnHead {
            min: of_kind.0,
            max: of_kind.1,
            stored_bytes: bytes.len() as u64,
            compressed_from: encoded.compressed_from,
            checksum: crc32c::crc32c(bytes),
            missing: is_missing,
        }
    }
}

/// The head of a column whose values are all equal to this one.
fn constant_head(value: i64) -> ColumnHead {
    ColumnHead { min: value, max: value, stored_bytes: 0, compressed_from: None, checksum: 0, missing: false }
}
