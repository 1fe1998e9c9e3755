//! The details of the joints: filled in by the survey, by the passes and by the steps between them.
//!
//! **Invariant:** a joint's detail exists from the time that something is known about it until nothing needs it any
//! more.

use super::skeleton::{Joint, JointId, Skeleton};
use super::survey::{FoundSegment, NodeValues, Surveyed};
use crate::accumulator::Accumulator;
use crate::engine::plan::{Fringe, Plan};
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
    pub(in crate::engine) values: NodeValues,
    /// Its children that are joints, in order; if something may read them.
    pub(in crate::engine) children: Vec<JointId>,
    folded: Option<Box<Folded>>,
}

/// What is computed at a joint: most queries compute nothing there.
#[derive(Clone, Debug, Default)]
pub(in crate::engine) struct Folded {
    pub(in crate::engine) height: u64,
    /// Nodes left out in its subtree.
    pub(in crate::engine) left_out: i128,
    pub(in crate::engine) columns: Vec<Evaluated>,
    pub(in crate::engine) aggregates: Vec<Evaluated>,
    /// The aggregates gathered so far; of crossing nodes only.
    pub(in crate::engine) gathered: Vec<Accumulator>,
}

impl Detail {
    pub(in crate::engine) fn folded(&self) -> Option<&Folded> {
        self.folded.as_deref()
    }

    /// What is computed at the joint, mutably.
    pub(in crate::engine) fn fold(&mut self) -> &mut Folded {
        self.folded.get_or_insert_default()
    }
}

/// The details of all joints.
#[derive(Debug, Default)]
pub(in crate::engine) struct Details<'a> {
    /// The positions of the crossing nodes, and of the fringe.
    crossing: &'a [Joint],
    fringe: Vec<Joint>,
    /// Whether anything may read the children of a joint.
    has_children: bool,
    of: Vec<Option<Box<Detail>>>,
    /// The segments by block, in the order of rows.
    segments: Vec<Vec<Segment>>,
}

/// A segment, and which of its nodes are kept.
#[derive(Clone, Copy, Debug)]
pub(in crate::engine) struct Segment {
    /// The index of its first node among its siblings.
    pub(in crate::engine) first_index: u64,
    count: u32,
    /// How many of the first nodes are kept, and how many of the last.
    kept: [u32; 2],
    /// The first node that is kept; the others follow it.
    joint: JointId,
}

impl Segment {
    pub(in crate::engine) fn keeps_any(&self) -> bool {
        self.kept != [0, 0]
    }

    /// The nodes that are kept, each with its place in the segment.
    pub(in crate::engine) fn kept(self) -> impl Iterator<Item = (JointId, usize)> {
        let last = self.count - self.kept[1]..self.count;
        (self.joint..).zip((0..self.kept[0]).chain(last).map(|place| place as usize))
    }
}

impl<'a> Details<'a> {
    /// Makes empty details of the crossing nodes.
    pub(in crate::engine) fn none_of(skeleton: &'a Skeleton, plan: &Plan) -> Self {
        let of = (0..skeleton.joints.len()).map(|_| None).collect();
        let has_children = !plan.survey || plan.fringe.is_some_and(Fringe::keeps_any);
        Self { crossing: &skeleton.joints, has_children, of, ..Self::default() }
    }

    /// The position of a joint.
    pub(in crate::engine) fn joint(&self, id: JointId) -> Joint {
        match self.crossing.get(id) {
            Some(joint) => *joint,
            None => self.fringe[id - self.crossing.len()],
        }
    }

    /// The number of nodes in the subtree of a joint whose row is known.
    pub(in crate::engine) fn size(&self, id: JointId) -> u64 {
        self.get(id).map_or(0, |detail| (detail.row + 1).saturating_sub(self.joint(id).start_row))
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
        let parent = self.joint(id).parent();
        match step {
            Step::Here => Some(id),
            Step::Parent => parent,
            Step::Grandparent => self.step(parent?, Step::Parent),
            Step::Sibling(places) => {
                self.child(parent?, self.get(id)?.index.checked_add_signed(places.into())?)
            }
            Step::Child(place) => {
                let index = match u64::try_from(place) {
                    Ok(index) => index,
                    Err(_) => self.get(id)?.child_count.checked_sub(place.unsigned_abs().into())?,
                };
                self.child(id, index)
            }
        }
    }

    /// The child with this index, if that is a joint.
    pub(in crate::engine) fn child(&self, id: JointId, index: u64) -> Option<JointId> {
        let detail = self.get(id)?;
        let index_of = |child: &JointId| self.get(*child).map_or(0, |child| child.index);
        let place = if detail.children.len() as u64 == detail.child_count {
            usize::try_from(index).ok()?
        } else {
            detail.children.binary_search_by_key(&index, index_of).ok()?
        };
        detail.children.get(place).copied()
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
            if values.left_out > 0 {
                detail.fold().left_out += i128::from(values.left_out);
            }
            detail.values = values;
            self.append(skeleton.joints[id].parent(), id);
        }
    }

    fn add_segment(&mut self, skeleton: &Skeleton, block: usize, first_row: u64, found: FoundSegment) {
        let FoundSegment { region, kept, tops } = found;
        let first_index =
            region.parent.and_then(|parent| self.get(parent)).map_or(0, |parent| parent.child_count);
        let segment = Segment {
            first_index,
            count: region.count as u32,
            kept: kept.map(|count| count as u32),
            joint: self.of.len(),
        };
        self.segments[block].push(segment);
        let Some(parent) = region.parent else { return };
        self.of(parent).child_count += region.count as u64;
        let ply = skeleton.joints[parent].ply() + 1;
        for ((id, place), (row, start, values)) in segment.kept().zip(tops) {
            // The parent has a number, and more plies than can be counted would not fit in memory.
            let Some(joint) = Joint::new(Some(parent), first_row + start as u64, ply) else { return };
            let (row, child_count) = (first_row + row as u64, values.children);
            let index = first_index + place as u64;
            self.fringe.push(joint);
            self.of.push(Some(Box::new(Detail { row, index, child_count, values, ..Detail::default() })));
            self.of(parent).children.push(id);
        }
    }

    /// Appends a crossing node to the children of its parent.
    fn append(&mut self, parent: Option<JointId>, child: JointId) {
        let Some(parent) = parent else { return };
        let has_children = self.has_children;
        let parent = self.of(parent);
        let index = parent.child_count;
        parent.child_count += 1;
        if has_children {
            parent.children.push(child);
        }
        self.of(child).index = index;
    }
}
