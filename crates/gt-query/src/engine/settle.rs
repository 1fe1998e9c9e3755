//! The step between two passes: what can now be known of crossing nodes.

use super::collect::{Found, Wanted};
use super::frame::Surroundings;
use super::inner::{Passed, try_node};
use super::plan::{Plan, Task};
use super::shape::At;
use super::skeleton::{JointId, Skeleton};
use crate::accumulator::Accumulator;
use crate::evaluate::evaluate;
use crate::ir::{AggregateId, Program, Scope};

/// The crossing nodes, and what they are computed with.
pub(super) struct Settling<'a> {
    pub(super) program: &'a Program,
    pub(super) plan: &'a Plan,
    pub(super) skeleton: &'a mut Skeleton,
}

impl Settling<'_> {
    /// Gives every crossing node room for its values, and every edge for those that others read of it.
    pub(super) fn prepare(&mut self) {
        let columns = self.program.columns.len();
        for (id, joint) in self.skeleton.joints.iter_mut().enumerate() {
            joint.columns = vec![Ok(None); columns];
            if id < self.skeleton.crossing {
                joint.aggregates = vec![Ok(None); self.program.aggregates.len()];
                joint.gathered = self.program.aggregates.iter().map(Accumulator::new).collect();
            }
        }
    }

    /// Takes in what a pass over a block has left behind.
    pub(super) fn take(&mut self, passed: Passed) {
        let joints = &mut self.skeleton.joints;
        for (joint, id, accumulator) in passed.partials {
            joints[joint].gathered[id.0].merge(&accumulator);
        }
        for (joint, height, left_out) in passed.folds {
            joints[joint].height = joints[joint].height.max(height);
            joints[joint].left_out_below += left_out;
        }
        for (joint, height, left_out) in passed.edge_folds {
            (joints[joint].height, joints[joint].left_out_below) = (height, left_out);
        }
        for (joint, id, value) in passed.edge_columns {
            joints[joint].columns[id.0] = value;
        }
    }

    /// Computes what is known after the pass with this number.
    pub(super) fn step(&mut self, number: u32) {
        if number == 1 && (self.plan.height || self.plan.total) {
            self.fold_structure();
        }
        for &task in &self.plan.tasks {
            match task {
                Task::Column(id) if self.plan.columns[id.0].crossing == number => {
                    let expr = &self.program.columns[id.0].expr;
                    for joint in 0..self.skeleton.crossing {
                        let value = evaluate(expr, &self.around().at(At::Joint(joint)));
                        self.skeleton.joints[joint].columns[id.0] = value;
                    }
                }
                Task::Aggregate(id) if self.plan.aggregates[id.0].value.crossing == number => {
                    self.aggregate(id);
                }
                _ => {}
            }
        }
    }

    /// The matches of a query among the crossing nodes.
    pub(super) fn find(&self, query: usize, wanted: &Wanted<'_>) -> Found {
        let mut found = Found::default();
        for joint in 0..self.skeleton.crossing {
            try_node(self.around(), wanted, query, At::Joint(joint), &mut found);
        }
        found
    }

    fn around(&self) -> Surroundings<'_> {
        let (program, plan, skeleton) = (self.program, self.plan, &*self.skeleton);
        Surroundings { program, plan, skeleton, inside: None }
    }

    fn fold_structure(&mut self) {
        for place in 0..self.skeleton.closing.len() {
            let joint = &self.skeleton.joints[self.skeleton.closing[place]];
            let (height, left_out) = (joint.height, joint.left_out_below);
            if let Some(parent) = joint.parent {
                let parent = &mut self.skeleton.joints[parent];
                parent.height = parent.height.max(height + 1);
                parent.left_out_below += left_out;
            }
        }
    }

    fn aggregate(&mut self, id: AggregateId) {
        let scope = self.program.aggregates[id.0].scope;
        match scope {
            // Children before parents.
            Scope::Subtree | Scope::Child => {
                for place in 0..self.skeleton.closing.len() {
                    let joint = self.skeleton.closing[place];
                    self.set_value(id, joint);
                    self.add_to_parent(id, joint, scope);
                }
            }
            // Parents before children.
            Scope::Path => {
                for joint in 0..self.skeleton.crossing {
                    self.extend_path(id, joint);
                }
            }
            Scope::Matches => {}
        }
    }

    fn set_value(&mut self, id: AggregateId, joint: JointId) {
        let span = self.program.aggregates[id.0].origin.0;
        let joint = &mut self.skeleton.joints[joint];
        joint.aggregates[id.0] = joint.gathered[id.0].value(span);
    }

    fn add_to_parent(&mut self, id: AggregateId, joint: JointId, scope: Scope) {
        let aggregate = &self.program.aggregates[id.0];
        let Some(parent) = self.skeleton.joints[joint].parent else { return };
        let around = self.around();
        let frame = match scope {
            Scope::Child => around.pair(At::Joint(parent), At::Joint(joint)),
            _ => around.at(At::Joint(joint)),
        };
        let mut gathered = self.skeleton.joints[parent].gathered[id.0].clone();
        gathered.take(aggregate, &frame);
        if scope == Scope::Subtree {
            gathered.merge(&self.skeleton.joints[joint].gathered[id.0]);
        }
        self.skeleton.joints[parent].gathered[id.0] = gathered;
    }

    /// What is gathered on the path down to a node: its own value, and then what its children start from.
    fn extend_path(&mut self, id: AggregateId, joint: JointId) {
        let aggregate = &self.program.aggregates[id.0];
        let parent = self.skeleton.joints[joint].parent;
        let mut gathered = match parent {
            Some(parent) => self.skeleton.joints[parent].gathered[id.0].clone(),
            None => Accumulator::new(aggregate),
        };
        self.skeleton.joints[joint].aggregates[id.0] = gathered.value(aggregate.origin.0);
        gathered.take(aggregate, &self.around().at(At::Joint(joint)));
        self.skeleton.joints[joint].gathered[id.0] = gathered;
    }
}
