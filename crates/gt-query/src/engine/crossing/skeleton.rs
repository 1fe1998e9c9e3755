//! The nodes that concern more than one block.
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
//! neighbours, a *segment*.
//!
//! The heads of the blocks alone determine where the crossing nodes are; their values are found later, and kept in
//! [`Details`](super::Details).

use std::ops::Range;

use gt_log::{Error, Place, Tree};

use crate::engine::Failure;

/// The number of a joint: crossing nodes come first, parents before children, and then the fringe.
pub(in crate::engine) type JointId = usize;

/// A joint in a list. Lists of joints are long, so it takes only the 32 bits that its number has.
pub(in crate::engine) type ListedJoint = u32;

/// The position of a crossing node, or of a node of the fringe. There are millions in a large tree, so it is kept small.
#[derive(Clone, Copy, Debug)]
pub(in crate::engine) struct Joint {
    /// The first row of its subtree.
    pub(in crate::engine) start_row: u64,
    /// The parent, or [`NO_JOINT`].
    parent: ListedJoint,
    ply: u32,
}

/// More than the number of any joint.
const NO_JOINT: ListedJoint = u32::MAX;

impl Joint {
    /// A joint; `None` if there are more than can be numbered.
    pub(super) fn new(parent: Option<JointId>, start_row: u64, ply: u64) -> Option<Self> {
        let parent = match parent {
            Some(parent) => u32::try_from(parent).ok().filter(|parent| *parent != NO_JOINT)?,
            None => NO_JOINT,
        };
        Some(Self { start_row, parent, ply: u32::try_from(ply).ok()? })
    }

    pub(in crate::engine) fn parent(&self) -> Option<JointId> {
        (self.parent != NO_JOINT).then_some(self.parent as JointId)
    }

    pub(in crate::engine) fn ply(&self) -> u64 {
        self.ply.into()
    }

    pub(in crate::engine) fn node_id(&self) -> u64 {
        self.start_row + self.ply()
    }
}

/// The crossing nodes that concern a block.
#[derive(Clone, Copy, Debug)]
struct BlockJoints {
    /// The end of the joints whose rows are in the block, in the order of closing; they begin where the previous
    /// block's end.
    closed_end: u32,
    /// The deepest node that is open throughout the block, or [`NO_JOINT`].
    kept: ListedJoint,
    /// The end of the nodes below `kept` that are open at the end; they begin where the previous block's end.
    added_end: ListedJoint,
}

/// The crossing nodes of a tree.
#[derive(Debug, Default)]
pub(in crate::engine) struct Skeleton {
    /// The joints, parents before children.
    pub(in crate::engine) joints: Vec<Joint>,
    /// The joints in the order of their rows: children before parents.
    pub(in crate::engine) closing: Vec<ListedJoint>,
    blocks: Vec<BlockJoints>,
}

impl Skeleton {
    /// Finds the crossing nodes from the heads of the blocks.
    ///
    /// # Errors
    /// Returns an error if the open paths of the blocks are inconsistent. Later code relies on every crossing node
    /// being closed in a later block, after all nodes below it, and on its rows lying within its parent's.
    pub(in crate::engine) fn of(tree: Tree<'_>) -> Result<Self, Failure> {
        let mut skeleton = Self { blocks: Vec::with_capacity(tree.block_count()), ..Self::default() };
        let mut path: Vec<JointId> = Vec::new();
        for head in tree.blocks() {
            let kept = head.path_kept as usize;
            if kept > path.len() {
                return Err(damaged(tree, head.first_row));
            }
            skeleton.closing.extend(path.drain(kept..).rev().map(|joint| joint as ListedJoint));
            let kept = path.last().map_or(NO_JOINT, |joint| *joint as ListedJoint);
            for entry in &head.path_added {
                let parent = path.last().copied();
                let least = parent.map_or(0, |parent| skeleton.joints[parent].start_row);
                if !(least..head.end_row()).contains(&entry.start_row) {
                    return Err(damaged(tree, head.first_row));
                }
                let joint = Joint::new(parent, entry.start_row, path.len() as u64)
                    .ok_or_else(|| damaged(tree, head.first_row))?;
                path.push(skeleton.joints.len());
                skeleton.joints.push(joint);
            }
            skeleton.blocks.push(BlockJoints {
                closed_end: skeleton.closing.len() as u32,
                kept,
                added_end: skeleton.joints.len() as ListedJoint,
            });
        }
        if path.is_empty() { Ok(skeleton) } else { Err(damaged(tree, tree.nodes().saturating_sub(1))) }
    }

    /// The crossing nodes whose rows are in a block, deepest first.
    pub(in crate::engine) fn closed(&self, block: usize) -> &[ListedJoint] {
        let Some(joints) = self.blocks.get(block) else { return &[] };
        let start = self.before(block).map_or(0, |before| before.closed_end);
        &self.closing[start as usize..joints.closed_end as usize]
    }

    /// The crossing nodes that concern the block before this one.
    fn before(&self, block: usize) -> Option<&BlockJoints> {
        self.blocks.get(block.checked_sub(1)?)
    }

    /// For each crossing node, the block of its row, and its index among those closed there.
    pub(in crate::engine) fn closing_places(&self) -> Vec<(usize, usize)> {
        let mut places = vec![(usize::MAX, 0); self.joints.len()];
        for block in 0..self.blocks.len() {
            for (place, &joint) in self.closed(block).iter().enumerate() {
                places[joint as JointId] = (block, place);
            }
        }
        places
    }

    /// The deepest node that is open before, in and after a block.
    pub(in crate::engine) fn kept(&self, block: usize) -> Option<JointId> {
        let kept = self.blocks[block].kept;
        (kept != NO_JOINT).then_some(kept as JointId)
    }

    /// The nodes below the kept one that are open at the end of the block, parents before children.
    pub(in crate::engine) fn added(&self, block: usize) -> Range<JointId> {
        let start = self.before(block).map_or(0, |before| before.added_end);
        start as JointId..self.blocks[block].added_end as JointId
    }
}

/// The error that the rows of a block do not form a tree.
pub(in crate::engine) fn damaged(tree: Tree<'_>, row: u64) -> Failure {
    let place = Place::Row { tree: tree.number() as u32, row };
    Failure::Log(Error::Damaged { place, what: "its subtree's size does not fit those around it" })
}
