//! A log, opened.

use std::fs::File;
use std::path::Path;
use std::sync::Arc;

use super::assemble::TreeParts;
use super::open::open;
use super::source::{FileSource, Source};
use super::tree::Tree;
use crate::error::{Error, Result};
use crate::{Header, Metadata, Schema};

/// A log, opened for reading. It can be shared between threads.
pub struct Log {
    pub(super) source: Arc<dyn Source>,
    /// Where the first part starts.
    pub(super) start: u64,
    pub(super) header: Header,
    pub(super) trees: Vec<TreeParts>,
    pub(super) condition: Condition,
}

/// What state a log was found in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Condition {
    /// Whether the index at the end was there.
    pub index: IndexState,
    /// The file's length.
    pub bytes: u64,
    /// How many bytes belong to no readable part: what was being written when the log was cut off, or damage.
    pub bytes_lost: u64,
    /// Parts that could be read but belong to nothing, because what they build on is lost.
    pub parts_lost: usize,
    /// How each tree ended, in their order.
    pub trees: Vec<TreeEnding>,
}

impl Condition {
    /// Whether the log was closed properly and nothing is missing.
    #[must_use]
    pub fn is_whole(&self) -> bool {
        self.index == IndexState::Present
            && self.parts_lost == 0
            && self.trees.iter().all(|ending| *ending == TreeEnding::Finished)
    }
}

/// What became of the index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IndexState {
    /// There, and used.
    Present,
    /// Not there: the log was not closed, or has been cut. It was rebuilt from the parts.
    Missing,
    /// There, but damaged. It was rebuilt from the parts.
    Damaged,
}

/// How a tree ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TreeEnding {
    /// As it should.
    Finished,
    /// The log ends inside it. The nodes that were open were completed and are marked unfinished.
    CutOff {
        /// How many were.
        nodes_completed: u64,
    },
}

impl Log {
    /// Opens a file.
    pub fn open(path: impl AsRef<Path>) -> Result<Self> {
        open(Arc::new(FileSource::new(File::open(path)?)))
    }

    /// Opens a log in memory.
    pub fn from_bytes(bytes: Vec<u8>) -> Result<Self> {
        open(Arc::new(bytes))
    }

    /// What the log says about itself.
    #[must_use]
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// The game's name; empty where none was given.
    #[must_use]
    pub fn game(&self) -> &str {
        &self.header.game
    }

    /// What the nodes carry.
    #[must_use]
    pub fn schema(&self) -> &Schema {
        &self.header.schema
    }

    /// About the whole log.
    #[must_use]
    pub fn metadata(&self) -> &Metadata {
        &self.header.metadata
    }

    /// What state the log was found in.
    #[must_use]
    pub fn condition(&self) -> &Condition {
        &self.condition
    }

    /// How many trees it holds.
    #[must_use]
    pub fn tree_count(&self) -> usize {
        self.trees.len()
    }

    /// A tree by its place, from 0.
    pub fn tree(&self, tree: usize) -> Result<Tree<'_>> {
        match self.trees.get(tree) {
            Some(parts) => Ok(Tree::new(self, parts, tree)),
            None => Err(Error::NoSuchTree { tree, trees: self.trees.len() }),
        }
    }

    /// All trees, in the order they were begun.
    pub fn trees(&self) -> impl Iterator<Item = Tree<'_>> {
        self.trees.iter().enumerate().map(|(tree, parts)| Tree::new(self, parts, tree))
    }
}
