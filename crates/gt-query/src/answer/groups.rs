//! Matches as groups: matches with equal keys make one row.

use std::cmp::Ordering;

use super::form::{Answer, by_keys, headings};
use super::keys::Keys;
use super::rows::BATCH;
use super::shares::{Groups, Share};
use crate::accumulator::Accumulator;
use crate::evaluate::{Evaluated, Frame, NoNode, evaluate};
use crate::ir::{AggregateId, Expr, Operand, Outcome, Program};
use crate::sorted::sorted;
use crate::value::{Overflow, Value};

impl Groups {
    /// Adds a match to the group of its key.
    pub(super) fn add(
        &mut self,
        aggregates: &[AggregateId],
        program: &Program,
        outcome: &Outcome,
        (node_id, frame): (u64, &dyn Frame),
    ) -> Result<(), Overflow> {
        let Outcome::Groups { keys, .. } = outcome else { return Ok(()) };
        let column = |key: &Expr| {
            let mut column = Keys::default();
            column.push(evaluate(key, frame)?);
            Ok(column)
        };
        let key = keys.iter().map(column).collect::<Result<Vec<_>, _>>()?;
        let (share, hash) = self.share_of(&key);
        let group = match share.find(&key, 0, hash) {
            Some(group) => group,
            None => share.insert(key, hash, of_nothing(aggregates, program)),
        };
        share.change(group, |place, accumulator| {
            accumulator.take_match(&program.aggregates[aggregates[place].0], node_id, frame);
        });
        Ok(())
    }
}

fn of_nothing(aggregates: &[AggregateId], program: &Program) -> Vec<Accumulator> {
    aggregates.iter().map(|id| Accumulator::new(&program.aggregates[id.0])).collect()
}

/// Makes the answer from groups, in order and limited.
pub(super) fn grouped<E>(
    mut groups: Groups,
    aggregates: &[AggregateId],
    program: &Program,
    outcome: &Outcome,
    check: &mut dyn FnMut() -> Result<(), E>,
) -> Result<Result<Answer, Overflow>, E> {
    let Outcome::Groups { keys, columns, arrangement, .. } = outcome else {
        return Ok(Ok(Answer::Nodes(Vec::new())));
    };
    groups.settle();
    if keys.is_empty() && groups.len() == 0 {
        let (share, hash) = groups.share_of(&[]);
        share.insert(Vec::new(), hash, of_nothing(aggregates, program));
    }
    let mut overflow: Option<Overflow> = None;
    let compare = |left: &Candidate<'_>, right: &Candidate<'_>| {
        by_keys(arrangement, &left.order, &right.order).then_with(|| left.place.order(right.place))
    };
    let limit = arrangement.limit.unwrap_or(usize::MAX);
    let mut candidates: Vec<Candidate<'_>> = Vec::new();
    // Whether the candidates before the limit's place come before the candidate at that place.
    let mut is_selected = false;
    let mut spare = Vec::new();
    let places = groups.shares.iter().flat_map(|share| (0..share.len()).map(move |at| Place { share, at }));
    for (number, place) in places.enumerate() {
        if number.is_multiple_of(4096) {
            check()?;
        }
        let group = Group { place, aggregates, program };
        let mut order: Vec<Option<Value>> = std::mem::take(&mut spare);
        order.extend(arrangement.each().map(|expr| value(expr, &group, &mut overflow)));
        let candidate = Candidate { place, order };
        if is_selected
            && candidates.get(limit).is_some_and(|first_left| compare(&candidate, first_left).is_gt())
        {
            spare = candidate.order;
            spare.clear();
            continue;
        }
        candidates.push(candidate);
        if candidates.len() > limit.saturating_mul(2).max(BATCH) {
            candidates.select_nth_unstable_by(limit, compare);
            candidates.truncate(limit + 1);
            is_selected = true;
        }
    }
    if let Some(overflow) = overflow {
        return Ok(Err(overflow));
    }
    let mut shown = sorted(candidates, &compare, check)?;
    shown.truncate(limit);
    let rows = shown.iter().map(|candidate| {
        let group = Group { place: candidate.place, aggregates, program };
        columns.iter().map(|column| value(&column.expr, &group, &mut overflow)).collect()
    });
    let rows = rows.collect();
    Ok(overflow.map_or_else(|| Ok(Answer::Rows { columns: headings(columns), rows }), Err))
}

/// A group that may be shown, and its order keys.
struct Candidate<'a> {
    place: Place<'a>,
    order: Vec<Option<Value>>,
}

/// The place of a group.
#[derive(Clone, Copy)]
struct Place<'a> {
    share: &'a Share,
    at: usize,
}

impl Place<'_> {
    /// The order of two groups' keys.
    fn order(self, other: Self) -> Ordering {
        let keys = self.share.keys().iter().zip(other.share.keys());
        keys.map(|(mine, others)| mine.order(self.at, others, other.at)).fold(Ordering::Equal, Ordering::then)
    }
}

/// The value of an expression in a group; of several overflows, the first in the text is kept.
fn value(expr: &Expr, group: &Group<'_>, overflow: &mut Option<Overflow>) -> Option<Value> {
    evaluate(expr, group).unwrap_or_else(|new| {
        *overflow = Some(overflow.map_or(new, |before| before.min(new)));
        None
    })
}

/// The frame in which the columns of a group are evaluated.
struct Group<'a> {
    place: Place<'a>,
    aggregates: &'a [AggregateId],
    program: &'a Program,
}

impl Frame for Group<'_> {
    fn read(&self, operand: Operand) -> Evaluated {
        NoNode.read(operand)
    }
    fn aggregate(&self, id: AggregateId) -> Evaluated {
        let Ok(column) = self.aggregates.binary_search(&id) else { return Ok(None) };
        let span = self.program.aggregates[id.0].origin.0;
        self.place.share.accumulators()[column].value(self.place.at, span)
    }
    fn key(&self, index: usize) -> Evaluated {
        Ok(self.place.share.keys().get(index).and_then(|keys| keys.get(self.place.at)))
    }
}
