//! What a class of nodes is worth to a colour: the expression's value at a node of the class.

use gt_log::Value as Stored;
use gt_query::ir::{
    AggregateId, Anchor, Evaluated, Expr, Field, Frame, Operand, Program, Step, Structure, evaluate,
};
use gt_query::{Type, Value};

use super::classes::{Classes, Source};
use crate::moves::Notation;
use crate::picture::at_item::of_log;
use crate::values::{self, Scalar};

/// What stands for texts that are too many to be told apart.
const OTHERS: &str = "other";

/// An expression that classes of nodes have values of.
#[derive(Clone, Copy)]
pub(in crate::picture) struct Palette<'p> {
    pub(super) source: Source,
    program: &'p Program,
    expr: &'p Expr,
    value_type: Type,
    notation: Notation<'p>,
    /// Whether the value depends on the node_id.
    pub(super) reads_id: bool,
}

impl<'p> Palette<'p> {
    /// The palette of an expression; nothing where it reads more of a node than one attribute, or its size, beside its
    /// ply and its node_id.
    pub(in crate::picture) fn of(
        expr: &'p Expr,
        program: &'p Program,
        value_type: Type,
        notation: Notation<'p>,
        unknown: impl Fn(usize) -> Option<i64>,
    ) -> Option<Self> {
        let mut reads = Reads::default();
        reads.gather(expr, program);
        let source = match (reads.attribute, reads.size) {
            _ if reads.others => return None,
            (Some(_), true) => return None,
            (Some(place), false) => Source::Attribute(place, unknown(place)),
            (None, true) => Source::Size,
            (None, false) => Source::Nothing,
        };
        Some(Self { source, program, expr, value_type, notation, reads_id: reads.id })
    }

    /// The value at a node of this class, ply and node_id.
    pub(super) fn value(&self, classes: &Classes, class: usize, ply: u64, id: u64) -> Scalar {
        if class == 0 && self.source != Source::Nothing {
            return Scalar::Null;
        }
        if classes.is_of_others(class) {
            // What an expression makes of them differs from one to the next.
            let others = (self.value_type == Type::Text).then(|| Value::Text(OTHERS.into()));
            return values::answer(others.as_ref(), self.value_type, self.notation);
        }
        let at = AtClass { program: self.program, stored: classes.value(class), ply, id };
        // What overflows has no colour.
        let value = evaluate(self.expr, &at).unwrap_or_default();
        values::answer(value.as_ref(), self.value_type, self.notation)
    }
}

/// What an expression reads.
#[derive(Default)]
struct Reads {
    attribute: Option<usize>,
    size: bool,
    id: bool,
    /// Whether it reads anything else.
    others: bool,
}

impl Reads {
    fn gather(&mut self, expr: &Expr, program: &Program) {
        expr.leaves(&mut |leaf| {
            let Expr::Read(Operand { anchor: Anchor::Node, step: Step::Here, field }) = leaf else {
                self.others = true;
                return;
            };
            match field {
                Field::Column(id) => self.gather(&program.columns[id.0].expr, program),
                Field::NodeId => self.id = true,
                Field::Structure(Structure::Ply) => {}
                Field::Structure(Structure::Size) => self.size = true,
                Field::Attribute(place) => {
                    self.others |= self.attribute.is_some_and(|other| other != *place);
                    self.attribute = Some(*place);
                }
                Field::LastMove | Field::Structure(_) => self.others = true,
            }
        });
    }
}

/// A node of a class, as expressions see it.
struct AtClass<'p> {
    program: &'p Program,
    stored: Stored,
    ply: u64,
    id: u64,
}

impl Frame for AtClass<'_> {
    fn read(&self, operand: Operand) -> Evaluated {
        let integer = |number: u64| Some(Value::Integer(i128::from(number)));
        match operand.field {
            Field::Column(id) => evaluate(&self.program.columns[id.0].expr, self),
            Field::NodeId => Ok(integer(self.id)),
            Field::Structure(Structure::Ply) => Ok(integer(self.ply)),
            // A palette of both an attribute and the size is none.
            Field::Attribute(_) | Field::Structure(Structure::Size) => Ok(of_log(self.stored.clone())),
            Field::LastMove | Field::Structure(_) => Ok(None),
        }
    }

    fn aggregate(&self, _: AggregateId) -> Evaluated {
        Ok(None)
    }
}
