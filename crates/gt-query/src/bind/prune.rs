//! Leaves out the columns and aggregates that no query needs.

use crate::ir::{AggregateId, ColumnId, Expr, Field, Outcome, Program};

/// The program without what is not used.
pub(super) fn prune(mut program: Program) -> Program {
    let (columns, aggregates) = used(&program);
    let column_places = places(&columns);
    let aggregate_places = places(&aggregates);
    let renumber = |expr: &mut Expr| renumber(expr, &column_places, &aggregate_places);
    keep(&mut program.columns, &columns);
    keep(&mut program.aggregates, &aggregates);
    program.columns.iter_mut().for_each(|column| renumber(&mut column.expr));
    for aggregate in &mut program.aggregates {
        renumber(&mut aggregate.argument);
        renumber(&mut aggregate.filter);
    }
    for query in &mut program.queries {
        [&mut query.node, &mut query.child, &mut query.subtree, &mut query.path]
            .into_iter()
            .for_each(renumber);
        renumber_outcome(&mut query.outcome, &renumber, &aggregate_places);
    }
    program
}

/// For each column and each aggregate whether a query needs it.
fn used(program: &Program) -> (Vec<bool>, Vec<bool>) {
    let mut columns = vec![false; program.columns.len()];
    let mut aggregates = vec![false; program.aggregates.len()];
    let mut open: Vec<&Expr> = Vec::new();
    for query in &program.queries {
        open.extend(query.filters());
        match &query.outcome {
            Outcome::Count => {}
            Outcome::Aggregate(id) => mark(*id, &mut aggregates, program, &mut open),
            Outcome::Nodes(arrangement) => open.extend(arrangement.order.iter().map(|key| &key.expr)),
            Outcome::Rows { columns, arrangement } | Outcome::Groups { columns, arrangement, .. } => {
                open.extend(columns.iter().map(|column| &column.expr));
                open.extend(arrangement.order.iter().map(|key| &key.expr));
            }
        }
        if let Outcome::Groups { keys, .. } = &query.outcome {
            open.extend(keys);
        }
    }
    while let Some(expr) = open.pop() {
        expr.leaves(&mut |leaf| match leaf {
            Expr::Aggregate(id) => mark(*id, &mut aggregates, program, &mut open),
            Expr::Read(operand) => {
                if let Field::Column(ColumnId(id)) = operand.field
                    && !std::mem::replace(&mut columns[id], true)
                {
                    open.push(&program.columns[id].expr);
                }
            }
            _ => {}
        });
    }
    (columns, aggregates)
}

fn mark<'a>(id: AggregateId, aggregates: &mut [bool], program: &'a Program, open: &mut Vec<&'a Expr>) {
    if !std::mem::replace(&mut aggregates[id.0], true) {
        let aggregate = &program.aggregates[id.0];
        open.extend([&aggregate.argument, &aggregate.filter]);
    }
}

/// For each old place the new one.
fn places(used: &[bool]) -> Vec<usize> {
    used.iter()
        .scan(0, |next, used| {
            let place = *next;
            *next += usize::from(*used);
            Some(place)
        })
        .collect()
}

fn keep<T>(items: &mut Vec<T>, used: &[bool]) {
    let mut used = used.iter();
    items.retain(|_| used.next().copied().unwrap_or(false));
}

fn renumber(expr: &mut Expr, columns: &[usize], aggregates: &[usize]) {
    let again = |inner: &mut Expr| renumber(inner, columns, aggregates);
    match expr {
        Expr::Constant(_) | Expr::Key(_) => {}
        Expr::Read(operand) => {
            if let Field::Column(id) = &mut operand.field {
                *id = ColumnId(columns[id.0]);
            }
        }
        Expr::Aggregate(id) => *id = AggregateId(aggregates[id.0]),
        Expr::Negate(inner, _)
        | Expr::Abs(inner, _)
        | Expr::NotZero(inner)
        | Expr::Known(inner)
        | Expr::Not(inner) => again(inner),
        Expr::Bound(bound) => bound.each_mut().into_iter().for_each(again),
        Expr::Arithmetic(_, left, right, _) | Expr::Compare(_, left, right) => {
            again(left);
            again(right);
        }
        Expr::In(item, list) => {
            again(item);
            list.iter_mut().for_each(again);
        }
        Expr::And(list) | Expr::Or(list) => list.iter_mut().for_each(again),
    }
}

fn renumber_outcome(outcome: &mut Outcome, renumber: &impl Fn(&mut Expr), aggregates: &[usize]) {
    match outcome {
        Outcome::Count => {}
        Outcome::Aggregate(id) => *id = AggregateId(aggregates[id.0]),
        Outcome::Nodes(arrangement) => arrangement.order.iter_mut().for_each(|key| renumber(&mut key.expr)),
        Outcome::Rows { columns, arrangement } | Outcome::Groups { columns, arrangement, .. } => {
            columns.iter_mut().for_each(|column| renumber(&mut column.expr));
            arrangement.order.iter_mut().for_each(|key| renumber(&mut key.expr));
        }
    }
    if let Outcome::Groups { keys, .. } = outcome {
        keys.iter_mut().for_each(renumber);
    }
}
