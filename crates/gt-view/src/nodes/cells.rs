//! What a row says: its cells, from the block at hand, from what is kept, or from the log.

use std::sync::Arc;

use gt_log::{Column, Error, Kind, Place as Where, Tree, Value};
use gt_query::engine::Failure;

use crate::blocks::{Blocks, Cell, Place, Run};

/// What reading gives; it fails if the log is damaged, or if nobody waits for it any more.
pub(crate) type Result<T> = std::result::Result<T, Failure>;

/// A column of the block that was read last.
struct AtHand {
    first_row: u64,
    end_row: u64,
    /// All rows of the block are leaves.
    leaves_only: bool,
    run: Arc<Run>,
}

impl AtHand {
    #[inline]
    fn holds(&self, row: u64) -> bool {
        (self.first_row..self.end_row).contains(&row)
    }

    #[inline]
    fn get(&self, row: u64) -> Option<i64> {
        self.run.get((row - self.first_row) as usize)
    }
}

/// The cells of one tree, read through the kept blocks.
pub(super) struct Cells<'a> {
    pub(super) tree: Tree<'a>,
    blocks: &'a Blocks,
    opened: u64,
    /// By column number: the block at hand.
    at_hand: Vec<Option<AtHand>>,
}

impl<'a> Cells<'a> {
    pub(super) fn new(tree: Tree<'a>, blocks: &'a Blocks, opened: u64) -> Self {
        let columns = Column::FIXED + tree.schema().attributes().len();
        Self { tree, blocks, opened, at_hand: (0..columns).map(|_| None).collect() }
    }

    /// The value of an attribute; [`Value::Missing`] where there is none.
    pub(super) fn value(&mut self, row: u64, attribute: usize) -> Result<Value> {
        let (kind, column) = (self.tree.schema().attributes()[attribute].kind, Column::Attribute(attribute));
        if kind != Kind::Text {
            let known = self.cell(row, column)?;
            return Ok(known.map_or(Value::Missing, |integer| Value::of_integer(kind, integer, &[])));
        }
        let at_hand = self.at(row, column)?;
        let texts = &at_hand.run.texts;
        Ok(at_hand.get(row).map_or(Value::Missing, |integer| Value::of_integer(kind, integer, texts)))
    }

    /// Where the block at hand begins, if it holds this row and nothing but leaves.
    #[inline]
    pub(super) fn leaves_before(&self, row: u64) -> Option<u64> {
        let at_hand = self.at_hand[Column::Size.number()].as_ref();
        at_hand.filter(|at| at.leaves_only && at.holds(row)).map(|at| at.first_row)
    }

    /// An integer of the tree's structure, which every row has.
    #[inline]
    pub(super) fn integer(&mut self, row: u64, column: Column) -> Result<i64> {
        match self.cell(row, column)? {
            Some(integer) => Ok(integer),
            None => Err(self.damaged(row, "its place in the tree is missing")),
        }
    }

    /// What a row has in a column: from the block at hand, from the cells that are kept, or from its block, which is
    /// then at hand.
    #[inline]
    fn cell(&mut self, row: u64, column: Column) -> Result<Option<i64>> {
        if let Some(at_hand) = self.at_hand[column.number()].as_ref().filter(|at| at.holds(row)) {
            return Ok(at_hand.get(row));
        }
        let (tree, number) = (self.tree.number() as u32, column.number() as u32);
        let cell = Cell { opened: self.opened, tree, column: number, row };
        if let Some(value) = self.blocks.cell(cell) {
            return Ok(value);
        }
        let value = self.at(row, column)?.get(row);
        self.blocks.keep_cell(cell, value);
        Ok(value)
    }

    #[inline]
    fn at(&mut self, row: u64, column: Column) -> Result<&AtHand> {
        let number = column.number();
        if !self.at_hand[number].as_ref().is_some_and(|at| at.holds(row)) {
            self.turn_to(row, column)?;
        }
        match &self.at_hand[number] {
            Some(at_hand) => Ok(at_hand),
            None => Err(self.damaged(row, "its block is not there")),
        }
    }

    #[cold]
    fn turn_to(&mut self, row: u64, column: Column) -> Result<()> {
        let block = self.tree.block_of(row);
        let head = self.tree.block(block);
        let place = Place { opened: self.opened, tree: self.tree.number(), block, column: column.number() };
        let run = self.blocks.get(self.tree, place, column)?;
        self.at_hand[column.number()] = Some(AtHand {
            first_row: head.first_row,
            end_row: head.end_row(),
            leaves_only: run.values == gt_log::Decoded::Constant(1),
            run,
        });
        Ok(())
    }

    /// What a damaged log says at a row.
    pub(super) fn damaged(&self, row: u64, what: &'static str) -> Failure {
        Error::Damaged { place: Where::Row { tree: self.tree.number() as u32, row }, what }.into()
    }
}
