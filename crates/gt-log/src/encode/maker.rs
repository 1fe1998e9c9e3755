//! Turns rows into blocks.

use super::block::BlockEncoder;
use super::gather::Gathered;
use super::row_buffer::{RowBuffer, RowLayout};
use super::staging::BlockEnd;
use crate::Schema;
use crate::columns::Effort;
use crate::format::BlockHead;

/// Makes blocks from rows of one schema. The next tree reuses what it has learnt about a tree's columns, and their memory.
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

    /// Whether no block has begun.
    pub(crate) fn is_empty(&self) -> bool {
        self.gathered.is_empty()
    }

    /// Adds rows to the block. The number of rows before them must be a multiple of 64.
    pub(crate) fn append(&mut self, rows: &RowBuffer) {
        self.gathered.append(rows);
    }

    /// Ends the block, and returns its head and its body. The next block begins without rows.
    pub(crate) fn end_block(&mut self, end: BlockEnd) -> (BlockHead, Vec<u8>) {
        self.gathered.encode(&mut self.encoder, end)
    }
}
