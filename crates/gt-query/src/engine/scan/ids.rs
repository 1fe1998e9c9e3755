//! node_ids of rows: where a row's subtree starts, plus its ply.
//!
//! For a row without children that is the row plus its ply.

use gt_log::{Column, Decoded, Lanes, Tree};

use super::bitmap::Bitmap;
use super::block::{Buffers, Scanner};
use super::graph::Compiled;
use super::sizes::each_size;
use super::sums::Sums;
use super::wide::wide;
use crate::engine::Failure;
use crate::engine::columns::Columns;
use crate::engine::details::Details;
use crate::engine::matches::{BlockIds, BlockRows};
use crate::engine::node_set::Marks;
use crate::engine::plan::Plan;
use crate::engine::skeleton::Skeleton;
use crate::engine::survey::regions;
use crate::ir::Program;

/// The ids of a block are kept as bits where a list would take more memory.
const IDS_OF_A_WORD: u64 = 64;
/// Its rows likewise.
const ROWS_OF_A_LISTED: u64 = 32;

/// Keeps the rows that match, of which there are `count`, without those of these crossing nodes.
pub(super) fn rows_found(matches: &Bitmap, count: u64, crossing: &[usize]) -> BlockRows {
    let rows = matches.rows() as u64;
    if count == 0 {
        BlockRows::None
    } else if count == rows {
        BlockRows::All
    } else if count < rows / ROWS_OF_A_LISTED {
        let mut listed = Vec::with_capacity(count as usize + crossing.len());
        matches.each(|row| listed.push(row as u32));
        // Both are ascending.
        listed.retain(|row| crossing.binary_search(&(*row as usize)).is_err());
        BlockRows::Few(listed.into())
    } else {
        let mut words: Box<[u64]> = matches.words().into();
        crossing.iter().for_each(|row| words[row / 64] &= !(1 << (row % 64)));
        BlockRows::Many(words)
    }
}

/// The node_ids of rows of a block; where there are none, nothing is read.
///
/// # Errors
/// Where the log is damaged or cannot be read.
pub(in crate::engine) fn ids_of_rows(
    tree: Tree<'_>,
    skeleton: &Skeleton,
    buffers: &mut Buffers,
    block: usize,
    rows: &BlockRows,
) -> Result<BlockIds, Failure> {
    if *rows == BlockRows::None {
        return Ok(BlockIds::default());
    }
    in_block(tree, skeleton, buffers, block, |scanner| {
        scanner.plies()?;
        let closed = scanner.regions.closed.iter().zip(skeleton.closed(block));
        let crossing = closed.filter(|&(&row, _)| rows.contains(row));
        let crossing = crossing.map(|(_, &joint)| skeleton.joints[joint].node_id()).collect();
        scanner.buffers.list_rows(rows);
        let (list, marks) = ids_of_listed(scanner);
        Ok(BlockIds { list, marks, crossing })
    })
}

/// The rows of the crossing nodes that are closed in a block, deepest first.
///
/// # Errors
/// Where the log is damaged or cannot be read.
pub(in crate::engine) fn rows_of_closed(
    tree: Tree<'_>,
    skeleton: &Skeleton,
    buffers: &mut Buffers,
    block: usize,
) -> Result<Vec<usize>, Failure> {
    in_block(tree, skeleton, buffers, block, |scanner| Ok(scanner.regions.closed.clone()))
}

/// Calls `read` with a block of which nothing but the shape is asked.
pub(super) fn in_block<T>(
    tree: Tree<'_>,
    skeleton: &Skeleton,
    buffers: &mut Buffers,
    block: usize,
    read: impl FnOnce(&mut Scanner<'_, '_>) -> Result<T, Failure>,
) -> Result<T, Failure> {
    let columns = Column::FIXED + tree.schema().attributes().len();
    let compiled = Compiled { asked_once: vec![false; columns], ..Compiled::default() };
    buffers.begin(&compiled);
    let mut columns = Columns::new(tree, block, std::mem::take(&mut buffers.scratch));
    columns.load(Column::Size)?;
    let regions = regions(tree, block, skeleton, &columns)?;
    let value = read(&mut Scanner {
        program: &Program::default(),
        plan: &Plan::default(),
        compiled: &compiled,
        skeleton,
        details: &Details::default(),
        paths: &[],
        regions: &regions,
        head: tree.block(block),
        columns: &mut columns,
        buffers,
    })?;
    buffers.scratch = columns.into_scratch();
    Ok(value)
}

/// The ids of the inner nodes that are listed: as a list, or as bits where they are many.
fn ids_of_listed(scanner: &Scanner<'_, '_>) -> (Vec<u64>, Option<Marks>) {
    let (head, rows) = (scanner.head, scanner.buffers.listed());
    if (rows.len() as u64) < u64::from(head.rows) / IDS_OF_A_WORD {
        return (listed_ids(scanner, rows), None);
    }
    let (sizes, plies) = (scanner.columns.get(Column::Size), scanner.buffers.plies());
    // No id is smaller than the row that its subtree starts with, or further from it than the greatest ply.
    let mut marks = Marks::none_of(head.first_row..head.end_row() + u64::from(head.ply_max) + 1);
    let shift = head.first_row - marks.first_id();
    let words = marks.words_mut();
    Matches { rows, sizes, plies }.each(|id| {
        let place = id + shift;
        if let Some(word) = words.get_mut((place / 64) as usize) {
            *word |= 1 << (place % 64);
        }
    });
    (Vec::new(), Some(marks))
}

/// The node_ids of some inner nodes; plies have been computed.
pub(super) fn listed_ids(scanner: &Scanner<'_, '_>, rows: &[u32]) -> Vec<u64> {
    let sizes = scanner.columns.get(Column::Size);
    let mut ids = Vec::with_capacity(rows.len());
    let first_row = scanner.head.first_row;
    Matches { rows, sizes, plies: scanner.buffers.plies() }.each(|id| ids.push(first_row + id));
    ids
}

/// The matches of a block, and what their ids are made of.
struct Matches<'a> {
    rows: &'a [u32],
    sizes: &'a Decoded,
    plies: &'a Sums,
}

impl Matches<'_> {
    /// Calls `visit` with the id of each, relative to the first row of the block.
    #[inline]
    fn each(&self, mut visit: impl FnMut(u64)) {
        match self.plies.bytes() {
            Some(plies) => self.each_with(|row| u64::from(plies[row]), &mut visit),
            None => self.each_with(|row| u64::from(self.plies.get(row)), &mut visit),
        }
    }

    #[inline]
    fn each_with(&self, ply: impl Fn(usize) -> u64, visit: &mut impl FnMut(u64)) {
        each_size!(self.sizes, size => for &row in self.rows {
            let row = row as usize;
            visit((row + 1).saturating_sub(size(row)) as u64 + ply(row));
        });
    }
}

wide! {
    /// Writes the places of the bits that are set, of which `out` has room for all; the words begin with this one.
    fn write_bits(first_word: u64, words: &[u64], out: &mut [u64]) {
        let mut end = 0;
        for (place, &word) in words.iter().enumerate() {
            let (mut word, mut written) = (word, end);
            let base = (first_word + place as u64) * 64;
            end += word.count_ones() as usize;
            // Eight at a time, whether there are so many or not: what is too much is written over.
            while word != 0 && let Some(eight) = out.get_mut(written..).and_then(<[u64]>::first_chunk_mut::<8>) {
                for id in eight {
                    *id = base + u64::from(word.trailing_zeros());
                    word &= word.wrapping_sub(1);
                }
                written += 8;
            }
            for id in out.get_mut(written..end).into_iter().flatten() {
                *id = base + u64::from(word.trailing_zeros());
                word &= word.wrapping_sub(1);
            }
        }
    }
}

/// Writes the ids that set bits stand for, as many as `out` has room for; the lowest bit of the first word stands for
/// 64 times `first_word`.
pub(in crate::engine) fn each_bit_into(first_word: u64, words: &[u64], out: &mut [u64]) {
    write_bits(first_word, words, out);
}
