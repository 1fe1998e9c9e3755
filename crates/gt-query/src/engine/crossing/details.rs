//! The details of the joints: filled in by the survey, by the passes and by the steps between them.
//!
//! A large tree has millions of joints, so a detail takes little room, and the room of joints that nothing needs any
//! more is used for others.
//!
//! **Invariant:** a joint's detail exists from the time that something is known about it until nothing needs it any
//! more.

use std::collections::HashMap;

use super::kept::Kept;
use super::skeleton::{Joint, JointId, ListedJoint, Skeleton};
use super::survey::{FoundSegment, NodeValues, Surveyed};
use crate::accumulator::Accumulator;
use crate::engine::plan::{Fringe, Plan};
use crate::evaluate::Evaluated;
use crate::ir::{AggregateId, ColumnId, Step};
use crate::value::Value;

/// What is known of a joint, besides its values and what is gathered at it.
#[derive(Clone, Debug)]
pub(in crate::engine) struct Detail {
    pub(in crate::engine) row: u64,
    /// Its index among its siblings.
    pub(in crate::engine) index: u64,
    /// The number of its children.
    pub(in crate::engine) child_count: u64,
    /// The place of what is gathered at it, or [`NOWHERE`].
    folded: u32,
    pub(in crate::engine) unfinished: bool,
}

const _: () = assert!(size_of::<Detail>() == 32);

/// What is gathered at a joint. Most queries gather nothing; the others do it mostly at crossing nodes.
#[derive(Clone, Debug, Default)]
pub(in crate::engine) struct Folded {
    pub(in crate::engine) height: u64,
    /// Nodes left out in its subtree.
    pub(in crate::engine) left_out: i128,
    /// The aggregates gathered so far; of crossing nodes only.
    pub(in crate::engine) gathered: Vec<Accumulator>,
}

impl Detail {
    const NONE: Self = Self { row: 0, index: 0, child_count: 0, folded: NOWHERE, unfinished: false };
}

/// The details of all joints.
#[derive(Debug, Default)]
pub(in crate::engine) struct Details<'a> {
    /// The positions of the crossing nodes, and of the fringe.
    crossing: &'a [Joint],
    fringe: Vec<Joint>,
    /// Whether anything may read the children of a joint.
    links_children: bool,
    children: Children,
    /// By joint, the place of its detail, or [`NOWHERE`].
    places: Vec<u32>,
    details: Vec<Detail>,
    folds: Vec<Folded>,
    /// The values by place; those of one joint are next to each other.
    values: Vec<Kept>,
    layout: Layout,
    /// The places that forgotten joints, and what was gathered at them, have left.
    free: Vec<u32>,
    free_folds: Vec<u32>,
    /// The number of nodes left out directly below a joint, if there are any.
    left_out: HashMap<JointId, u64>,
    /// The segments of all blocks, in the order of rows, if anything may read them; and where each block's begin.
    segments: Vec<Segment>,
    segment_starts: Vec<u32>,
    keeps_segments: bool,
}

/// The number of values that each joint has, in this order: of the attributes that are read, of the last move if it is
/// read, of `let`s and of aggregates.
#[derive(Clone, Copy, Debug, Default)]
struct Layout {
    attributes: usize,
    moves: usize,
    columns: usize,
    aggregates: usize,
}

impl Layout {
    fn width(self) -> usize {
        self.attributes + self.moves + self.columns + self.aggregates
    }
}

/// The place of something that does not exist.
const NOWHERE: u32 = u32::MAX;

/// A segment, and which of its nodes are kept.
#[derive(Clone, Copy, Debug)]
pub(in crate::engine) struct Segment {
    /// The index of its first node among its siblings.
    pub(in crate::engine) first_index: u64,
    count: u32,
    /// How many of the first nodes are kept, and how many of the last.
    kept: [u32; 2],
    /// The first node that is kept; the others follow it.
    joint: u32,
}

impl Segment {
    pub(in crate::engine) fn keeps_any(&self) -> bool {
        self.kept != [0, 0]
    }

    /// The nodes that are kept, each with its place in the segment.
    pub(in crate::engine) fn kept(self) -> impl Iterator<Item = (JointId, usize)> {
        let last = self.count - self.kept[1]..self.count;
        (self.joint as JointId..).zip((0..self.kept[0]).chain(last).map(|place| place as usize))
    }
}

/// The children of joints, one joint's after another's.
#[derive(Debug, Default)]
struct Children {
    /// By joint, where its children begin; and finally, where the last joint's children end.
    starts: Vec<u32>,
    list: Vec<ListedJoint>,
}

impl Children {
    /// Makes the lists of `joints` joints from the pairs of a parent and a child.
    fn of_links(joints: usize, links: impl Iterator<Item = (JointId, ListedJoint)> + Clone) -> Self {
        let mut starts = vec![0_u32; joints + 1];
        links.clone().for_each(|(parent, _)| starts[parent + 1] += 1);
        for joint in 0..joints {
            starts[joint + 1] += starts[joint];
        }
        let mut list = vec![0; starts[joints] as usize];
        for (parent, child) in links {
            list[starts[parent] as usize] = child;
            starts[parent] += 1;
        }
        // Each start has become an end, which is the start of the next list.
        starts.rotate_right(1);
        starts[0] = 0;
        Self { starts, list }
    }

    fn of(&self, id: JointId) -> &[ListedJoint] {
        match (self.starts.get(id), self.starts.get(id + 1)) {
            (Some(start), Some(end)) => &self.list[*start as usize..*end as usize],
            _ => &[],
        }
    }

    fn sort_by_key(&mut self, key: impl Fn(ListedJoint) -> u64) {
        for ends in self.starts.windows(2) {
            self.list[ends[0] as usize..ends[1] as usize].sort_unstable_by_key(|child| key(*child));
        }
    }
}

impl<'a> Details<'a> {
    /// Makes empty details of the crossing nodes.
    pub(in crate::engine) fn none_of(skeleton: &'a Skeleton, plan: &Plan) -> Self {
        Self {
            crossing: &skeleton.joints,
            links_children: plan.fringe.is_some_and(Fringe::keeps_any),
            places: vec![NOWHERE; skeleton.joints.len()],
            layout: Layout {
                attributes: plan.attributes.len(),
                moves: plan.last_move.into(),
                columns: plan.columns.len(),
                aggregates: plan.aggregates.len(),
            },
            keeps_segments: plan.survey,
            ..Self::default()
        }
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
        self.details.get(self.place(id)?)
    }

    /// The detail of a joint, mutably; empty if it is new.
    pub(in crate::engine) fn of(&mut self, id: JointId) -> &mut Detail {
        if self.places[id] == NOWHERE {
            self.places[id] = self.free.pop().unwrap_or(self.details.len() as u32);
        }
        let place = self.places[id] as usize;
        if place == self.details.len() {
            self.details.push(Detail::NONE);
            self.values.resize_with(self.values.len() + self.layout.width(), Kept::default);
        }
        &mut self.details[place]
    }

    fn place(&self, id: JointId) -> Option<usize> {
        self.places.get(id).filter(|place| **place != NOWHERE).map(|place| *place as usize)
    }

    /// What is gathered at a joint, if anything is.
    pub(in crate::engine) fn folded(&self, id: JointId) -> Option<&Folded> {
        self.folds.get(self.get(id)?.folded as usize)
    }

    /// What is gathered at a joint, mutably.
    pub(in crate::engine) fn fold(&mut self, id: JointId) -> &mut Folded {
        if self.of(id).folded == NOWHERE {
            let place = self.free_folds.pop().unwrap_or(self.folds.len() as u32);
            self.folds.resize(self.folds.len().max(place as usize + 1), Folded::default());
            self.of(id).folded = place;
        }
        let place = self.of(id).folded as usize;
        &mut self.folds[place]
    }

    /// A value of a joint; unknown if nothing is known about it.
    fn value(&self, id: JointId, number: usize) -> Evaluated {
        let value = self.place(id).and_then(|place| self.values.get(place * self.layout.width() + number));
        value.map_or(Ok(None), Kept::get)
    }

    fn set_value(&mut self, id: JointId, number: usize, value: Evaluated) {
        self.of(id);
        let start = self.place(id).unwrap_or(0) * self.layout.width();
        self.values[start + number] = value.into();
    }

    /// The value of an attribute, by its place among those that are read.
    pub(super) fn attribute(&self, id: JointId, attribute: usize) -> Evaluated {
        self.value(id, attribute)
    }

    /// The move to a joint, if moves are read.
    pub(super) fn last_move(&self, id: JointId) -> Evaluated {
        if self.layout.moves == 0 { Ok(None) } else { self.value(id, self.layout.attributes) }
    }

    /// The value of a `let`.
    pub(super) fn column(&self, id: JointId, column: ColumnId) -> Evaluated {
        self.value(id, self.layout.attributes + self.layout.moves + column.0)
    }

    pub(super) fn set_column(&mut self, id: JointId, column: ColumnId, value: Evaluated) {
        self.set_value(id, self.layout.attributes + self.layout.moves + column.0, value);
    }

    /// The value of an aggregate.
    pub(in crate::engine) fn aggregate(&self, id: JointId, aggregate: AggregateId) -> Evaluated {
        self.value(id, self.layout.width() - self.layout.aggregates + aggregate.0)
    }

    pub(super) fn set_aggregate(&mut self, id: JointId, aggregate: AggregateId, value: Evaluated) {
        self.set_value(id, self.layout.width() - self.layout.aggregates + aggregate.0, value);
    }

    /// The number of nodes left out directly below a joint.
    pub(super) fn left_out(&self, id: JointId) -> u64 {
        self.left_out.get(&id).copied().unwrap_or(0)
    }

    /// The children of a joint that are joints, in order; none before they are linked.
    pub(in crate::engine) fn children(&self, id: JointId) -> &[ListedJoint] {
        self.children.of(id)
    }

    /// Links the joints that were found to their parents, if anything may read them there.
    pub(in crate::engine) fn link_children(&mut self) {
        if !self.links_children {
            return;
        }
        let joints = (0..self.places.len()).filter(|id| self.place(*id).is_some());
        let links = joints.filter_map(|id| Some((self.joint(id).parent()?, id as ListedJoint)));
        let mut children = Children::of_links(self.places.len(), links);
        // Crossing nodes are numbered before the fringe.
        children.sort_by_key(|child| self.get(child as JointId).map_or(0, |detail| detail.index));
        self.children = children;
    }

    /// The segments of a block, in the order of rows.
    pub(in crate::engine) fn segments(&self, block: usize) -> &[Segment] {
        let Some(&start) = self.segment_starts.get(block) else { return &[] };
        let end = self.segment_starts.get(block + 1).map_or(self.segments.len(), |end| *end as usize);
        &self.segments[start as usize..end]
    }

    /// Drops a joint that nothing needs any more.
    pub(super) fn forget(&mut self, id: JointId) {
        let Some(place) = self.place(id) else { return };
        self.places[id] = NOWHERE;
        self.free.push(place as u32);
        let Detail { folded, .. } = std::mem::replace(&mut self.details[place], Detail::NONE);
        if let Some(left) = self.folds.get_mut(folded as usize) {
            *left = Folded::default();
            self.free_folds.push(folded);
        }
        let width = self.layout.width();
        self.values[place * width..(place + 1) * width].fill(Kept::default());
        self.left_out.remove(&id);
    }

    /// Sets what a survey has found of a joint.
    fn set(&mut self, id: JointId, row: u64, found: NodeValues) {
        let NodeValues { last_move, unfinished, left_out, attributes } = found;
        let detail = self.of(id);
        (detail.row, detail.unfinished) = (row, unfinished);
        if left_out > 0 {
            self.left_out.insert(id, left_out);
        }
        let values = attributes.into_iter().take(self.layout.attributes);
        let last_move = Some(Value::Integer(last_move.into()));
        let values = values.chain(std::iter::repeat_n(last_move, self.layout.moves));
        let start = self.place(id).unwrap_or(0) * self.layout.width();
        for (place, value) in self.values[start..].iter_mut().zip(values) {
            *place = Ok(value).into();
        }
    }

    /// A relative of a joint, if it is a joint too.
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

    /// The child with this index, if it is a joint too.
    pub(in crate::engine) fn child(&self, id: JointId, index: u64) -> Option<JointId> {
        let detail = self.get(id)?;
        let index_of = |child: &ListedJoint| self.get(*child as JointId).map_or(0, |child| child.index);
        let children = self.children(id);
        let place = if children.len() as u64 == detail.child_count {
            usize::try_from(index).ok()?
        } else {
            children.binary_search_by_key(&index, index_of).ok()?
        };
        children.get(place).map(|child| *child as JointId)
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
        if self.keeps_segments {
            self.segment_starts.resize(block + 1, self.segments.len() as u32);
        }
        // In the order of rows: a node's last children in the block come directly before it.
        loop {
            let next = crossing.next();
            while let Some(segment) = segments
                .next_if(|segment| next.as_ref().is_none_or(|(_, (row, _))| segment.region.last_row < *row))
            {
                self.add_segment(skeleton, first_row, segment);
            }
            let Some((id, (row, values))) = next.map(|(id, found)| (*id as JointId, found)) else { return };
            if values.left_out > 0 {
                self.fold(id).left_out += i128::from(values.left_out);
            }
            self.set(id, first_row + row as u64, values);
            self.count_child(skeleton.joints[id].parent(), id);
        }
    }

    fn add_segment(&mut self, skeleton: &Skeleton, first_row: u64, found: FoundSegment) {
        let FoundSegment { region, kept, tops } = found;
        let first_index =
            region.parent.and_then(|parent| self.get(parent)).map_or(0, |parent| parent.child_count);
        let segment = Segment {
            first_index,
            count: region.count as u32,
            kept: kept.map(|count| count as u32),
            joint: self.places.len() as u32,
        };
        if self.keeps_segments {
            self.segments.push(segment);
        }
        let Some(parent) = region.parent else { return };
        self.of(parent).child_count += region.count as u64;
        let ply = skeleton.joints[parent].ply() + 1;
        for ((id, place), top) in segment.kept().zip(tops) {
            // The parent has a number, and more plies than can be counted would not fit in memory.
            let Some(joint) = Joint::new(Some(parent), first_row + top.start as u64, ply) else { return };
            self.fringe.push(joint);
            self.places.push(NOWHERE);
            self.set(id, first_row + top.row as u64, top.values);
            let detail = self.of(id);
            (detail.index, detail.child_count) = (first_index + place as u64, top.children);
        }
    }

    /// Counts a crossing node as the next child of its parent.
    fn count_child(&mut self, parent: Option<JointId>, child: JointId) {
        let Some(parent) = parent else { return };
        let parent = self.of(parent);
        let index = parent.child_count;
        parent.child_count += 1;
        self.of(child).index = index;
    }
}
