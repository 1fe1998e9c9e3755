//! The forms of an answer, and the order and size of its values.

use std::cmp::Ordering;

use crate::ir::{Arrangement, ResultColumn};
use crate::value::{Type, Value};

/// The answer to a query.
#[derive(Clone, Debug, PartialEq)]
pub enum Answer {
    /// The node_ids of the matches, ascending, or in the order of `order by`.
    Nodes(Vec<u64>),
    /// The number of matches.
    Count(u64),
    /// The aggregate in `node:`.
    Value(Option<Value>),
    /// The rows of `select`.
    Rows {
        /// The columns' headings and types.
        columns: Vec<(String, Type)>,
        /// The rows; `None` is unknown.
        rows: Vec<Vec<Option<Value>>>,
    },
}

/// The kinds of memory that grow with the matches of a query.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MemoryUse {
    /// Rows that wait to be put in order.
    Rows,
    /// Groups, with their aggregates.
    Groups,
    /// The values that `count(distinct A)`, `median` and `quantile` keep.
    Values,
    /// The keys of every node that `twin(…):` keeps.
    Twins,
}

pub(super) fn headings(columns: &[ResultColumn]) -> Vec<(String, Type)> {
    columns.iter().map(|column| (column.heading.clone(), column.value_type)).collect()
}

/// The approximate memory of a value, in bytes.
pub(super) fn bytes_of(value: Option<&Value>) -> usize {
    const COUNTS: usize = 2 * size_of::<usize>(); // Of an `Arc`.
    let text = match value {
        Some(Value::Text(text)) => COUNTS + text.len(),
        _ => 0,
    };
    size_of::<Option<Value>>() + text
}

/// The order of two values; unknown comes last in either direction.
pub(super) fn unknown_last(left: Option<&Value>, right: Option<&Value>) -> Ordering {
    match (left, right) {
        (Some(left), Some(right)) => left.order(right),
        (left, right) => left.is_none().cmp(&right.is_none()),
    }
}

/// The order of two values of a key; unknown comes last in either direction.
pub(super) fn by_key(descending: bool, left: Option<&Value>, right: Option<&Value>) -> Ordering {
    match (left, right) {
        (Some(left), Some(right)) if descending => right.order(left),
        (left, right) => unknown_last(left, right),
    }
}

pub(super) fn by_keys(
    arrangement: &Arrangement,
    left: &[Option<Value>],
    right: &[Option<Value>],
) -> Ordering {
    let keys = arrangement.order.iter().zip(left.iter().zip(right));
    let orders = keys.map(|(key, (left, right))| by_key(key.descending, left.as_ref(), right.as_ref()));
    orders.fold(Ordering::Equal, Ordering::then)
}
