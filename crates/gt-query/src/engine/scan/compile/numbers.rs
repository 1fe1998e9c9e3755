//! Integers of every row, with the bounds that prove that none overflows.

use gt_log::{Column, Kind};

use super::{Compiler, Place, integer};
use crate::engine::scan::graph::{Number, NumberId, Test};
use crate::ir::{Anchor, Expr, Field, Operand, Scope, Step};
use crate::span::Span;
use crate::syntax::ast::Arithmetic;
use crate::value::Value;
use crate::vocabulary::Structure;

impl Compiler<'_> {
    pub(super) fn number(&mut self, expr: &Expr, place: Place) -> Option<NumberId> {
        match expr {
            Expr::Constant(_) => integer(expr).map(|constant| self.constant(constant)),
            Expr::Read(operand) => self.read(*operand, place),
            Expr::Aggregate(id) if place != Place::Child => self.aggregate(*id),
            Expr::Negate(inner, _) => {
                let (zero, number) = (self.constant(0), self.number(inner, place)?);
                self.arithmetic(Arithmetic::Subtract, zero, number)
            }
            Expr::Arithmetic(operator, left, right, _) => {
                let (left, right) = (self.number(left, place)?, self.number(right, place)?);
                self.arithmetic(*operator, left, right)
            }
            _ => None,
        }
    }

    pub(super) fn arithmetic(
        &mut self,
        operator: Arithmetic,
        left: NumberId,
        right: NumberId,
    ) -> Option<NumberId> {
        let [(a, b), (c, d)] = [left, right].map(|id| {
            let (low, high) = self.compiled.bounds[id];
            (i128::from(low), i128::from(high))
        });
        let numbers = &self.compiled.numbers;
        if let (&Number::Constant(left), &Number::Constant(right)) = (&numbers[left], &numbers[right]) {
            let (left, right) = (Value::Integer(left.into()), Value::Integer(right.into()));
            let value = operator.apply(&left, &right, Span::default()).ok()?;
            return integer(&Expr::Constant(value)).map(|constant| self.constant(constant));
        }
        match operator {
            Arithmetic::Add => self.put_bounded(Number::Add(left, right), a + c, b + d),
            Arithmetic::Subtract => self.put_bounded(Number::Subtract(left, right), a - d, b - c),
            Arithmetic::Multiply => {
                let ends = [a * c, a * d, b * c, b * d];
                let (low, high) = (ends.iter().min()?, ends.iter().max()?);
                self.put_bounded(Number::Multiply(left, right), *low, *high)
            }
            Arithmetic::BitAnd => {
                self.put_bounded(Number::And(left, right), i64::MIN.into(), i64::MAX.into())
            }
            Arithmetic::BitOr => self.put_bounded(Number::Or(left, right), i64::MIN.into(), i64::MAX.into()),
            Arithmetic::Divide | Arithmetic::Remainder => None,
        }
    }

    pub(super) fn read(&mut self, operand: Operand, place: Place) -> Option<NumberId> {
        let of_parent = operand.step == Step::Parent && place == Place::BelowRoot;
        if operand.step != Step::Here && !of_parent {
            return None;
        }
        if let Field::Column(id) = operand.field {
            let column = &self.program.columns[id.0];
            let own = (operand.anchor == Anchor::Child) == (place == Place::Child);
            if !own || of_parent {
                return None;
            }
            if let Some(&known) = self.column_numbers.get(&id) {
                return known;
            }
            let number = self.number(&column.expr, Place::Node);
            self.column_numbers.insert(id, number);
            return number;
        }
        let number = match operand.field {
            Field::Attribute(attribute) => match self.kind(attribute)? {
                Kind::F32 | Kind::F64 | Kind::Bool | Kind::Text => return None,
                // Numbers beyond the signed ones look negative.
                Kind::U64 if self.is_beyond_signed(attribute) => return None,
                _ => self.column(Column::Attribute(attribute)),
            },
            Field::LastMove => self.column(Column::LastMove),
            Field::Structure(Structure::Size) => self.column(Column::Size),
            Field::Structure(Structure::Ply) => self.ply(),
            // Of crossing nodes it is known too late for their children.
            Field::Structure(Structure::Children) if place != Place::Child && !of_parent => {
                let always = self.put_test(Test::Always(true));
                return self.count(Scope::Child, always);
            }
            _ => return None,
        };
        if of_parent || place == Place::Child && operand.anchor == Anchor::Node {
            let (low, high) = self.compiled.bounds[number];
            return match self.compiled.numbers[number] {
                Number::Constant(_) => Some(number),
                _ => self.put_bounded(Number::OfParent(number), low.into(), high.into()),
            };
        }
        Some(number)
    }

    pub(super) fn kind(&self, attribute: usize) -> Option<Kind> {
        self.tree.schema().attributes().get(attribute).map(|attribute| attribute.kind)
    }

    pub(super) fn is_beyond_signed(&self, attribute: usize) -> bool {
        let number = Column::Attribute(attribute).number();
        self.tree.blocks().any(|head| head.columns[number].min < 0 || head.columns[number].max < 0)
    }

    /// A stored column; a constant where it is the same in the whole tree.
    pub(super) fn column(&mut self, column: Column) -> NumberId {
        let heads =
            || self.tree.blocks().filter(|head| head.rows > 0).map(|head| &head.columns[column.number()]);
        let low = heads().map(|head| head.min).min().unwrap_or(0);
        let high = heads().map(|head| head.max).max().unwrap_or(0);
        if low == high {
            return self.constant(low);
        }
        self.put_number(Number::Column(column), (low, high))
    }

    pub(super) fn ply(&mut self) -> NumberId {
        let depth = i64::from(self.tree.depth());
        self.put_number(Number::Ply, (0, depth))
    }

    pub(super) fn constant(&mut self, constant: i64) -> NumberId {
        self.put_number(Number::Constant(constant), (constant, constant))
    }
}
