//! Matches as groups: matches with equal keys make one row.

use std::cmp::Ordering;
use std::collections::HashMap;
use std::collections::hash_map::Entry;

use super::{Answer, by_keys, bytes_of, headings, unknown_last};
use crate::accumulator::Accumulator;
use crate::evaluate::{Evaluated, Frame, NoNode, evaluate};
use crate::ir::{AggregateId, Expr, Operand, Outcome, Program};
use crate::sorted::sorted;
use crate::value::{Overflow, Value};

/// The gathered aggregates, by key.
#[derive(Clone, Debug, Default)]
pub(super) struct Groups {
    by_key: HashMap<Vec<Option<Value>>, Vec<Accumulator>>,
    /// The approximate memory of the groups, in bytes.
    pub(super) bytes: usize,
}

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
        let group = match self.by_key.entry(key) {
            Entry::Occupied(group) => group.into_mut(),
            Entry::Vacant(group) => {
                let nothing = of_nothing(aggregates, program);
                self.bytes += group_bytes(group.key(), &nothing);
                group.insert(nothing)
            }
        };
        for (id, accumulator) in aggregates.iter().zip(group) {
            let before = accumulator.bytes();
            accumulator.take_match(&program.aggregates[id.0], node_id, frame);
            self.bytes += accumulator.bytes() - before;
        }
        Ok(())
    }

    /// Merges a group that was gathered elsewhere.
    pub(super) fn add_group(&mut self, key: Vec<Option<Value>>, accumulators: &[Accumulator]) {
        match self.by_key.entry(key) {
            Entry::Occupied(mut group) => {
                for (all, more) in group.get_mut().iter_mut().zip(accumulators) {
                    let before = all.bytes();
                    all.merge(more);
                    self.bytes += all.bytes() - before;
                }
            }
            Entry::Vacant(group) => {
                self.bytes += group_bytes(group.key(), accumulators);
                group.insert(accumulators.to_vec());
            }
        }
    }

    pub(super) fn merge(&mut self, more: Self) {
        more.by_key.into_iter().for_each(|(key, accumulators)| self.add_group(key, &accumulators));
    }
}

fn group_bytes(key: &[Option<Value>], accumulators: &[Accumulator]) -> usize {
    const LISTS: usize = 2 * size_of::<Vec<Value>>();
    let key = key.iter().map(|value| bytes_of(value.as_ref()));
    let gathered = accumulators.iter().map(|accumulator| size_of::<Accumulator>() + accumulator.bytes());
    LISTS + key.chain(gathered).sum::<usize>()
}

fn of_nothing(aggregates: &[AggregateId], program: &Program) -> Vec<Accumulator> {
    aggregates.iter().map(|id| Accumulator::new(&program.aggregates[id.0])).collect()
}

/// A group's order keys, its key, and its aggregates.
type GroupRow = (Vec<Option<Value>>, Vec<Option<Value>>, Vec<Accumulator>);

/// The answer made from groups, ordered and limited.
pub(super) fn grouped<E>(
    groups: Groups,
    aggregates: &[AggregateId],
    program: &Program,
    outcome: &Outcome,
    check: &mut dyn FnMut() -> Result<(), E>,
) -> Result<Result<Answer, Overflow>, E> {
    let Outcome::Groups { keys, columns, arrangement } = outcome else {
        return Ok(Ok(Answer::Nodes(Vec::new())));
    };
    let mut groups = groups.by_key;
    if keys.is_empty() {
        groups.entry(Vec::new()).or_insert_with(|| of_nothing(aggregates, program));
    }
    let mut rows: Vec<GroupRow> = Vec::with_capacity(groups.len());
    let mut overflow: Option<Overflow> = None;
    for (key, accumulators) in groups {
        if rows.len().is_multiple_of(4096) {
            check()?;
        }
        let group = Group { key: &key, aggregates, accumulators: &accumulators, program };
        let order = arrangement.each().map(|expr| value(expr, &group, &mut overflow)).collect();
        rows.push((order, key, accumulators));
    }
    let by_order_and_key = |left: &GroupRow, right: &GroupRow| {
        let of_keys = left.1.iter().zip(&right.1).map(|(l, r)| unknown_last(l.as_ref(), r.as_ref()));
        by_keys(arrangement, &left.0, &right.0).then_with(|| of_keys.fold(Ordering::Equal, Ordering::then))
    };
    if let Some(overflow) = overflow {
        return Ok(Err(overflow));
    }
    let mut rows = sorted(rows, &by_order_and_key, check)?;
    rows.truncate(arrangement.limit.unwrap_or(usize::MAX));
    let rows = rows.iter().map(|(_, key, accumulators)| {
        let group = Group { key, aggregates, accumulators, program };
        columns.iter().map(|column| value(&column.expr, &group, &mut overflow)).collect()
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
