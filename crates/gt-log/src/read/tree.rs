//! A tree of an opened log.

use std::fmt;

use super::assemble::{Block, TreeParts};
use super::block::BlockReader;
use super::limits::Limits;
use super::open::Opened;
use super::texts::Texts;
use crate::columns::{Decoded, Encoding, Question, Scratch, Selected};
use crate::error::Result;
use crate::format::{BlockHead, Column};
use crate::{Kind, Metadata, Schema};

/// A tree of a log: rows in postorder, in blocks.
///
/// The subtree of row `i` is the rows `i + 1 - size[i] ..= i`. Its last child is row `i - 1`, and the sibling
/// before child `c` is row `c - size[c]`. Its node_id, the preorder number, is `i + ply + 1 - size[i]`.
#[derive(Clone, Copy)]
pub struct Tree<'a> {
    log: &'a Opened,
    pub(crate) parts: &'a TreeParts,
    number: usize,
}

impl fmt::Debug for Tree<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Tree")
            .field("number", &self.number)
            .field("nodes", &self.nodes())
            .finish_non_exhaustive()
    }
}

impl<'a> Tree<'a> {
    pub(crate) fn new(log: &'a Opened, parts: &'a TreeParts, number: usize) -> Self {
        Self { log, parts, number }
    }

    /// The tree's number in the log, counted from 0.
    #[must_use]
    pub fn number(&self) -> usize {
        self.number
    }

    /// The attributes of the nodes.
    #[must_use]
    pub fn schema(&self) -> &'a Schema {
        &self.log.header.schema
    }

    /// The tree's metadata.
    #[must_use]
    pub fn metadata(&self) -> &'a Metadata {
        &self.parts.metadata
    }

    /// The number of rows, which is the number of nodes.
    #[must_use]
    pub fn nodes(&self) -> u64 {
        self.parts.nodes
    }

    /// The number of leaves.
    #[must_use]
    pub fn leaves(&self) -> u64 {
        self.blocks().map(|head| u64::from(head.leaves)).sum()
    }

    /// The greatest distance of a node from the root.
    #[must_use]
    pub fn depth(&self) -> u32 {
        self.blocks().map(|head| head.ply_max).max().unwrap_or(0)
    }

    /// The average number of children of the nodes that are not leaves.
    #[must_use]
    pub fn branching(&self) -> f64 {
        match self.nodes() - self.leaves() {
            0 => 0.0,
            inner => (self.nodes() - 1) as f64 / inner as f64,
        }
    }

    /// The number of nodes that were left out of the log, below nodes that are in it.
    pub fn left_out(&self) -> Result<u64> {
        let mut sum = 0_u64;
        for (block, head) in self.blocks().enumerate() {
            let column = &head.columns[Column::LeftOut.number()];
            if column.stored_bytes > 0 || column.min != 0 {
                let counts = self.decode(block, Column::LeftOut)?.widened(head.rows as usize);
                sum = counts.iter().fold(sum, |sum, &count| sum.saturating_add(count as u64));
            }
        }
        Ok(sum)
    }

    /// The number of blocks.
    #[must_use]
    pub fn block_count(&self) -> usize {
        self.parts.blocks.len()
    }

    /// The head of a block: what it says about its rows and columns.
    ///
    /// # Panics
    /// If there is no such block.
    #[must_use]
    pub fn block(&self, block: usize) -> &'a BlockHead {
        &self.parts.blocks[block].head
    }

    /// The heads of all blocks.
    pub fn blocks(&self) -> impl ExactSizeIterator<Item = &'a BlockHead> + use<'a> {
        self.parts.blocks.iter().map(|block| &block.head)
    }

    /// The block that holds this row.
    ///
    /// # Panics
    /// If the tree has no such row.
    #[must_use]
    pub fn block_of(&self, row: u64) -> usize {
        assert!(row < self.nodes(), "the tree has {} rows", self.nodes());
        self.parts.blocks.partition_point(|block| block.head.end_row() <= row)
    }

    /// Decodes a column of a block. For a text attribute, the values are numbers of the texts that [`Tree::texts`] returns.
    ///
    /// # Panics
    /// If there is no such block or attribute.
    pub fn decode(&self, block: usize, column: Column) -> Result<Decoded> {
        self.decode_with(block, column, &mut Scratch::default())
    }

    /// Decodes a column of a block like [`Tree::decode`], reusing the memory of other columns.
    ///
    /// # Panics
    /// If there is no such block or attribute.
    pub fn decode_with(&self, block: usize, column: Column, scratch: &mut Scratch) -> Result<Decoded> {
        self.reader(block, |reader| reader.decode(column.number(), scratch))
    }

    /// Finds the rows of a block whose value in a column passes a question: sets their bits in `words`, which gets one word for each 64
    /// rows, low bits first. If the column has to be decoded for that, it is only decoded, and the words are zeros.
    ///
    /// With `among`, only the rows with a bit there are tested, and chunks with few such rows are not unpacked.
    ///
    /// # Panics
    /// If there is no such block or attribute.
    pub fn select(
        &self,
        block: usize,
        column: Column,
        question: Question,
        among: Option<&[u64]>,
        scratch: &mut Scratch,
        words: &mut Vec<u64>,
    ) -> Result<Selected> {
        words.clear();
        words.resize((self.block(block).rows as usize).div_ceil(64), 0);
        self.reader(block, |reader| reader.select(column.number(), (question, among), scratch, words))
    }

    /// The rows of a block that lack an attribute, as bits, 64 rows per word, low bits first; `None` if every row has it. The values that
    /// [`Tree::decode`] and [`Tree::select`] give for such rows mean nothing.
    ///
    /// # Panics
    /// If there is no such block or attribute.
    pub fn missing(&self, block: usize, attribute: usize) -> Result<Option<Vec<u64>>> {
        self.missing_with(block, attribute, &mut Scratch::default())
    }

    /// Finds the rows that lack an attribute like [`Tree::missing`], reusing the memory of other columns.
    ///
    /// # Panics
    /// If there is no such block or attribute.
    pub fn missing_with(
        &self,
        block: usize,
        attribute: usize,
        scratch: &mut Scratch,
    ) -> Result<Option<Vec<u64>>> {
        let column = Column::Attribute(attribute).number();
        self.reader(block, |reader| reader.missing(column, scratch))
    }

    /// The distinct texts of an attribute in a block, and each row's value as a place among them.
    ///
    /// # Panics
    /// If there is no such block, or the attribute is not a text.
    pub fn texts(&self, block: usize, attribute: usize) -> Result<(Vec<String>, Decoded)> {
        let (texts, codes) = self.texts_with(block, attribute, &mut Scratch::default())?;
        Ok((texts.iter().map(str::to_owned).collect(), codes))
    }

    /// Reads texts like [`Tree::texts`], reusing memory, with all texts in one allocation.
    ///
    /// # Panics
    /// If there is no such block, or the attribute is not a text.
    pub fn texts_with(
        &self,
        block: usize,
        attribute: usize,
        scratch: &mut Scratch,
    ) -> Result<(Texts, Decoded)> {
        assert!(self.schema().attributes()[attribute].kind == Kind::Text);
        self.reader(block, |reader| reader.texts(Column::Attribute(attribute).number(), scratch))
    }

    /// The distance from the root of every row of a block.
    ///
    /// # Panics
    /// If there is no such block.
    pub fn plies(&self, block: usize) -> Result<Vec<i64>> {
        self.reader(block, |reader| reader.plies())
    }

    /// How a column of a block is written.
    ///
    /// # Panics
    /// If there is no such block or attribute.
    pub fn encoding(&self, block: usize, column: Column) -> Result<Encoding> {
        self.reader(block, |reader| reader.encoding(column.number()))
    }

    pub(crate) fn limits(&self) -> Limits {
        self.log.limits
    }

    fn reader<T>(&self, block: usize, read: impl FnOnce(BlockReader<'_>) -> Result<T>) -> Result<T> {
        let attributes = self.schema().attributes();
        let is_text =
            |column: usize| column >= Column::FIXED && attributes[column - Column::FIXED].kind == Kind::Text;
        let parts: &Block = &self.parts.blocks[block];
        read(BlockReader {
            source: &*self.log.source,
            block: parts,
            is_text: &is_text,
            tree: self.number as u32,
            number: block,
            limits: self.log.limits,
        })
    }
}
