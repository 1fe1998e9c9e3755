//! The nodes that more than one block is concerned with.
//!
//! ```text
//!            a            rows    b1 b2 c1 │ c2 c3 c  d │ e  a
//!      ┌──┬──┼──┐         blocks  ─── 0 ───┼──── 1 ─────┼─ 2 ─
//!      b  c  d  e         open at the end of block 0: a, c; of block 1: a
//!     …   …               crossing nodes: a, c
//! ```
//!
//! A node that is open at the end of a block is a *crossing* node; so are all its ancestors, and every other node, an
//! *inner* one, lies in one block with its whole subtree. The inner children of one crossing node in one block are
//! neighbours, a *segment*; the first and last of them are *edges*. Crossing nodes and edges are the joints: all that
//! one block ever reads of another. There are a few for each block and level of depth, and the heads of the blocks
//! alone tell most of them.

use gt_log::{Error, Place, Tree};

use super::Failure;
use super::survey::{FoundSegment, NodeValues, Surveyed};
use crate::accumulator::Accumulator;
use crate::evaluate::Evaluated;

/// The number of a joint.
pub(super) type JointId = usize;

/// A crossing node, or an edge.
#[derive(Clone, Debug, Default)]
pub(super) struct Joint {
    pub(super) parent: Option<JointId>,
    pub(super) previous: Option<JointId>,
    pub(super) next: Option<JointId>,
    pub(super) first_child: Option<JointId>,
    pub(super) last_child: Option<JointId>,
    /// The first row of its subtree.
    pub(super) start_row: u64,
    pub(super) row: u64,
    pub(super) ply: u64,
    pub(super) index: u64,
    pub(super) children: u64,
    pub(super) values: NodeValues,
    pub(super) height: u64,
    /// Nodes left out in its subtree.
    pub(super) left_out_below: i128,
    pub(super) columns: Vec<Evaluated>,
    /// Only crossing nodes have these.
    pub(super) aggregates: Vec<Evaluated>,
    /// What has been gathered for the aggregates so far.
    pub(super) gathered: Vec<Accumulator>,
}

impl Joint {
    pub(super) fn node_id(&self) -> u64 {
        self.start_row + self.ply
    }

    pub(super) fn size(&self) -> u64 {
        self.row + 1 - self.start_row
    }
}

/// The joints that concern a block.
#[derive(Clone, Debug, Default)]
pub(super) struct BlockJoints {
    /// The crossing nodes whose rows are in the block, deepest first.
    pub(super) closed: Vec<JointId>,
    /// The deepest node that was open all the time.
    pub(super) kept: Option<JointId>,
    /// The nodes below it that are open at the end.
    pub(super) added: Vec<JointId>,
    pub(super) segments: Vec<Segment>,
}

/// Inner children of one crossing node in one block; or, without a parent, the root.
#[derive(Clone, Copy, Debug)]
pub(super) struct Segment {
    pub(super) parent: Option<JointId>,
    /// The edges; only where there is a parent.
    pub(super) edges: Option<(JointId, JointId)>,
    /// How many children it has.
    pub(super) count: usize,
}

/// The joints of a tree.
#[derive(Debug, Default)]
pub(super) struct Skeleton {
    pub(super) joints: Vec<Joint>,
    pub(super) blocks: Vec<BlockJoints>,
    /// The crossing nodes in the order of their rows: children before parents.
    pub(super) closing: Vec<JointId>,
    /// How many joints are crossing nodes; they come first, parents before children.
    pub(super) crossing: usize,
}

impl Skeleton {
    /// The crossing nodes, from the heads of the blocks.
    pub(super) fn of(tree: Tree<'_>) -> Self {
        let mut skeleton = Self::default();
        let mut path: Vec<JointId> = Vec::new();
        for head in tree.blocks() {
            let kept = (head.path_kept as usize).min(path.len());
            let closed: Vec<JointId> = path.drain(kept..).rev().collect();
            skeleton.closing.extend_from_slice(&closed);
            let block = BlockJoints { closed, kept: path.last().copied(), ..BlockJoints::default() };
            skeleton.blocks.push(block);
            for entry in &head.path_added {
                let joint = Joint {
                    parent: path.last().copied(),
                    start_row: entry.start_row,
                    ply: path.len() as u64,
                    ..Joint::default()
                };
                path.push(skeleton.joints.len());
                skeleton.joints.push(joint);
            }
            if let Some(block) = skeleton.blocks.last_mut() {
                block.added = path[kept..].to_vec();
            }
        }
        skeleton.crossing = skeleton.joints.len();
        skeleton
    }

    /// Takes in what the survey has found in a block; blocks come in order.
    pub(super) fn add(&mut self, tree: Tree<'_>, block: usize, found: Surveyed) {
        let first_row = tree.block(block).first_row;
        let closed = self.blocks[block].closed.clone();
        let mut crossing = closed.iter().zip(found.closed);
        let mut segments = found.segments.into_iter().peekable();
        // In the order of rows: a node's last children in the block come right before itself.
        loop {
            let next = crossing.next();
            while let Some(segment) = segments
                .next_if(|segment| next.as_ref().is_none_or(|(_, (row, _))| segment.region.last_row < *row))
            {
                self.add_segment(block, first_row, segment);
            }
            let Some((&id, (row, values))) = next else { return };
            let joint = &mut self.joints[id];
            joint.row = first_row + row as u64;
            joint.left_out_below = values.left_out.into();
            joint.values = values;
            if let Some(parent) = joint.parent {
                self.append(parent, id, id, 1);
            }
        }
    }

    fn add_segment(&mut self, block: usize, first_row: u64, found: FoundSegment) {
        let region = found.region;
        let mut segment = Segment { parent: region.parent, edges: None, count: region.count };
        match (region.parent, found.edges) {
            (Some(parent), Some([first, last])) => {
                let first = self.add_edge(parent, first_row, (region.first_row, region.first_start), first);
                let last = self.add_edge(parent, first_row, (region.last_row, region.last_start), last);
                segment.edges = Some((first, last));
                self.append(parent, first, last, region.count as u64);
            }
            (Some(parent), None) => self.joints[parent].children += region.count as u64,
            (None, _) => {}
        }
        self.blocks[block].segments.push(segment);
    }

    fn add_edge(
        &mut self,
        parent: JointId,
        first_row: u64,
        (row, start): (usize, usize),
        values: NodeValues,
    ) -> JointId {
        self.joints.push(Joint {
            parent: Some(parent),
            start_row: first_row + start as u64,
            row: first_row + row as u64,
            ply: self.joints[parent].ply + 1,
            children: values.children,
            values,
            ..Joint::default()
        });
        self.joints.len() - 1
    }

    /// Appends `count` children, the first and last of which are joints, to a crossing node.
    fn append(&mut self, parent: JointId, first: JointId, last: JointId, count: u64) {
        let before = self.joints[parent].last_child.replace(last);
        let index = self.joints[parent].children;
        self.joints[parent].children += count;
        self.joints[parent].first_child.get_or_insert(first);
        self.joints[first].index = index;
        self.joints[last].index = index + count - 1;
        self.joints[first].previous = before;
        if let Some(before) = before {
            self.joints[before].next = Some(first);
        }
    }

    /// The moves from the root to a crossing node.
    pub(super) fn line(&self, joint: Option<JointId>, moves: &mut Vec<i64>) {
        let path = std::iter::successors(joint, |&id| self.joints[id].parent);
        let below_root = path.filter(|&id| self.joints[id].parent.is_some());
        moves.extend(below_root.map(|id| self.joints[id].values.last_move));
    }
}

/// The rows of a block do not make a tree.
pub(super) fn damaged(tree: Tree<'_>, row: u64) -> Failure {
    let place = Place::Row { tree: tree.number() as u32, row };
    Failure::Log(Error::Damaged { place, what: "its subtree's size does not fit those around it" })
}
