//! Single nodes: the values of a row, its children, and the path to it.
//!
//! The walker keeps the decoded columns of the blocks used last, so steps to near rows cost next to nothing.

use super::cells::Cells;
use super::tree::Tree;
use crate::columns::{Decoded, missing};
use crate::error::{Error, Place, Result};
use crate::format::Column;
use crate::record::Value;
use crate::{Kind, Schema};

/// The number of decoded blocks that are kept for each column.
const BLOCKS_KEPT: usize = 8;

/// Goes from node to node in a tree.
pub struct Walker<'a> {
    tree: Tree<'a>,
    /// The kept blocks of each column, by the column's number.
    columns: Vec<KeptBlocks>,
}

#[derive(Default)]
struct KeptBlocks {
    blocks: Vec<KeptBlock>,
    current: usize,
    clock: u64,
}

struct KeptBlock {
    first_row: u64,
    end_row: u64,
    used: u64,
    values: Decoded,
    texts: Vec<String>,
    /// The rows that lack the value, as bits; `None` if no row does.
    missing: Option<Vec<u64>>,
}

impl KeptBlock {
    fn is_missing(&self, row: u64) -> bool {
        let local = (row - self.first_row) as usize;
        self.missing.as_ref().is_some_and(|missing| missing::contains(missing, local))
    }
}

/// A node and the path to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Located {
    /// Its preorder number.
    pub node: u64,
    /// Its row.
    pub row: u64,
    /// The rows of its ancestors, root first.
    pub ancestors: Vec<u64>,
    /// The moves from the root to the node.
    pub line: Vec<i64>,
}

impl<'a> Walker<'a> {
    /// Makes a walker for this tree.
    #[must_use]
    pub fn new(tree: Tree<'a>) -> Self {
        let columns = Column::FIXED + tree.schema().attributes().len();
        Self { tree, columns: (0..columns).map(|_| KeptBlocks::default()).collect() }
    }

    /// The tree of this walker.
    #[must_use]
    pub fn tree(&self) -> Tree<'a> {
        self.tree
    }

    /// The row of the root.
    #[must_use]
    pub fn root(&self) -> u64 {
        self.tree.nodes() - 1
    }

    /// The number of rows in this row's subtree.
    pub fn size(&mut self, row: u64) -> Result<u64> {
        let size = self.integer(row, Column::Size)?;
        if size < 1 || size as u64 > row + 1 {
            return Err(self.damaged(row, "its subtree's size is impossible"));
        }
        Ok(size as u64)
    }

    /// The value of a column, as an integer (see [`Value::of_integer`]).
    pub fn integer(&mut self, row: u64, column: Column) -> Result<i64> {
        let block = self.kept(row, column)?;
        Ok(block.values.get((row - block.first_row) as usize))
    }

    /// The move that led to this row's node.
    pub fn last_move(&mut self, row: u64) -> Result<i64> {
        self.integer(row, Column::LastMove)
    }

    /// The value of an attribute.
    pub fn value(&mut self, row: u64, attribute: usize) -> Result<Value> {
        let kind = self.schema().attributes()[attribute].kind;
        let block = self.kept(row, Column::Attribute(attribute))?;
        if block.is_missing(row) {
            return Ok(Value::Missing);
        }
        let integer = block.values.get((row - block.first_row) as usize);
        Ok(Value::of_integer(kind, integer, &block.texts))
    }

    /// The rows of the children, first child first.
    pub fn children(&mut self, row: u64) -> Result<Vec<u64>> {
        let start = row + 1 - self.size(row)?;
        let mut children = Vec::new();
        let mut end = row;
        while end > start {
            let child = end - 1;
            let size = self.size(child)?;
            if size > end - start {
                return Err(self.damaged(child, "its subtree reaches beyond its parent's"));
            }
            children.push(child);
            end -= size;
        }
        children.reverse();
        Ok(children)
    }

    /// The node with this preorder number.
    pub fn find(&mut self, node: u64) -> Result<Located> {
        let nodes = self.tree.nodes();
        if node >= nodes {
            return Err(Error::NoSuchNode { node, nodes });
        }
        let mut found = Located { node: 0, row: self.root(), ancestors: Vec::new(), line: Vec::new() };
        while found.node != node {
            let (child, child_node) = self.child_towards(found.row, found.node, node)?;
            found.ancestors.push(found.row);
            found.line.push(self.last_move(child)?);
            (found.row, found.node) = (child, child_node);
        }
        Ok(found)
    }

    /// The child of `row` whose subtree contains the node with the number `target`, and that child's number.
    fn child_towards(&mut self, row: u64, node: u64, target: u64) -> Result<(u64, u64)> {
        let size = self.size(row)?;
        let mut last_node = node + size - 1;
        let mut child = row;
        while last_node > node && child > 0 {
            child -= 1;
            let size = self.size(child)?;
            if size > last_node - node {
                return Err(self.damaged(child, "its subtree reaches beyond its parent's"));
            }
            if target > last_node - size {
                return Ok((child, last_node + 1 - size));
            }
            last_node -= size;
            child -= size - 1;
        }
        Err(self.damaged(row, "its children do not fill its subtree"))
    }

    fn schema(&self) -> &'a Schema {
        self.tree.schema()
    }

    fn damaged(&self, row: u64, what: &'static str) -> Error {
        Error::Damaged { place: Place::Row { tree: self.tree.number() as u32, row }, what }
    }

    /// The decoded block of this column that contains this row.
    #[inline]
    fn kept(&mut self, row: u64, column: Column) -> Result<&KeptBlock> {
        let kept = &self.columns[column.number()];
        let current = kept.blocks.get(kept.current);
        if !current.is_some_and(|block| (block.first_row..block.end_row).contains(&row)) {
            self.turn_to(row, column)?;
        }
        let kept = &self.columns[column.number()];
        Ok(&kept.blocks[kept.current])
    }

    fn turn_to(&mut self, row: u64, column: Column) -> Result<()> {
        let kept = &mut self.columns[column.number()];
        kept.clock += 1;
        let known = kept.blocks.iter().position(|block| (block.first_row..block.end_row).contains(&row));
        if let Some(place) = known {
            kept.current = place;
            kept.blocks[place].used = kept.clock;
            return Ok(());
        }
        let number = self.tree.block_of(row);
        let head = self.tree.block(number);
        let (texts, values) = match column {
            Column::Attribute(attribute) if self.tree.schema().attributes()[attribute].kind == Kind::Text => {
                self.tree.texts(number, attribute)?
            }
            _ => (Vec::new(), self.tree.decode(number, column)?),
        };
        let missing = match column {
            Column::Attribute(attribute) => self.tree.missing(number, attribute)?,
            _ => None,
        };
        let (first_row, end_row, used) = (head.first_row, head.end_row(), kept.clock);
        let block = KeptBlock { first_row, end_row, used, values, texts, missing };
        if kept.blocks.len() < BLOCKS_KEPT {
            kept.current = kept.blocks.len();
            kept.blocks.push(block);
        } else {
            let oldest = (0..BLOCKS_KEPT).min_by_key(|&place| kept.blocks[place].used).unwrap_or(0);
            kept.current = oldest;
            kept.blocks[oldest] = block;
        }
        Ok(())
    }

    /// Appends the values of a column for a range of rows; the cells give texts their numbers.
    pub(super) fn append(
        &mut self,
        rows: std::ops::Range<u64>,
        column: Column,
        cells: &mut Cells,
    ) -> Result<()> {
        let mut row = rows.start;
        while row < rows.end {
            let block = self.kept(row, column)?;
            let end = block.end_row.min(rows.end);
            let codes = (row..end).map(|row| block.values.get((row - block.first_row) as usize));
            if block.texts.is_empty() {
                cells.integers.extend(codes);
            } else if block.texts.len() as u64 <= end - row {
                let shift = cells.texts.len() as i64;
                cells.texts.extend_from_slice(&block.texts);
                cells.integers.extend(codes.map(|code| code + shift));
            } else {
                // There are fewer rows than texts: takes only the texts that are used.
                for code in codes {
                    cells.integers.push(cells.texts.len() as i64);
                    cells.texts.push(block.texts.get(code as usize).cloned().unwrap_or_default());
                }
            }
            if block.missing.is_some() {
                cells.mark_last((end - row) as usize, |place| block.is_missing(row + place as u64));
            }
            row = end;
        }
        Ok(())
    }
}
