//! The answers of queries: a table for each.
//!
//! ```text
//! nodes            one column, node_id           a count, a value   one row, one column
//! select, groups   the columns that were asked for
//! ```

use std::ffi::{c_char, c_int};

use gt_query::{Answer, Type, Value};

use super::handle::{Kept, Texts};
use super::value::type_of_column;
use crate::abi::GTValue;
use crate::boundary::Fault;

/// Answers, as C holds them.
pub type GTAnswer = Kept<Answers>;

/// The answers to the queries of a text, and their texts that were passed to C.
pub struct Answers {
    tables: Vec<Table>,
    texts: Texts,
}

/// The answer to one query.
pub(crate) enum Table {
    Nodes(Vec<u64>),
    Rows { columns: Vec<(String, Type)>, rows: Vec<Vec<Option<Value>>> },
}

impl Table {
    pub(crate) fn of(answer: Answer) -> Self {
        let single = |name: &str, kind, value| Self::Rows {
            columns: vec![(name.to_owned(), kind)],
            rows: vec![vec![value]],
        };
        match answer {
            Answer::Nodes(nodes) => Self::Nodes(nodes),
            Answer::Count(count) => single("count", Type::Integer, Some(Value::Integer(count.into()))),
            Answer::Value(value) => {
                let kind = value.as_ref().map_or(Type::Integer, type_of_value);
                single("value", kind, value)
            }
            Answer::Rows { columns, rows } => Self::Rows { columns, rows },
        }
    }

    fn rows(&self) -> usize {
        match self {
            Self::Nodes(nodes) => nodes.len(),
            Self::Rows { rows, .. } => rows.len(),
        }
    }

    fn columns(&self) -> usize {
        match self {
            Self::Nodes(_) => 1,
            Self::Rows { columns, .. } => columns.len(),
        }
    }
}

impl Answers {
    pub(crate) fn new(tables: Vec<Table>) -> Self {
        Self { tables, texts: Texts::default() }
    }

    pub(crate) fn len(&self) -> u64 {
        self.tables.len() as u64
    }

    pub(crate) fn rows(&self, query: usize) -> Result<u64, Fault> {
        Ok(self.table(query)?.rows() as u64)
    }

    pub(crate) fn columns(&self, query: usize) -> Result<u64, Fault> {
        Ok(self.table(query)?.columns() as u64)
    }

    /// The heading and the type of a column.
    pub(crate) fn column(&mut self, query: usize, column: usize) -> Result<(*const c_char, c_int), Fault> {
        let (name, kind) = match self.table(query)? {
            Table::Nodes(_) if column == 0 => ("node_id", Type::Integer),
            Table::Rows { columns, .. } if column < columns.len() => (&*columns[column].0, columns[column].1),
            table => return Err(no_such("column", column, table.columns())),
        };
        let name = name.to_owned();
        Ok((self.texts.keep(&name), type_of_column(kind)))
    }

    pub(crate) fn cell(&mut self, query: usize, row: usize, column: usize) -> Result<GTValue, Fault> {
        let value = match self.table(query)? {
            table if row >= table.rows() => return Err(no_such("row", row, table.rows())),
            table if column >= table.columns() => return Err(no_such("column", column, table.columns())),
            Table::Nodes(nodes) => Some(Value::Integer(nodes[row].into())),
            Table::Rows { rows, .. } => rows[row][column].clone(),
        };
        Ok(GTValue::of_cell(value.as_ref(), &mut self.texts))
    }

    /// The nodes, if they are the answer.
    pub(crate) fn nodes(&self, query: usize) -> Result<&[u64], Fault> {
        match self.table(query)? {
            Table::Nodes(nodes) => Ok(nodes),
            Table::Rows { .. } => {
                Err(Fault::argument("the answer is a table, not nodes; gtl_answerCell gives its cells"))
            }
        }
    }

    fn table(&self, query: usize) -> Result<&Table, Fault> {
        self.tables.get(query).ok_or_else(|| no_such("query", query, self.tables.len()))
    }
}

fn type_of_value(value: &Value) -> Type {
    match value {
        Value::Integer(_) => Type::Integer,
        Value::Float(_) => Type::Float,
        Value::Boolean(_) => Type::Boolean,
        Value::Text(_) => Type::Text,
        Value::Line(_) => Type::Line,
    }
}

fn no_such(what: &str, number: usize, count: usize) -> Fault {
    Fault::argument(format!("there is no {what} {number}: there are {count}, and the first is number 0"))
}
