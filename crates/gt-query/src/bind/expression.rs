//! Expressions: where they stand decides what they may hold.

use super::operators::{fold, joined};
use super::{Binder, Bound, Typed};
use crate::error::{Error, ErrorKind};
use crate::ir::{Aggregate, Expr, Operation, Origin, Scope};
use crate::span::Span;
use crate::syntax::ast::{self, ExprKind};
use crate::value::{Type, Value};
use crate::vocabulary::{Function, Part};

/// Where an expression stands.
#[derive(Clone, Debug)]
pub(super) struct Context {
    pub(super) place: Place,
    aggregates: Aggregates,
    /// Whether it is a column of a result, which alone can be a line of moves.
    pub(super) selected: bool,
}

/// Which nodes there are to refer to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// The node and its relatives.
    Node,
    /// The same, in `child:` outside of an aggregate, where there is no child yet.
    ChildPart,
    /// The node and one of its children, in an aggregate over children.
    Child,
}

/// Whether aggregates may stand here.
#[derive(Clone, Debug)]
enum Aggregates {
    /// Over this scope.
    Over(Scope),
    /// Over the scope that is written before them.
    Written,
    /// Not at all.
    Refused(ErrorKind),
}

impl Context {
    /// A part whose aggregates range over its own scope.
    pub(super) fn of_part(part: Part) -> Self {
        let place = if part == Part::Child { Place::ChildPart } else { Place::Node };
        Self { place, aggregates: Aggregates::Over(part.into()), selected: false }
    }

    /// Aggregates over the matches.
    pub(super) fn of_matches() -> Self {
        Self { place: Place::Node, aggregates: Aggregates::Over(Scope::Matches), selected: false }
    }

    /// The value of a `let`.
    pub(super) fn derived() -> Self {
        Self { place: Place::Node, aggregates: Aggregates::Written, selected: false }
    }

    /// Values of one node.
    pub(super) fn refusing(kind: ErrorKind) -> Self {
        Self { place: Place::Node, aggregates: Aggregates::Refused(kind), selected: false }
    }

    /// The same, for a column of a result.
    pub(super) fn selected(mut self) -> Self {
        self.selected = true;
        self
    }

    fn inside_aggregate(scope: Scope) -> Self {
        let place = if scope == Scope::Child { Place::Child } else { Place::Node };
        Self { place, aggregates: Aggregates::Refused(ErrorKind::AggregateInAggregate), selected: false }
    }
}

impl Binder<'_> {
    /// Records an error; `None` is what an expression with an error is bound to.
    pub(super) fn refuse<T>(&mut self, span: Span, kind: ErrorKind) -> Option<T> {
        self.errors.push(Error::new(span, kind));
        None
    }

    /// Binds an expression that must be true or false.
    pub(super) fn truth(&mut self, expr: &ast::Expr, context: &Context) -> Option<Expr> {
        let bound = self.expression(expr, context)?;
        match bound.value_type {
            Type::Boolean => Some(bound.expr),
            Type::Bits => {
                let not_zero = Expr::apply(Operation::NotZero, [bound.expr], expr.span);
                self.folded(not_zero, Type::Boolean, expr.span).map(|bound| bound.expr)
            }
            found => self.refuse(expr.span, ErrorKind::NotBoolean { found }),
        }
    }

    /// Binds an expression of any type.
    pub(super) fn expression(&mut self, expr: &ast::Expr, context: &Context) -> Bound {
        let inner = &Context { selected: false, ..context.clone() };
        match &expr.kind {
            ExprKind::Invalid => None,
            ExprKind::Wildcard => constant(Value::Boolean(true)),
            ExprKind::Integer(value) => constant(Value::Integer(*value)),
            ExprKind::Float(value) => constant(Value::Float(value + 0.0)),
            ExprKind::Text(value) => constant(Value::text(value)),
            ExprKind::Parameter(name) => self.parameter(name, expr.span),
            ExprKind::Name(relative, name) => self.name(*relative, name, expr.span, context),
            ExprKind::Structure(relative, name) => self.structure(*relative, name, expr.span, context),
            ExprKind::Aggregate { scope, function, argument, filter } => {
                let scope = self.scope(*scope, expr.span, context)?;
                self.aggregate(scope, *function, argument, filter.as_deref(), expr.span)
            }
            ExprKind::Abs(operand) => {
                let value = self.number(operand, "abs", inner)?;
                let bound = Expr::apply(Operation::Abs, [value.expr], expr.span);
                self.folded(bound, plain(value.value_type), expr.span)
            }
            ExprKind::Negate(operand) => {
                let value = self.number(operand, "-", inner)?;
                let bound = Expr::apply(Operation::Negate, [value.expr], expr.span);
                self.folded(bound, plain(value.value_type), expr.span)
            }
            ExprKind::Is(operand, known) => {
                let value = Expr::apply(Operation::Known, [self.expression(operand, inner)?.expr], expr.span);
                let value = if *known { value } else { Expr::apply(Operation::Not, [value], expr.span) };
                self.folded(value, Type::Boolean, expr.span)
            }
            ExprKind::Not(operand) => {
                let value = self.truth(operand, inner)?;
                self.folded(Expr::apply(Operation::Not, [value], expr.span), Type::Boolean, expr.span)
            }
            ExprKind::And(terms) => self.terms(Operation::And, terms, expr.span, inner),
            ExprKind::Or(terms) => self.terms(Operation::Or, terms, expr.span, inner),
            ExprKind::Binary(operator, left, right) => self.binary(*operator, left, right, expr.span, inner),
            ExprKind::In(item, list) => self.membership(item, list, expr.span, inner),
        }
    }

    /// Binds all terms, so that each can report its errors.
    fn terms(&mut self, operation: Operation, terms: &[ast::Expr], span: Span, context: &Context) -> Bound {
        let bound: Vec<Option<Expr>> = terms.iter().map(|term| self.truth(term, context)).collect();
        let terms: Option<Vec<Expr>> = bound.into_iter().collect();
        terms.map(|terms| boolean(joined(operation, terms, span)))
    }

    /// Binds an expression that must be a number.
    pub(super) fn number(&mut self, expr: &ast::Expr, operator: &'static str, context: &Context) -> Bound {
        let bound = self.expression(expr, context)?;
        if bound.value_type.is_number() {
            return Some(bound);
        }
        self.refuse(expr.span, ErrorKind::NotNumber { operator, found: bound.value_type })
    }

    /// Binds an expression whose values have an order: a number or a text.
    fn ordered(&mut self, expr: &ast::Expr, operator: &'static str, context: &Context) -> Bound {
        let bound = self.expression(expr, context)?;
        if bound.value_type.is_number() || bound.value_type == Type::Text {
            return Some(bound);
        }
        self.refuse(expr.span, ErrorKind::NotOrdered { operator, found: bound.value_type })
    }

    /// The scope of an aggregate that stands here.
    fn scope(&mut self, written: Option<Part>, span: Span, context: &Context) -> Option<Scope> {
        match (&context.aggregates, written) {
            (Aggregates::Over(scope), _) => Some(*scope),
            (Aggregates::Written, Some(part)) => Some(part.into()),
            (Aggregates::Written, None) => self.refuse(span, ErrorKind::AggregateWithoutScope),
            (Aggregates::Refused(kind), _) => self.refuse(span, kind.clone()),
        }
    }

    fn aggregate(
        &mut self,
        scope: Scope,
        function: Function,
        argument: &ast::Expr,
        filter: Option<&ast::Expr>,
        span: Span,
    ) -> Bound {
        let context = Context::inside_aggregate(scope);
        let argument = match function {
            Function::Count | Function::Any | Function::All => self.truth(argument, &context).map(boolean),
            Function::Min | Function::Max | Function::Median | Function::Quantile => {
                self.ordered(argument, function.spelling(), &context)
            }
            Function::ArgMin | Function::ArgMax => self.ordered(argument, function.spelling(), &context),
            Function::Sum | Function::Avg | Function::Stddev | Function::Corr => {
                self.number(argument, function.spelling(), &context)
            }
            Function::Distinct | Function::First | Function::Last => self.expression(argument, &context),
        };
        let filter = match filter {
            Some(filter) => self.truth(filter, &context),
            None => Some(Expr::TRUE),
        };
        let (argument, filter) = argument.zip(filter)?;
        let value_type = match function {
            Function::Count | Function::Distinct => Type::Integer,
            Function::Any | Function::All => Type::Boolean,
            Function::Avg | Function::Stddev | Function::Corr => Type::Float,
            Function::Min | Function::Max | Function::Median | Function::Quantile
                if argument.value_type == Type::Text =>
            {
                Type::Text
            }
            Function::Sum | Function::Min | Function::Max | Function::Median | Function::Quantile => {
                plain(argument.value_type)
            }
            Function::First | Function::Last | Function::ArgMin | Function::ArgMax => argument.value_type,
        };
        let argument = argument.expr;
        let origin = Origin(span);
        let second = None;
        let id =
            self.aggregate_id(Aggregate { scope, function, argument, second, filter, value_type, origin });
        Some(Typed { expr: Expr::Aggregate(id), value_type })
    }

    /// The expression, computed where it is constant.
    pub(super) fn folded(&mut self, expr: Expr, value_type: Type, span: Span) -> Bound {
        match fold(expr) {
            Ok(expr) => Some(Typed { expr, value_type }),
            Err(_) => self.refuse(span, ErrorKind::ConstantOverflow),
        }
    }
}

pub(super) fn constant(value: Value) -> Bound {
    let value_type = value.type_of();
    Some(Typed { expr: Expr::Constant(Some(value)), value_type })
}

fn boolean(expr: Expr) -> Typed {
    Typed { expr, value_type: Type::Boolean }
}

/// What arithmetic makes of the type: moves and bits become plain integers.
fn plain(value_type: Type) -> Type {
    if value_type == Type::Float { Type::Float } else { Type::Integer }
}
