//! Integers of every row, with the bounds that prove that none overflows.

use gt_log::{Column, Kind};

use super::{Compiler, Owner, Place, integer, owner};
use crate::engine::scan::graph::{Number, NumberId, Quantity, Test};
use crate::ir::{Expr, Field, Operand, Operation, Scope};
use crate::span::Span;
use crate::syntax::ast::Arithmetic;
use crate::value::Value;
use crate::vocabulary::Structure;

impl Compiler<'_> {
    pub(super) fn number(&mut self, expr: &Expr, place: Place) -> Option<Quantity> {
        match expr {
            Expr::Constant(_) => {
                integer(expr).map(|constant| Quantity { number: self.constant(constant), known: None })
            }
            Expr::Read(operand) => self.read(*operand, place),
            Expr::Aggregate(id) if place != Place::Child => {
                self.aggregate(*id).map(|number| Quantity { number, known: None })
            }
            Expr::Apply(Operation::Negate, inner, _) => {
                let (zero, inner) = (self.constant(0), self.number(&inner[0], place)?);
                let number = self.arithmetic(Arithmetic::Subtract, zero, inner.number)?;
                Some(Quantity { number, known: inner.known })
            }
            Expr::Apply(Operation::Arithmetic(operator), sides, _) => {
                let (left, right) = (self.number(&sides[0], place)?, self.number(&sides[1], place)?);
                let number = self.arithmetic(*operator, left.number, right.number)?;
                let always = self.put_test(Test::Always(true));
                let known = self.where_known([left, right], always);
                Some(Quantity { number, known: self.unless_always(known) })
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

    pub(super) fn read(&mut self, operand: Operand, place: Place) -> Option<Quantity> {
        let owner = owner(operand, place)?;
        if let Field::Column(id) = operand.field {
            if owner != Owner::Row {
                return None;
            }
            if let Some(&known) = self.column_numbers.get(&id) {
                return known;
            }
            let number = self.number(&self.program.columns[id.0].expr, Place::Node);
            self.column_numbers.insert(id, number);
            return number;
        }
        let number = match operand.field {
            Field::Attribute(attribute) if !self.is_number(attribute)? => return None,
            // Numbers beyond the signed ones look negative.
            Field::Attribute(attribute) if self.is_beyond_signed(attribute) => return None,
            Field::Attribute(attribute) => self.column(Column::Attribute(attribute)),
            Field::LastMove => self.column(Column::LastMove),
            Field::Structure(Structure::Size) => self.column(Column::Size),
            Field::Structure(Structure::Ply) => self.ply(),
            // Of crossing nodes it is known too late for their children.
            Field::Structure(Structure::Children) if place == Place::Node && owner == Owner::Row => {
                let always = self.put_test(Test::Always(true));
                self.count(Scope::Child, always)?
            }
            _ => return None,
        };
        let known = match operand.field {
            Field::Attribute(attribute) => self.column_known(attribute),
            _ => self.put_test(Test::Always(true)),
        };
        let known = self.known_at(known, owner)?;
        Some(Quantity { number: self.number_at(number, owner)?, known: self.unless_always(known) })
    }

    /// The number of the owner of an operand, by the number of the rows.
    fn number_at(&mut self, number: NumberId, owner: Owner) -> Option<NumberId> {
        let (low, high) = self.compiled.bounds[number];
        match self.compiled.numbers[number] {
            Number::Constant(_) => Some(number),
            _ if owner == Owner::Row => Some(number),
            // The root's parent counts as 0.
            _ => self.put_bounded(Number::OfParent(number), low.into(), high.into()),
        }
    }

    pub(super) fn kind(&self, attribute: usize) -> Option<Kind> {
        self.tree.schema().attributes().get(attribute).map(|attribute| attribute.kind)
    }

    pub(super) fn is_beyond_signed(&self, attribute: usize) -> bool {
        if self.kind(attribute) != Some(Kind::U64) {
            return false;
        }
        let number = Column::Attribute(attribute).number();
        self.tree.blocks().any(|head| head.columns[number].min < 0 || head.columns[number].max < 0)
    }

    /// A stored column; a constant where all known values of the tree are the same.
    pub(super) fn column(&mut self, column: Column) -> NumberId {
        // Where no row of a block has a value, its extremes are those of nothing.
        let heads = || {
            let heads = self.tree.blocks().map(|head| &head.columns[column.number()]);
            heads.filter(|head| !head.missing || head.stored_bytes > 0)
        };
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
