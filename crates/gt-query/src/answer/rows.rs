//! Matches as rows: kept as far as they can be shown, ordered at the end.

use std::cmp::Ordering;

use super::{Answer, by_keys, headings};
use crate::evaluate::{Evaluated, Frame, evaluate};
use crate::ir::{Arrangement, Outcome, ResultColumn};
use crate::sorted::sorted;
use crate::value::{Overflow, Value};

/// A match, what it is ordered by, and what is shown of it.
#[derive(Clone, Debug)]
pub(super) struct Row {
    node_id: u64,
    order: Vec<Option<Value>>,
    cells: Vec<Evaluated>,
}

/// Takes a match.
pub(super) fn add_row(
    rows: &mut Vec<Row>,
    outcome: &Outcome,
    node_id: u64,
    frame: &dyn Frame,
) -> Result<(), Overflow> {
    let (columns, arrangement): (&[ResultColumn], _) = match outcome {
        Outcome::Rows { columns, arrangement } => (columns, arrangement),
        Outcome::Nodes(arrangement) => (&[], arrangement),
        _ => return Ok(()),
    };
    let order = arrangement.order.iter().map(|key| evaluate(&key.expr, frame)).collect::<Result<_, _>>()?;
    let cell = |column: &ResultColumn| evaluate(&column.expr, frame).map_err(|overflow| overflow.at(node_id));
    let cells = columns.iter().map(cell).collect();
    rows.push(Row { node_id, order, cells });
    keep_few(rows, arrangement);
    Ok(())
}

/// Keeps no more than a few times what will be shown.
pub(super) fn keep_few(rows: &mut Vec<Row>, arrangement: &Arrangement) {
    if let Some(limit) = arrangement.limit
        && rows.len() >= limit.saturating_mul(2).max(1024)
    {
        rows.select_nth_unstable_by(limit, |left, right| order_of_rows(arrangement, left, right));
        rows.truncate(limit);
    }
}

fn order_of_rows(arrangement: &Arrangement, left: &Row, right: &Row) -> Ordering {
    by_keys(arrangement, &left.order, &right.order).then(left.node_id.cmp(&right.node_id))
}

/// The answer that rows come to, ordered and limited.
pub(super) fn arranged<E>(
    rows: Vec<Row>,
    outcome: &Outcome,
    check: &mut dyn FnMut() -> Result<(), E>,
) -> Result<Result<Answer, Overflow>, E> {
    let (columns, arrangement): (&[ResultColumn], _) = match outcome {
        Outcome::Rows { columns, arrangement } => (columns, arrangement),
        Outcome::Nodes(arrangement) => (&[], arrangement),
        _ => return Ok(Ok(Answer::Nodes(Vec::new()))),
    };
    let mut rows = sorted(rows, &|left, right| order_of_rows(arrangement, left, right), check)?;
    rows.truncate(arrangement.limit.unwrap_or(usize::MAX));
    if columns.is_empty() {
        return Ok(Ok(Answer::Nodes(rows.into_iter().map(|row| row.node_id).collect())));
    }
    let overflows = rows.iter().flat_map(|row| &row.cells).filter_map(|cell| cell.as_ref().err());
    if let Some(overflow) = overflows.min() {
        return Ok(Err(*overflow));
    }
    let rows = rows.into_iter().map(|row| row.cells.into_iter().map(Result::unwrap_or_default).collect());
    Ok(Ok(Answer::Rows { columns: headings(columns), rows: rows.collect() }))
}
