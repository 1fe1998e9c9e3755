//! Rows in, blocks out.

use super::block::BlockEncoder;
use super::gather::Gathered;
use super::row_buffer::{RowBuffer, RowLayout};
use super::staging::BlockEnd;
use crate::Schema;
use crate::columns::Effort;
use crate::format::BlockHead;

/// Makes blocks of the rows of one schema. What it has learnt of one tree's columns, and the memory they took, serve the next tree.
pub(crate) struct BlockMaker {
    encoder: BlockEncoder,
    gathered: Gathered,
}

impl BlockMaker {
    pub(crate) fn new(schema: &Schema) -> Self {
        Self {
            encoder: BlockEncoder::new(schema, Effort::Light),
            gathered: Gathered::new(RowLayout::new(schema)),
        }
    }

    /// Whether no block is begun.
    pub(crate) fn is_empty(&self) -> bool {
        self.gathered.is_empty()
    }

    /// Adds rows to the block. Those before them must be a multiple of 64 in number.
    pub(crate) fn append(&mut self, rows: &RowBuffer) {
        self.gathered.append(rows);
    }

    /// The head and the body of the block, which ends here. The next one is begun with no rows.
    pub(crate) fn end_block(&mut self, end: BlockEnd) -> (BlockHead, Vec<u8>) {
        self.gathered.encode(&mut self.encoder, end)
    }
}
