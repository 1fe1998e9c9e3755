//! Writes nodes into a log, in preorder: the last step for every order of rows.
//!
//! **Invariant:** the file's claims about the structure (`size`, `ply`) agree with what is written.

use std::collections::HashMap;

use gt_log::{Flush, LogWriter, Metadata, Options, Row, TreeWriter};

use super::node::{Node, left_out_error};
use crate::description::{Description, TreeDescription};
use crate::{Error, ErrorKind, Result};

pub(super) struct NodeWriter<'a> {
    log: &'a LogWriter,
    /// The file's descriptions of its trees, by number; without a column of numbers, of its only tree.
    described: HashMap<i64, &'a TreeDescription>,
    only_tree: Option<&'a TreeDescription>,
    has_trees: bool,
    writer: Option<TreeWriter>,
    /// The open nodes, root first, each with its preorder number.
    open: Vec<(Node, u64)>,
    /// The number of entered nodes of the tree.
    entered: u64,
    pub(super) totals: WrittenTotals,
}

/// The totals written.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct WrittenTotals {
    pub(super) trees: u64,
    pub(super) nodes: u64,
    pub(super) unfinished: u64,
    pub(super) left_out: u64,
    pub(super) renumbered: bool,
}

impl<'a> NodeWriter<'a> {
    pub(super) fn new(log: &'a LogWriter, description: Option<&'a Description>, has_trees: bool) -> Self {
        let trees = description.map(|description| description.trees.as_slice()).unwrap_or_default();
        Self {
            log,
            // The first of duplicate numbers takes precedence.
            described: trees.iter().rev().map(|tree| (tree.number, tree)).collect(),
            only_tree: trees.first(),
            has_trees,
            writer: None,
            open: Vec::new(),
            entered: 0,
            totals: WrittenTotals::default(),
        }
    }

    pub(super) fn begin_tree(&mut self, tree: i64) -> Result<()> {
        let described = match self.has_trees {
            true => self.described.get(&tree).copied(),
            false => self.only_tree,
        };
        let metadata = match described {
            Some(described) => described.metadata.clone(),
            // The tree's number in its file identifies it.
            None if self.has_trees => Metadata::new().with("tree", tree),
            None => Metadata::new(),
        };
        // No flush by time, so that the same file makes the same log.
        let flush = Flush { time_ms_max: None, ..Flush::default() };
        self.writer = Some(self.log.dynamic_tree(&metadata, Options { flush, ..Options::default() })?);
        self.entered = 0;
        self.totals.trees += 1;
        Ok(())
    }

    /// The number of open nodes.
    pub(super) fn open_nodes(&self) -> usize {
        self.open.len()
    }

    /// The open node at this ply.
    pub(super) fn open_node(&self, ply: usize) -> &Node {
        &self.open[ply].0
    }

    /// The ply of the open node with this number in the file, if open nodes have ascending ones.
    pub(super) fn ply_of(&self, id: i64) -> Option<usize> {
        self.open.binary_search_by_key(&id, |(node, _)| node.id).ok()
    }

    pub(super) fn enter(&mut self, node: Node) -> Result<()> {
        if let Some(writer) = &mut self.writer {
            writer.enter(node.last_move).map_err(|error| Error::from(error).at(node.place))?;
        }
        let ply = self.open.len() as i64;
        check(&node, "ply", node.ply, ply)?;
        self.totals.renumbered |= node.id != self.entered as i64;
        self.open.push((node, self.entered));
        self.entered += 1;
        Ok(())
    }

    /// Leaves the last entered node, with the attributes that `store` writes.
    pub(super) fn leave(&mut self, store: impl FnOnce(&mut Row<'_>)) -> Result<()> {
        let Some((node, number)) = self.open.pop() else { return Ok(()) };
        check(&node, "size", node.size, (self.entered - number) as i64)?;
        let left_out = self.totals.left_out.checked_add(node.marks.left_out);
        self.totals.left_out =
            left_out.ok_or_else(|| Error::new(left_out_error(node.marks.left_out)).at(node.place))?;
        self.totals.nodes += 1;
        self.totals.unfinished += u64::from(node.marks.unfinished);
        if let Some(writer) = &mut self.writer {
            let left = writer.leave_marked(node.marks, |_, row| {
                store(row);
                Ok(())
            });
            left.map_err(|error| Error::from(error).at(node.place))?;
        }
        Ok(())
    }

    /// Ends a tree whose nodes have all been left.
    pub(super) fn end_tree(&mut self) -> Result<()> {
        match self.writer.take() {
            None => Ok(()),
            Some(writer) => Ok(writer.finish().map(|_| ())?),
        }
    }
}

fn check(node: &Node, what: &'static str, stated: Option<i64>, actual: i64) -> Result<()> {
    match stated {
        Some(stated) if stated != actual => {
            let contradiction = ErrorKind::Contradiction { node: node.id, what, stated, actual };
            Err(Error::new(contradiction).at(node.place).in_column(what))
        }
        _ => Ok(()),
    }
}
