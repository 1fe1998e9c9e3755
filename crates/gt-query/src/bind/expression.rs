//! Expressions: their context decides what they may contain.

use super::Binder;
use super::context::{Aggregates, Context};
use super::typed::{Bound, Typed, boolean, constant, fold, plain, shown};
use crate::error::{Error, ErrorKind};
use crate::ir::{Aggregate, Expr, Operation, Origin, Scope, TwinId};
use crate::span::Span;
use crate::syntax::ast::{self, ExprKind};
use crate::value::{Type, Value};
use crate::vocabulary::{Function, Part};

impl Binder<'_> {
    /// Records an error and returns `None`, the binding of an expression with an error.
    pub(super) fn refuse<T>(&mut self, span: Span, kind: ErrorKind) -> Option<T> {
        self.errors.push(Error::new(span, kind));
        None
    }

    /// Binds an expression that must be a truth value.
    pub(super) fn truth(&mut self, expr: &ast::Expr, context: &Context) -> Option<Expr> {
        let bound = self.expression(expr, context)?;
        let bound = match bound.value_type {
            Type::Boolean => bound.expr,
            Type::Bits => {
                let not_zero = Expr::apply(Operation::NotZero, [bound.expr], expr.span);
                self.folded(not_zero, Type::Boolean, expr.span)?.expr
            }
            found => {
                let kind = self.value_alone(expr).unwrap_or(ErrorKind::NotBoolean { found });
                return self.refuse(expr.span, kind);
            }
        };
        self.note_condition(expr, &bound);
        Some(bound)
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
            ExprKind::Aggregate { scope, function, arguments, filter } => {
                let scope = self.scope(scope.as_ref(), expr.span, context)?;
                let bound = self.aggregate(scope, *function, (arguments, filter.as_deref()), expr)?;
                if let Expr::Aggregate(id) = bound.expr {
                    let aggregate = self.program.aggregates[id.0].clone();
                    self.note_own(scope, expr, &aggregate.each().collect::<Vec<_>>());
                }
                Some(bound)
            }
            ExprKind::Apply(operation, arguments) => self.apply(*operation, arguments, expr.span, inner),
        }
    }

    /// Binds every expression of a list, so that each can report its errors.
    pub(super) fn each<T>(
        &mut self,
        written: &[ast::Expr],
        mut bind: impl FnMut(&mut Self, &ast::Expr) -> Option<T>,
    ) -> Option<Vec<T>> {
        let bound: Vec<Option<T>> = written.iter().map(|expr| bind(self, expr)).collect();
        bound.into_iter().collect()
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
    pub(super) fn ordered(&mut self, expr: &ast::Expr, operator: &'static str, context: &Context) -> Bound {
        let bound = self.expression(expr, context)?;
        if bound.value_type.is_number() || bound.value_type == Type::Text {
            return Some(bound);
        }
        self.refuse(expr.span, ErrorKind::NotOrdered { operator, found: bound.value_type })
    }

    /// Binds an expression that must be a text.
    pub(super) fn text(&mut self, expr: &ast::Expr, operator: &'static str, context: &Context) -> Bound {
        let bound = self.expression(expr, context)?;
        let bound = self.as_compared_with(Type::Text, expr, bound);
        if bound.value_type == Type::Text {
            return Some(bound);
        }
        self.refuse(expr.span, ErrorKind::NotText { operator, found: bound.value_type })
    }

    /// The scope of an aggregate in this context.
    fn scope(&mut self, written: Option<&ast::Scope>, span: Span, context: &Context) -> Option<Scope> {
        match (&context.aggregates, written) {
            (Aggregates::Over(scope), _) => Some(*scope),
            (Aggregates::Written, Some(written)) => self.scope_of(written),
            (Aggregates::Written, None) => self.refuse(span, ErrorKind::AggregateWithoutScope),
            (Aggregates::Refused(kind), _) => self.refuse(span, kind.clone()),
        }
    }

    /// The nodes that a part is about; in `node:` aggregates range over the matches.
    pub(super) fn scope_of(&mut self, written: &ast::Scope) -> Option<Scope> {
        Some(match written.part {
            Part::Node => Scope::Matches,
            Part::Child => Scope::Child,
            Part::Before => Scope::Before,
            Part::After => Scope::After,
            Part::Subtree => Scope::Subtree,
            Part::Path => Scope::Path,
            Part::Tree => Scope::Tree,
            Part::Twin => {
                let context = Context::refusing(ErrorKind::AggregateInClause("twin"));
                let keys = self.each(&written.keys, |binder, key| binder.expression(key, &context))?;
                let keys: Vec<Expr> = keys.into_iter().map(|key| key.expr).collect();
                let twins = &mut self.program.twins;
                let known = twins.iter().position(|twin| *twin == keys);
                Scope::Twin(TwinId(known.unwrap_or_else(|| {
                    twins.push(keys);
                    twins.len() - 1
                })))
            }
        })
    }

    fn aggregate(
        &mut self,
        scope: Scope,
        function: Function,
        (arguments, filter): (&[ast::Expr], Option<&ast::Expr>),
        written: &ast::Expr,
    ) -> Bound {
        use Function as F;
        let (name, context) = (function.spelling(), Context::inside_aggregate(scope));
        let argument = match function {
            F::Count | F::Any | F::All => self.truth(&arguments[0], &context).map(boolean),
            F::Min | F::Max | F::Median | F::Quantile | F::ArgMin | F::ArgMax => {
                self.ordered(&arguments[0], name, &context)
            }
            F::Sum | F::Avg | F::Stddev | F::Corr => self.number(&arguments[0], name, &context),
            F::Distinct | F::First | F::Last => self.expression(&arguments[0], &context),
        };
        let second = match arguments.get(1) {
            Some(second) => Some(match function {
                F::Quantile => self.share(second)?,
                F::Corr => self.number(second, name, &context)?,
                _ => self.expression(second, &context)?,
            }),
            None if function == F::Median => constant(Value::Float(0.5)),
            None => None,
        };
        let filter = match filter {
            Some(filter) => self.truth(filter, &context),
            None => Some(Expr::TRUE),
        };
        let (argument, filter) = argument.zip(filter)?;
        let of_second = second.as_ref().map_or(Type::Integer, |second| second.value_type);
        let value_type = match function {
            F::Count | F::Distinct => Type::Integer,
            F::Any | F::All => Type::Boolean,
            F::Avg | F::Stddev | F::Corr => Type::Float,
            F::Min | F::Max | F::Median | F::Quantile if argument.value_type == Type::Text => Type::Text,
            F::Sum | F::Min | F::Max | F::Median | F::Quantile => plain(argument.value_type),
            F::First | F::Last => shown(argument.value_type),
            F::ArgMin | F::ArgMax => shown(of_second),
        };
        let function = if function == F::Median { F::Quantile } else { function };
        let (argument_type, origin) = (shown(argument.value_type), Origin(written.span));
        let (argument, second) = (argument.expr, second.map(|second| second.expr));
        let aggregate =
            Aggregate { scope, function, argument, second, filter, argument_type, value_type, origin };
        let id = self.aggregate_id(aggregate, written);
        Some(Typed { expr: Expr::Aggregate(id), value_type })
    }

    /// Binds the share of a quantile: a constant from 0 to 1.
    fn share(&mut self, expr: &ast::Expr) -> Bound {
        let bound = self.expression(expr, &Context::refusing(ErrorKind::BadShare))?;
        let share = match &bound.expr {
            Expr::Constant(Some(value)) => value.as_float(),
            _ => None,
        };
        match share.filter(|share| (0.0..=1.0).contains(share)) {
            Some(share) => constant(Value::Float(share)),
            None => self.refuse(expr.span, ErrorKind::BadShare),
        }
    }

    /// The expression, evaluated if it is constant.
    pub(super) fn folded(&mut self, expr: Expr, value_type: Type, span: Span) -> Bound {
        match fold(expr) {
            Ok(expr) => Some(Typed { expr, value_type }),
            Err(_) => self.refuse(span, ErrorKind::ConstantOverflow),
        }
    }
}
