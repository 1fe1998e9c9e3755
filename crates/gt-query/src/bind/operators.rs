//! Operators: the types that they accept, and their results for constants.

use super::Binder;
use super::context::Context;
use super::typed::{Bound, Typed, boolean, joined, plain};
use crate::error::ErrorKind;
use crate::ir::{Expr, Operation, Origin};
use crate::span::Span;
use crate::syntax::ast::{self, Arithmetic, Comparison, ExprKind};
use crate::value::{Type, Value};

impl Binder<'_> {
    /// Binds an operator or a function with its arguments.
    pub(super) fn apply(
        &mut self,
        operation: Operation,
        arguments: &[ast::Expr],
        span: Span,
        context: &Context,
    ) -> Bound {
        let (first, name) = (&arguments[0], operation.spelling());
        let (values, value_type) = match operation {
            Operation::And | Operation::Or => {
                let terms = self.each(arguments, |binder, term| binder.truth(term, context))?;
                return Some(boolean(joined(operation, terms, span)));
            }
            Operation::Arithmetic(operator) => return self.arithmetic(operator, arguments, span, context),
            Operation::Compare(operator) => return self.compare(operator, arguments, span, context),
            Operation::In => return self.membership(arguments, span, context),
            Operation::If | Operation::Least | Operation::Greatest => {
                return self.choice(operation, arguments, span, context);
            }
            // `A is unknown`: no note on the implied `A is known`.
            Operation::Not if matches!(first.kind, ExprKind::Apply(Operation::Known, _)) => {
                (vec![self.expression(first, context)?.expr], Type::Boolean)
            }
            Operation::Not => (vec![self.truth(first, context)?], Type::Boolean),
            Operation::Known => (vec![self.expression(first, context)?.expr], Type::Boolean),
            Operation::Negate | Operation::Abs => {
                let value = self.number(first, name, context)?;
                (vec![value.expr], plain(value.value_type))
            }
            Operation::Sqrt | Operation::Log => (vec![self.number(first, name, context)?.expr], Type::Float),
            Operation::Round => (vec![self.number(first, name, context)?.expr], Type::Integer),
            Operation::Lower | Operation::StartsWith | Operation::Contains => {
                let texts = self.each(arguments, |binder, text| binder.text(text, name, context))?;
                let value_type = if operation == Operation::Lower { Type::Text } else { Type::Boolean };
                (texts.into_iter().map(|text| text.expr).collect(), value_type)
            }
            // These are never written: the binder makes them.
            Operation::NotZero | Operation::Bound => return None,
        };
        self.folded(Expr::Apply(operation, values, Origin(span)), value_type, span)
    }

    fn compare(
        &mut self,
        operator: Comparison,
        arguments: &[ast::Expr],
        span: Span,
        context: &Context,
    ) -> Bound {
        let sides = self.each(arguments, |binder, side| binder.expression(side, context))?;
        let types = (sides[0].value_type, sides[1].value_type);
        let left = self.as_compared_with(types.1, &arguments[0], sides[0].clone());
        let right = self.as_compared_with(types.0, &arguments[1], sides[1].clone());
        if is_comparison(&arguments[0]) && right.value_type != Type::Boolean {
            return self.refuse(span, ErrorKind::ComparisonsChained);
        }
        let sides = self.comparison(operator, (left, right), (arguments[0].span, arguments[1].span), span)?;
        self.folded(Expr::apply(Operation::Compare(operator), sides, span), Type::Boolean, span)
    }

    /// Binds `if(E, A, B)`, `min(A, B)` and `max(A, B)`, which give one of two values of the same type.
    fn choice(
        &mut self,
        operation: Operation,
        arguments: &[ast::Expr],
        span: Span,
        context: &Context,
    ) -> Bound {
        let name = operation.spelling();
        let (condition, written) = arguments.split_at(arguments.len() - 2);
        let condition = self.each(condition, |binder, condition| binder.truth(condition, context));
        let values = self.each(written, |binder, value| match operation {
            Operation::If => binder.expression(value, context),
            _ => binder.ordered(value, name, context),
        });
        let (mut bound, values) = condition.zip(values)?;
        let types = [values[0].value_type, values[1].value_type];
        let mut values: Vec<Typed> = (values.into_iter().zip(written).zip([types[1], types[0]]))
            .map(|((value, written), other)| self.as_compared_with(other, written, value))
            .collect();
        let types = [values[0].value_type, values[1].value_type];
        let value_type = match types {
            [left, right] if left == right => left,
            [left, right] if left.is_integer() && right.is_integer() => Type::Integer,
            [left, right] if left.is_number() && right.is_number() => Type::Float,
            [left, right] => return self.refuse(span, ErrorKind::TwoTypes { operator: name, left, right }),
        };
        for value in
            values.iter_mut().filter(|value| value_type == Type::Float && value.value_type != value_type)
        {
            let sum = Operation::Arithmetic(Arithmetic::Add);
            let zero = Expr::Constant(Some(Value::Float(0.0)));
            *value = self.folded(Expr::apply(sum, [value.expr.clone(), zero], span), value_type, span)?;
        }
        if let [Expr::Constant(condition)] = &bound[..] {
            let chosen = condition.as_ref().map(|holds| usize::from(*holds == Value::Boolean(false)));
            let expr = chosen.map_or(Expr::Constant(None), |chosen| values.swap_remove(chosen).expr);
            return Some(Typed { expr, value_type });
        }
        bound.extend(values.into_iter().map(|value| value.expr));
        self.folded(Expr::Apply(operation, bound, Origin(span)), value_type, span)
    }

    /// Makes a parameter that looks like a number a text, if it is compared with a text.
    pub(super) fn as_compared_with(&self, other: Type, written: &ast::Expr, bound: Typed) -> Typed {
        let ExprKind::Parameter(name) = &written.kind else { return bound };
        let text = self.environment.parameters.get(name).and_then(|given| given.text.as_deref());
        match text {
            Some(text) if other == Type::Text => {
                Typed { expr: Expr::Constant(Some(Value::text(text))), value_type: Type::Text }
            }
            _ => bound,
        }
    }

    fn arithmetic(
        &mut self,
        operator: Arithmetic,
        arguments: &[ast::Expr],
        span: Span,
        context: &Context,
    ) -> Bound {
        let name = operator.spelling();
        let sides = self.each(arguments, |binder, side| binder.number(side, name, context))?;
        let bits = matches!(operator, Arithmetic::BitAnd | Arithmetic::BitOr);
        let float = sides.iter().zip(arguments).find(|(side, _)| side.value_type == Type::Float);
        let value_type = match float {
            Some((side, written)) if bits => {
                let kind = ErrorKind::NotInteger { operator: name, found: side.value_type };
                return self.refuse(written.span, kind);
            }
            Some(_) => Type::Float,
            None if bits => Type::Bits,
            None => Type::Integer,
        };
        let sides = sides.into_iter().map(|side| side.expr).collect();
        self.folded(Expr::Apply(Operation::Arithmetic(operator), sides, Origin(span)), value_type, span)
    }

    /// Binds `A in (B, C)`.
    fn membership(&mut self, arguments: &[ast::Expr], span: Span, context: &Context) -> Bound {
        let bound = self.each(arguments, |binder, value| binder.expression(value, context))?;
        let has_text = bound[1..].iter().any(|value| value.value_type == Type::Text);
        let listed = if has_text { Type::Text } else { bound[0].value_type };
        let item = self.as_compared_with(listed, &arguments[0], bound[0].clone());
        let mut values = vec![item.expr.clone()];
        for (value, written) in bound.into_iter().zip(arguments).skip(1) {
            let value = self.as_compared_with(item.value_type, written, value);
            let (sides, spans) = ((item.clone(), value), (arguments[0].span, written.span));
            let [_, value] = self.comparison(Comparison::Equal, sides, spans, written.span)?;
            values.push(value);
        }
        self.folded(Expr::Apply(Operation::In, values, Origin(span)), Type::Boolean, span)
    }

    /// Binds the two sides of a comparison; a text compared with a move becomes the move's number.
    fn comparison(
        &mut self,
        operator: Comparison,
        (left, right): (Typed, Typed),
        (left_span, right_span): (Span, Span),
        span: Span,
    ) -> Option<[Expr; 2]> {
        let as_text = matches!(
            (left.value_type, right.value_type),
            (Type::Move, Type::Text) | (Type::Text, Type::Move)
        );
        let (left, right) = match (left.value_type, right.value_type) {
            _ if !as_text => (left, right),
            (Type::Move, _) => {
                let number = self.move_number(&right.expr, right_span)?;
                (left, number)
            }
            _ => {
                let number = self.move_number(&left.expr, left_span)?;
                (number, right)
            }
        };
        let types = (left.value_type, right.value_type);
        let comparable = (types.0.is_number() && types.1.is_number())
            || (types.0 == types.1 && matches!(types.0, Type::Text | Type::Boolean));
        if !comparable {
            return self.refuse(span, ErrorKind::CannotCompare { left: types.0, right: types.1 });
        }
        // Moves as numbers are ordered like numbers, as in the core; moves as texts have no order.
        let unordered = types.0 == Type::Boolean || as_text;
        if unordered && !matches!(operator, Comparison::Equal | Comparison::NotEqual) {
            return self.refuse(span, ErrorKind::NoOrder(types.0));
        }
        Some([left.expr, right.expr])
    }

    /// The move that a constant text stands for.
    fn move_number(&mut self, text: &Expr, span: Span) -> Bound {
        let Expr::Constant(Some(Value::Text(text))) = text else {
            return self.refuse(span, ErrorKind::MoveAgainstText);
        };
        let Some(moves) = self.environment.moves else { return self.refuse(span, ErrorKind::NoNotation) };
        match moves.number(text) {
            Some(number) => {
                let value = Value::Integer(number.into());
                Some(Typed { expr: Expr::Constant(Some(value)), value_type: Type::Move })
            }
            None => self.refuse(span, ErrorKind::UnknownMove(text.to_string())),
        }
    }
}

/// Whether the expression itself is a comparison.
fn is_comparison(expr: &ast::Expr) -> bool {
    matches!(expr.kind, ExprKind::Apply(Operation::Compare(_), _))
}
