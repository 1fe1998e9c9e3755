//! An opened log.

use std::fs::File;
use std::path::Path;
use std::sync::Arc;

use super::condition::Condition;
use super::limits::Limits;
use super::open::{Opened, open};
use super::source::FileSource;
use super::tree::Tree;
use crate::error::{Error, Result};
use crate::format::VERSION_MAJOR;
use crate::{Header, Metadata, Schema, SchemaError};

/// A log opened for reading; threads can share it.
pub struct Log {
    opened: Opened,
}

impl Log {
    /// Opens a file.
    pub fn open(path: impl AsRef<Path>) -> Result<Self> {
        Self::open_with(path, Limits::default())
    }

    /// Opens a file with these limits on the memory for its parts.
    pub fn open_with(path: impl AsRef<Path>, limits: Limits) -> Result<Self> {
        let opened = open(Arc::new(FileSource::new(File::open(path)?)), limits)?;
        Ok(Self { opened })
    }

    /// Opens a log in memory.
    pub fn from_bytes(bytes: Vec<u8>) -> Result<Self> {
        Self::from_bytes_with(bytes, Limits::default())
    }

    /// Opens a log in memory with these limits on the memory for its parts.
    pub fn from_bytes_with(bytes: Vec<u8>, limits: Limits) -> Result<Self> {
        Ok(Self { opened: open(Arc::new(bytes), limits)? })
    }

    /// The major and the minor version of the log's format.
    #[must_use]
    pub fn version(&self) -> (u16, u16) {
        (VERSION_MAJOR, self.opened.minor)
    }

    /// The name that the log has for a move, for games without notation in GT-Tools.
    #[must_use]
    pub fn move_name(&self, number: i64) -> Option<&str> {
        self.opened.names.get(&number).map(String::as_str)
    }

    /// All names of moves, in the order of the moves' numbers.
    #[must_use]
    pub fn move_names(&self) -> Vec<(i64, &str)> {
        let mut names: Vec<(i64, &str)> =
            self.opened.names.iter().map(|(number, name)| (*number, name.as_str())).collect();
        names.sort_unstable();
        names
    }

    /// The log's header: what the log says about itself.
    #[must_use]
    pub fn header(&self) -> &Header {
        &self.opened.header
    }

    /// The game's name; empty if the log names none.
    #[must_use]
    pub fn game(&self) -> &str {
        &self.opened.header.game
    }

    /// The attributes of the nodes.
    #[must_use]
    pub fn schema(&self) -> &Schema {
        &self.opened.header.schema
    }

    /// The metadata of the whole log.
    #[must_use]
    pub fn metadata(&self) -> &Metadata {
        &self.opened.header.metadata
    }

    /// The state in which the log was found.
    #[must_use]
    pub fn condition(&self) -> &Condition {
        &self.opened.condition
    }

    /// Gives attributes and aliases other names, as in `best=value, type=nodeType`; queries accept both names.
    ///
    /// # Errors
    /// As for [`Schema::with_other_names`]; nothing is changed then.
    pub fn set_other_names(&mut self, pairs: &str) -> std::result::Result<(), SchemaError> {
        self.opened.header.schema = self.opened.header.schema.clone().with_other_names(pairs)?;
        Ok(())
    }

    /// The number of trees in the log.
    #[must_use]
    pub fn tree_count(&self) -> usize {
        self.opened.trees.len()
    }

    /// The tree with this number, counted from 0.
    pub fn tree(&self, tree: usize) -> Result<Tree<'_>> {
        match self.opened.trees.get(tree) {
            Some(parts) => Ok(Tree::new(&self.opened, parts, tree)),
            None => Err(Error::NoSuchTree { tree, trees: self.opened.trees.len() }),
        }
    }

    /// All trees, in the order in which they were begun.
    pub fn trees(&self) -> impl Iterator<Item = Tree<'_>> {
        self.opened.trees.iter().enumerate().map(|(tree, parts)| Tree::new(&self.opened, parts, tree))
    }

    pub(crate) fn opened(&self) -> &Opened {
        &self.opened
    }
}
