//! What is known of the joints: filled in by the survey, by the passes and by the steps between them.
//!
//! **Invariant:** a joint's detail is there from the time that something is known of it until nobody asks any more.

use std::ops::{Index, IndexMut};

use super::skeleton::{Joint, JointId, Skeleton};
use super::survey::{FoundSegment, NodeValues, Surveyed};
use crate::accumulator::Accumulator;
use crate::evaluate::Evaluated;

/// What is known of a joint.
#[derive(Clone, Debug, Default)]
pub(super) struct Detail {
    pub(super) joint: Joint,
    pub(super) row: u64,
    pub(super) previous: Option<JointId>,
    pub(super) next: Option<JointId>,
    pub(super) first_child: Option<JointId>,
    pub(super) last_child: Option<JointId>,
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

impl Detail {
    /// Makes it that of a joint of which nothing is known, and keeps its memory.
    fn clear(&mut self) {
        let columns = std::mem::take(&mut self.columns);
        let aggregates = std::mem::take(&mut self.aggregates);
        let gathered = std::mem::take(&mut self.gathered);
        *self = Self { columns, aggregates, gathered, ..Self::default() };
        self.columns.clear();
        self.aggregates.clear();
        self.gathered.clear();
    }

    pub(super) fn size(&self) -> u64 {
        self.row + 1 - self.joint.start_row
    }
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

/// What is known of all joints.
#[derive(Debug, Default)]
pub(super) struct Details {
    of: Vec<Option<Box<Detail>>>,
    /// Those that were forgotten, for their memory.
    #[allow(clippy::vec_box)] // They go back to where boxes are.
    spare: Vec<Box<Detail>>,
    /// By block, where edges are looked at.
    segments: Vec<Vec<Segment>>,
}

impl Index<JointId> for Details {
    type Output = Detail;

    fn index(&self, id: JointId) -> &Detail {
        // `Skeleton::of` refuses a log in which a joint is not closed, and `regions` a block in which its row is not
        // found; and a joint is asked for only after the block that closes it, or one that has a child of it.
        self.of[id].as_deref().expect("something is known of every joint that is asked for")
    }
}

impl IndexMut<JointId> for Details {
    fn index_mut(&mut self, id: JointId) -> &mut Detail {
        let Self { of, spare, .. } = self;
        of[id].get_or_insert_with(|| spare.pop().unwrap_or_default())
    }
}

impl Details {
    /// Nothing is known yet of the crossing nodes.
    pub(super) fn none_of(skeleton: &Skeleton) -> Self {
        let of = (0..skeleton.joints.len()).map(|_| None).collect();
        Self { of, ..Self::default() }
    }

    /// The segments of a block, in the order of rows.
    pub(super) fn segments(&self, block: usize) -> &[Segment] {
        self.segments.get(block).map_or(&[], |segments| segments)
    }

    /// All joints, edges included.
    pub(super) fn ids(&self) -> std::ops::Range<JointId> {
        0..self.of.len()
    }

    /// Nobody asks for a joint any more.
    pub(super) fn forget(&mut self, id: JointId) {
        if let Some(mut detail) = self.of[id].take() {
            detail.clear();
            self.spare.push(detail);
        }
    }

    /// Takes in what the survey has found in a block; blocks come in order.
    pub(super) fn add(&mut self, skeleton: &Skeleton, block: usize, first_row: u64, found: Surveyed) {
        let mut crossing = skeleton.closed(block).iter().zip(found.closed);
        let mut segments = found.segments.into_iter().peekable();
        // In the order of rows: a node's last children in the block come right before itself.
        loop {
            let next = crossing.next();
            while let Some(segment) = segments
                .next_if(|segment| next.as_ref().is_none_or(|(_, (row, _))| segment.region.last_row < *row))
            {
                self.add_segment(skeleton, block, first_row, segment);
            }
            let Some((&id, (row, values))) = next else { return };
            let joint = skeleton.joints[id];
            let detail = &mut self[id];
            detail.joint = joint;
            detail.row = first_row + row as u64;
            detail.left_out_below = values.left_out.into();
            detail.values = values;
            if let Some(parent) = joint.parent {
                self.append(parent, id, id, 1);
            }
        }
    }

    fn add_segment(&mut self, skeleton: &Skeleton, block: usize, first_row: u64, found: FoundSegment) {
        let region = found.region;
        let mut segment = Segment { parent: region.parent, edges: None, count: region.count };
        match (region.parent, found.edges) {
            (Some(parent), Some([first, last])) => {
                let ply = skeleton.joints[parent].ply + 1;
                let mut edge = |row: usize, start: usize, values: NodeValues| {
                    let joint = Joint { parent: Some(parent), start_row: first_row + start as u64, ply };
                    self.add_edge(joint, first_row + row as u64, values)
                };
                let first = edge(region.first_row, region.first_start, first);
                let last = edge(region.last_row, region.last_start, last);
                segment.edges = Some((first, last));
                self.append(parent, first, last, region.count as u64);
            }
            (Some(parent), None) => {
                self[parent].children += region.count as u64;
                return;
            }
            (None, _) => {}
        }
        self.segments.resize_with(self.segments.len().max(block + 1), Vec::new);
        self.segments[block].push(segment);
    }

    fn add_edge(&mut self, joint: Joint, row: u64, values: NodeValues) -> JointId {
        let children = values.children;
        self.of.push(Some(Box::new(Detail { joint, row, children, values, ..Detail::default() })));
        self.of.len() - 1
    }

    /// Appends `count` children, the first and last of which are joints, to a crossing node.
    fn append(&mut self, parent: JointId, first: JointId, last: JointId, count: u64) {
        let before = self[parent].last_child.replace(last);
        let index = self[parent].children;
        self[parent].children += count;
        self[parent].first_child.get_or_insert(first);
        self[first].index = index;
        self[last].index = index + count - 1;
        self[first].previous = before;
        if let Some(before) = before {
            self[before].next = Some(first);
        }
    }
}
