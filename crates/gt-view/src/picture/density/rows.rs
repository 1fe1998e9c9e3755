//! The rows of a stretch of node_ids, block by block, several blocks at a time.
//!
//! ```text
//! row − size + 1 + ply = node_id      nodes left before id f was entered: f − ply(f), and so many rows
//! rows of ids f..t = f − ply(f) .. t − ply(t), and the nodes that are open when t is entered
//! ```
//!
//! **Invariant:** every node whose subtree meets the stretch is given once, but for those that are open at its end.

use std::ops::Range;

use gt_log::{Column, Error, Place, Scratch, Tree};
use gt_query::engine::Failure;

use super::classes::Classes;
use super::values::{Visit, visit};
use crate::nodes::{Node, Nodes, Result};
use crate::work::Cancel;

/// A node of a stretch.
#[derive(Clone, Copy, Debug)]
pub(super) struct Row {
    pub(super) id: u64,
    pub(super) size: u64,
    pub(super) ply: u64,
    pub(super) class: u8,
}

/// Fewer rows than this are not worth a second thread.
const ROWS_PER_THREAD: u64 = 1 << 17;

/// The rows of a stretch, and the nodes that are open at its end, each with its ply.
pub(super) struct Stretch {
    pub(super) rows: Range<u64>,
    pub(super) open: Vec<(Node, u64)>,
}

impl Stretch {
    /// The stretch of some node_ids in the subtree of `root`.
    pub(super) fn of(nodes: &mut Nodes<'_>, root: Node, ids: &Range<u64>) -> Result<Self> {
        let first_row = root.row + 1 - root.size;
        let start = if ids.start <= root.id { first_row } else { ids.start - nodes.locate(ids.start)?.ply() };
        if ids.end >= root.id + root.size {
            return Ok(Self { rows: start..root.row + 1, open: Vec::new() });
        }
        let after = nodes.locate(ids.end)?;
        let open = after.ancestors.iter().copied().zip(0..).filter(|(node, _)| node.id >= root.id);
        Ok(Self { rows: start..ids.end - after.ply(), open: open.collect() })
    }
}

/// Goes over rows on several threads: each block's into a state of its thread, which are given back in order.
pub(super) fn scan<S: Send>(
    tree: Tree<'_>,
    rows: &Range<u64>,
    classes: &Classes,
    cancel: &Cancel,
    state: impl Fn(Range<u64>) -> S + Sync,
    visit_row: impl Fn(&mut S, Row) + Sync,
) -> Result<Vec<S>> {
    if rows.is_empty() {
        return Ok(Vec::new());
    }
    let blocks = tree.block_of(rows.start)..tree.block_of(rows.end - 1) + 1;
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let threads = threads.min((rows.end - rows.start).div_ceil(ROWS_PER_THREAD) as usize).min(blocks.len());
    let share = blocks.len().div_ceil(threads.max(1));
    let parts: Vec<Range<usize>> =
        blocks.clone().step_by(share).map(|first| first..blocks.end.min(first + share)).collect();
    let part = |blocks: Range<usize>| -> Result<S> {
        let covered = tree.block(blocks.start).first_row..tree.block(blocks.end - 1).end_row();
        let mut own = state(covered.start.max(rows.start)..covered.end.min(rows.end));
        let mut memory = Memory::default();
        for block in blocks {
            if cancel.is_set() {
                return Err(Failure::Cancelled);
            }
            memory.each(tree, block, rows, classes, |row| visit_row(&mut own, row))?;
        }
        Ok(own)
    };
    if let [only] = &parts[..] {
        return Ok(vec![part(only.clone())?]);
    }
    std::thread::scope(|scope| {
        let running: Vec<_> = parts.into_iter().map(|blocks| scope.spawn(|| part(blocks))).collect();
        running
            .into_iter()
            .map(|thread| thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
            .collect()
    })
}

/// What is decoded of a block.
#[derive(Default)]
struct Memory {
    classes: Vec<u8>,
    /// The first rows of the nodes that are open, root first.
    open: Vec<u64>,
    scratch: Scratch,
}

impl Memory {
    /// Visits the rows of a block that are in a range, the last first.
    fn each(
        &mut self,
        tree: Tree<'_>,
        block: usize,
        rows: &Range<u64>,
        classes: &Classes,
        visit_row: impl FnMut(Row),
    ) -> Result<()> {
        let sizes = tree.decode_with(block, Column::Size, &mut self.scratch)?;
        classes.of_block(tree, block, &sizes, &mut self.scratch, &mut self.classes)?;
        let head = tree.block(block);
        self.open.clear();
        self.open.resize(head.path_kept as usize, 0);
        self.open.extend(head.path_added.iter().map(|open| open.start_row));
        let classes = &self.classes;
        visit(
            &sizes,
            Walk { tree, first_row: head.first_row, classes, open: &mut self.open, rows, visit_row },
        )
    }
}

/// Goes over a block from its last row to its first, which is the order of entering with all siblings turned round: the
/// nodes that are open are those whose first row is not passed yet.
struct Walk<'m, F> {
    tree: Tree<'m>,
    first_row: u64,
    classes: &'m [u8],
    open: &'m mut Vec<u64>,
    rows: &'m Range<u64>,
    visit_row: F,
}

impl<F: FnMut(Row)> Visit for Walk<'_, F> {
    type Output = Result<()>;

    fn visit(self, get: impl Fn(usize) -> i64) -> Result<()> {
        let Self { tree, first_row, classes, open, rows, mut visit_row } = self;
        let nodes = tree.nodes();
        let mut innermost = open.last().copied().unwrap_or(0);
        for place in (rows.start.saturating_sub(first_row) as usize..classes.len()).rev() {
            let row = first_row + place as u64;
            while innermost > row {
                open.pop();
                innermost = open.last().copied().unwrap_or(0);
            }
            let size = get(place).cast_unsigned();
            let (start, ply) = ((row + 1).wrapping_sub(size), open.len() as u64);
            if start > row || start < innermost || row + 1 + ply > nodes {
                let place = Place::Row { tree: tree.number() as u32, row };
                return Err(Error::Damaged { place, what: "its subtree reaches beyond its parent's" }.into());
            }
            if row < rows.end {
                visit_row(Row { id: start + ply, size, ply, class: classes[place] });
            }
            if size > 1 {
                open.push(start);
                innermost = start;
            }
        }
        Ok(())
    }
}
