//! The columns of an answer, of whatever kind it is: a count, a value and a list of nodes are tables of one column.

use gt_log::{Kind, Schema};
use gt_query::ir::{Expr, Field, Operand, Outcome, Program, ResultColumn};
use gt_query::vocabulary::Function;
use gt_query::{Type, Value};

/// A row of an answer; `None` is unknown.
pub(crate) type Row = Vec<Option<Value>>;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Column {
    pub(crate) heading: String,
    pub(crate) value_type: Type,
    /// The attribute whose aliases name its values.
    pub(crate) names: Option<usize>,
    /// Whether its integers may lie above those of 64 bits with a sign, as hash keys do.
    pub(crate) is_unsigned: bool,
}

impl Column {
    fn new(heading: &str, value_type: Type) -> Self {
        Self { heading: heading.to_owned(), value_type, names: None, is_unsigned: false }
    }

    /// The columns of a query's answer; `counted` where only the number of its nodes or rows is asked for.
    pub(crate) fn all_of(program: &Program, query: usize, schema: &Schema, counted: bool) -> Vec<Self> {
        let origin = Origin { program, schema };
        match &program.queries[query].outcome {
            Outcome::Aggregate(id) => {
                let value_type = program.aggregates[id.0].value_type;
                vec![origin.column("value", &Expr::Aggregate(*id), value_type, &[])]
            }
            Outcome::Count => vec![Self::new("count", Type::Integer)],
            _ if counted => vec![Self::new("count", Type::Integer)],
            Outcome::Nodes(_) => vec![Self::new("node_id", Type::Integer)],
            Outcome::Rows { columns, .. } => origin.columns(columns, &[]),
            Outcome::Groups { keys, columns, .. } => origin.columns(columns, keys),
        }
    }
}

/// Where the values of expressions come from.
struct Origin<'a> {
    program: &'a Program,
    schema: &'a Schema,
}

impl Origin<'_> {
    fn columns(&self, columns: &[ResultColumn], keys: &[Expr]) -> Vec<Column> {
        columns
            .iter()
            .map(|column| self.column(&column.heading, &column.expr, column.value_type, keys))
            .collect()
    }

    fn column(&self, heading: &str, expr: &Expr, value_type: Type, keys: &[Expr]) -> Column {
        let attribute = self.attribute(expr, keys).filter(|_| value_type.is_integer());
        let has_aliases =
            |place: &usize| self.schema.aliases().iter().any(|alias| alias.attribute == Some(*place));
        Column {
            names: attribute.filter(has_aliases),
            is_unsigned: attribute.is_some_and(|place| self.schema.attributes()[place].kind == Kind::U64),
            ..Column::new(heading, value_type)
        }
    }

    /// The attribute that the values are values of: its own, and the least and greatest of many.
    fn attribute(&self, expr: &Expr, keys: &[Expr]) -> Option<usize> {
        match expr {
            Expr::Read(Operand { field: Field::Attribute(place), .. }) => Some(*place),
            Expr::Read(Operand { field: Field::Column(id), .. }) => {
                self.attribute(&self.program.columns[id.0].expr, &[])
            }
            Expr::Key(place) => self.attribute(keys.get(*place)?, &[]),
            Expr::Aggregate(id) => {
                let aggregate = &self.program.aggregates[id.0];
                let is_one_of_them = matches!(aggregate.function, Function::Min | Function::Max);
                if is_one_of_them { self.attribute(&aggregate.argument, &[]) } else { None }
            }
            _ => None,
        }
    }
}
