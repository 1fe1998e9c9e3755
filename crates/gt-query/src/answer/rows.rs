//! Matches as rows: only those that may be shown are kept; they are ordered at the end.

use std::cmp::Ordering;

use super::form::{Answer, by_keys, bytes_of, headings};
use crate::evaluate::{Evaluated, Frame, evaluate};
use crate::ir::{Arrangement, Outcome, ResultColumn};
use crate::sorted::sorted;
use crate::value::{Overflow, Value};

/// The minimum number of rows or groups taken beyond a limit before the last in order are dropped.
pub(super) const BATCH: usize = 1024;

/// The rows that may be shown.
#[derive(Clone, Debug, Default)]
pub(super) struct Rows {
    list: Vec<Row>,
    /// The approximate memory of the rows, if they are held for ordering.
    pub(super) bytes: usize,
}

/// A match, its order keys, and its cells.
#[derive(Clone, Debug)]
struct Row {
    node_id: u64,
    order: Vec<Option<Value>>,
    cells: Vec<Evaluated>,
}

impl Row {
    fn bytes(&self) -> usize {
        let order = self.order.iter().map(|value| bytes_of(value.as_ref()));
        let cells = self.cells.iter().map(|cell| bytes_of(cell.as_ref().ok().and_then(Option::as_ref)));
        size_of::<Self>() + order.chain(cells).sum::<usize>()
    }
}

impl Rows {
    /// Takes a match.
    pub(super) fn add(&mut self, outcome: &Outcome, node_id: u64, frame: &dyn Frame) -> Result<(), Overflow> {
        let Some((columns, arrangement)) = listed(outcome) else { return Ok(()) };
        let keys = arrangement.order.iter();
        let order = keys.map(|key| evaluate(&key.expr, frame)).collect::<Result<_, _>>()?;
        let cell =
            |column: &ResultColumn| evaluate(&column.expr, frame).map_err(|overflow| overflow.at(node_id));
        self.add_row(outcome, node_id, order, columns.iter().map(cell).collect());
        Ok(())
    }

    /// Takes a match that was already evaluated.
    pub(super) fn add_row(
        &mut self,
        outcome: &Outcome,
        node_id: u64,
        order: Vec<Option<Value>>,
        cells: Vec<Evaluated>,
    ) {
        let Some((_, arrangement)) = listed(outcome) else { return };
        self.list.push(Row { node_id, order, cells });
        if !arrangement.order.is_empty() {
            self.bytes += self.list.last().map_or(0, Row::bytes);
        }
        self.keep_few(arrangement);
    }

    /// Removes and returns the matches so far, in the order of node_id, with their cells.
    pub(super) fn drain(&mut self) -> Vec<(u64, Vec<Evaluated>)> {
        self.bytes = 0;
        let mut rows: Vec<_> = self.list.drain(..).map(|row| (row.node_id, row.cells)).collect();
        rows.sort_unstable_by_key(|(node_id, _)| *node_id);
        rows
    }

    pub(super) fn merge(&mut self, outcome: &Outcome, more: Self) {
        self.list.extend(more.list);
        self.bytes += more.bytes;
        if let Some((_, arrangement)) = listed(outcome) {
            self.keep_few(arrangement);
        }
    }

    /// Keeps only the rows that will be shown, and a batch.
    fn keep_few(&mut self, arrangement: &Arrangement) {
        let Some(limit) = arrangement.limit else { return };
        if self.list.len() >= limit.saturating_add((limit / 4).max(BATCH)) {
            self.list.select_nth_unstable_by(limit, |left, right| order_of_rows(arrangement, left, right));
            self.list.truncate(limit);
            self.bytes = self.bytes.min(self.list.iter().map(Row::bytes).sum());
        }
    }

    /// The answer made from rows, ordered and limited.
    pub(super) fn answer<E>(
        self,
        outcome: &Outcome,
        check: &mut dyn FnMut() -> Result<(), E>,
    ) -> Result<Result<Answer, Overflow>, E> {
        let Some((columns, arrangement)) = listed(outcome) else { return Ok(Ok(Answer::Nodes(Vec::new()))) };
        let mut rows = sorted(self.list, &|left, right| order_of_rows(arrangement, left, right), check)?;
        rows.truncate(arrangement.limit.unwrap_or(usize::MAX));
        if columns.is_empty() {
            return Ok(Ok(Answer::Nodes(rows.into_iter().map(|row| row.node_id).collect())));
        }
        let rows = rows.into_iter().map(|row| row.cells.into_iter().collect()).collect::<Result<_, _>>();
        Ok(rows.map(|rows| Answer::Rows { columns: headings(columns), rows }))
    }
}

/// The columns and order of the matches; `None` if the outcome is not a list of matches.
fn listed(outcome: &Outcome) -> Option<(&[ResultColumn], &Arrangement)> {
    match outcome {
        Outcome::Rows { columns, arrangement } => Some((columns, arrangement)),
        Outcome::Nodes(arrangement) => Some((&[], arrangement)),
        Outcome::Count | Outcome::Aggregate(_) | Outcome::Groups { .. } => None,
    }
}

fn order_of_rows(arrangement: &Arrangement, left: &Row, right: &Row) -> Ordering {
    by_keys(arrangement, &left.order, &right.order).then(left.node_id.cmp(&right.node_id))
}
