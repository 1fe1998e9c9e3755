//! Parts to trees: which blocks belong together, and what a tree that breaks off is completed with.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::log::TreeEnding;
use crate::columns::Effort;
use crate::format::{BlockHead, FrameKind, PathEntry, read_metadata, status};
use crate::wire::{Malformed, Reader, Wire};
use crate::write::{BlockEncoder, Rows};
use crate::{Metadata, Schema};

/// How many rows a block of completed nodes has at most.
const COMPLETED_ROWS: usize = 32_768;

/// A part of the file, as the index or a scan found it.
pub(super) struct Part<'a> {
    pub(super) kind: FrameKind,
    pub(super) tree: u32,
    pub(super) head: &'a [u8],
    pub(super) body_offset: u64,
}

/// A tree's blocks, in order, without gaps.
#[derive(Clone, Debug, Default)]
pub(crate) struct TreeParts {
    pub(crate) metadata: Metadata,
    pub(crate) blocks: Vec<Block>,
    pub(crate) nodes: u64,
}

/// A block and where its body is.
#[derive(Clone, Debug)]
pub(crate) struct Block {
    pub(crate) head: BlockHead,
    pub(crate) body: Body,
}

#[derive(Clone, Debug)]
pub(crate) enum Body {
    File { offset: u64 },
    Memory(Arc<[u8]>),
}

/// Trees under construction.
pub(super) struct Assembly {
    columns: usize,
    trees: BTreeMap<u32, Growing>,
    parts_lost: usize,
}

#[derive(Default)]
struct Growing {
    parts: TreeParts,
    /// The open path after the last block.
    path: Vec<PathEntry>,
    ended: bool,
    /// A block is missing or wrong: nothing after it can be placed.
    broken: bool,
}

impl Assembly {
    pub(super) fn new(columns: usize) -> Self {
        Self { columns, trees: BTreeMap::new(), parts_lost: 0 }
    }

    /// Adds the next part of the file.
    pub(super) fn add(&mut self, part: Part<'_>, body_bytes: u64) {
        let tree = self.trees.entry(part.tree).or_default();
        let added = match part.kind {
            _ if tree.broken || tree.ended => Err(Malformed("it builds on a part that is lost")),
            FrameKind::TreeBegin => tree.begin(part.head),
            FrameKind::Block => tree.add_block(part, body_bytes, self.columns),
            FrameKind::TreeEnd => tree.end(part.head),
            FrameKind::Index => Err(Malformed("an index stands inside a log")),
        };
        if added.is_err() {
            tree.broken = true;
            self.parts_lost += 1;
        }
    }

    /// Whether everything fits together.
    pub(super) fn is_sound(&self) -> bool {
        self.parts_lost == 0
    }

    /// The trees, with those that break off completed; trees without a node are dropped.
    pub(super) fn finish(self, schema: &Schema) -> (Vec<TreeParts>, Vec<TreeEnding>, usize) {
        let mut trees = Vec::new();
        let mut endings = Vec::new();
        for mut tree in self.trees.into_values() {
            let ending = if tree.ended {
                TreeEnding::Finished
            } else {
                TreeEnding::CutOff { nodes_completed: tree.path.len() as u64 }
            };
            complete(&mut tree.parts, &tree.path, schema);
            if tree.parts.nodes > 0 {
                trees.push(tree.parts);
                endings.push(ending);
            }
        }
        (trees, endings, self.parts_lost)
    }
}

impl Growing {
    fn begin(&mut self, head: &[u8]) -> Wire<()> {
        if !self.parts.blocks.is_empty() {
            return Err(Malformed("a tree begins twice"));
        }
        self.parts.metadata = read_metadata(&mut Reader::new(head))?;
        Ok(())
    }

    fn add_block(&mut self, part: Part<'_>, body_bytes: u64, columns: usize) -> Wire<()> {
        let head = BlockHead::read(part.head, columns)?;
        let body: u64 = head.columns.iter().map(|column| column.stored_bytes).sum();
        if body != body_bytes || head.first_row != self.parts.nodes {
            return Err(Malformed("a block is missing before it"));
        }
        self.advance_path(&head)?;
        self.parts.nodes = head.end_row();
        self.parts.blocks.push(Block { head, body: Body::File { offset: part.body_offset } });
        Ok(())
    }

    /// Moves the open path on to where it was when this block was written.
    fn advance_path(&mut self, head: &BlockHead) -> Wire<()> {
        let kept = head.path_kept as usize;
        let fits = kept <= self.path.len()
            && match (self.path[..kept].last(), head.path_added.first()) {
                (Some(kept), Some(added)) => kept.start_row <= added.start_row,
                _ => true,
            };
        if !fits {
            return Err(Malformed("its open path does not continue the one before"));
        }
        self.path.truncate(kept);
        self.path.extend_from_slice(&head.path_added);
        Ok(())
    }

    fn end(&mut self, head: &[u8]) -> Wire<()> {
        let mut reader = Reader::new(head);
        if reader.unsigned()? != self.parts.nodes || !self.path.is_empty() {
            return Err(Malformed("its last blocks are missing"));
        }
        for (key, value) in read_metadata(&mut reader)?.iter() {
            self.parts.metadata.set(key, value);
        }
        self.ended = true;
        Ok(())
    }
}

/// The tree cut off before this block, its open path completed, and how many nodes that took.
pub(crate) fn truncated(parts: &TreeParts, block: usize, schema: &Schema) -> (TreeParts, u64) {
    let mut path = Vec::new();
    for block in &parts.blocks[..block] {
        path.truncate(block.head.path_kept as usize);
        path.extend_from_slice(&block.head.path_added);
    }
    let mut cut = TreeParts {
        metadata: parts.metadata.clone(),
        blocks: parts.blocks[..block].to_vec(),
        nodes: parts.blocks[..block].last().map_or(0, |block| block.head.end_row()),
    };
    complete(&mut cut, &path, schema);
    (cut, path.len() as u64)
}

/// Appends rows for the nodes of the open path, deepest first, marked unfinished.
fn complete(parts: &mut TreeParts, path: &[PathEntry], schema: &Schema) {
    let mut encoder = BlockEncoder::new(schema, Effort::Light);
    let blank_text = [String::new()];
    let texts: Vec<&[String]> = vec![&blank_text; schema.attributes().len()];
    let mut open = path.len();
    while open > 0 {
        let count = open.min(COMPLETED_ROWS);
        let first_row = parts.nodes;
        let nodes = || (0..count as u64).map(|i| (first_row + i, &path[open - 1 - i as usize]));
        let mut columns = vec![
            nodes().map(|(row, node)| (row + 1 - node.start_row.min(row)) as i64).collect(),
            nodes().map(|(_, node)| node.last_move).collect(),
            vec![i64::from(status::UNFINISHED); count],
            vec![0; count],
        ];
        // What is not known is zero, false, the empty text.
        columns.resize(columns.len() + schema.attributes().len(), vec![0; count]);
        let plies: Vec<i64> = (0..count).map(|i| (open - 1 - i) as i64).collect();
        let rows = Rows { first_row, columns: &columns, texts: &texts, plies: &plies };
        let (head, body) = encoder.encode(&rows, open - count, Vec::new());
        parts.nodes = head.end_row();
        parts.blocks.push(Block { head, body: Body::Memory(body.into()) });
        open -= count;
    }
}
