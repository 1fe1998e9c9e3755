//! Matches as rows: only those that may be shown are kept; they are ordered at the end.

use super::form::{Answer, headings};
use super::ordered::{OrderedRows, Place};
use crate::evaluate::{Evaluated, Frame, evaluate};
use crate::ir::{Arrangement, Outcome, ResultColumn};
use crate::sorted::sorted;
use crate::value::{Overflow, Value};

/// The minimum number of rows or groups taken beyond a limit before the last in order are dropped.
pub(super) const BATCH: usize = 1024;
/// The maximum number of ordered rows passed on at once.
const PASSED_ON: usize = 4096;

/// The rows that may be shown.
#[derive(Clone, Debug)]
pub(super) enum Rows {
    /// In the order of node_id, by which they are sorted at the end.
    Listed(Vec<(u64, Vec<Evaluated>)>),
    /// In the order of the keys of `order by`.
    Ordered(OrderedRows),
}

/// The rows of an answer.
pub(crate) type AnswerRows = Vec<Vec<Option<Value>>>;

impl Rows {
    pub(super) fn new(outcome: &Outcome) -> Self {
        match listed(outcome) {
            Some((columns, arrangement)) if !arrangement.order.is_empty() => {
                Self::Ordered(OrderedRows::new(arrangement.order.len(), columns.len()))
            }
            _ => Self::Listed(Vec::new()),
        }
    }

    /// The memory of the rows, if they are held for ordering.
    pub(super) fn bytes(&self) -> usize {
        match self {
            Self::Listed(_) => 0,
            Self::Ordered(rows) => rows.bytes(),
        }
    }

    /// Takes a match.
    pub(super) fn add(&mut self, outcome: &Outcome, node_id: u64, frame: &dyn Frame) -> Result<(), Overflow> {
        let Some((columns, arrangement)) = listed(outcome) else { return Ok(()) };
        let keys = arrangement.order.iter();
        let keys: Vec<Option<Value>> =
            keys.map(|key| evaluate(&key.expr, frame)).collect::<Result<_, _>>()?;
        let cell =
            |column: &ResultColumn| evaluate(&column.expr, frame).map_err(|overflow| overflow.at(node_id));
        self.add_row(outcome, node_id, keys.into_iter(), columns.iter().map(cell));
        Ok(())
    }

    /// Takes a match that was already evaluated.
    pub(super) fn add_row(
        &mut self,
        outcome: &Outcome,
        node_id: u64,
        keys: impl Iterator<Item = Option<Value>>,
        cells: impl Iterator<Item = Evaluated>,
    ) {
        match self {
            Self::Listed(list) => list.push((node_id, cells.collect())),
            Self::Ordered(rows) => rows.add(node_id, keys, cells),
        }
        self.keep_few(outcome);
    }

    /// Removes and returns the matches so far, in the order of node_id, with their cells.
    pub(super) fn drain(&mut self) -> Vec<(u64, Vec<Evaluated>)> {
        let Self::Listed(list) = self else { return Vec::new() };
        let mut rows = std::mem::take(list);
        rows.sort_unstable_by_key(|(node_id, _)| *node_id);
        rows
    }

    pub(super) fn merge(&mut self, outcome: &Outcome, more: Self) {
        match (&mut *self, more) {
            (Self::Listed(list), Self::Listed(more)) => list.extend(more),
            (Self::Ordered(rows), Self::Ordered(more)) => rows.merge(more),
            // All rows of a query are of one kind.
            (Self::Listed(_), Self::Ordered(_)) | (Self::Ordered(_), Self::Listed(_)) => {}
        }
        self.keep_few(outcome);
    }

    /// Drops rows that will not be shown, once there is a batch of them.
    fn keep_few(&mut self, outcome: &Outcome) {
        let Some((_, arrangement @ Arrangement { limit: Some(limit), .. })) = listed(outcome) else { return };
        let most = limit.saturating_add((limit / 4).max(BATCH));
        match self {
            Self::Listed(list) if list.len() >= most => {
                list.select_nth_unstable_by_key(*limit, |(node_id, _)| *node_id);
                list.truncate(*limit);
            }
            Self::Ordered(rows) if rows.len() >= most => rows.keep_first(*limit, arrangement),
            Self::Listed(_) | Self::Ordered(_) => {}
        }
    }

    /// Makes the answer from rows, in order and limited.
    pub(super) fn answer<E>(
        self,
        outcome: &Outcome,
        check: &mut dyn FnMut() -> Result<(), E>,
    ) -> Result<Result<Answer, Overflow>, E> {
        let Some((columns, arrangement)) = listed(outcome) else { return Ok(Ok(Answer::Nodes(Vec::new()))) };
        let answer = |rows| Answer::Rows { columns: headings(columns), rows };
        match self {
            Self::Listed(list) => {
                let mut list = sorted(list, &|(left, _), (right, _)| left.cmp(right), check)?;
                list.truncate(arrangement.limit.unwrap_or(usize::MAX));
                if columns.is_empty() {
                    return Ok(Ok(Answer::Nodes(list.into_iter().map(|(node_id, _)| node_id).collect())));
                }
                let rows = list.into_iter().map(|(_, cells)| cells.into_iter().collect());
                Ok(rows.collect::<Result<_, _>>().map(answer))
            }
            Self::Ordered(mut rows) => {
                let places = in_order(&mut rows, arrangement, check)?;
                if columns.is_empty() {
                    return Ok(Ok(Answer::Nodes(places.iter().map(|place| rows.node_id(*place)).collect())));
                }
                let rows = places.into_iter().map(|place| rows.cells(place).collect());
                Ok(rows.collect::<Result<_, _>>().map(answer))
            }
        }
    }

    /// Passes the rows of `order by` on, in order and a few thousand at a time, and forgets them; returns their number.
    /// If an overflow leaves a cell that would be shown without a value, no row is passed on.
    pub(super) fn pass_on<E>(
        &mut self,
        outcome: &Outcome,
        check: &mut dyn FnMut() -> Result<(), E>,
        give: &mut dyn FnMut(AnswerRows) -> Result<(), E>,
    ) -> Result<Result<u64, Overflow>, E> {
        let (Self::Ordered(rows), Some((_, arrangement))) = (self, listed(outcome)) else { return Ok(Ok(0)) };
        let mut rows = std::mem::take(rows);
        let places = in_order(&mut rows, arrangement, check)?;
        if let Some(overflow) = rows.overflow(&places) {
            return Ok(Err(overflow));
        }
        for batch in places.chunks(PASSED_ON) {
            check()?;
            let cells = |place: &_| rows.cells(*place).map(|cell| cell.ok().flatten()).collect();
            give(batch.iter().map(cells).collect())?;
        }
        Ok(Ok(places.len() as u64))
    }
}

/// The places of the rows that are shown, in their order.
fn in_order<E>(
    rows: &mut OrderedRows,
    arrangement: &Arrangement,
    check: &mut dyn FnMut() -> Result<(), E>,
) -> Result<Vec<Place>, E> {
    let places = rows.take_places();
    let mut places = sorted(places, &|left, right| rows.order(arrangement, *left, *right), check)?;
    places.truncate(arrangement.limit.unwrap_or(usize::MAX));
    Ok(places)
}

/// The columns and order of the matches; `None` if the outcome is not a list of matches.
fn listed(outcome: &Outcome) -> Option<(&[ResultColumn], &Arrangement)> {
    match outcome {
        Outcome::Rows { columns, arrangement } => Some((columns, arrangement)),
        Outcome::Nodes(arrangement) => Some((&[], arrangement)),
        Outcome::Count | Outcome::Aggregate(_) | Outcome::Groups { .. } => None,
    }
}
