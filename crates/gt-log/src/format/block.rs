//! The head of a block: which rows it holds, where the search was when it was written, and the extremes, length and checksum of each
//! column.

use crate::format::section::{put_section, read_sections};
use crate::format::{BLOCK_ROWS_MAX, DEPTH_MAX, NODES_MAX, RUN_BYTES_MAX};
use crate::record::Value;
use crate::wire::{Malformed, Reader, Wire, put_signed, put_text, put_unsigned};
use crate::{Kind, Schema};

/// A column of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Column {
    /// The number of rows in the node's subtree, including its own.
    Size,
    /// The move that led to the node.
    LastMove,
    /// Bits: see [`crate::status`].
    Status,
    /// The number of nodes that were left out directly below the node.
    LeftOut,
    /// An attribute of the schema, by its position.
    Attribute(usize),
}

impl Column {
    /// The number of columns that every block has before the attributes.
    pub const FIXED: usize = 4;

    /// The column's number in a block.
    #[must_use]
    pub const fn number(self) -> usize {
        match self {
            Column::Size => 0,
            Column::LastMove => 1,
            Column::Status => 2,
            Column::LeftOut => 3,
            Column::Attribute(position) => Column::FIXED + position,
        }
    }
}

/// An open node on the path to the search's position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PathEntry {
    /// The move that led to the node.
    pub last_move: i64,
    /// The first row of the node's subtree: while the node is open, all rows from this one on are its descendants.
    pub start_row: u64,
}

/// The values that an open node had when it was entered.
#[derive(Clone, Debug)]
pub struct EntryValues {
    /// The node's place in [`BlockHead::path_added`].
    pub place: usize,
    /// The known attributes, ascending, with their values; none of them is missing.
    pub values: Vec<(usize, Value)>,
}

/// Floats are equal if their bits are: heads of the same bytes are equal, even if they contain a NaN.
impl PartialEq for EntryValues {
    fn eq(&self, other: &Self) -> bool {
        let same = |(a, b): (&(usize, Value), &(usize, Value))| match (&a.1, &b.1) {
            (Value::Float(x), Value::Float(y)) => a.0 == b.0 && x.to_bits() == y.to_bits(),
            _ => a == b,
        };
        self.place == other.place
            && self.values.len() == other.values.len()
            && self.values.iter().zip(&other.values).all(same)
    }
}

/// What a block says about one column.
///
/// A column without stored bytes is constant: all its values are `min`, or, if it has missing values, all its values are missing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ColumnHead {
    /// The least known value, as the column's integer: for a float, its bits; 0 for a text, and if no value is known.
    pub min: i64,
    /// The greatest known value, as the column's integer. A float column that has a NaN has a NaN in `min` and in `max`.
    pub max: i64,
    /// The number of bytes that the column takes in the file.
    pub stored_bytes: u64,
    /// The number of bytes that the column takes decompressed, if a general compressor was used.
    pub compressed_from: Option<u64>,
    /// The CRC-32C of the stored bytes.
    pub checksum: u32,
    /// Whether rows lack the value; [`Tree::missing`](crate::Tree::missing) says which. Logs of version 1.0 do not say; for them, whether
    /// rows may lack it.
    pub missing: bool,
}

/// The head of a block: what it says about its rows and columns.
///
/// ```text
/// open path when the block was written    rows of the block
///   kept    a ── b                          ply of row r = path_kept
///   added         ── c (start 7) ── d (9)                + number of `path_added` with start_row ≤ r
///                                                        (for rows with no parent in the block)
/// ```
///
/// As [`Tree::block`](crate::Tree::block) returns it, a block has at least one row, and its open path has only nodes that have a row before
/// the block's end. In the file, a block may have no rows, and its path has every open node.
#[derive(Clone, Debug, PartialEq)]
pub struct BlockHead {
    /// The number of the block's first row in the tree.
    pub first_row: u64,
    /// The number of rows in the block.
    pub rows: u32,
    /// The number of leaves among these rows.
    pub leaves: u32,
    /// The least distance from the root among the rows.
    pub ply_min: u32,
    /// The greatest distance from the root among the rows.
    pub ply_max: u32,
    /// How many nodes of the previous block's open path are still open: all of them started before this block.
    pub path_kept: u32,
    /// The open nodes below these; each started in this block or at its end.
    pub path_added: Vec<PathEntry>,
    /// The values that some nodes of `path_added` had when they were entered, in the order of the path.
    pub entry_values: Vec<EntryValues>,
    /// The columns, by [`Column::number`].
    pub columns: Vec<ColumnHead>,
}

impl BlockHead {
    /// The row after the block's last.
    #[must_use]
    pub fn end_row(&self) -> u64 {
        self.first_row + u64::from(self.rows)
    }

    /// The number of nodes that were open when the block was written: the ply of its last row.
    #[must_use]
    pub fn open_nodes(&self) -> usize {
        self.path_kept as usize + self.path_added.len()
    }

    pub(crate) fn to_bytes(&self, schema: &Schema) -> Vec<u8> {
        let mut out = Vec::with_capacity(64 + 16 * self.columns.len() + 4 * self.path_added.len());
        put_unsigned(&mut out, self.first_row);
        for number in [self.rows, self.leaves, self.ply_min, self.ply_max, self.path_kept] {
            put_unsigned(&mut out, u64::from(number));
        }
        put_unsigned(&mut out, self.path_added.len() as u64);
        let mut previous = 0;
        for entry in &self.path_added {
            put_signed(&mut out, entry.last_move);
            put_unsigned(&mut out, entry.start_row - previous);
            previous = entry.start_row;
        }
        for column in &self.columns {
            put_signed(&mut out, column.min);
            put_signed(&mut out, column.max.wrapping_sub(column.min));
            put_unsigned(&mut out, column.stored_bytes << 1 | u64::from(column.compressed_from.is_some()));
            if let Some(raw) = column.compressed_from {
                put_unsigned(&mut out, raw);
            }
            if column.stored_bytes > 0 {
                out.extend_from_slice(&column.checksum.to_le_bytes());
            }
        }
        self.put_missing(&mut out);
        self.put_entry_values(&mut out, schema);
        out
    }

    fn put_missing(&self, out: &mut Vec<u8>) {
        let missing = || (0..self.columns.len()).filter(|&column| self.columns[column].missing);
        if missing().next().is_some() {
            put_section(out, SECTION_MISSING, |out| {
                missing().for_each(|column| put_unsigned(out, column as u64));
            });
        }
    }

    fn put_entry_values(&self, out: &mut Vec<u8>, schema: &Schema) {
        if self.entry_values.is_empty() {
            return;
        }
        put_section(out, SECTION_ENTRY_VALUES, |out| {
            for node in &self.entry_values {
                put_unsigned(out, node.place as u64);
                put_unsigned(out, node.values.len() as u64);
                for (attribute, value) in &node.values {
                    put_unsigned(out, *attribute as u64);
                    match value {
                        Value::Text(text) => put_text(out, text),
                        value => put_signed(out, value.to_integer(schema.attributes()[*attribute].kind)),
                    }
                }
            }
        });
    }

    /// Reads a head in the form that it has in the file.
    pub(crate) fn read(bytes: &[u8], schema: &Schema) -> Wire<Self> {
        let mut reader = Reader::new(bytes);
        let first_row = reader.unsigned()?;
        let rows = bounded(&mut reader, BLOCK_ROWS_MAX as u64)?;
        let leaves = bounded(&mut reader, u64::from(rows))?;
        let ply_min = bounded(&mut reader, DEPTH_MAX as u64)?;
        let ply_max = bounded(&mut reader, DEPTH_MAX as u64)?;
        let path_kept = bounded(&mut reader, DEPTH_MAX as u64)?;
        let end_row = first_row.checked_add(u64::from(rows)).ok_or(Malformed("its rows are too many"))?;
        if end_row > NODES_MAX {
            return Err(Malformed("its rows are too many"));
        }
        let path_added = read_path(&mut reader, first_row, end_row)?;
        if path_kept as usize + path_added.len() > DEPTH_MAX {
            return Err(Malformed("its open path is too long"));
        }
        let column_count = Column::FIXED + schema.attributes().len();
        // A log has tens of thousands of heads, so none takes more room than it needs.
        let mut columns = Vec::with_capacity(column_count);
        for _ in 0..column_count {
            columns.push(read_column(&mut reader)?);
        }
        let entry_values = Vec::new();
        let mut head =
            Self { first_row, rows, leaves, ply_min, ply_max, path_kept, path_added, entry_values, columns };
        for section in read_sections(reader) {
            match section? {
                (SECTION_MISSING, section) => head.read_missing(section)?,
                (SECTION_ENTRY_VALUES, section) => head.read_entry_values(section, schema)?,
                // A newer version says more about its blocks.
                _ => {}
            }
        }
        Ok(head)
    }

    fn read_missing(&mut self, mut reader: Reader<'_>) -> Wire<()> {
        while !reader.is_empty() {
            let column = usize::try_from(reader.unsigned()?).unwrap_or(usize::MAX);
            match self.columns.get_mut(column).filter(|_| column >= Column::FIXED) {
                Some(head) => head.missing = true,
                None => return Err(Malformed("a column without values is no attribute")),
            }
        }
        Ok(())
    }

    fn read_entry_values(&mut self, mut reader: Reader<'_>, schema: &Schema) -> Wire<()> {
        while !reader.is_empty() {
            let place = usize::try_from(reader.unsigned()?).unwrap_or(usize::MAX);
            let is_next = self.entry_values.last().is_none_or(|before| before.place < place);
            if place >= self.path_added.len() || !is_next {
                return Err(Malformed("values given at entry belong to no open node"));
            }
            let mut values: Vec<(usize, Value)> = Vec::new();
            for _ in 0..reader.count()? {
                let attribute = usize::try_from(reader.unsigned()?).unwrap_or(usize::MAX);
                let is_next = values.last().is_none_or(|(before, _)| *before < attribute);
                let Some(kind) =
                    schema.attributes().get(attribute).map(|known| known.kind).filter(|_| is_next)
                else {
                    return Err(Malformed("a value given at entry belongs to no attribute"));
                };
                let value = match kind {
                    Kind::Text => Value::Text(reader.text()?.to_owned()),
                    kind => {
                        let integer = reader.signed()?;
                        if !kind.holds(integer) {
                            return Err(Malformed("a value given at entry is not one of its type"));
                        }
                        Value::of_integer(kind, integer, &[])
                    }
                };
                values.push((attribute, value));
            }
            self.entry_values.push(EntryValues { place, values });
        }
        Ok(())
    }
}

/// The attributes that some rows lack, by their columns' numbers.
const SECTION_MISSING: u64 = 1;
/// The values that nodes of the open path had when they were entered.
const SECTION_ENTRY_VALUES: u64 = 2;

fn bounded(reader: &mut Reader<'_>, most: u64) -> Wire<u32> {
    match reader.unsigned()? {
        number if number <= most => Ok(number as u32),
        _ => Err(Malformed("a number is beyond its limit")),
    }
}

fn read_path(reader: &mut Reader<'_>, first_row: u64, end_row: u64) -> Wire<Vec<PathEntry>> {
    let count = reader.count()?;
    let mut path = Vec::with_capacity(count);
    let mut start_row = 0_u64;
    for _ in 0..count {
        let last_move = reader.signed()?;
        start_row = start_row.saturating_add(reader.unsigned()?);
        if !(first_row..=end_row).contains(&start_row) {
            return Err(Malformed("its open path starts outside of its rows"));
        }
        path.push(PathEntry { last_move, start_row });
    }
    Ok(path)
}

fn read_column(reader: &mut Reader<'_>) -> Wire<ColumnHead> {
    let min = reader.signed()?;
    let max = min.wrapping_add(reader.signed()?);
    let length = reader.unsigned()?;
    let stored_bytes = length >> 1;
    let compressed_from = match length & 1 {
        0 => None,
        _ => Some(reader.unsigned()?),
    };
    if stored_bytes.max(compressed_from.unwrap_or(0)) > RUN_BYTES_MAX as u64 {
        return Err(Malformed("a column is larger than one can be"));
    }
    let checksum = if stored_bytes > 0 { reader.u32()? } else { 0 };
    Ok(ColumnHead { min, max, stored_bytes, compressed_from, checksum, missing: false })
}
