//! Computes the values of crossing nodes: of all of them between two passes, or of each once its last row is read.
//!
//! ```text
//! what flows down, or across blocks   survey ─ step 0 ─ pass 1 ─ step 1 …     all at once, in the order of tasks
//! what only flows up                  block ─ close ─ block ─ close …         each at its row, children before parents
//! ```
//!
//! In the second way a node is dropped once its parent has been closed, so memory is that of the open path.

use std::ops::Range;
use std::sync::atomic::AtomicBool;

use super::by_columns::ByColumns;
use super::details::Details;
use super::frame::JointFrame;
use super::skeleton::{JointId, Skeleton};
use super::twins::{Member, Twins};
use crate::accumulator::Accumulator;
use crate::engine::bits::NodeSet;
use crate::engine::collect::{Found, MatchDetail};
use crate::engine::parallel::check_at;
use crate::engine::plan::{Plan, Task};
use crate::engine::scan::TwinColumns;
use crate::engine::twins::{Arranged, Results};
use crate::engine::{Failure, Options};
use crate::evaluate::{Evaluated, evaluate, passes};
use crate::ir::{AggregateId, ColumnId, Program, Scope};

/// The results of a pass over a block for the joints.
#[derive(Default)]
pub(in crate::engine) struct Settled {
    /// The aggregates that crossing nodes gather from their children or descendants in the block.
    pub(in crate::engine) partials: Vec<(JointId, AggregateId, Accumulator)>,
    /// The aggregates over the whole tree.
    pub(in crate::engine) of_tree: Vec<(AggregateId, Accumulator)>,
    pub(in crate::engine) members: Vec<(AggregateId, Vec<Member>)>,
    /// The values that aggregates over twins read from the rows of the block, by the aggregate that gathers
    /// the keys.
    pub(in crate::engine) arranged: Vec<(AggregateId, Arranged)>,
    /// The height of the highest node below a crossing node, and the number of nodes left out there.
    pub(in crate::engine) heights: Vec<(JointId, u64)>,
    pub(in crate::engine) left_out: Vec<(JointId, i128)>,
    /// Values of the fringe.
    pub(in crate::engine) columns: Vec<(JointId, ColumnId, Evaluated)>,
}

impl Settled {
    /// Whether the block has nothing for any joint.
    pub(in crate::engine) fn is_empty(&self) -> bool {
        let Self { partials, of_tree, members, arranged, heights, left_out, columns } = self;
        partials.is_empty()
            && of_tree.is_empty()
            && members.is_empty()
            && arranged.is_empty()
            && heights.is_empty()
            && left_out.is_empty()
            && columns.is_empty()
    }
}

/// The joints, and the data to compute them with.
pub(in crate::engine) struct Settling<'a> {
    pub(in crate::engine) program: &'a Program,
    pub(in crate::engine) plan: &'a Plan,
    pub(in crate::engine) skeleton: &'a Skeleton,
    pub(in crate::engine) details: Details<'a>,
    /// By aggregate, if it is over the tree.
    pub(in crate::engine) of_tree: Vec<Accumulator>,
    pub(in crate::engine) told: Vec<Evaluated>,
    /// By aggregate, if it is over twins.
    pub(in crate::engine) twins: Vec<Option<Twins>>,
    /// By aggregate, if it is over twins and computed by columns.
    pub(super) by_columns: ByColumns<'a>,
    pub(super) cancel: Option<&'a AtomicBool>,
    /// The joints that were closed on the way and whose parents are open, in the order of closing.
    closed: Vec<JointId>,
    /// The nodes that can match, if not all can.
    chosen: Option<&'a NodeSet>,
}

impl<'a> Settling<'a> {
    /// Begins with nothing known.
    pub(in crate::engine) fn new(
        program: &'a Program,
        plan: &'a Plan,
        skeleton: &'a Skeleton,
        twin_columns: &'a [Option<TwinColumns>],
        options: &Options<'a>,
    ) -> Self {
        Self {
            program,
            plan,
            skeleton,
            details: Details::none_of(skeleton, plan),
            of_tree: program.aggregates.iter().map(Accumulator::new).collect(),
            told: vec![Ok(None); program.aggregates.len()],
            twins: program.aggregates.iter().map(|aggregate| Twins::of(program, aggregate)).collect(),
            by_columns: ByColumns::new(twin_columns, options.threads()),
            cancel: options.cancel,
            closed: Vec::new(),
            chosen: options.within,
        }
    }

    /// Begins again for the joints that a pass over the blocks meets; for none if a survey has already met all of them.
    pub(in crate::engine) fn met_on_the_way(&self, any: bool) -> Self {
        let aggregates = &self.program.aggregates;
        Self {
            details: if any { Details::none_of(self.skeleton, self.plan) } else { Details::default() },
            of_tree: aggregates.iter().map(Accumulator::new).collect(),
            told: vec![Ok(None); aggregates.len()],
            twins: aggregates.iter().map(|aggregate| Twins::of(self.program, aggregate)).collect(),
            by_columns: ByColumns::new(&[], self.by_columns.threads),
            closed: Vec::new(),
            ..*self
        }
    }

    /// What is gathered at a crossing node.
    fn gathered(&mut self, id: JointId) -> &mut Vec<Accumulator> {
        let gathered = &mut self.details.fold(id).gathered;
        if gathered.is_empty() {
            // There are joints by the thousand, so each takes no more room than it needs.
            gathered.reserve_exact(self.program.aggregates.len());
            gathered.extend(self.program.aggregates.iter().map(Accumulator::new));
        }
        gathered
    }

    /// Takes the results of a pass over a block.
    pub(in crate::engine) fn take(&mut self, settled: Settled) {
        for (joint, id, accumulator) in settled.partials {
            self.gathered(joint)[id.0].merge(&accumulator);
        }
        for (joint, height) in settled.heights {
            let folded = self.details.fold(joint);
            folded.height = folded.height.max(height);
        }
        for (joint, left_out) in settled.left_out {
            self.details.fold(joint).left_out += left_out;
        }
        for (joint, id, value) in settled.columns {
            self.details.set_column(joint, id, value);
        }
        for (id, accumulator) in settled.of_tree {
            self.of_tree[id.0].merge(&accumulator);
        }
        for (id, members) in settled.members {
            if let Some(twins) = &mut self.twins[id.0] {
                members.into_iter().for_each(|member| twins.add(member));
            }
        }
        for (id, arranged) in settled.arranged {
            self.by_columns.blocks[id.0].push(arranged);
        }
    }

    /// The values of twins computed by columns, by aggregate.
    pub(in crate::engine) fn twin_results(&self) -> &[Option<Results>] {
        &self.by_columns.results
    }

    /// Closes the crossing nodes whose rows are in a block, all of whose children are known, and calls `closed` with
    /// each.
    pub(in crate::engine) fn close(&mut self, block: usize, mut closed: impl FnMut(&Self, JointId)) {
        let (plan, skeleton) = (self.plan, self.skeleton);
        for joint in skeleton.closed(block).iter().map(|joint| *joint as JointId) {
            let children = self.take_children(joint);
            let children = || children.iter().copied();
            children().for_each(|child| self.add_structure(child));
            for &task in &plan.tasks {
                match task {
                    Task::Column(id) => self.set_column(id, joint),
                    Task::Aggregate(id) => {
                        let scope = self.program.aggregates[id.0].scope;
                        children().for_each(|child| self.add_to_parent(id, child, scope));
                        self.set_value(id, joint);
                    }
                }
            }
            closed(self, joint);
            children().for_each(|child| self.details.forget(child));
            self.closed.push(joint);
        }
    }

    /// Removes the children of a crossing node from the joints closed on the way: they are the last ones.
    fn take_children(&mut self, joint: JointId) -> Vec<JointId> {
        let is_other = |child: &JointId| self.skeleton.joints[*child].parent() != Some(joint);
        let start = self.closed.iter().rposition(is_other).map_or(0, |last| last + 1);
        self.closed.split_off(start)
    }

    /// Computes the values that are known after the pass with this number.
    ///
    /// # Errors
    /// Returns an error if the run was cancelled.
    pub(in crate::engine) fn step(&mut self, number: u32) -> Result<(), Failure> {
        let (plan, skeleton) = (self.plan, self.skeleton);
        if number == 1 && (plan.height || plan.total) {
            for (place, &joint) in skeleton.closing.iter().enumerate() {
                check_at(place, self.cancel)?;
                self.add_structure(joint as JointId);
            }
        }
        for &task in &plan.tasks {
            match task {
                Task::Column(id) if plan.columns[id.0].crossing == number => {
                    for joint in 0..skeleton.joints.len() {
                        check_at(joint, self.cancel)?;
                        self.set_column(id, joint);
                    }
                }
                Task::Aggregate(id) if plan.aggregates[id.0].value.crossing == number => {
                    self.aggregate(id)?
                }
                Task::Column(_) | Task::Aggregate(_) => {}
            }
        }
        Ok(())
    }

    /// Adds a crossing node to the matches of a query, if it matches.
    pub(in crate::engine) fn try_joint(
        &self,
        query: usize,
        wanted: MatchDetail,
        joint: JointId,
        found: &mut Found,
    ) {
        let frame = self.at(joint);
        let node_id = self.details.joint(joint).node_id();
        if self.chosen.is_some_and(|chosen| !chosen.contains(node_id)) {
            return;
        }
        let mut overflow = None;
        for filter in self.program.queries[query].filters() {
            match passes(filter, &frame) {
                Ok(true) => {}
                Ok(false) => return,
                Err(error) => overflow = overflow.or(Some(error)),
            }
        }
        match overflow {
            Some(overflow) => found.fail(overflow, node_id),
            None => found.add(self.program, query, wanted, node_id, &frame),
        }
    }

    /// The matches of a query among these crossing nodes.
    ///
    /// # Errors
    /// Returns an error if the run was cancelled.
    pub(in crate::engine) fn find(
        &self,
        query: usize,
        wanted: MatchDetail,
        joints: Range<JointId>,
    ) -> Result<Found, Failure> {
        let mut found = Found::default();
        for joint in joints {
            check_at(joint, self.cancel)?;
            self.try_joint(query, wanted, joint, &mut found);
        }
        Ok(found)
    }

    pub(super) fn at(&self, node: JointId) -> JointFrame<'_> {
        JointFrame { plan: self.plan, details: &self.details, node, other: None }
    }

    /// Adds a crossing node's height, and the nodes left out below it, to its parent's.
    fn add_structure(&mut self, joint: JointId) {
        if self.details.get(joint).is_none() {
            return;
        }
        let folded = self.details.folded(joint);
        let (height, left_out) = folded.map_or((0, 0), |folded| (folded.height, folded.left_out));
        if let Some(parent) = self.details.joint(joint).parent() {
            let parent = self.details.fold(parent);
            parent.height = parent.height.max(height + 1);
            parent.left_out += left_out;
        }
    }

    fn set_column(&mut self, id: ColumnId, joint: JointId) {
        let value = evaluate(&self.program.columns[id.0].expr, &self.at(joint));
        self.details.set_column(joint, id, value);
    }

    fn aggregate(&mut self, id: AggregateId) -> Result<(), Failure> {
        let (aggregate, skeleton) = (&self.program.aggregates[id.0], self.skeleton);
        match aggregate.scope {
            // Children before parents.
            Scope::Subtree | Scope::Child => {
                for (place, &joint) in skeleton.closing.iter().enumerate() {
                    check_at(place, self.cancel)?;
                    let joint = joint as JointId;
                    self.set_value(id, joint);
                    self.add_to_parent(id, joint, aggregate.scope);
                }
            }
            // Parents before children.
            Scope::Path => {
                for joint in 0..skeleton.joints.len() {
                    check_at(joint, self.cancel)?;
                    self.extend_path(id, joint);
                }
            }
            Scope::Before | Scope::After => {
                for joint in 0..skeleton.joints.len() {
                    check_at(joint, self.cancel)?;
                    if aggregate.reads_node() {
                        self.set_of_siblings(id, joint);
                    } else {
                        self.set_along_children(id, joint);
                    }
                }
            }
            Scope::Tree => self.tell_of_tree(id)?,
            Scope::Twin(_) => self.tell_of_twins(id)?,
            Scope::Matches => {}
        }
        Ok(())
    }

    fn set_value(&mut self, id: AggregateId, joint: JointId) {
        let span = self.program.aggregates[id.0].origin.0;
        let value = self.gathered(joint)[id.0].value(span);
        self.details.set_aggregate(joint, id, value);
    }

    fn add_to_parent(&mut self, id: AggregateId, joint: JointId, scope: Scope) {
        let aggregate = &self.program.aggregates[id.0];
        let Some(parent) = self.skeleton.joints[joint].parent() else { return };
        let frame = match scope {
            Scope::Child => JointFrame { other: Some(joint), ..self.at(parent) },
            _ => self.at(joint),
        };
        let mut gathered = Accumulator::new(aggregate);
        gathered.take(aggregate, &frame);
        let mut of_parent = std::mem::replace(&mut self.gathered(parent)[id.0], Accumulator::new(aggregate));
        of_parent.merge(&gathered);
        if scope == Scope::Subtree {
            // The child's gathered state is no longer needed: its value has been computed.
            let own = std::mem::replace(&mut self.gathered(joint)[id.0], Accumulator::new(aggregate));
            of_parent.merge(&own);
        }
        self.gathered(parent)[id.0] = of_parent;
    }

    /// Extends the path aggregate down to a node: first its own value, then the start for its children.
    fn extend_path(&mut self, id: AggregateId, joint: JointId) {
        let aggregate = &self.program.aggregates[id.0];
        let of_parent = |parent| self.details.folded(parent)?.gathered.get(id.0);
        let above = self.skeleton.joints[joint].parent().and_then(of_parent);
        let mut gathered = above.map_or_else(|| Accumulator::new(aggregate), Accumulator::clone);
        let value = gathered.value(aggregate.origin.0);
        gathered.take(aggregate, &self.at(joint));
        self.details.set_aggregate(joint, id, value);
        self.gathered(joint)[id.0] = gathered;
    }

    /// Computes, at a crossing node, an aggregate over siblings that reads both the node and the sibling.
    fn set_of_siblings(&mut self, id: AggregateId, joint: JointId) {
        let aggregate = &self.program.aggregates[id.0];
        let mut gathered = Accumulator::new(aggregate);
        let Some(detail) = self.details.get(joint) else { return };
        let (index, parent) = (detail.index as usize, self.details.joint(joint).parent());
        let siblings = parent.map_or(&[][..], |parent| self.details.children(parent));
        let siblings = match aggregate.scope {
            Scope::Before => siblings.get(..index),
            _ => siblings.get(index + 1..),
        };
        for &sibling in siblings.unwrap_or_default() {
            gathered.take(aggregate, &JointFrame { other: Some(sibling as JointId), ..self.at(joint) });
        }
        self.details.set_aggregate(joint, id, gathered.value(aggregate.origin.0));
    }

    /// Computes an aggregate over siblings that reads nothing of the node, at all children of a crossing node or at the
    /// root.
    fn set_along_children(&mut self, id: AggregateId, joint: JointId) {
        let aggregate = &self.program.aggregates[id.0];
        let span = aggregate.origin.0;
        if self.skeleton.joints[joint].parent().is_none() {
            self.details.set_aggregate(joint, id, Accumulator::new(aggregate).value(span));
        }
        let mut children = self.details.children(joint).to_vec();
        if aggregate.scope == Scope::After {
            children.reverse();
        }
        let mut gathered = Accumulator::new(aggregate);
        for child in children.into_iter().map(|child| child as JointId) {
            self.details.set_aggregate(child, id, gathered.value(span));
            gathered.take(aggregate, &JointFrame { other: Some(child), ..self.at(child) });
        }
    }

    fn tell_of_tree(&mut self, id: AggregateId) -> Result<(), Failure> {
        let aggregate = &self.program.aggregates[id.0];
        let mut gathered = std::mem::replace(&mut self.of_tree[id.0], Accumulator::new(aggregate));
        for joint in 0..self.skeleton.joints.len() {
            check_at(joint, self.cancel)?;
            gathered.take(aggregate, &self.at(joint));
        }
        let value = gathered.value(aggregate.origin.0);
        for joint in 0..self.skeleton.joints.len() {
            self.details.set_aggregate(joint, id, value.clone());
        }
        self.told[id.0] = value;
        Ok(())
    }

    fn tell_of_twins(&mut self, id: AggregateId) -> Result<(), Failure> {
        if self.by_columns.columns_of(id).is_some() {
            return self.tell_by_columns(id);
        }
        let Some(mut twins) = self.twins[id.0].take() else { return Ok(()) };
        for joint in 0..self.skeleton.joints.len() {
            check_at(joint, self.cancel)?;
            let member = twins.member(self.details.joint(joint).node_id(), &self.at(joint));
            member.into_iter().for_each(|member| twins.add(member));
        }
        twins.finish(self.program, id);
        for joint in 0..self.skeleton.joints.len() {
            check_at(joint, self.cancel)?;
            let node_id = self.details.joint(joint).node_id();
            let value = twins.value(self.program, id, node_id, &self.at(joint));
            self.details.set_aggregate(joint, id, value);
        }
        self.twins[id.0] = Some(twins);
        Ok(())
    }
}
