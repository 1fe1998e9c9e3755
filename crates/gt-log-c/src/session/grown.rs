//! Trees that are not searched depth-first: nodes are added in any order, each below an existing one.
//!
//! ```text
//! Tree, still empty ──first add_node──▶ Grown: nodes in memory ──close_tree──▶ all of them into the file
//! ```
//!
//! A log stores a tree in preorder, and an added node can still get children and other values, so nothing is written before the tree is
//! closed. Attached queries follow a depth-first search and cannot follow such a tree.

use gt_log::{Dynamic, Metadata, Result as LogResult, Schema, TreeBuilder, TreeWriter};

use crate::boundary::Fault;

pub(super) struct Grown {
    writer: TreeWriter<Dynamic>,
    pub(super) nodes: TreeBuilder,
}

impl Grown {
    /// A tree without nodes, which `writer` will write.
    pub(super) fn new(writer: TreeWriter<Dynamic>, schema: &Schema) -> Self {
        Self { writer, nodes: TreeBuilder::new(schema) }
    }

    /// Writes the tree, and ends it.
    pub(super) fn end(self, metadata: &Metadata) -> LogResult<()> {
        let Self { mut writer, nodes } = self;
        nodes.write_into(&mut writer)?;
        writer.finish_with(metadata).map(drop)
    }
}

/// The refusal of a depth-first call on a tree whose nodes are added.
pub(super) fn not_depth_first(call: &str) -> Fault {
    Fault::order(format!(
        "{call} does not fit a tree whose nodes gtl_addNode adds; close it first, or add all of its nodes"
    ))
}
