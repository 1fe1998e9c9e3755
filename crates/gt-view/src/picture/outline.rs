//! Which nodes a picture shows.

use std::ops::Range;

use super::sketch::{Detail, Sketch};
use crate::calls::Subject;
use crate::error::Answer;
use crate::nodes::Node;

/// Which nodes a picture shows; the same for all colours and, within limits, for all sizes of the picture.
#[derive(Clone, Debug)]
pub(crate) struct Outline {
    /// The picture's node.
    pub(super) node: Node,
    pub(super) ply: u64,
    pub(super) parent: Option<Node>,
    pub(super) sketch: Sketch,
    /// The node_ids that are shown.
    pub(super) ids: Range<u64>,
    /// The number of plies below the node that are shown.
    pub(super) plies: u32,
}

impl Outline {
    pub(crate) fn new(subject: &mut Subject<'_>, node: u64, detail: &Detail) -> Answer<Self> {
        let located = subject.nodes.locate(node)?;
        let sketch = Sketch::draw(&mut subject.nodes, located.node, detail)?;
        Ok(Self {
            node: located.node,
            ply: located.ply(),
            parent: located.parent(),
            sketch,
            ids: detail.ids.clone(),
            plies: detail.plies,
        })
    }
}
