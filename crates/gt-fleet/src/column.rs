//! The columns of any kind of answer: a count, a value and a list of nodes are tables of one column.

use gt_log::{Kind, Schema};
use gt_query::Type;
use gt_query::ir::{Expr, Field, Operand, Outcome, Program, ResultColumn};
use gt_query::tools::vocabulary::Function;

/// A column of an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Column {
    /// The expression as written in `select`, or `count`, `value`, `node_id`.
    pub heading: String,
    /// The type of its values.
    pub value_type: Type,
    /// The attribute whose aliases name its values.
    pub names: Option<usize>,
    /// Whether its integers may exceed those of 64 signed bits, as hash keys do.
    pub is_unsigned: bool,
}

impl Column {
    fn new(heading: &str, value_type: Type) -> Self {
        Self { heading: heading.to_owned(), value_type, names: None, is_unsigned: false }
    }

    /// Returns the columns of a query's answer; `counted` if only the number of its nodes or rows is wanted.
    #[must_use]
    pub fn all_of(program: &Program, query: usize, schema: &Schema, counted: bool) -> Vec<Self> {
        let origin = Origin { program, schema };
        match &program.queries[query].outcome {
            Outcome::Aggregate(id) => {
                let value_type = program.aggregates[id.0].value_type;
                let is_unsigned = origin.is_unsigned(&Expr::Aggregate(*id), &[]);
                vec![Self { is_unsigned, ..Self::new("value", value_type) }]
            }
            Outcome::Count => vec![Self::new("count", Type::Integer)],
            _ if counted => vec![Self::new("count", Type::Integer)],
            Outcome::Nodes(_) => vec![Self::new("node_id", Type::Integer)],
            Outcome::Rows { columns, .. } => origin.columns(columns, &[]),
            Outcome::Groups { keys, columns, .. } => origin.columns(columns, keys),
        }
    }
}

/// The source of expressions' values.
struct Origin<'a> {
    program: &'a Program,
    schema: &'a Schema,
}

impl Origin<'_> {
    fn columns(&self, columns: &[ResultColumn], keys: &[Expr]) -> Vec<Column> {
        let column = |column: &ResultColumn| Column {
            names: column.names,
            is_unsigned: self.is_unsigned(&column.expr, keys),
            ..Column::new(&column.heading, column.value_type)
        };
        columns.iter().map(column).collect()
    }

    /// Whether the values are those of an unsigned attribute, or a selection of them. Arithmetic gives signed
    /// integers.
    fn is_unsigned(&self, expr: &Expr, keys: &[Expr]) -> bool {
        match expr {
            Expr::Read(Operand { field: Field::Attribute(place), .. }) => {
                self.schema.attributes()[*place].kind == Kind::U64
            }
            Expr::Read(Operand { field: Field::Column(id), .. }) => {
                self.is_unsigned(&self.program.columns[id.0].expr, &[])
            }
            Expr::Key(place) => keys.get(*place).is_some_and(|key| self.is_unsigned(key, &[])),
            Expr::Aggregate(id) => {
                let aggregate = &self.program.aggregates[id.0];
                let one_of = match aggregate.function {
                    Function::Min
                    | Function::Max
                    | Function::First
                    | Function::Last
                    | Function::Median
                    | Function::Quantile => Some(&aggregate.argument),
                    Function::ArgMin | Function::ArgMax => aggregate.second.as_ref(),
                    Function::Count
                    | Function::Distinct
                    | Function::Sum
                    | Function::Avg
                    | Function::Stddev
                    | Function::Corr
                    | Function::Any
                    | Function::All => None,
                };
                one_of.is_some_and(|expr| self.is_unsigned(expr, &[]))
            }
            _ => false,
        }
    }
}
