//! Values read from a node, and from its relatives.

use gt_log::{Column, Kind};

use super::{Compiler, Place};
use crate::engine::scan::graph::{
    Aspect, Base, Errors, Lane, Number, NumberId, Quantity, Relative, Scalar, Test, TestId, Truth,
};
use crate::ir::{Anchor, Field, Operand, Scope, Step};
use crate::span::Span;
use crate::syntax::ast::Arithmetic;
use crate::vocabulary::{Function, Structure};

impl Compiler<'_> {
    pub(super) fn read(&mut self, operand: Operand, place: Place) -> Scalar {
        let own = self.field(operand.field);
        let base = match (place, operand.anchor) {
            (Place::Node, Anchor::Node) | (Place::Child | Place::Sibling, Anchor::Other) => Base::Row,
            (Place::Child, Anchor::Node) => Base::Parent,
            (Place::Pair, Anchor::Node) => Base::First,
            (Place::Pair, Anchor::Other) => Base::Second,
            // The binder does not allow these.
            (Place::Node, Anchor::Other) | (Place::Sibling, Anchor::Node) => Base::Row,
        };
        if (base, operand.step) == (Base::Row, Step::Here) {
            return own;
        }
        self.at_relative(own, Relative { base, step: operand.step }, operand.field)
    }

    fn at_relative(&mut self, own: Scalar, relative: Relative, field: Field) -> Scalar {
        // Every child has a parent, and a pair has two nodes.
        let exists = match relative {
            Relative { base: Base::Parent | Base::First | Base::Second, step: Step::Here } => {
                self.always(true)
            }
            _ => self.put_test(Test::Exists(relative)),
        };
        let of = |compiler: &mut Self, test: TestId, aspect: Aspect| match compiler.compiled.tests[test] {
            Test::Always(true) => exists,
            Test::Always(false) => compiler.always(false),
            _ => compiler.put_test(Test::Of(relative, test, field, aspect)),
        };
        match own {
            Scalar::Number(quantity) => {
                let known = self.known_of(quantity.known);
                let known = of(self, known, Aspect::Known);
                let errors = quantity.errors.iter();
                let errors =
                    errors.map(|(span, test)| (*span, of(self, *test, Aspect::Overflow(*span)))).collect();
                let number = self.of_relative(quantity.number, relative, field);
                Scalar::Number(Quantity { number, known: self.unless_always(known), errors })
            }
            Scalar::Truth(truth) => {
                let yes = of(self, truth.yes, Aspect::True);
                let no = of(self, truth.no, Aspect::False);
                let errors = truth.errors.iter();
                let errors =
                    errors.map(|(span, test)| (*span, of(self, *test, Aspect::Overflow(*span)))).collect();
                Scalar::Truth(Truth { yes, no, errors })
            }
        }
    }

    fn of_relative(&mut self, number: NumberId, relative: Relative, field: Field) -> NumberId {
        match (&self.compiled.numbers[number], self.compiled.lanes[number]) {
            // A float shows by itself where it is unknown: it is NaN.
            (Number::Constant(_), lane) if lane != Lane::Float => number,
            (_, Lane::Integer) => {
                let bounds = self.compiled.bounds[number];
                self.put_bounded(Number::Of(relative, number, field), bounds)
            }
            (_, lane) => self.put_number(Number::Of(relative, number, field), lane),
        }
    }

    /// The value of a field at every row.
    fn field(&mut self, field: Field) -> Scalar {
        let nodes = i64::try_from(self.tree.nodes()).unwrap_or(i64::MAX);
        let number = match field {
            Field::Column(id) => return self.column_value(id),
            Field::Attribute(attribute) => return self.attribute(attribute),
            Field::LastMove => self.column(Column::LastMove),
            Field::NodeId | Field::Structure(Structure::Line) => self.put_bounded(Number::NodeId, (0, nodes)),
            Field::Structure(Structure::Ply) => self.ply(),
            Field::Structure(Structure::Size) => self.column(Column::Size),
            Field::Structure(Structure::Height) => {
                let depth = i64::from(self.tree.depth());
                self.put_bounded(Number::Height, (0, depth))
            }
            Field::Structure(Structure::Children) => {
                let all = self.always(true);
                self.count(Scope::Child, all, None)
            }
            Field::Structure(Structure::Index) => self.put_bounded(Number::Index, (0, nodes)),
            Field::Structure(Structure::Parent) => {
                let number = self.put_bounded(Number::ParentId, (0, nodes));
                let size = self.column(Column::Size);
                let known = self.within(size, i64::MIN, nodes - 1);
                return Scalar::Number(self.quantity(number, known, Errors::new()));
            }
            Field::Structure(Structure::Unfinished) => return Scalar::Truth(self.unfinished()),
            Field::Structure(Structure::LeftOut) => self.column(Column::LeftOut),
            Field::Structure(Structure::Total) => return Scalar::Number(self.total()),
        };
        Scalar::Number(Quantity { number, known: None, errors: Errors::new() })
    }

    fn attribute(&mut self, attribute: usize) -> Scalar {
        let (kind, number) = (self.kind(attribute), self.column(Column::Attribute(attribute)));
        let known = self.column_known(attribute);
        match kind {
            Kind::Bool => {
                let is_false = self.within(number, 0, 0);
                let is_true = self.not(is_false);
                let (yes, no) = (self.all(vec![is_true, known]), self.all(vec![is_false, known]));
                Scalar::Truth(Truth { yes, no, errors: Errors::new() })
            }
            // A missing float is NaN.
            kind if kind.is_float() => {
                Scalar::Number(Quantity { number, known: None, errors: Errors::new() })
            }
            _ => Scalar::Number(self.quantity(number, known, Errors::new())),
        }
    }

    fn unfinished(&mut self) -> Truth {
        let (status, mask) = (self.column(Column::Status), i64::from(gt_log::status::UNFINISHED));
        let test = match self.integer_constant(status) {
            Some(status) => self.always(status & mask != 0),
            None => self.put_test(Test::Masked(Column::Status, mask)),
        };
        self.decided(test, Errors::new())
    }

    /// `@total`: the size plus the nodes left out at the node and below it.
    fn total(&mut self) -> Quantity {
        let (size, left_out) = (self.column(Column::Size), self.column(Column::LeftOut));
        let all = self.always(true);
        let below = self.fold_number(Scope::Subtree, Function::Sum, all, left_out);
        let [size, own, below] =
            [size, left_out, below].map(|number| Quantity { number, known: None, errors: Errors::new() });
        let here = self.arithmetic(Arithmetic::Add, &[size, own], Span::default());
        self.arithmetic(Arithmetic::Add, &[here, below], Span::default())
    }

    /// The rows in which an attribute has a value.
    fn column_known(&mut self, attribute: usize) -> TestId {
        let number = Column::Attribute(attribute).number();
        let may_lack = self.tree.blocks().any(|head| head.columns[number].missing);
        if may_lack { self.put_test(Test::Known(attribute)) } else { self.always(true) }
    }

    pub(super) fn kind(&self, attribute: usize) -> Kind {
        self.tree.schema().attributes()[attribute].kind
    }

    /// A stored column; a constant if all known values of the tree are the same.
    pub(super) fn column(&mut self, column: Column) -> NumberId {
        if let Column::Attribute(attribute) = column {
            match self.kind(attribute) {
                Kind::Text => return self.put_number(Number::Column(column), Lane::Text),
                kind if kind.is_float() => return self.put_number(Number::Column(column), Lane::Float),
                _ => {}
            }
        }
        // If no row of a block has a value, its extremes are meaningless.
        let heads = || {
            let heads = self.tree.blocks().map(|head| &head.columns[column.number()]);
            heads.filter(|head| !head.missing || head.stored_bytes > 0)
        };
        let low = heads().map(|head| head.min).min().unwrap_or(0);
        let high = heads().map(|head| head.max).max().unwrap_or(0);
        let is_unsigned = match column {
            Column::Attribute(attribute) => self.kind(attribute) == Kind::U64,
            Column::LeftOut => true,
            Column::Size | Column::LastMove | Column::Status => false,
        };
        // Numbers above the signed range look negative.
        if is_unsigned && heads().any(|head| head.min < 0 || head.max < 0) {
            return self.put_number(Number::Column(column), Lane::Wide);
        }
        if low == high {
            return self.integer(low);
        }
        self.put_bounded(Number::Column(column), (low, high))
    }

    pub(super) fn ply(&mut self) -> NumberId {
        let depth = i64::from(self.tree.depth());
        self.put_bounded(Number::Ply, (0, depth))
    }
}
