//! What can be known of crossing nodes: between two passes of all of them, or of each when its last row has been read.
//!
//! ```text
//! what flows down, or across blocks   survey ─ step 0 ─ pass 1 ─ step 1 …     all at once, in the order of tasks
//! what only flows up                  block ─ close ─ block ─ close …         each at its row, children before parents
//! ```
//!
//! In the second way a node is forgotten when its parent has been closed, so that memory is that of the open path.

use std::sync::atomic::AtomicBool;

use super::Failure;
use super::collect::{Found, Wanted};
use super::details::Details;
use super::frame::Surroundings;
use super::inner::{Passed, try_node};
use super::parallel::check_at;
use super::plan::{Plan, Task};
use super::shape::At;
use super::skeleton::{JointId, Skeleton};
use crate::accumulator::Accumulator;
use crate::evaluate::evaluate;
use crate::ir::{AggregateId, ColumnId, Program, Scope};

/// The crossing nodes, and what they are computed with.
pub(super) struct Settling<'a> {
    pub(super) program: &'a Program,
    pub(super) plan: &'a Plan,
    pub(super) skeleton: &'a Skeleton,
    pub(super) details: Details,
    cancel: Option<&'a AtomicBool>,
}

impl<'a> Settling<'a> {
    /// Nothing is known yet.
    pub(super) fn new(
        program: &'a Program,
        plan: &'a Plan,
        skeleton: &'a Skeleton,
        cancel: Option<&'a AtomicBool>,
    ) -> Self {
        Self { program, plan, skeleton, details: Details::none_of(skeleton), cancel }
    }

    /// Gives every crossing node room for its values, and every edge for those that others read of it.
    ///
    /// # Errors
    /// Where the run was cancelled.
    pub(super) fn prepare(&mut self) -> Result<(), Failure> {
        for id in self.details.ids() {
            check_at(id, self.cancel)?;
            self.make_room(id);
        }
        Ok(())
    }

    /// Gives a joint room for its values, if it has none.
    fn make_room(&mut self, id: JointId) {
        let is_crossing = id < self.skeleton.joints.len();
        let detail = &mut self.details[id];
        let (columns, aggregates) = (self.program.columns.len(), self.program.aggregates.len());
        detail.columns.reserve_exact(columns);
        detail.columns.resize(columns, Ok(None));
        if is_crossing && detail.gathered.is_empty() {
            detail.aggregates.reserve_exact(aggregates);
            detail.gathered.reserve_exact(aggregates);
            detail.aggregates.resize(aggregates, Ok(None));
            detail.gathered.extend(self.program.aggregates.iter().map(Accumulator::new));
        }
    }

    /// Whether a crossing node can be computed when it is closed: nothing flows down to it.
    pub(super) fn closes_at_once(&self) -> bool {
        let flows_down = |task: &Task| match task {
            Task::Aggregate(id) => self.program.aggregates[id.0].scope == Scope::Path,
            Task::Column(_) => false,
        };
        !self.plan.beside && !self.plan.tasks.iter().any(flows_down)
    }

    /// Takes in what a pass over a block has left behind.
    pub(super) fn take(&mut self, passed: Passed) {
        self.take_partials(passed.partials);
        let details = &mut self.details;
        for (joint, height, left_out) in passed.folds {
            details[joint].height = details[joint].height.max(height);
            details[joint].left_out_below += left_out;
        }
        for (joint, height, left_out) in passed.edge_folds {
            (details[joint].height, details[joint].left_out_below) = (height, left_out);
        }
        for (joint, id, value) in passed.edge_columns {
            details[joint].columns[id.0] = value;
        }
    }

    /// Takes in what crossing nodes gather from a block.
    pub(super) fn take_partials(&mut self, partials: Vec<(JointId, AggregateId, Accumulator)>) {
        for (joint, id, accumulator) in partials {
            self.make_room(joint);
            self.details[joint].gathered[id.0].merge(&accumulator);
        }
    }

    /// Closes the crossing nodes whose rows are in a block, all of whose children are known: calls `closed` with each.
    pub(super) fn close(&mut self, block: usize, mut closed: impl FnMut(&Self, JointId)) {
        let (plan, skeleton) = (self.plan, self.skeleton);
        for &joint in skeleton.closed(block) {
            self.make_room(joint);
            for &task in &plan.tasks {
                match task {
                    Task::Column(id) => self.set_column(id, joint),
                    Task::Aggregate(id) => {
                        let scope = self.program.aggregates[id.0].scope;
                        let mut child = self.details[joint].first_child;
                        while let Some(id_of_child) = child {
                            self.add_to_parent(id, id_of_child, scope);
                            child = self.details[id_of_child].next;
                        }
                        self.set_value(id, joint);
                    }
                }
            }
            closed(self, joint);
            let mut child = self.details[joint].first_child.take();
            while let Some(id) = child {
                child = self.details[id].next;
                self.details.forget(id);
            }
        }
    }

    /// Computes what is known after the pass with this number.
    ///
    /// # Errors
    /// Where the run was cancelled.
    pub(super) fn step(&mut self, number: u32) -> Result<(), Failure> {
        if number == 1 && (self.plan.height || self.plan.total) {
            self.fold_structure()?;
        }
        let plan = self.plan;
        for &task in &plan.tasks {
            match task {
                Task::Column(id) if plan.columns[id.0].crossing == number => {
                    for joint in 0..self.skeleton.joints.len() {
                        check_at(joint, self.cancel)?;
                        self.set_column(id, joint);
                    }
                }
                Task::Aggregate(id) if plan.aggregates[id.0].value.crossing == number => {
                    self.aggregate(id)?;
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// Adds a crossing node to the matches of a query, if it is one.
    pub(super) fn try_joint(&self, query: usize, wanted: &Wanted<'_>, joint: JointId, found: &mut Found) {
        try_node(self.around(), wanted, query, At::Joint(joint), found);
    }

    /// The matches of a query among the crossing nodes.
    ///
    /// # Errors
    /// Where the run was cancelled.
    pub(super) fn find(&self, query: usize, wanted: &Wanted<'_>) -> Result<Found, Failure> {
        let mut found = Found::default();
        for joint in 0..self.skeleton.joints.len() {
            check_at(joint, self.cancel)?;
            self.try_joint(query, wanted, joint, &mut found);
        }
        Ok(found)
    }

    fn around(&self) -> Surroundings<'_> {
        let (program, plan, skeleton, details) = (self.program, self.plan, self.skeleton, &self.details);
        Surroundings { program, plan, skeleton, details, inside: None }
    }

    fn fold_structure(&mut self) -> Result<(), Failure> {
        let skeleton = self.skeleton;
        for (place, &joint) in skeleton.closing.iter().enumerate() {
            check_at(place, self.cancel)?;
            let detail = &self.details[joint];
            let (height, left_out) = (detail.height, detail.left_out_below);
            if let Some(parent) = skeleton.joints[joint].parent {
                let parent = &mut self.details[parent];
                parent.height = parent.height.max(height + 1);
                parent.left_out_below += left_out;
            }
        }
        Ok(())
    }

    fn set_column(&mut self, id: ColumnId, joint: JointId) {
        let value = evaluate(&self.program.columns[id.0].expr, &self.around().at(At::Joint(joint)));
        self.details[joint].columns[id.0] = value;
    }

    fn aggregate(&mut self, id: AggregateId) -> Result<(), Failure> {
        let (scope, skeleton) = (self.program.aggregates[id.0].scope, self.skeleton);
        match scope {
            // Children before parents.
            Scope::Subtree | Scope::Child => {
                for (place, &joint) in skeleton.closing.iter().enumerate() {
                    check_at(place, self.cancel)?;
                    self.set_value(id, joint);
                    self.add_to_parent(id, joint, scope);
                }
            }
            // Parents before children.
            Scope::Path => {
                for joint in 0..skeleton.joints.len() {
                    check_at(joint, self.cancel)?;
                    self.extend_path(id, joint);
                }
            }
            Scope::Before | Scope::After | Scope::Tree | Scope::Twin(_) | Scope::Matches => {}
        }
        Ok(())
    }

    fn set_value(&mut self, id: AggregateId, joint: JointId) {
        let span = self.program.aggregates[id.0].origin.0;
        let detail = &mut self.details[joint];
        detail.aggregates[id.0] = detail.gathered[id.0].value(span);
    }

    fn add_to_parent(&mut self, id: AggregateId, joint: JointId, scope: Scope) {
        let aggregate = &self.program.aggregates[id.0];
        let Some(parent) = self.skeleton.joints[joint].parent else { return };
        let around = self.around();
        let frame = match scope {
            Scope::Child => around.pair(At::Joint(parent), At::Joint(joint)),
            _ => around.at(At::Joint(joint)),
        };
        let mut gathered = self.details[parent].gathered[id.0].clone();
        gathered.take(aggregate, &frame);
        if scope == Scope::Subtree {
            gathered.merge(&self.details[joint].gathered[id.0]);
        }
        self.details[parent].gathered[id.0] = gathered;
    }

    /// What is gathered on the path down to a node: its own value, and then what its children start from.
    fn extend_path(&mut self, id: AggregateId, joint: JointId) {
        let aggregate = &self.program.aggregates[id.0];
        let mut gathered = match self.skeleton.joints[joint].parent {
            Some(parent) => self.details[parent].gathered[id.0].clone(),
            None => Accumulator::new(aggregate),
        };
        self.details[joint].aggregates[id.0] = gathered.value(aggregate.origin.0);
        gathered.take(aggregate, &self.around().at(At::Joint(joint)));
        self.details[joint].gathered[id.0] = gathered;
    }
}
