//! What expressions are evaluated in: the values of a block's rows, and those of the joints.

use gt_log::Column;

use super::columns::Columns;
use super::details::Details;
use super::plan::Plan;
use super::shape::{At, Shape};
use super::skeleton::{Joint, JointId, Skeleton};
use crate::evaluate::{Evaluated, Frame};
use crate::ir::{AggregateId, Anchor, ColumnId, Field, Operand, Program, Scope, Step};
use crate::value::Value;
use crate::vocabulary::Structure;

/// Everything that is known when a node is looked at.
#[derive(Clone, Copy)]
pub(super) struct Surroundings<'a> {
    pub(super) program: &'a Program,
    pub(super) plan: &'a Plan,
    pub(super) skeleton: &'a Skeleton,
    pub(super) details: &'a Details,
    /// The block that is being worked on; none between passes.
    pub(super) inside: Option<&'a Inside<'a>>,
}

/// The values of a block's rows, as far as they have been computed.
pub(super) struct Inside<'a> {
    pub(super) first_row: u64,
    pub(super) columns: &'a Columns<'a>,
    pub(super) shape: &'a Shape,
    pub(super) heights: Vec<u64>,
    pub(super) left_out_below: Vec<i128>,
    /// By column of the program, then by row; empty where not computed.
    pub(super) derived: Vec<Vec<Evaluated>>,
    /// By aggregate of the program, then by row.
    pub(super) aggregates: Vec<Vec<Evaluated>>,
}

/// A node, and in an aggregate over children a child of it.
pub(super) struct NodeFrame<'a> {
    pub(super) around: Surroundings<'a>,
    pub(super) node: At,
    pub(super) child: Option<At>,
}

impl<'a> Surroundings<'a> {
    pub(super) const fn at(self, node: At) -> NodeFrame<'a> {
        NodeFrame { around: self, node, child: None }
    }

    pub(super) const fn pair(self, node: At, child: At) -> NodeFrame<'a> {
        NodeFrame { around: self, node, child: Some(child) }
    }

    pub(super) fn node_id(self, at: At) -> u64 {
        match (at, self.inside) {
            (At::Joint(id), _) => self.joint(id).node_id(),
            (At::Row(row), Some(inside)) => inside.node_id(row),
            (At::Row(_), None) => 0,
        }
    }

    fn joint(self, id: JointId) -> &'a Joint {
        self.skeleton.joints.get(id).unwrap_or_else(|| &self.details[id].joint)
    }

    fn parent(self, at: At) -> Option<At> {
        match at {
            At::Joint(id) => self.joint(id).parent.map(At::Joint),
            At::Row(row) => self.inside?.shape.parent[row],
        }
    }

    fn step(self, at: At, step: Step) -> Option<At> {
        match (step, at) {
            (Step::Here, _) => Some(at),
            (Step::Parent, _) => self.parent(at),
            (Step::Grandparent, _) => self.parent(at).and_then(|parent| self.parent(parent)),
            (_, At::Joint(id)) => {
                let joint = &self.details[id];
                let found = match step {
                    Step::Sibling(-1) => joint.previous,
                    Step::Sibling(1) => joint.next,
                    Step::Child(0) => joint.first_child,
                    _ => joint.last_child,
                };
                found.map(At::Joint)
            }
            (_, At::Row(row)) => {
                let shape = self.inside?.shape;
                match step {
                    Step::Sibling(-1) => shape.previous[row],
                    Step::Sibling(1) => shape.next[row],
                    Step::Child(0) => shape.first_child[row].map(At::Row),
                    _ => shape.last_child(row).map(At::Row),
                }
            }
        }
    }

    fn field(self, at: At, field: Field) -> Evaluated {
        match (field, at) {
            // Lines are made of node_ids, for the rows that are shown.
            (Field::Structure(Structure::Line), _) => Ok(None),
            (Field::Structure(Structure::Parent), _) => {
                Ok(self.parent(at).map(|parent| Value::Integer(self.node_id(parent).into())))
            }
            (Field::NodeId, _) => Ok(Some(Value::Integer(self.node_id(at).into()))),
            (_, At::Joint(id)) => self.joint_field(id, field),
            (_, At::Row(row)) => self.inside.map_or(Ok(None), |inside| inside.field(row, field)),
        }
    }

    fn joint_field(self, id: JointId, field: Field) -> Evaluated {
        let joint = &self.details[id];
        let integer = match field {
            Field::Attribute(attribute) => {
                let place = self.plan.place(attribute);
                return Ok(place.and_then(|place| joint.values.attributes.get(place)?.clone()));
            }
            Field::Column(ColumnId(column)) => return joint.columns.get(column).cloned().unwrap_or(Ok(None)),
            Field::LastMove => joint.values.last_move.into(),
            Field::NodeId => self.joint(id).node_id().into(),
            Field::Structure(structure) => match structure {
                Structure::Unfinished => return Ok(Some(Value::Boolean(joint.values.unfinished))),
                Structure::Line | Structure::Parent => return Ok(None),
                Structure::Ply => self.joint(id).ply.into(),
                Structure::Size => joint.size().into(),
                Structure::Height => joint.height.into(),
                Structure::Children => joint.children.into(),
                Structure::Index => joint.index.into(),
                Structure::LeftOut => joint.values.left_out.into(),
                Structure::Total => i128::from(joint.size()) + joint.left_out_below,
            },
        };
        Ok(Some(Value::Integer(integer)))
    }
}

impl Inside<'_> {
    pub(super) fn node_id(&self, row: usize) -> u64 {
        self.first_row + row as u64 + 1 - self.shape.sizes[row] as u64 + self.shape.plies[row]
    }

    fn field(&self, row: usize, field: Field) -> Evaluated {
        let integer = match field {
            Field::Attribute(attribute) => return Ok(self.columns.value(attribute, row)),
            Field::Column(ColumnId(id)) => return self.derived[id].get(row).cloned().unwrap_or(Ok(None)),
            Field::LastMove => self.columns.integer(Column::LastMove, row).into(),
            Field::NodeId => self.node_id(row).into(),
            Field::Structure(structure) => match structure {
                Structure::Unfinished => {
                    let status = self.columns.integer(Column::Status, row);
                    let unfinished = status & i64::from(gt_log::status::UNFINISHED) != 0;
                    return Ok(Some(Value::Boolean(unfinished)));
                }
                Structure::Line | Structure::Parent => return Ok(None),
                Structure::Ply => self.shape.plies[row].into(),
                Structure::Size => self.shape.sizes[row].into(),
                Structure::Height => self.heights[row].into(),
                Structure::Children => self.shape.children[row].into(),
                Structure::Index => self.shape.index[row].into(),
                Structure::LeftOut => (self.columns.integer(Column::LeftOut, row) as u64).into(),
                Structure::Total => i128::from(self.shape.sizes[row]) + self.left_out_below[row],
            },
        };
        Ok(Some(Value::Integer(integer)))
    }
}

impl Frame for NodeFrame<'_> {
    fn read(&self, operand: Operand) -> Evaluated {
        let anchor = match operand.anchor {
            Anchor::Node => Some(self.node),
            Anchor::Other => self.child,
        };
        let at = anchor.and_then(|at| self.around.step(at, operand.step));
        at.map_or(Ok(None), |at| self.around.field(at, operand.field))
    }

    fn aggregate(&self, id: AggregateId) -> Evaluated {
        if self.around.program.aggregates[id.0].scope == Scope::Matches {
            return Ok(None);
        }
        let value = match (self.node, self.around.inside) {
            (At::Joint(joint), _) => self.around.details[joint].aggregates.get(id.0),
            (At::Row(row), Some(inside)) => inside.aggregates[id.0].get(row),
            (At::Row(_), None) => None,
        };
        value.cloned().unwrap_or(Ok(None))
    }
}
