//! Traversals of programs: the expressions of an expression, an aggregate, an outcome or a program, in one place.

use super::{
    Aggregate, AggregateId, Anchor, Arrangement, Expr, Field, Function, Operand, Operation, Origin, Outcome,
    Program, ResultColumn, Scope, Step,
};
use crate::span::Span;
use crate::value::Value;

impl Expr {
    /// Always true.
    pub const TRUE: Self = Self::Constant(Some(Value::Boolean(true)));

    /// Whether it is always true.
    #[must_use]
    pub fn is_true(&self) -> bool {
        *self == Self::TRUE
    }

    /// Applies an operation to these arguments.
    #[must_use]
    pub fn apply<const N: usize>(operation: Operation, arguments: [Self; N], span: Span) -> Self {
        Self::Apply(operation, arguments.into(), Origin(span))
    }

    /// Returns the expressions directly inside.
    #[must_use]
    pub fn each(&self) -> &[Self] {
        if let Self::Apply(_, arguments, _) = self { arguments } else { &[] }
    }

    /// Like [`Expr::each`], mutably.
    pub fn each_mut(&mut self) -> &mut [Self] {
        if let Self::Apply(_, arguments, _) = self { arguments } else { &mut [] }
    }

    /// Calls `visit` with each operand, aggregate and key in it, itself included.
    pub fn leaves<'a>(&'a self, visit: &mut dyn FnMut(&'a Self)) {
        if matches!(self, Self::Read(_) | Self::Aggregate(_) | Self::Key(_)) {
            visit(self);
        }
        self.each().iter().for_each(|inner| inner.leaves(visit));
    }
}

impl Aggregate {
    /// Returns the expressions that are evaluated for each node.
    pub fn each(&self) -> impl Iterator<Item = &Expr> {
        [&self.argument, &self.filter].into_iter().chain(&self.second)
    }

    /// Like [`Aggregate::each`], mutably.
    pub fn each_mut(&mut self) -> impl Iterator<Item = &mut Expr> {
        [&mut self.argument, &mut self.filter].into_iter().chain(&mut self.second)
    }

    /// Whether an aggregate over siblings also reads values of the node.
    pub(crate) fn reads_node(&self) -> bool {
        let mut found = false;
        for expr in self.each() {
            expr.leaves(&mut |leaf| {
                found |=
                    matches!(leaf, Expr::Read(Operand { anchor: Anchor::Node, .. }) | Expr::Aggregate(_));
            });
        }
        found
    }
}

impl Program {
    /// Returns every expression that is evaluated at a node of the tree.
    pub fn each(&self) -> impl Iterator<Item = &Expr> {
        let columns = self.columns.iter().map(|column| &column.expr);
        let queries = self.queries.iter();
        let queries = queries.flat_map(|query| query.filters().chain(query.outcome.per_match(self)));
        columns
            .chain(self.twins.iter().flatten())
            .chain(self.aggregates.iter().flat_map(Aggregate::each))
            .chain(queries)
    }
}

impl Program {
    /// Whether an expression reads the aggregate at a node other than the one that a query tests.
    pub(crate) fn is_read_elsewhere(&self, id: AggregateId) -> bool {
        let of_nodes = self.aggregates.iter().filter(|aggregate| aggregate.scope != Scope::Matches);
        let mut folded = of_nodes.flat_map(Aggregate::each).chain(self.twins.iter().flatten());
        let mut is_read = folded.any(|expr| self.reads(expr, id));
        for expr in self.each() {
            expr.leaves(&mut |leaf| {
                if let Expr::Read(Operand { step, field: Field::Column(column), .. }) = leaf {
                    is_read |= *step != Step::Here && self.reads(&self.columns[column.0].expr, id);
                }
            });
        }
        is_read
    }

    /// Whether an expression reads an aggregate, directly or through a derived column.
    fn reads(&self, expr: &Expr, id: AggregateId) -> bool {
        let mut found = false;
        expr.leaves(&mut |leaf| {
            found |= match leaf {
                Expr::Aggregate(read) => *read == id,
                Expr::Read(Operand { field: Field::Column(column), .. }) => {
                    self.reads(&self.columns[column.0].expr, id)
                }
                _ => false,
            };
        });
        found
    }

    /// Returns the attribute whose values an expression gives unchanged.
    #[must_use]
    pub fn attribute_of(&self, expr: &Expr) -> Option<usize> {
        match expr {
            Expr::Read(Operand { field: Field::Attribute(place), .. }) => Some(*place),
            Expr::Read(Operand { field: Field::Column(id), .. }) => {
                self.attribute_of(&self.columns[id.0].expr)
            }
            Expr::Aggregate(id) => {
                let aggregate = &self.aggregates[id.0];
                match aggregate.function {
                    Function::Min | Function::Max | Function::Median | Function::Quantile => {
                        self.attribute_of(&aggregate.argument)
                    }
                    Function::First | Function::Last => self.attribute_of(&aggregate.argument),
                    Function::ArgMin | Function::ArgMax => {
                        aggregate.second.as_ref().and_then(|second| self.attribute_of(second))
                    }
                    Function::Count | Function::Sum | Function::Avg | Function::Any | Function::All => None,
                    Function::Stddev | Function::Corr | Function::Distinct => None,
                }
            }
            Expr::Constant(_) | Expr::Read(_) | Expr::Key(_) | Expr::Apply(..) => None,
        }
    }
}

impl Outcome {
    /// Returns its expressions: cells, keys and order keys.
    #[must_use]
    pub fn each(&self) -> Vec<&Expr> {
        match self {
            Self::Count | Self::Aggregate(_) => Vec::new(),
            Self::Nodes(arrangement) => arrangement.each().collect(),
            Self::Rows { columns, arrangement } => cells(columns).chain(arrangement.each()).collect(),
            Self::Groups { keys, columns, arrangement, .. } => {
                keys.iter().chain(cells(columns)).chain(arrangement.each()).collect()
            }
        }
    }

    /// Like [`Outcome::each`], mutably.
    pub fn each_mut(&mut self) -> Vec<&mut Expr> {
        let (keys, columns, arrangement) = match self {
            Self::Count | Self::Aggregate(_) => return Vec::new(),
            Self::Nodes(arrangement) => (&mut [][..], &mut [][..], arrangement),
            Self::Rows { columns, arrangement } => (&mut [][..], &mut columns[..], arrangement),
            Self::Groups { keys, columns, arrangement, .. } => (&mut keys[..], &mut columns[..], arrangement),
        };
        let columns = columns.iter_mut().map(|column| &mut column.expr);
        keys.iter_mut().chain(columns).chain(arrangement.order.iter_mut().map(|key| &mut key.expr)).collect()
    }

    /// Returns the aggregates over the matches that it uses, ascending.
    #[must_use]
    pub fn aggregates(&self) -> Vec<AggregateId> {
        let mut found = Vec::new();
        match self {
            Self::Aggregate(id) => found.push(*id),
            Self::Groups { columns, arrangement, .. } => {
                cells(columns).chain(arrangement.each()).for_each(|expr| {
                    expr.leaves(&mut |leaf| {
                        if let Expr::Aggregate(id) = leaf {
                            found.push(*id);
                        }
                    });
                });
            }
            Self::Count | Self::Nodes(_) | Self::Rows { .. } => {}
        }
        found.sort_unstable();
        found.dedup();
        found
    }

    /// Returns the expressions that are evaluated at each match: cells, keys, aggregated values.
    #[must_use]
    pub fn per_match<'a>(&'a self, program: &'a Program) -> Vec<&'a Expr> {
        let aggregated = self.aggregates().into_iter().flat_map(|id| program.aggregates[id.0].each());
        match self {
            Self::Groups { keys, .. } => keys.iter().chain(aggregated).collect(),
            Self::Count | Self::Aggregate(_) | Self::Nodes(_) | Self::Rows { .. } => {
                self.each().into_iter().chain(aggregated).collect()
            }
        }
    }
}

fn cells(columns: &[ResultColumn]) -> impl Iterator<Item = &Expr> {
    columns.iter().map(|column| &column.expr)
}

impl Arrangement {
    /// Returns the values that it orders by.
    pub fn each(&self) -> impl Iterator<Item = &Expr> {
        self.order.iter().map(|key| &key.expr)
    }
}
