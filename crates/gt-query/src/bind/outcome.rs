//! `select`, `group by`, `order by`, `limit`: the result that a query makes from its matches.

use std::collections::HashMap;

use super::Binder;
use super::context::Context;
use super::names::type_of;
use super::typed::shown;
use crate::aliases::aliases_of;
use crate::error::{Error, ErrorKind};
use crate::ir::{Anchor, Arrangement, Expr, Field, Operand, OrderKey, Outcome, ResultColumn, Step};
use crate::syntax::ast::{self, ExprKind};
use crate::value::{Type, Value};

impl Binder<'_> {
    pub(super) fn outcome(&mut self, query: &ast::Query) -> Option<Outcome> {
        let limit = match &query.limit {
            Some(expr) => self.limit(expr).map(Some),
            None => Some(None),
        };
        let names = self.column_names(query);
        let (mut group_by, mut order_by) = (query.group_by.clone(), query.order_by.clone());
        let ordered = order_by.iter_mut().map(|key| &mut key.expr);
        group_by.iter_mut().chain(ordered).for_each(|expr| put_columns(expr, &names));
        let aggregated = query.select.iter().any(|selected| selected.expr.aggregate().is_some());
        if !group_by.is_empty() || aggregated {
            return self.groups(query, &group_by, &order_by, limit);
        }
        let mut columns: Vec<Option<ResultColumn>> = Vec::new();
        for selected in &query.select {
            if matches!(selected.expr.kind, ExprKind::Wildcard) {
                columns.extend(self.all_columns().into_iter().map(Some));
                continue;
            }
            let context = Context::refusing(ErrorKind::AggregateInClause("select")).selected();
            columns.push(self.column(selected, &context));
        }
        let order = self.order(&order_by, &Context::refusing(ErrorKind::AggregateInClause("order by")));
        let arrangement = Arrangement { order: order?, limit: limit? };
        let columns: Vec<ResultColumn> = columns.into_iter().collect::<Option<_>>()?;
        Some(if columns.is_empty() {
            Outcome::Nodes(arrangement)
        } else {
            Outcome::Rows { columns, arrangement }
        })
    }

    /// The names that `as` gives to columns; they must be distinct.
    fn column_names<'q>(&mut self, query: &'q ast::Query) -> HashMap<&'q str, &'q ast::Expr> {
        let mut names = HashMap::new();
        for (name, expr) in
            query.select.iter().filter_map(|selected| Some((selected.name.as_ref()?, &selected.expr)))
        {
            let twice = names.insert(name.text.as_str(), expr).map(|_| "the name of another column");
            if let Some(by) = self.taken(&name.text).or(twice) {
                let kind = ErrorKind::NameTaken { name: name.text.clone(), by };
                self.errors.push(Error::new(name.span, kind));
            }
        }
        names
    }

    fn column(&mut self, selected: &ast::Selected, context: &Context) -> Option<ResultColumn> {
        let bound = self.expression(&selected.expr, context)?;
        let heading =
            selected.name.as_ref().map_or_else(|| selected.expr.to_string(), |name| name.text.clone());
        let names = self.named_attribute(&bound.expr);
        Some(ResultColumn { heading, expr: bound.expr, value_type: shown(bound.value_type), names })
    }

    /// The attribute whose aliases name the values of an expression.
    fn named_attribute(&self, expr: &Expr) -> Option<usize> {
        let schema = self.environment.schema;
        self.program.attribute_of(expr).filter(|place| aliases_of(schema, *place).next().is_some())
    }

    fn groups(
        &mut self,
        query: &ast::Query,
        group_by: &[ast::Expr],
        order_by: &[ast::OrderKey],
        limit: Option<Option<usize>>,
    ) -> Option<Outcome> {
        let context = Context::refusing(ErrorKind::AggregateInClause("group by"));
        let keys = self.each(group_by, |binder, key| binder.expression(key, &context));
        if query.select.is_empty() {
            return self.refuse(group_by[0].span, ErrorKind::GroupWithoutSelect);
        }
        let context = Context::of_matches();
        let columns: Vec<Option<ResultColumn>> =
            query.select.iter().map(|selected| self.column(selected, &context)).collect();
        let order = self.order(order_by, &context);
        let (keys, mut order) = keys.zip(order)?;
        let (keys, key_types): (Vec<_>, Vec<_>) =
            keys.into_iter().map(|key| (key.expr, shown(key.value_type))).unzip();
        let mut columns: Vec<ResultColumn> = columns.into_iter().collect::<Option<_>>()?;
        let selected = columns.iter_mut().map(|column| &mut column.expr);
        let selected = selected.zip(query.select.iter().map(|selected| &selected.expr));
        let ordered = order.iter_mut().zip(order_by).map(|(key, written)| (&mut key.expr, &written.expr));
        let mut whole = true;
        for (bound, written) in selected.chain(ordered) {
            let is_all = matches!(written.kind, ExprKind::Wildcard);
            if is_all || !use_keys(bound, &keys) {
                let text = written.to_string();
                whole = self.refuse(written.span, ErrorKind::NotGrouped(text)).unwrap_or(false);
            }
        }
        let arrangement = Arrangement { order, limit: limit? };
        whole.then_some(Outcome::Groups { keys, key_types, columns, arrangement })
    }

    fn order(&mut self, order_by: &[ast::OrderKey], context: &Context) -> Option<Vec<OrderKey>> {
        let keys: Vec<Option<OrderKey>> = (order_by.iter())
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

    /// The columns of `select *`: everything that the log holds about a node.
    fn all_columns(&self) -> Vec<ResultColumn> {
        let of = |heading: &str, field: Field, value_type: Type| {
            let expr = Expr::Read(Operand { anchor: Anchor::Node, step: Step::Here, field });
            let names = self.named_attribute(&expr);
            ResultColumn { heading: heading.to_owned(), expr, value_type, names }
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

/// Replaces the names of columns by the columns' expressions.
fn put_columns(expr: &mut ast::Expr, names: &HashMap<&str, &ast::Expr>) {
    if let ExprKind::Name(None, name) = &expr.kind
        && let Some(column) = names.get(name.as_str())
    {
        *expr = (*column).clone();
        return;
    }
    let (inside, filter) = match &mut expr.kind {
        ExprKind::Apply(_, arguments) => (arguments, None),
        ExprKind::Aggregate { arguments, filter, .. } => (arguments, filter.as_deref_mut()),
        _ => return,
    };
    inside.iter_mut().chain(filter).for_each(|inner| put_columns(inner, names));
}

/// Replaces expressions that equal a key by that key; returns `false` if anything else is read from a node.
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
