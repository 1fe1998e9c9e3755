//! The node of a rectangle as expressions of GTQL see it.

use std::cell::RefCell;

use gt_query::Value;
use gt_query::engine::Failure;
use gt_query::ir::Structure;
use gt_query::ir::{AggregateId, Field, Operand, Program};
use gt_query::ir::{Evaluated, Frame, evaluate};

use super::sketch::Item;
use crate::nodes::{Nodes, Result};

/// The largest node of an item, as expressions see it.
pub(super) struct AtItem<'f, 'n, 'a> {
    pub(super) nodes: &'f RefCell<&'n mut Nodes<'a>>,
    /// The first thing that went wrong while nodes were read.
    pub(super) failure: &'f RefCell<Option<Failure>>,
    pub(super) program: &'f Program,
    pub(super) item: &'f Item,
    pub(super) ply: u64,
    pub(super) parent: Option<u64>,
    pub(super) index: u64,
}

impl AtItem<'_, '_, '_> {
    /// What was read; nothing, and a note of it, where that failed.
    fn read_well<T>(&self, read: Result<T>) -> Option<T> {
        let failed = |failure| {
            self.failure.borrow_mut().get_or_insert(failure);
        };
        read.map_err(failed).ok()
    }
}

impl Frame for AtItem<'_, '_, '_> {
    fn read(&self, operand: Operand) -> Evaluated {
        let node = self.item.largest;
        let integer = |number: u64| Some(Value::Integer(i128::from(number)));
        if let Field::Column(id) = operand.field {
            return evaluate(&self.program.columns[id.0].expr, self);
        }
        let Ok(mut nodes) = self.nodes.try_borrow_mut() else { return Ok(None) };
        Ok(match operand.field {
            Field::Attribute(place) => self.read_well(nodes.value(node.row, place)).and_then(of_log),
            Field::LastMove => {
                self.read_well(nodes.last_move(node.row)).map(|code| Value::Integer(code.into()))
            }
            Field::NodeId => integer(node.id),
            Field::Structure(Structure::Ply) => integer(self.ply),
            Field::Structure(Structure::Size) => integer(node.size),
            Field::Structure(Structure::Index) => integer(self.index),
            Field::Structure(Structure::Parent) => self.parent.and_then(integer),
            Field::Structure(Structure::Unfinished) => {
                self.read_well(nodes.is_unfinished(node.row)).map(Value::Boolean)
            }
            Field::Structure(Structure::LeftOut) => {
                self.read_well(nodes.left_out(node.row)).and_then(integer)
            }
            Field::Structure(Structure::Children) => {
                match self.item.children.filter(|_| self.item.merged == 0) {
                    Some(count) => integer(count),
                    None => self.read_well(nodes.child_count(node)).and_then(integer),
                }
            }
            Field::Structure(Structure::Height | Structure::Total | Structure::Line) | Field::Column(_) => {
                None
            }
        })
    }

    fn aggregate(&self, _: AggregateId) -> Evaluated {
        Ok(None)
    }
}

/// A stored value as gt-query has it.
pub(super) fn of_log(value: gt_log::Value) -> Option<Value> {
    match value {
        gt_log::Value::Int(value) => Some(Value::Integer(value.into())),
        gt_log::Value::UInt(value) => Some(Value::Integer(value.into())),
        gt_log::Value::Float(value) => Value::float(value),
        gt_log::Value::Bool(value) => Some(Value::Boolean(value)),
        gt_log::Value::Text(value) => Some(Value::text(&value)),
        gt_log::Value::Missing => None,
    }
}
