//! The frame for expressions at a joint: its values and those of the joints around it.

use super::details::Details;
use super::skeleton::JointId;
use crate::engine::plan::Plan;
use crate::evaluate::{Evaluated, Frame};
use crate::ir::{AggregateId, Anchor, Field, Operand};
use crate::value::Value;
use crate::vocabulary::Structure;

/// A joint and, in an aggregate over others, one of these.
#[derive(Clone, Copy)]
pub(super) struct JointFrame<'a> {
    pub(super) plan: &'a Plan,
    pub(super) details: &'a Details<'a>,
    pub(super) node: JointId,
    pub(super) other: Option<JointId>,
}

impl Details<'_> {
    /// A field of a joint; unknown if it has not been computed.
    pub(in crate::engine) fn field(&self, plan: &Plan, id: JointId, field: Field) -> Evaluated {
        let Some(joint) = self.get(id) else { return Ok(None) };
        let integer = match field {
            Field::Attribute(attribute) => {
                return plan.place(attribute).map_or(Ok(None), |place| self.attribute(id, place));
            }
            Field::Column(column) => return self.column(id, column),
            Field::LastMove => return self.last_move(id),
            Field::NodeId => self.joint(id).node_id().into(),
            Field::Structure(structure) => match structure {
                Structure::Unfinished => return Ok(Some(Value::Boolean(joint.unfinished))),
                // Lines are made from node_ids, for the rows that are shown.
                Structure::Line => self.joint(id).node_id().into(),
                Structure::Parent => {
                    let parent = self.joint(id).parent().map(|parent| self.joint(parent).node_id());
                    return Ok(parent.map(|parent| Value::Integer(parent.into())));
                }
                Structure::Ply => self.joint(id).ply().into(),
                Structure::Size => self.size(id).into(),
                Structure::Height => self.folded(id).map_or(0, |folded| folded.height).into(),
                Structure::Children => joint.child_count.into(),
                Structure::Index => joint.index.into(),
                Structure::LeftOut => self.left_out(id).into(),
                Structure::Total => {
                    i128::from(self.size(id)) + self.folded(id).map_or(0, |folded| folded.left_out)
                }
            },
        };
        Ok(Some(Value::Integer(integer)))
    }
}

impl Frame for JointFrame<'_> {
    fn read(&self, operand: Operand) -> Evaluated {
        let anchor = match operand.anchor {
            Anchor::Node => Some(self.node),
            Anchor::Other => self.other,
        };
        let joint = anchor.and_then(|joint| self.details.step(joint, operand.step));
        joint.map_or(Ok(None), |joint| self.details.field(self.plan, joint, operand.field))
    }

    fn aggregate(&self, id: AggregateId) -> Evaluated {
        self.details.aggregate(self.node, id)
    }
}
