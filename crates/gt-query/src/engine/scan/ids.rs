//! node_ids of rows: where a row's subtree starts, plus its ply.
//!
//! For a row without children that is the row plus its ply.

use gt_log::{Column, Decoded, Lanes};

use super::block::Scanner;
use super::sizes::each_size;
use super::sums::Sums;
use super::wide::wide;
use crate::engine::Failure;
use crate::engine::collect::Found;
use crate::engine::id_set::{IDS_OF_A_WORD, IdMarks};

/// Puts the ids of the inner nodes among `matches`, of which there are `found.count`, into what was found.
///
/// # Errors
/// Where the log is damaged or cannot be read.
pub(super) fn find_ids(scanner: &mut Scanner<'_, '_>, test: usize, found: &mut Found) -> Result<(), Failure> {
    scanner.plies()?;
    let head = scanner.head;
    scanner.buffers.list_inner(test);
    let buffers = &*scanner.buffers;
    let rows =
        Matches { rows: buffers.listed(), sizes: scanner.columns.get(Column::Size), plies: buffers.plies() };
    if found.count < u64::from(head.rows) / IDS_OF_A_WORD {
        found.nodes.reserve(found.count as usize);
        rows.each(|id| found.nodes.push(head.first_row + id));
        return Ok(());
    }
    // No id is smaller than the row that its subtree starts with, or further from it than the greatest ply.
    let mut marks = IdMarks::none_of(head.first_row..head.end_row() + u64::from(head.ply_max) + 1);
    let shift = head.first_row - marks.first_id();
    let words = marks.words_mut();
    rows.each(|id| {
        let place = id + shift;
        if let Some(word) = words.get_mut((place / 64) as usize) {
            *word |= 1 << (place % 64);
        }
    });
    found.marks = Some(marks);
    Ok(())
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

/// The same, for others.
pub(in crate::engine) fn each_bit_into(first_word: u64, words: &[u64], out: &mut [u64]) {
    write_bits(first_word, words, out);
}
