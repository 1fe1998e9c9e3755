//! The whole tree looked through: every checksum, every subtree, every number, every claim of a head.

use super::log::{IndexState, Log};
use super::open::scan;
use super::tree::Tree;
use crate::error::{Error, Place, Result};
use crate::format::{Column, status};

/// What was looked at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Verified {
    /// Rows of sound structure.
    pub nodes: u64,
    /// Blocks read.
    pub blocks: usize,
    /// Columns decoded, with their checksums right.
    pub columns: usize,
    /// Nodes marked unfinished.
    pub unfinished: u64,
}

/// An ancestor of the row at hand, on the way from the last row to the first.
struct Ancestor {
    start_row: u64,
    ply: i64,
    /// The number of the last node of its subtree that has not been met.
    last_node: u64,
}

impl Log {
    /// Checks the log as it lies in its file, index and parts, and then every tree. The error names the first
    /// fault. `progress` is called with the number of rows done.
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

    /// Goes over the parts without the index: each must start where the one before ends.
    fn verify_parts(&self) -> Result<()> {
        let condition = self.condition();
        let fault = |what| Err(Error::Damaged { place: Place::Index, what });
        match condition.index {
            IndexState::Present => {}
            IndexState::Missing => {
                return fault("it is missing, because the log was cut off or never closed");
            }
            IndexState::Damaged => return fault("its checksum does not fit"),
        }
        let columns = Column::FIXED + self.schema().attributes().len();
        let (assembly, bytes_lost) = scan(&*self.source, self.start, condition.bytes, columns)?;
        if bytes_lost > 0 || !assembly.is_sound() || condition.parts_lost > 0 {
            return fault("it and the parts of the file do not agree");
        }
        Ok(())
    }
}

impl Tree<'_> {
    /// Checks the tree; the error names the first fault. `progress` is called after each block with the rows done.
    pub fn verify(&self, mut progress: impl FnMut(u64)) -> Result<Verified> {
        let mut verified = Verified::default();
        let nodes = self.nodes();
        let mut ancestors = Vec::new();
        for block in (0..self.block_count()).rev() {
            let columns = self.verify_columns(block)?;
            self.verify_structure(block, &columns[0], &mut ancestors)?;
            verified.blocks += 1;
            verified.columns += columns.len();
            verified.nodes += u64::from(self.block(block).rows);
            let unfinished = |&&bits: &&i64| bits & i64::from(status::UNFINISHED) != 0;
            verified.unfinished += columns[2].iter().filter(unfinished).count() as u64;
            progress(verified.nodes);
        }
        if verified.nodes != nodes {
            return Err(self.fault(Place::Block { tree: self.number() as u32, block: 0 }, "rows are missing"));
        }
        Ok(verified)
    }

    /// Decodes every column and holds it against its head.
    fn verify_columns(&self, block: usize) -> Result<Vec<Vec<i64>>> {
        let head = self.block(block);
        let rows = head.rows as usize;
        let mut columns = Vec::new();
        for number in 0..Column::FIXED + self.schema().attributes().len() {
            let column = column_of(number);
            let values = self.decode(block, column)?.widened(rows);
            let claims = &head.columns[number];
            let integers = match column {
                Column::Attribute(position) => self.schema().attributes()[position].kind.is_integer(),
                _ => true,
            };
            let unsigned = matches!(column, Column::Attribute(position)
                if self.schema().attributes()[position].kind == crate::Kind::U64);
            let (min, max) = if unsigned {
                let min = values.iter().map(|&v| v as u64).min().map(|v| v as i64);
                (min, values.iter().map(|&v| v as u64).max().map(|v| v as i64))
            } else {
                (values.iter().copied().min(), values.iter().copied().max())
            };
            if integers && rows > 0 && (min != Some(claims.min) || max != Some(claims.max)) {
                let place = Place::Column { tree: self.number() as u32, block, column: number };
                return Err(self.fault(place, "its extremes are not those it claims"));
            }
            columns.push(values);
        }
        Ok(columns)
    }

    /// Follows the rows of a block from its last: subtrees nest, plies and numbers are what they must be.
    fn verify_structure(&self, block: usize, sizes: &[i64], ancestors: &mut Vec<Ancestor>) -> Result<()> {
        let head = self.block(block);
        let plies = self.plies(block)?;
        let leaves = sizes.iter().filter(|&&size| size == 1).count() as u32;
        let (min, max) = (plies.iter().min().copied(), plies.iter().max().copied());
        let claims = (head.rows > 0).then_some((i64::from(head.ply_min), i64::from(head.ply_max)));
        if leaves != head.leaves || min.zip(max) != claims {
            let place = Place::Block { tree: self.number() as u32, block };
            return Err(self.fault(place, "its counts are not those it claims"));
        }
        for (local, (&size, &ply)) in sizes.iter().zip(&plies).enumerate().rev() {
            let row = head.first_row + local as u64;
            while ancestors.last().is_some_and(|ancestor| ancestor.start_row > row) {
                ancestors.pop();
            }
            let place = Place::Row { tree: self.number() as u32, row };
            let size = size as u64; // Between 1 and row + 1: `plies` has seen to it.
            let (start, expected_ply, last_node) = match ancestors.last_mut() {
                Some(parent) => {
                    let last = parent.last_node;
                    parent.last_node = last.wrapping_sub(size);
                    (parent.start_row, parent.ply + 1, last)
                }
                None if row + 1 == self.nodes() => (0, 0, self.nodes() - 1),
                None => return Err(self.fault(place, "it has no parent")),
            };
            if row + 1 - size < start || (ancestors.is_empty() && size != self.nodes()) {
                return Err(self.fault(place, "its subtree reaches beyond its parent's"));
            }
            if ply != expected_ply {
                return Err(self.fault(place, "its distance from the root is not what its block says"));
            }
            // node_id = last_node + 1 - size = row + ply + 1 - size
            if last_node != row + ply as u64 {
                return Err(self.fault(place, "its preorder number is wrong"));
            }
            if size > 1 {
                ancestors.push(Ancestor { start_row: row + 1 - size, ply, last_node });
            }
        }
        Ok(())
    }

    fn fault(&self, place: Place, what: &'static str) -> Error {
        Error::Damaged { place, what }
    }
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
