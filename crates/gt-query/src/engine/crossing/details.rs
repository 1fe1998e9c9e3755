//! The details of the joints: filled in by the survey, by the passes and by the steps between them.
//!
//! **Invariant:** a joint's detail exists from the time that something is known about it until nothing needs it any
//! more.

use super::skeleton::{Joint, JointId, Skeleton};
use super::survey::{FoundSegment, NodeValues, Surveyed};
use crate::accumulator::Accumulator;
use crate::evaluate::Evaluated;
use crate::ir::Step;

/// The known values of a joint.
#[derive(Clone, Debug, Default)]
pub(in crate::engine) struct Detail {
    pub(in crate::engine) row: u64,
    /// Its index among its siblings.
    pub(in crate::engine) index: u64,
    /// The number of its children.
    pub(in crate::engine) child_count: u64,
    /// Its children that are joints: if the fringe is kept, all children of a crossing node.
    pub(in crate::engine) children: Vec<JointId>,
    pub(in crate::engine) values: NodeValues,
    pub(in crate::engine) height: u64,
    /// Nodes left out in its subtree.
    pub(in crate::engine) left_out_below: i128,
    pub(in crate::engine) columns: Vec<Evaluated>,
    pub(in crate::engine) aggregates: Vec<Evaluated>,
    /// The aggregates gathered so far; of crossing nodes only.
    pub(in crate::engine) gathered: Vec<Accumulator>,
}

/// The details of all joints.
#[derive(Debug, Default)]
pub(in crate::engine) struct Details {
    /// The positions of the joints.
    joints: Vec<Joint>,
    of: Vec<Option<Box<Detail>>>,
    /// The segments by block, in the order of rows.
    segments: Vec<Vec<Segment>>,
}

/// A segment: the first of its nodes, if the fringe is kept.
#[derive(Clone, Copy, Debug)]
pub(in crate::engine) struct Segment {
    pub(in crate::engine) first: Option<JointId>,
}

impl Details {
    /// Makes empty details of the crossing nodes.
    pub(in crate::engine) fn none_of(skeleton: &Skeleton) -> Self {
        let of = (0..skeleton.joints.len()).map(|_| None).collect();
        Self { joints: skeleton.joints.clone(), of, segments: Vec::new() }
    }

    /// The position of a joint.
    pub(in crate::engine) fn joint(&self, id: JointId) -> Joint {
        self.joints[id]
    }

    /// The number of nodes in the subtree of a joint whose row is known.
    pub(in crate::engine) fn size(&self, id: JointId) -> u64 {
        self.get(id).map_or(0, |detail| (detail.row + 1).saturating_sub(self.joints[id].start_row))
    }

    pub(in crate::engine) fn get(&self, id: JointId) -> Option<&Detail> {
        self.of.get(id)?.as_deref()
    }

    /// The detail of a joint, mutably; empty if it is new.
    pub(in crate::engine) fn of(&mut self, id: JointId) -> &mut Detail {
        self.of[id].get_or_insert_default()
    }

    /// The segments of a block, in the order of rows.
    pub(in crate::engine) fn segments(&self, block: usize) -> &[Segment] {
        self.segments.get(block).map_or(&[], |segments| segments)
    }

    /// All joints, the fringe included.
    pub(in crate::engine) fn ids(&self) -> std::ops::Range<JointId> {
        0..self.of.len()
    }

    /// Drops a joint that nothing needs any more.
    pub(super) fn forget(&mut self, id: JointId) {
        self.of[id] = None;
    }

    /// A relative of a joint, if that is a joint.
    pub(in crate::engine) fn step(&self, id: JointId, step: Step) -> Option<JointId> {
        let parent = self.joints.get(id)?.parent;
        match step {
            Step::Here => Some(id),
            Step::Parent => parent,
            Step::Grandparent => self.step(parent?, Step::Parent),
            Step::Sibling(places) => {
                let place = i64::try_from(self.get(id)?.index).ok()?.checked_add(places.into())?;
                let siblings = &self.get(parent?)?.children;
                siblings.get(usize::try_from(place).ok()?).copied()
            }
            Step::Child(place) => {
                let children = &self.get(id)?.children;
                let place = match usize::try_from(place) {
                    Ok(place) => place,
                    Err(_) => children.len().checked_sub(place.unsigned_abs() as usize)?,
                };
                children.get(place).copied()
            }
        }
    }

    /// Adds the survey of a block; blocks come in order.
    pub(in crate::engine) fn add(
        &mut self,
        skeleton: &Skeleton,
        block: usize,
        first_row: u64,
        found: Surveyed,
    ) {
        let mut crossing = skeleton.closed(block).iter().zip(found.closed);
        let mut segments = found.segments.into_iter().peekable();
        self.segments.resize_with(self.segments.len().max(block + 1), Vec::new);
        // In the order of rows: a node's last children in the block come directly before it.
        loop {
            let next = crossing.next();
            while let Some(segment) = segments
                .next_if(|segment| next.as_ref().is_none_or(|(_, (row, _))| segment.region.last_row < *row))
            {
                self.add_segment(skeleton, block, first_row, segment);
            }
            let Some((&id, (row, values))) = next else { return };
            let detail = self.of(id);
            detail.row = first_row + row as u64;
            detail.left_out_below += i128::from(values.left_out);
            detail.values = values;
            self.append(skeleton.joints[id].parent, id);
        }
    }

    fn add_segment(&mut self, skeleton: &Skeleton, block: usize, first_row: u64, found: FoundSegment) {
        let region = found.region;
        let first = (!found.tops.is_empty()).then_some(self.of.len());
        self.segments[block].push(Segment { first });
        let Some(parent) = region.parent else { return };
        if first.is_none() {
            self.of(parent).child_count += region.count as u64;
        }
        for (row, start, values) in found.tops {
            let ply = skeleton.joints[parent].ply + 1;
            let joint = Joint { parent: Some(parent), start_row: first_row + start as u64, ply };
            let (row, child_count) = (first_row + row as u64, values.children);
            self.joints.push(joint);
            self.of.push(Some(Box::new(Detail { row, child_count, values, ..Detail::default() })));
            self.append(Some(parent), self.of.len() - 1);
        }
    }

    /// Appends a child to those of a crossing node.
    fn append(&mut self, parent: Option<JointId>, child: JointId) {
        let Some(parent) = parent else { return };
        let parent = self.of(parent);
        let index = parent.child_count;
        parent.child_count += 1;
        parent.children.push(child);
        self.of(child).index = index;
    }
}
