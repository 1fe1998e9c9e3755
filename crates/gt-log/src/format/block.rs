//! The head of a block: which rows it holds, where the search stood when it was written, and for each
//! column its extremes, its length and its checksum.

use crate::format::{BLOCK_ROWS_MAX, DEPTH_MAX, NODES_MAX, RUN_BYTES_MAX};
use crate::wire::{Malformed, Reader, Wire, put_signed, put_unsigned};

/// A column of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Column {
    /// How many rows the node's subtree has, itself included.
    Size,
    /// The move that led to the node.
    LastMove,
    /// Bits: see [`crate::status`].
    Status,
    /// How many nodes were left out right below the node.
    LeftOut,
    /// An attribute of the schema, by its position.
    Attribute(usize),
}

impl Column {
    /// How many columns every block has before the attributes.
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

/// An open node of the path to where the search stood.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PathEntry {
    /// The move that led to it.
    pub last_move: i64,
    /// The first row of its subtree: all rows from here on, while it is open, are its descendants.
    pub start_row: u64,
}

/// What a block says of one column.
///
/// A column without stored bytes is constant: all its values are `min`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ColumnHead {
    /// The least value, as the column's integer (for a float: its bits; for a text: 0).
    pub min: i64,
    /// The greatest value, as the column's integer (a float column with a NaN has a NaN in both).
    pub max: i64,
    /// How many bytes it takes in the file.
    pub stored_bytes: u64,
    /// How many bytes it takes decompressed, where a general compressor was used.
    pub compressed_from: Option<u64>,
    /// The CRC-32C of the stored bytes.
    pub checksum: u32,
}

/// What a block says of itself.
///
/// ```text
/// open path when the block was written    rows of the block
///   kept    a ── b                          ply of row r = path_kept
///   added         ── c (start 7) ── d (9)                + number of `path_added` with start_row ≤ r
///                                                        (for rows with no parent in the block)
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BlockHead {
    /// The row of the tree that the block starts with.
    pub first_row: u64,
    /// How many rows it holds; none where only the open path is recorded.
    pub rows: u32,
    /// How many of them are leaves.
    pub leaves: u32,
    /// The least distance from the root among the rows.
    pub ply_min: u32,
    /// The greatest.
    pub ply_max: u32,
    /// How many nodes of the open path of the block before are still open: all of them started before
    /// this block.
    pub path_kept: u32,
    /// The open nodes below those.
    pub path_added: Vec<PathEntry>,
    /// The columns, by [`Column::number`].
    pub columns: Vec<ColumnHead>,
}

impl BlockHead {
    /// The row after the block's last.
    #[must_use]
    pub fn end_row(&self) -> u64 {
        self.first_row + u64::from(self.rows)
    }

    /// How many nodes were open when the block was written: the ply of its last row.
    #[must_use]
    pub fn open_nodes(&self) -> usize {
        self.path_kept as usize + self.path_added.len()
    }

    pub(crate) fn to_bytes(&self) -> Vec<u8> {
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
        out
    }

    pub(crate) fn read(bytes: &[u8], columns: usize) -> Wire<Self> {
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
        let path_added = read_path(&mut reader, end_row)?;
        if path_kept as usize + path_added.len() > DEPTH_MAX {
            return Err(Malformed("its open path is too long"));
        }
        let columns = (0..columns).map(|_| read_column(&mut reader)).collect::<Wire<_>>()?;
        if !reader.is_empty() {
            return Err(Malformed("it is longer than its columns"));
        }
        Ok(Self { first_row, rows, leaves, ply_min, ply_max, path_kept, path_added, columns })
    }
}

fn bounded(reader: &mut Reader<'_>, most: u64) -> Wire<u32> {
    match reader.unsigned()? {
        number if number <= most => Ok(number as u32),
        _ => Err(Malformed("a number is beyond its limit")),
    }
}

fn read_path(reader: &mut Reader<'_>, end_row: u64) -> Wire<Vec<PathEntry>> {
    let count = reader.count()?;
    let mut path = Vec::with_capacity(count);
    let mut start_row = 0_u64;
    for _ in 0..count {
        let last_move = reader.signed()?;
        start_row = start_row.saturating_add(reader.unsigned()?);
        if start_row > end_row {
            return Err(Malformed("its open path starts after its rows"));
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
    Ok(ColumnHead { min, max, stored_bytes, compressed_from, checksum })
}
