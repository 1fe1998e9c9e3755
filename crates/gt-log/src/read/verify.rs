//! Verifies the whole log: every checksum, every subtree, every number, every claim of a head and of the index.
//!
//! One type defines what is sound, [`Checker`]: `verify` reports the first fault that it finds, `recover` saves the blocks before it.

use super::condition::IndexState;
use super::log::Log;
use super::nesting::{Ancestor, Nesting};
use super::open::scan;
use super::tree::Tree;
use crate::columns::{extremes, extremes_of_kind, missing};
use crate::error::{Error, Place, Result};
use crate::format::{Column, PathEntry, status};
use crate::{Kind, Scratch};

/// Counts of the parts of a log that were checked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Verified {
    /// Rows with a sound structure.
    pub nodes: u64,
    /// Blocks read.
    pub blocks: usize,
    /// Columns decoded whose checksums are right.
    pub columns: usize,
    /// Nodes marked unfinished.
    pub unfinished: u64,
}

impl Log {
    /// Checks the log's file, index and parts, and then every tree.
    ///
    /// The error names the first fault. Calls `progress` with the number of rows done.
    pub fn verify(&self, mut progress: impl FnMut(u64)) -> Result<Vec<Verified>> {
        self.verify_parts()?;
        let mut done = 0;
        let mut verified = Vec::new();
        for tree in self.trees() {
            verified.push(tree.verify(|rows| progress(done + rows))?);
            done += tree.nodes();
        }
        Ok(verified)
    }

    /// Follows the parts without the index: each must start where the previous one ends, and together they must match the index.
    fn verify_parts(&self) -> Result<()> {
        let condition = self.condition();
        let fault = |what| Err(Error::Damaged { place: Place::Index, what });
        match condition.index {
            IndexState::Present => {}
            IndexState::Missing => return Err(Error::NotClosed),
            IndexState::Damaged => return fault("it does not list the parts of the file"),
        }
        let opened = self.opened();
        let range = (opened.start, condition.bytes);
        let (assembly, bytes_lost) =
            scan(&*opened.source, range, self.schema(), opened.minor, opened.limits)?;
        let parts = assembly.finish();
        let agree =
            parts.trees == opened.trees && parts.endings == condition.trees && parts.names == opened.names;
        if bytes_lost > 0 || parts.lost > 0 || !agree {
            return fault("it and the parts of the file do not agree");
        }
        Ok(())
    }
}

impl Tree<'_> {
    /// Checks the tree; the error names the first fault. Calls `progress` after each block with the number of rows done.
    pub fn verify(&self, mut progress: impl FnMut(u64)) -> Result<Verified> {
        let mut verified = Verified::default();
        let mut checker = Checker::new(*self);
        for block in 0..self.block_count() {
            verified.unfinished += checker.check(block)?;
            verified.blocks += 1;
            verified.columns += self.block(block).columns.len();
            verified.nodes += u64::from(self.block(block).rows);
            progress(verified.nodes);
        }
        Ok(verified)
    }
}

/// Checks the blocks of a tree in their order: each with its columns, and with the open path that the previous block left.
pub(crate) struct Checker<'a> {
    tree: Tree<'a>,
    /// The open path after the blocks checked so far.
    path: Vec<PathEntry>,
    scratch: Scratch,
}

impl<'a> Checker<'a> {
    pub(crate) fn new(tree: Tree<'a>) -> Self {
        Self { tree, path: Vec::new(), scratch: Scratch::default() }
    }

    /// Checks the next block, and returns the number of its unfinished nodes. After an error no other block may be checked.
    pub(crate) fn check(&mut self, block: usize) -> Result<u64> {
        let attributes = self.tree.schema().attributes();
        for (attribute, known) in attributes.iter().enumerate() {
            self.check_column(block, Column::Attribute(attribute), known.kind)?;
        }
        self.check_column(block, Column::LastMove, Kind::I64)?;
        let status = self.check_column(block, Column::Status, Kind::I64)?;
        let left_out = self.check_column(block, Column::LeftOut, Kind::I64)?;
        self.check_marks(block, &status, &left_out)?;
        let sizes = self.check_column(block, Column::Size, Kind::I64)?;
        self.check_structure(block, &sizes)?;
        let unfinished = |bits: &&i64| **bits & i64::from(status::UNFINISHED) != 0;
        Ok(status.iter().filter(unfinished).count() as u64)
    }

    /// Decodes a column and compares it with its head and its type.
    fn check_column(&mut self, block: usize, column: Column, kind: Kind) -> Result<Vec<i64>> {
        let (tree, head) = (self.tree, self.tree.block(block));
        let rows = head.rows as usize;
        let place = Place::Column { tree: tree.number() as u32, block, column: column.number() };
        let decoded = tree.decode_with(block, column, &mut self.scratch)?;
        let values = decoded.widened(rows);
        self.scratch.recycle(decoded);
        let claims = &head.columns[column.number()];
        if let Column::Attribute(attribute) = column {
            let missing = tree.missing_with(block, attribute, &mut self.scratch)?;
            if missing.is_some_and(|missing| missing::is_all(&missing, rows)) {
                return Ok(values);
            }
        }
        if kind == Kind::Text {
            return Ok(values);
        }
        let (min, max) = extremes_of_kind(kind, &values, extremes(&values));
        let is_same = |claim, found| match kind {
            Kind::F32 | Kind::F64 => same_float(kind, claim, found),
            _ => claim == found,
        };
        if !is_same(claims.min, min) || !is_same(claims.max, max) {
            return Err(Error::Damaged { place, what: "its extremes are not those it claims" });
        }
        if !values.iter().all(|&value| kind.holds(value)) {
            return Err(Error::Damaged { place, what: "a value is beyond its type" });
        }
        Ok(values)
    }

    /// Checks that exactly the nodes that say how many nodes they left out are marked so.
    fn check_marks(&self, block: usize, status: &[i64], left_out: &[i64]) -> Result<()> {
        let first_row = self.tree.block(block).first_row;
        for (local, (&bits, &count)) in status.iter().zip(left_out).enumerate() {
            let marked = bits & i64::from(status::LEFT_OUT) != 0;
            if count < 0 || marked != (count > 0) {
                return Err(self.fault(first_row + local as u64, "its marks do not agree"));
            }
        }
        Ok(())
    }

    /// Follows the rows of a block from its last: subtrees must nest, and the nodes that cross the block's start and end must be those of
    /// the open paths.
    fn check_structure(&mut self, block: usize, sizes: &[i64]) -> Result<()> {
        let (tree, head) = (self.tree, self.tree.block(block));
        let plies = tree.plies(block)?;
        let leaves = sizes.iter().filter(|&&size| size == 1).count() as u32;
        let (min, max) = (plies.iter().min().copied(), plies.iter().max().copied());
        let claims = Some((i64::from(head.ply_min), i64::from(head.ply_max)));
        if leaves != head.leaves || min.zip(max) != claims {
            let place = Place::Block { tree: tree.number() as u32, block };
            return Err(Error::Damaged { place, what: "its counts are not those it claims" });
        }
        let kept = head.path_kept as usize;
        let before = self.path.split_off(kept.min(self.path.len()));
        self.path.extend_from_slice(&head.path_added);
        let open = self.path.iter().zip(0..);
        let open = open.map(|(entry, ply)| Ancestor { start_row: entry.start_row, ply });
        let mut nesting = Nesting::below(open.collect());
        let mut closed = 0;
        for (local, (&size, &ply)) in sizes.iter().zip(&plies).enumerate().rev() {
            let row = head.first_row + local as u64;
            let (placed, parent) = nesting.place(row, size).map_err(|what| self.fault(row, what))?;
            if parent.is_none() && row + 1 != tree.nodes() {
                return Err(self.fault(row, "it has no parent"));
            }
            if placed.ply != ply {
                return Err(self.fault(row, "its distance from the root is not what its block says"));
            }
            if placed.start_row < head.first_row {
                // The node was open at the end of the previous block.
                let entry = before.get((ply as usize).wrapping_sub(kept));
                if entry.is_none_or(|entry| entry.start_row != placed.start_row) {
                    return Err(self.fault(row, "it reaches into a block that does not know it"));
                }
                closed += 1;
            }
        }
        if closed != before.len() || (block + 1 == tree.block_count() && !self.path.is_empty()) {
            return Err(self.fault(head.first_row, "a node that was open has no row"));
        }
        Ok(())
    }

    fn fault(&self, row: u64, what: &'static str) -> Error {
        Error::Damaged { place: Place::Row { tree: self.tree.number() as u32, row }, what }
    }
}

/// Whether two floats, given by their bits, are equal; a NaN equals a NaN.
fn same_float(kind: Kind, a: i64, b: i64) -> bool {
    let float = |bits: i64| match kind {
        Kind::F32 => f64::from(f32::from_bits(bits as u32)),
        _ => f64::from_bits(bits as u64),
    };
    let (a, b) = (float(a), float(b));
    a == b || a.is_nan() && b.is_nan()
}

pub(crate) fn column_of(number: usize) -> Column {
    match number {
        0 => Column::Size,
        1 => Column::LastMove,
        2 => Column::Status,
        3 => Column::LeftOut,
        _ => Column::Attribute(number - Column::FIXED),
    }
}
