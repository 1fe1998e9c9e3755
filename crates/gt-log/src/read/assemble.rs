//! Puts parts together into trees: which blocks belong together, and which rows complete a tree that ends early.
//!
//! **The open path for readers.** In the file, a block lists every node that was open when it was written. Some of these have no row yet:
//! the search had only just entered them. Such a node says nothing about the rows of the block, and may never get a row (a node outside a
//! trigger, with nothing logged below). So the heads that readers see list a node only from the block on that has the first row of its
//! subtree:
//!
//! ```text
//! in the file    rows a b │ open r s t       rows c d t │ open r s e      s, t were entered after row b
//! for readers    rows a b │ open r           rows c d t │ open r s
//! ```
//!
//! **Invariant:** every block has a row; every node of its open path has a row of its subtree before the block's end, and gets its own row
//! later.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use super::condition::TreeEnding;
use crate::encode::{BlockMaker, Position, RowBuffer, RowLayout, Staging};
use crate::format::{
    BlockHead, Column, EntryValues, FrameKind, PathEntry, read_metadata, read_names, status,
};
use crate::record::Value;
use crate::wire::{Malformed, Reader, Wire};
use crate::{Metadata, Schema};

/// The maximum number of rows in a block of completed nodes.
const COMPLETED_ROWS: usize = 32_768;

/// A part of the file, as the index or a scan found it.
pub(super) struct Part<'a> {
    pub(super) kind: FrameKind,
    pub(super) tree: u32,
    pub(super) head: &'a [u8],
    pub(super) body_offset: u64,
}

/// A tree's blocks, in order, without gaps.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct TreeParts {
    pub(crate) metadata: Metadata,
    pub(crate) blocks: Vec<Block>,
    pub(crate) nodes: u64,
}

/// A block and the place of its body.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Block {
    pub(crate) head: BlockHead,
    pub(crate) body: Body,
    /// Whether values are missing where the node is unfinished, as in logs of version 1.0.
    pub(crate) missing_by_status: bool,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Body {
    File { offset: u64 },
    Memory(Arc<[u8]>),
}

/// The result of assembling the parts of a file.
pub(super) struct Assembled {
    pub(super) trees: Vec<TreeParts>,
    pub(super) endings: Vec<TreeEnding>,
    pub(super) names: HashMap<i64, String>,
    /// The number of parts that belong to nothing, because what they build on is lost.
    pub(super) lost: usize,
}

/// Trees under construction.
pub(super) struct Assembly<'s> {
    schema: &'s Schema,
    missing_by_status: bool,
    trees: BTreeMap<u32, Growing>,
    names: HashMap<i64, String>,
    parts_lost: usize,
}

#[derive(Default)]
struct Growing {
    parts: TreeParts,
    /// The nodes that are open after the last block, root first.
    path: Vec<OpenNode>,
    /// How many of them have a row of their subtree: the open path that readers see.
    path_seen: usize,
    ended: bool,
    /// Whether a block is missing or wrong: no later block can be placed.
    broken: bool,
}

#[derive(Clone)]
struct OpenNode {
    entry: PathEntry,
    /// The values that it had when it was entered.
    values: Vec<(usize, Value)>,
}

impl<'s> Assembly<'s> {
    /// Starts with nothing, for a log with this schema and minor version.
    pub(super) fn new(schema: &'s Schema, minor: u16) -> Self {
        let (trees, names) = (BTreeMap::new(), HashMap::new());
        Self { schema, missing_by_status: minor == 0, trees, names, parts_lost: 0 }
    }

    /// Adds the next part of the file.
    pub(super) fn add(&mut self, part: Part<'_>, body_bytes: u64) {
        let kind = part.kind;
        let added = match kind {
            FrameKind::Other => Ok(()),
            FrameKind::Names => self.add_names(part.head),
            FrameKind::Index => Err(Malformed("an index stands inside a log")),
            FrameKind::TreeBegin | FrameKind::Block | FrameKind::TreeEnd => {
                self.add_to_tree(part, body_bytes)
            }
        };
        if added.is_err() {
            self.parts_lost += 1;
        }
    }

    fn add_names(&mut self, head: &[u8]) -> Wire<()> {
        self.names.extend(read_names(head)?);
        Ok(())
    }

    fn add_to_tree(&mut self, part: Part<'_>, body_bytes: u64) -> Wire<()> {
        let (schema, missing_by_status) = (self.schema, self.missing_by_status);
        let tree = self.trees.entry(part.tree).or_default();
        let added = match part.kind {
            _ if tree.broken || tree.ended => Err(Malformed("it builds on a part that is lost")),
            FrameKind::TreeBegin => tree.begin(part.head),
            FrameKind::Block => tree.add_block(part, body_bytes, schema, missing_by_status),
            _ => tree.end(part.head),
        };
        tree.broken |= added.is_err();
        added
    }

    /// Whether all parts fit together.
    pub(super) fn is_sound(&self) -> bool {
        self.parts_lost == 0
    }

    /// Completes the trees that end early and returns all trees; drops trees without a node.
    pub(super) fn finish(self) -> Assembled {
        let (mut trees, mut endings) = (Vec::new(), Vec::new());
        for mut tree in self.trees.into_values() {
            let ending = if tree.ended {
                TreeEnding::Finished
            } else {
                TreeEnding::CutOff { nodes_completed: tree.path.len() as u64 }
            };
            tree.complete(self.schema);
            if tree.parts.nodes > 0 {
                trees.push(tree.parts);
                endings.push(ending);
            }
        }
        Assembled { trees, endings, names: self.names, lost: self.parts_lost }
    }
}

impl Growing {
    fn begin(&mut self, head: &[u8]) -> Wire<()> {
        if !self.parts.blocks.is_empty() || !self.path.is_empty() {
            return Err(Malformed("a tree begins twice"));
        }
        self.parts.metadata = read_metadata(&mut Reader::new(head))?;
        Ok(())
    }

    fn add_block(
        &mut self,
        part: Part<'_>,
        body_bytes: u64,
        schema: &Schema,
        missing_by_status: bool,
    ) -> Wire<()> {
        let mut head = BlockHead::read(part.head, schema)?;
        let body: u64 = head.columns.iter().map(|column| column.stored_bytes).sum();
        if body != body_bytes || head.first_row != self.parts.nodes {
            return Err(Malformed("a block is missing before it"));
        }
        if missing_by_status {
            let may_be_unfinished = head.columns[Column::Status.number()].max > 0;
            head.columns[Column::FIXED..].iter_mut().for_each(|column| column.missing = may_be_unfinished);
        }
        self.push(head, Body::File { offset: part.body_offset }, missing_by_status)
    }

    /// Takes a block with the open path of the file, and stores it with the open path that readers see.
    fn push(&mut self, mut head: BlockHead, body: Body, missing_by_status: bool) -> Wire<()> {
        let kept = head.path_kept as usize;
        if kept > self.path.len() {
            return Err(Malformed("its open path does not continue the one before"));
        }
        if head.rows == 0 && kept < self.path_seen {
            return Err(Malformed("a node with rows below it has none of its own"));
        }
        self.path.truncate(kept);
        let seen_before = self.path_seen.min(kept);
        let mut given = head.entry_values.drain(..).peekable();
        for (place, entry) in head.path_added.drain(..).enumerate() {
            let values = given.next_if(|node| node.place == place).map(|node| node.values);
            self.path.push(OpenNode { entry, values: values.unwrap_or_default() });
        }
        drop(given);
        // No node starts earlier than the nodes above it.
        self.path_seen = self.path.partition_point(|node| node.entry.start_row < head.end_row());
        self.parts.nodes = head.end_row();
        if head.rows == 0 {
            return Ok(());
        }
        let added = &self.path[seen_before..self.path_seen];
        head.path_kept = seen_before as u32;
        head.path_added = added.iter().map(|node| node.entry).collect();
        let given = added.iter().enumerate().filter(|(_, node)| !node.values.is_empty());
        head.entry_values =
            given.map(|(place, node)| EntryValues { place, values: node.values.clone() }).collect();
        self.parts.blocks.push(Block { head, body, missing_by_status });
        Ok(())
    }

    fn end(&mut self, head: &[u8]) -> Wire<()> {
        let mut reader = Reader::new(head);
        if reader.unsigned()? != self.parts.nodes || !self.path.is_empty() {
            return Err(Malformed("its last blocks are missing"));
        }
        self.parts.metadata.extend(read_metadata(&mut reader)?);
        self.ended = true;
        Ok(())
    }

    /// Appends rows for the nodes of the open path, deepest first, marked unfinished.
    fn complete(&mut self, schema: &Schema) {
        let mut maker = BlockMaker::new(schema);
        let mut staging = Staging::new(RowLayout::new(schema), COMPLETED_ROWS);
        while !self.path.is_empty() {
            let first_row = self.parts.nodes;
            let path_kept = self.path.len().saturating_sub(COMPLETED_ROWS);
            for (ply, node) in self.path.iter().enumerate().skip(path_kept).rev() {
                let row = first_row + staging.rows() as u64;
                staging.put_known(&node.values);
                let size = row + 1 - node.entry.start_row.min(row);
                staging.push(size, node.entry.last_move, ply, status::UNFINISHED, 0);
            }
            let position =
                Position { first_row, path_kept, path_added: Vec::new(), entry_values: Vec::new() };
            maker.append(&staging.take_rows(RowBuffer::default()));
            let (head, body) = maker.end_block(staging.end_block(position));
            if self.push(head, Body::Memory(body.into()), false).is_err() {
                return; // It continues the path by construction.
            }
        }
    }
}

/// Cuts the tree off before this block and completes its open path; also returns how many nodes that took.
pub(crate) fn truncated(parts: &TreeParts, block: usize, schema: &Schema) -> (TreeParts, u64) {
    let mut cut = Growing::default();
    cut.parts.metadata = parts.metadata.clone();
    for block in &parts.blocks[..block] {
        // The block was accepted once before.
        let _ = cut.push(block.head.clone(), block.body.clone(), block.missing_by_status);
    }
    let completed = cut.path.len() as u64;
    cut.complete(schema);
    (cut.parts, completed)
}
