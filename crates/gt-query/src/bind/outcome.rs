//! `select`, `group by`, `order by`, `limit`: what a query makes of its matches.

use super::expression::Context;
use super::names::type_of;
use super::{Binder, Typed};
use crate::error::ErrorKind;
use crate::ir::{Anchor, Arrangement, Expr, Field, Operand, OrderKey, Outcome, ResultColumn, Step};
use crate::syntax::ast::{self, ExprKind};
use crate::value::{Type, Value};

impl Binder<'_> {
    pub(super) fn outcome(&mut self, query: &ast::Query) -> Option<Outcome> {
        let limit = match &query.limit {
            Some(expr) => self.limit(expr).map(Some),
            None => Some(None),
        };
        let aggregated = query.select.iter().any(|expr| expr.aggregate().is_some());
        if !query.group_by.is_empty() || aggregated {
            return self.groups(query, limit);
        }
        let mut columns: Vec<Option<ResultColumn>> = Vec::new();
        for expr in &query.select {
            if matches!(expr.kind, ExprKind::Wildcard) {
                columns.extend(self.all_columns().into_iter().map(Some));
                continue;
            }
            let context = Context::refusing(ErrorKind::AggregateInClause("select")).selected();
            columns.push(self.expression(expr, &context).map(|bound| column(expr, bound)));
        }
        let order = self.order(query, &Context::refusing(ErrorKind::AggregateInClause("order by")));
        let arrangement = Arrangement { order: order?, limit: limit? };
        let columns: Vec<ResultColumn> = columns.into_iter().collect::<Option<_>>()?;
        Some(if columns.is_empty() {
            Outcome::Nodes(arrangement)
        } else {
            Outcome::Rows { columns, arrangement }
        })
    }

    fn groups(&mut self, query: &ast::Query, limit: Option<Option<usize>>) -> Option<Outcome> {
        let keys: Vec<Option<Expr>> = query
            .group_by
            .iter()
            .map(|expr| {
                let context = Context::refusing(ErrorKind::AggregateInClause("group by"));
                self.expression(expr, &context).map(|bound| bound.expr)
            })
            .collect();
        if query.select.is_empty() {
            let span = query.group_by[0].span;
            return self.refuse(span, ErrorKind::GroupWithoutSelect);
        }
        let context = Context::of_matches();
        let columns: Vec<Option<ResultColumn>> = query
            .select
            .iter()
            .map(|expr| self.expression(expr, &context).map(|bound| column(expr, bound)))
            .collect();
        let order = self.order(query, &context);
        let keys: Vec<Expr> = keys.into_iter().collect::<Option<_>>()?;
        let mut columns: Vec<ResultColumn> = columns.into_iter().collect::<Option<_>>()?;
        let mut order = order?;
        let selected = columns.iter_mut().zip(&query.select).map(|(column, expr)| (&mut column.expr, expr));
        let ordered =
            order.iter_mut().zip(&query.order_by).map(|(key, written)| (&mut key.expr, &written.expr));
        let mut whole = true;
        for (bound, written) in selected.chain(ordered) {
            let is_all = matches!(written.kind, ExprKind::Wildcard);
            if is_all || !use_keys(bound, &keys) {
                let text = written.to_string();
                whole = self.refuse(written.span, ErrorKind::NotGrouped(text)).unwrap_or(false);
            }
        }
        let arrangement = Arrangement { order, limit: limit? };
        whole.then_some(Outcome::Groups { keys, columns, arrangement })
    }

    fn order(&mut self, query: &ast::Query, context: &Context) -> Option<Vec<OrderKey>> {
        let keys: Vec<Option<OrderKey>> = query
            .order_by
            .iter()
            .map(|key| {
                let bound = self.expression(&key.expr, context)?;
                if matches!(bound.expr, Expr::Constant(_)) {
                    return self.refuse(key.expr.span, ErrorKind::ConstantOrder);
                }
                Some(OrderKey { expr: bound.expr, descending: key.descending })
            })
            .collect();
        keys.into_iter().collect()
    }

    /// `select *`: all that the log holds of a node.
    fn all_columns(&self) -> Vec<ResultColumn> {
        let of = |heading: &str, field: Field, value_type: Type| ResultColumn {
            heading: heading.to_owned(),
            expr: Expr::Read(Operand { anchor: Anchor::Node, step: Step::Here, field }),
            value_type,
        };
        let own = [of("node_id", Field::NodeId, Type::Integer), of("last_move", Field::LastMove, Type::Move)];
        let attributes = self.environment.schema.attributes().iter().enumerate();
        let attributes = attributes
            .map(|(place, attribute)| of(&attribute.name, Field::Attribute(place), type_of(attribute.kind)));
        own.into_iter().chain(attributes).collect()
    }

    fn limit(&mut self, expr: &ast::Expr) -> Option<usize> {
        let bound = self.expression(expr, &Context::refusing(ErrorKind::BadLimit))?;
        let number = match bound.expr {
            Expr::Constant(Some(Value::Integer(number))) => usize::try_from(number).ok(),
            _ => None,
        };
        match number {
            Some(number) => Some(number),
            None => self.refuse(expr.span, ErrorKind::BadLimit),
        }
    }
}

fn column(written: &ast::Expr, bound: Typed) -> ResultColumn {
    let value_type = if bound.value_type == Type::Bits { Type::Integer } else { bound.value_type };
    ResultColumn { heading: written.to_string(), expr: bound.expr, value_type }
}

/// Puts keys in the place of what equals them; false where something else is read from a node.
fn use_keys(expr: &mut Expr, keys: &[Expr]) -> bool {
    if let Some(key) = keys.iter().position(|key| key == expr) {
        *expr = Expr::Key(key);
        return true;
    }
    match expr {
        Expr::Read(_) => false,
        Expr::Constant(_) | Expr::Aggregate(_) | Expr::Key(_) => true,
        Expr::Apply(_, arguments, _) => arguments.iter_mut().all(|inner| use_keys(inner, keys)),
    }
}
