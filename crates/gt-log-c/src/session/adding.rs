//! Adding nodes to a tree that is not searched depth-first; `grown` holds them.

use gt_log::{Schema, TreeWriter};

use super::grown::Grown;
use super::{Session, Stage};
use crate::boundary::Fault;

impl Session {
    /// Adds a node below another, or the root below none, and returns its number, counted from 0. If logging is off,
    /// the number is 0.
    ///
    /// # Safety
    /// The record is NULL or matches the descriptor (see [`crate::plan::Plan::store`]).
    pub(crate) unsafe fn add_node(
        &mut self,
        parent: Option<u64>,
        last_move: i64,
        record: *const u8,
    ) -> Result<u64, Fault> {
        if matches!(self.stage, Stage::Idle) {
            self.begin_tree()?;
        }
        let plan = &self.plan;
        let Some(grown) = grown(&mut self.stage, &self.header.schema, self.queries.is_some())? else {
            return Ok(0);
        };
        if parent.is_none() && grown.nodes.nodes() > 0 {
            return Err(Fault::order(
                "the tree has its root already; give gtl_addNode the number of the node's parent, or close the tree",
            ));
        }
        let added = grown.nodes.add_with(parent, last_move, |_, row| {
            // SAFETY: the record is NULL or matches the descriptor (caller).
            unsafe { plan.store_or_nothing(record, row) }
        });
        added.map_err(Fault::from)
    }

    /// Replaces the values of an added node.
    ///
    /// # Safety
    /// As for [`Session::add_node`].
    pub(crate) unsafe fn set_node(&mut self, node: u64, record: *const u8) -> Result<(), Fault> {
        let plan = &self.plan;
        let grown = match &mut self.stage {
            Stage::Grown(grown) => grown,
            Stage::Off => return Ok(()),
            Stage::Failed => return Err(Fault::still_off()),
            Stage::Idle | Stage::Tree(_) => {
                return Err(Fault::order("no node was added that could be set; gtl_addNode adds one"));
            }
        };
        let set = grown.nodes.set_with(node, |_, row| {
            // SAFETY: the record is NULL or matches the descriptor (caller).
            unsafe { plan.store_or_nothing(record, row) }
        });
        set.map_err(Fault::from)
    }
}

/// The tree to which nodes are added; `None` if logging is off.
fn grown<'a>(
    stage: &'a mut Stage,
    schema: &Schema,
    has_queries: bool,
) -> Result<Option<&'a mut Grown>, Fault> {
    if has_queries {
        return Err(Fault::order(
            "attached queries follow a search that goes down and up, and cannot follow gtl_addNode; ask the log, with gtl_query",
        ));
    }
    if let Stage::Tree(tree) = stage {
        if tree.has_nodes() {
            return Err(Fault::order(
                "gtl_addNode does not fit a tree whose nodes are entered and left; close it first, or enter all of its nodes",
            ));
        }
        let writer = std::mem::replace(tree, TreeWriter::off());
        *stage = Stage::Grown(Box::new(Grown::new(writer, schema)));
    }
    match stage {
        Stage::Grown(grown) => Ok(Some(grown)),
        Stage::Failed => Err(Fault::still_off()),
        Stage::Off | Stage::Idle | Stage::Tree(_) => Ok(None),
    }
}
