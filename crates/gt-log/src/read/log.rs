//! A log, opened.

use std::collections::HashMap;
use std::fs::File;
use std::path::Path;
use std::sync::Arc;

use super::assemble::TreeParts;
use super::limits::Limits;
use super::open::open;
use super::source::{FileSource, Source};
use super::tree::Tree;
use crate::error::{Error, Result};
use crate::format::VERSION_MAJOR;
use crate::{Header, Metadata, Schema, SchemaError};

/// A log, opened for reading. It can be shared between threads.
pub struct Log {
    pub(super) source: Arc<dyn Source>,
    /// The offset of the first part, in bytes.
    pub(super) start: u64,
    /// The minor version of its format.
    pub(super) minor: u16,
    pub(super) limits: Limits,
    pub(super) header: Header,
    pub(super) trees: Vec<TreeParts>,
    pub(super) names: HashMap<i64, String>,
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

/// The state of the index at the end of the file.
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
    /// The writer finished the tree.
    Finished,
    /// The log ends inside it. The nodes that were open were completed and are marked unfinished.
    CutOff {
        /// The number of these nodes.
        nodes_completed: u64,
    },
}

impl Log {
    /// Opens a file.
    pub fn open(path: impl AsRef<Path>) -> Result<Self> {
        Self::open_with(path, Limits::default())
    }

    /// Opens a file, with a say in how much memory its parts may take.
    pub fn open_with(path: impl AsRef<Path>, limits: Limits) -> Result<Self> {
        open(Arc::new(FileSource::new(File::open(path)?)), limits)
    }

    /// Opens a log in memory.
    pub fn from_bytes(bytes: Vec<u8>) -> Result<Self> {
        Self::from_bytes_with(bytes, Limits::default())
    }

    /// Opens a log in memory, with a say in how much memory its parts may take.
    pub fn from_bytes_with(bytes: Vec<u8>, limits: Limits) -> Result<Self> {
        open(Arc::new(bytes), limits)
    }

    /// The version of its format: major and minor.
    #[must_use]
    pub fn version(&self) -> (u16, u16) {
        (VERSION_MAJOR, self.minor)
    }

    /// The name that the log has for a move, where its game has no notation here.
    #[must_use]
    pub fn move_name(&self, number: i64) -> Option<&str> {
        self.names.get(&number).map(String::as_str)
    }

    /// All names of moves, in the order of the moves' numbers.
    #[must_use]
    pub fn move_names(&self) -> Vec<(i64, &str)> {
        let mut names: Vec<(i64, &str)> =
            self.names.iter().map(|(number, name)| (*number, name.as_str())).collect();
        names.sort_unstable();
        names
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

    /// The attributes of the nodes.
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

    /// Gives attributes and aliases other names, as in `best=value, type=nodeType`; queries take either.
    ///
    /// # Errors
    /// See [`Schema::with_other_names`]; nothing is changed.
    pub fn set_other_names(&mut self, pairs: &str) -> std::result::Result<(), SchemaError> {
        self.header.schema = self.header.schema.clone().with_other_names(pairs)?;
        Ok(())
    }

    /// The number of trees in the log.
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
