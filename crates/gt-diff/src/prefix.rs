//! The rows at the start of two trees that are equal, found block by block: they are never walked.
//!
//! ```text
//! A  ▓▓▓▓│▓▓▓▓│▓▓░▓│▓▓▓▓        the first two blocks have the same rows, moves and compared values, and the same
//! B  ▓▓▓▓│▓▓▓▓│▓▓▓▓│▓▓          path above them: their nodes are matched one by one
//! ```
//!
//! Most different blocks are told apart by the checksums in their heads; if these agree, the columns are decoded and
//! compared, because a checksum is no proof.

use std::sync::atomic::{AtomicUsize, Ordering};

use gt_log::{BlockHead, Column, Scratch, Tree};

use crate::attributes::Compared;
use crate::cells::Cells;
use crate::error::Result;
use crate::parallel;

/// The number of equal rows at the start of both, up to the end of a block.
pub(crate) fn same_rows(a: Tree<'_>, b: Tree<'_>, compared: &[Compared], threads: usize) -> Result<u64> {
    let alike = (0..a.block_count().min(b.block_count()))
        .take_while(|&block| are_heads_same(a.block(block), b.block(block), compared))
        .count();
    // Blocks after a different one need not be checked.
    let first_unlike = AtomicUsize::new(alike);
    parallel::map(alike, threads, Scratch::default, |scratch, block| {
        if block < first_unlike.load(Ordering::Relaxed) && !is_block_same(a, b, block, compared, scratch)? {
            first_unlike.fetch_min(block, Ordering::Relaxed);
        }
        Ok(())
    })?;
    let mut same = first_unlike.load(Ordering::Relaxed);
    let rows = |same: usize| same.checked_sub(1).map_or(0, |last| a.block(last).end_row());
    // A root is the last row: if the trees are not equal as a whole, both roots must be walked.
    while same > 0 && a.nodes() != b.nodes() && (rows(same) == a.nodes() || rows(same) == b.nodes()) {
        same -= 1;
    }
    Ok(rows(same))
}

fn are_heads_same(a: &BlockHead, b: &BlockHead, compared: &[Compared]) -> bool {
    let place = |head: &BlockHead| (head.first_row, head.rows, head.path_kept);
    let fixed = [Column::Size, Column::LastMove].map(Column::number);
    place(a) == place(b)
        && a.path_added == b.path_added
        && fixed.into_iter().all(|column| a.columns[column] == b.columns[column])
        && compared.iter().all(|attribute| {
            attribute.kind_a == attribute.kind_b
                && a.columns[Column::Attribute(attribute.place_a).number()]
                    == b.columns[Column::Attribute(attribute.place_b).number()]
        })
}

fn is_block_same(
    a: Tree<'_>,
    b: Tree<'_>,
    block: usize,
    compared: &[Compared],
    scratch: &mut Scratch,
) -> Result<bool> {
    for column in [Column::Size, Column::LastMove] {
        let (of_a, of_b) = (a.decode_with(block, column, scratch)?, b.decode_with(block, column, scratch)?);
        let is_same = of_a == of_b;
        scratch.recycle(of_a);
        scratch.recycle(of_b);
        if !is_same {
            return Ok(false);
        }
    }
    for attribute in compared {
        let of_a = Cells::read(a, block, attribute.place_a, scratch)?;
        let of_b = Cells::read(b, block, attribute.place_b, scratch)?;
        let is_same = of_a == of_b;
        of_a.recycle(scratch);
        of_b.recycle(scratch);
        if !is_same {
            return Ok(false);
        }
    }
    Ok(true)
}
