//! node_ids of rows: the first row of a row's subtree, plus its ply.
//!
//! For a row without children that is the row plus its ply.

use gt_log::{Column, Decoded, Tree};

use super::block::{Shape, ShapeRoom};
use super::sizes::each_size;
use super::sums::Sums;
use crate::engine::Failure;
use crate::engine::bits::{BlockRows, Marks};
use crate::engine::crossing::Skeleton;

/// The ids of a block are kept as bits if a list would take more memory.
const IDS_OF_A_WORD: u64 = 64;

/// The ids of a block's rows: of inner nodes, listed and marked ones; and of crossing nodes.
#[derive(Debug, Default)]
pub(in crate::engine) struct BlockIds {
    pub(in crate::engine) list: Vec<u64>,
    pub(in crate::engine) marks: Option<Marks>,
    pub(in crate::engine) crossing: Vec<u64>,
}

/// The node_ids of rows of a block; if there are none, nothing is read.
///
/// # Errors
/// Returns an error if the log is damaged or cannot be read.
pub(in crate::engine) fn ids_of_rows(
    tree: Tree<'_>,
    skeleton: &Skeleton,
    room: &mut ShapeRoom,
    block: usize,
    rows: &BlockRows,
) -> Result<BlockIds, Failure> {
    if *rows == BlockRows::None {
        return Ok(BlockIds::default());
    }
    in_block(tree, skeleton, room, block, |shape| {
        shape.plies()?;
        let closed = shape.regions.closed.iter().zip(skeleton.closed(block));
        let crossing = closed.filter(|&(&row, _)| rows.contains(row));
        let crossing = crossing.map(|(_, &joint)| skeleton.joints[joint as usize].node_id()).collect();
        shape.list_rows(rows);
        let (list, marks) = ids_of_listed(shape);
        Ok(BlockIds { list, marks, crossing })
    })
}

/// The rows of the crossing nodes that are closed in a block, deepest first.
///
/// # Errors
/// Returns an error if the log is damaged or cannot be read.
pub(in crate::engine) fn rows_of_closed(
    tree: Tree<'_>,
    skeleton: &Skeleton,
    room: &mut ShapeRoom,
    block: usize,
) -> Result<Vec<usize>, Failure> {
    in_block(tree, skeleton, room, block, |shape| Ok(shape.regions.closed.clone()))
}

/// Calls `read` with the shape of a block.
pub(super) fn in_block<T>(
    tree: Tree<'_>,
    skeleton: &Skeleton,
    room: &mut ShapeRoom,
    block: usize,
    read: impl FnOnce(&mut Shape<'_>) -> Result<T, Failure>,
) -> Result<T, Failure> {
    let mut shape = Shape::new(tree, block, skeleton, std::mem::take(room))?;
    let value = read(&mut shape)?;
    *room = shape.into_room();
    Ok(value)
}

/// The ids of the listed inner nodes: as a list, or as bits if they are many.
fn ids_of_listed(shape: &Shape<'_>) -> (Vec<u64>, Option<Marks>) {
    let (head, rows) = (shape.head, shape.listed());
    if (rows.len() as u64) < u64::from(head.rows) / IDS_OF_A_WORD {
        return (listed_ids(shape, rows), None);
    }
    let (sizes, plies) = (shape.columns.get(Column::Size), shape.known_plies());
    // No id is smaller than the first row of its subtree, or further from it than the largest ply.
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

/// The node_ids of some inner nodes; plies must have been computed.
pub(super) fn listed_ids(shape: &Shape<'_>, rows: &[u32]) -> Vec<u64> {
    let sizes = shape.columns.get(Column::Size);
    let mut ids = Vec::with_capacity(rows.len());
    let first_row = shape.head.first_row;
    Matches { rows, sizes, plies: shape.known_plies() }.each(|id| ids.push(first_row + id));
    ids
}

/// The matches of a block, and the data for their ids.
struct Matches<'a> {
    rows: &'a [u32],
    sizes: &'a Decoded,
    plies: &'a Sums,
}

impl Matches<'_> {
    /// Calls `visit` with the id of each match, relative to the first row of the block.
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
