//! Matches as groups: matches with equal keys make one row.

use std::cmp::Ordering;

use super::form::{Answer, by_keys, headings, unknown_last};
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
        let key = keys.iter().map(|key| evaluate(key, frame)).collect::<Result<Vec<_>, _>>()?;
        let (share, hash) = self.share_of(&key);
        let group = match share.find(&key, hash) {
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

/// The answer made from groups, ordered and limited.
pub(super) fn grouped<E>(
    mut groups: Groups,
    aggregates: &[AggregateId],
    program: &Program,
    outcome: &Outcome,
    check: &mut dyn FnMut() -> Result<(), E>,
) -> Result<Result<Answer, Overflow>, E> {
    let Outcome::Groups { keys, columns, arrangement } = outcome else {
        return Ok(Ok(Answer::Nodes(Vec::new())));
    };
    groups.settle();
    if keys.is_empty() && groups.len() == 0 {
        let (share, hash) = groups.share_of(&[]);
        share.insert([], hash, of_nothing(aggregates, program));
    }
    // Where each group is: its share, and its place there.
    let places = groups.shares.iter().flat_map(|share| (0..share.len()).map(move |place| (share, place)));
    let places: Vec<(&Share, usize)> = places.collect();
    let group = |number: usize| {
        let (share, place) = places[number];
        Group { key: share.key(place), aggregates, accumulators: share.accumulators(place), program }
    };
    let mut overflow: Option<Overflow> = None;
    let mut order: Vec<Option<Value>> = Vec::with_capacity(places.len() * arrangement.order.len());
    for number in 0..places.len() {
        if number.is_multiple_of(4096) {
            check()?;
        }
        order.extend(arrangement.each().map(|expr| value(expr, &group(number), &mut overflow)));
    }
    if let Some(overflow) = overflow {
        return Ok(Err(overflow));
    }
    let order_of = |number: usize| &order[number * arrangement.order.len()..][..arrangement.order.len()];
    let by_order_and_key = |left: &usize, right: &usize| {
        let of_keys = || {
            let keys = group(*left).key.iter().zip(group(*right).key);
            let of_keys = keys.map(|(left, right)| unknown_last(left.as_ref(), right.as_ref()));
            of_keys.fold(Ordering::Equal, Ordering::then)
        };
        by_keys(arrangement, order_of(*left), order_of(*right)).then_with(of_keys)
    };
    let mut shown: Vec<usize> = (0..places.len()).collect();
    if let Some(limit) = arrangement.limit.filter(|limit| *limit < shown.len()) {
        shown.select_nth_unstable_by(limit, by_order_and_key);
        shown.truncate(limit);
    }
    let shown = sorted(shown, &by_order_and_key, check)?;
    let rows = shown.into_iter().map(|number| {
        columns.iter().map(|column| value(&column.expr, &group(number), &mut overflow)).collect()
    });
    let rows = rows.collect();
    Ok(overflow.map_or_else(|| Ok(Answer::Rows { columns: headings(columns), rows }), Err))
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
    key: &'a [Option<Value>],
    aggregates: &'a [AggregateId],
    accumulators: &'a [Accumulator],
    program: &'a Program,
}

impl Frame for Group<'_> {
    fn read(&self, operand: Operand) -> Evaluated {
        NoNode.read(operand)
    }
    fn aggregate(&self, id: AggregateId) -> Evaluated {
        let place = self.aggregates.binary_search(&id).ok();
        let span = self.program.aggregates[id.0].origin.0;
        place.map_or(Ok(None), |place| self.accumulators[place].value(span))
    }
    fn key(&self, index: usize) -> Evaluated {
        Ok(self.key.get(index).cloned().flatten())
    }
}
