//! Operators between two values: which types they take, and what they make of constants.

use super::expression::Context;
use super::{Binder, Bound, Typed};
use crate::error::ErrorKind;
use crate::evaluate::{NoNode, evaluate};
use crate::ir::{Expr, Operation, Origin};
use crate::span::Span;
use crate::syntax::ast::{self, Arithmetic, BinaryOperator, Comparison, ExprKind};
use crate::value::{Overflow, Type, Value};

impl Binder<'_> {
    pub(super) fn binary(
        &mut self,
        operator: BinaryOperator,
        left: &ast::Expr,
        right: &ast::Expr,
        span: Span,
        context: &Context,
    ) -> Bound {
        match operator {
            BinaryOperator::Arithmetic(operator) => self.arithmetic(operator, left, right, span, context),
            BinaryOperator::Comparison(operator) => {
                let (bound_left, bound_right) =
                    (self.expression(left, context), self.expression(right, context));
                let (bound_left, bound_right) = bound_left.zip(bound_right)?;
                let types = (bound_left.value_type, bound_right.value_type);
                let bound_left = self.as_compared_with(types.1, left, bound_left);
                let bound_right = self.as_compared_with(types.0, right, bound_right);
                if is_comparison(left) && bound_right.value_type != Type::Boolean {
                    return self.refuse(span, ErrorKind::ComparisonsChained);
                }
                let spans = (left.span, right.span);
                let sides = self.comparison(operator, (bound_left, bound_right), spans, span)?;
                self.folded(Expr::apply(Operation::Compare(operator), sides, span), Type::Boolean, span)
            }
        }
    }

    /// A parameter that looks like a number is a text where it is compared with one.
    fn as_compared_with(&self, other: Type, written: &ast::Expr, bound: Typed) -> Typed {
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
        left: &ast::Expr,
        right: &ast::Expr,
        span: Span,
        context: &Context,
    ) -> Bound {
        let name = operator.spelling();
        let bound = [left, right].map(|side| self.number(side, name, context));
        let [left_bound, right_bound] = bound;
        let (left_bound, right_bound) = left_bound.zip(right_bound)?;
        let bits = matches!(operator, Arithmetic::BitAnd | Arithmetic::BitOr);
        let float = [(left, &left_bound), (right, &right_bound)]
            .into_iter()
            .find(|(_, bound)| bound.value_type == Type::Float);
        let value_type = match float {
            Some((side, bound)) if bits => {
                return self
                    .refuse(side.span, ErrorKind::NotInteger { operator: name, found: bound.value_type });
            }
            Some(_) => Type::Float,
            None if bits => Type::Bits,
            None => Type::Integer,
        };
        let sides = [left_bound.expr, right_bound.expr];
        self.folded(Expr::apply(Operation::Arithmetic(operator), sides, span), value_type, span)
    }

    pub(super) fn membership(
        &mut self,
        item: &ast::Expr,
        list: &[ast::Expr],
        span: Span,
        context: &Context,
    ) -> Bound {
        let bound_item = self.expression(item, context);
        let bound_list: Vec<Bound> = list.iter().map(|value| self.expression(value, context)).collect();
        let bound_item = bound_item?;
        let mut values = Vec::new();
        for (value, written) in bound_list.into_iter().zip(list) {
            let value = self.as_compared_with(bound_item.value_type, written, value?);
            let spans = (item.span, written.span);
            let [_, value] =
                self.comparison(Comparison::Equal, (bound_item.clone(), value), spans, written.span)?;
            values.push(value);
        }
        values.insert(0, bound_item.expr);
        self.folded(Expr::Apply(Operation::In, values, Origin(span)), Type::Boolean, span)
    }

    /// The two sides as they are compared: a text compared with a move becomes the move's number.
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
        // Moves as numbers have the order of numbers, as in the core; moves as texts have none.
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

/// Whether the expression is a comparison by its own looks.
fn is_comparison(expr: &ast::Expr) -> bool {
    matches!(expr.kind, ExprKind::Binary(BinaryOperator::Comparison(_), ..))
}

/// The expression, or its value where all it is made of is constant.
pub(super) fn fold(expr: Expr) -> Result<Expr, Overflow> {
    let constant = expr.each().iter().all(|inner| matches!(inner, Expr::Constant(_)));
    if constant { evaluate(&expr, &NoNode).map(Expr::Constant) } else { Ok(expr) }
}

/// `and` or `or` of these terms, without those that change nothing.
pub(super) fn joined(operation: Operation, mut terms: Vec<Expr>, span: Span) -> Expr {
    let truth = |value| Expr::Constant(Some(Value::Boolean(value)));
    let decisive = operation == Operation::Or;
    if terms.contains(&truth(decisive)) {
        return truth(decisive);
    }
    terms.retain(|term| *term != truth(!decisive));
    terms.dedup();
    match terms.len() {
        0 => truth(!decisive),
        1 => terms.remove(0),
        _ => Expr::Apply(operation, terms, Origin(span)),
    }
}
