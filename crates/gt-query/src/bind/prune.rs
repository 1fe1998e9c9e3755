//! Removes the columns, twins and aggregates that no query needs.

use crate::ir::{AggregateId, ColumnId, Expr, Field, Operand, Outcome, Program, Scope, TwinId};

/// The program without its unused parts.
pub(super) fn prune(mut program: Program) -> Program {
    let used = Used::by(&program);
    let places = Places {
        columns: places(&used.columns),
        twins: places(&used.twins),
        aggregates: places(&used.aggregates),
    };
    keep(&mut program.columns, &used.columns);
    keep(&mut program.twins, &used.twins);
    keep(&mut program.aggregates, &used.aggregates);
    program.columns.iter_mut().for_each(|column| places.renumber(&mut column.expr));
    program.twins.iter_mut().flatten().for_each(|key| places.renumber(key));
    for aggregate in &mut program.aggregates {
        aggregate.each_mut().for_each(|expr| places.renumber(expr));
        if let Scope::Twin(id) = &mut aggregate.scope {
            *id = TwinId(places.twins[id.0]);
        }
    }
    for query in &mut program.queries {
        query.filters.iter_mut().for_each(|(_, filter)| places.renumber(filter));
        query.outcome.each_mut().into_iter().for_each(|expr| places.renumber(expr));
        if let Outcome::Aggregate(id) = &mut query.outcome {
            *id = AggregateId(places.aggregates[id.0]);
        }
    }
    program
}

/// For each column, list of twin keys and aggregate, whether a query needs it.
struct Used {
    columns: Vec<bool>,
    twins: Vec<bool>,
    aggregates: Vec<bool>,
}

impl Used {
    fn by(program: &Program) -> Self {
        let [columns, twins, aggregates] =
            [program.columns.len(), program.twins.len(), program.aggregates.len()]
                .map(|count| vec![false; count]);
        let mut used = Self { columns, twins, aggregates };
        let mut open: Vec<&Expr> = Vec::new();
        for query in &program.queries {
            open.extend(query.filters().chain(query.outcome.each()));
            query.outcome.aggregates().into_iter().for_each(|id| used.aggregate(id, program, &mut open));
        }
        while let Some(expr) = open.pop() {
            expr.leaves(&mut |leaf| match leaf {
                Expr::Aggregate(id) => used.aggregate(*id, program, &mut open),
                Expr::Read(Operand { field: Field::Column(ColumnId(id)), .. }) => {
                    if !std::mem::replace(&mut used.columns[*id], true) {
                        open.push(&program.columns[*id].expr);
                    }
                }
                Expr::Constant(_) | Expr::Read(_) | Expr::Key(_) | Expr::Apply(..) => {}
            });
        }
        used
    }

    fn aggregate<'a>(&mut self, id: AggregateId, program: &'a Program, open: &mut Vec<&'a Expr>) {
        if std::mem::replace(&mut self.aggregates[id.0], true) {
            return;
        }
        let aggregate = &program.aggregates[id.0];
        open.extend(aggregate.each());
        if let Scope::Twin(TwinId(id)) = aggregate.scope {
            self.twins[id] = true;
            open.extend(&program.twins[id]);
        }
    }
}

/// The new index of each old column, list of twin keys and aggregate.
struct Places {
    columns: Vec<usize>,
    twins: Vec<usize>,
    aggregates: Vec<usize>,
}

impl Places {
    fn renumber(&self, expr: &mut Expr) {
        match expr {
            Expr::Constant(_) | Expr::Key(_) => {}
            Expr::Read(operand) => {
                if let Field::Column(id) = &mut operand.field {
                    *id = ColumnId(self.columns[id.0]);
                }
            }
            Expr::Aggregate(id) => *id = AggregateId(self.aggregates[id.0]),
            Expr::Apply(_, arguments, _) => arguments.iter_mut().for_each(|inner| self.renumber(inner)),
        }
    }
}

/// The new index for each old one.
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
