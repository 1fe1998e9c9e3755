//! Compares the attributes of matched nodes column by column.
//!
//! ```text
//! block of A ── its runs, cut where B's blocks end ──▶ spans, by block of B
//!            └─ for each attribute: A's column, B's column, the places of each span that differ
//! ```
//!
//! Blocks of A are compared in parallel. For each column a thread keeps the last block of B that it read: neighbours
//! in A mostly match neighbours in B.

use gt_log::{Scratch, Tree};

use crate::attributes::{Attributes, Compared};
use crate::cells::{Cells, Span, Widened};
use crate::changes::Changes;
use crate::error::Result;
use crate::parallel;
use crate::runs::Runs;

/// The differences of two matched trees.
#[derive(Default)]
pub(crate) struct Comparison {
    pub(crate) changes: Changes,
    /// For each compared attribute, the number of nodes in which it differs.
    pub(crate) counts: Vec<u64>,
}

/// The differences in a block: the roles of each row, if any differ, and the number of differences of each attribute.
struct BlockChanges {
    roles: Vec<u16>,
    counts: Vec<u64>,
}

/// Compares the rows from `first` on; those before are known to be equal.
pub(crate) fn compare(
    (a, b): (Tree<'_>, Tree<'_>),
    runs: &Runs,
    attributes: &Attributes,
    first: u32,
    threads: usize,
) -> Result<Comparison> {
    let compared = attributes.compared.as_slice();
    let from = (0..a.block_count()).take_while(|&block| a.block(block).end_row() <= u64::from(first)).count();
    let blocks = parallel::map(
        a.block_count() - from,
        threads,
        || Reader::new(b, compared),
        |reader, piece| reader.compare(a, from + piece, runs),
    )?;
    let mut comparison =
        Comparison { changes: Changes::none(a.nodes() as u32), counts: vec![0; compared.len()] };
    for (piece, block) in blocks.into_iter().enumerate() {
        let first_row = a.block(from + piece).first_row as u32;
        for (local, roles) in block.roles.into_iter().enumerate().filter(|(_, roles)| *roles != 0) {
            comparison.changes.push(first_row + local as u32, roles);
        }
        comparison.counts.iter_mut().zip(block.counts).for_each(|(sum, count)| *sum += count);
    }
    comparison.changes.close();
    Ok(comparison)
}

/// The state of a thread.
struct Reader<'a> {
    b: Tree<'a>,
    compared: &'a [Compared],
    /// The last block of B read for each attribute.
    kept: Vec<LastBlock>,
    scratch: Scratch,
    widened: Widened,
}

impl<'a> Reader<'a> {
    fn new(b: Tree<'a>, compared: &'a [Compared]) -> Self {
        let kept = compared.iter().map(|_| LastBlock::default()).collect();
        Self { b, compared, kept, scratch: Scratch::default(), widened: Widened::default() }
    }

    fn compare(&mut self, a: Tree<'_>, block: usize, runs: &Runs) -> Result<BlockChanges> {
        let head = a.block(block);
        let rows = head.first_row as u32..head.end_row() as u32;
        let spans = self.spans(rows.clone(), runs);
        let mut changes = BlockChanges { roles: Vec::new(), counts: vec![0; self.compared.len()] };
        if spans.is_empty() {
            return Ok(changes);
        }
        let Self { b, compared, kept, scratch, widened } = self;
        for (number, (attribute, kept)) in compared.iter().zip(kept).enumerate() {
            let cells = Cells::read(a, block, attribute.place_a, scratch)?;
            for (block_b, span) in &spans {
                let other = kept.turn_to(*b, *block_b, attribute.place_b, scratch)?;
                cells.differing(
                    other,
                    (attribute.kind_a, attribute.kind_b),
                    *span,
                    widened,
                    |place, values| {
                        changes.roles.resize(rows.len(), 0);
                        changes.roles[span.a + place] |= attribute.role_of(values) as u16;
                        changes.counts[number] += 1;
                    },
                );
            }
            cells.recycle(scratch);
        }
        Ok(changes)
    }

    /// The matched rows of a block of A, by block of B.
    fn spans(&self, rows: std::ops::Range<u32>, runs: &Runs) -> Vec<(usize, Span)> {
        let mut spans = Vec::new();
        for run in runs.within(rows.clone()) {
            let (mut row_a, mut row_b, mut left) = (run.a, u64::from(run.b), run.rows);
            while left > 0 {
                let block = self.b.block_of(row_b);
                let head = self.b.block(block);
                let taken = left.min((head.end_row() - row_b) as u32);
                let span = Span {
                    a: (row_a - rows.start) as usize,
                    b: (row_b - head.first_row) as usize,
                    rows: taken as usize,
                };
                spans.push((block, span));
                (row_a, row_b, left) = (row_a + taken, row_b + u64::from(taken), left - taken);
            }
        }
        // In the order of B's blocks, so that each is read once.
        spans.sort_by_key(|(block, _)| *block);
        spans
    }
}

/// The last block of a column that was read, with its number.
#[derive(Default)]
struct LastBlock(Option<(usize, Cells)>);

impl LastBlock {
    /// The column's values in a block.
    fn turn_to(
        &mut self,
        tree: Tree<'_>,
        block: usize,
        place: usize,
        scratch: &mut Scratch,
    ) -> Result<&Cells> {
        let kept = match self.0.take() {
            Some((of, cells)) if of == block => (of, cells),
            other => {
                other.into_iter().for_each(|(_, cells)| cells.recycle(scratch));
                (block, Cells::read(tree, block, place, scratch)?)
            }
        };
        Ok(&self.0.insert(kept).1)
    }
}
