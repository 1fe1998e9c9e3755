//! Matches as groups: matches with equal keys make one row.

use std::cmp::Ordering;
use std::hash::BuildHasher;
use std::ops::Range;

use super::{Answer, by_keys, bytes_of, headings, unknown_last};
use crate::accumulator::Accumulator;
use crate::evaluate::{Evaluated, Frame, NoNode, evaluate};
use crate::hashing::{ListIndex, Seeded};
use crate::ir::{AggregateId, Expr, Operand, Outcome, Program};
use crate::sorted::sorted;
use crate::value::{Overflow, Value};

/// Groups with different keys, as a block has them.
#[derive(Clone, Debug, Default)]
pub(crate) struct GroupList {
    /// The keys of all groups, one after the other.
    keys: Vec<Option<Value>>,
    /// By aggregate, those of each group.
    pub(super) accumulators: Vec<Vec<Accumulator>>,
    /// The hashes of the keys.
    hashes: Vec<u64>,
}

impl GroupList {
    /// `count` groups; each has the same number of keys.
    pub(crate) fn new(count: usize, keys: Vec<Option<Value>>, accumulators: Vec<Vec<Accumulator>>) -> Self {
        let (width, seed) = (keys.len() / count.max(1), Seeded::default());
        let hashes = (0..count).map(|place| seed.hash_one(&keys[place * width..][..width])).collect();
        Self { keys, accumulators, hashes }
    }
}

/// The gathered aggregates of all groups. Keys and aggregates stand one after the other, as many for each group.
#[derive(Clone, Debug, Default)]
pub(super) struct Groups {
    index: ListIndex,
    keys: Vec<Option<Value>>,
    accumulators: Vec<Accumulator>,
    /// Groups that are not among these yet.
    pub(super) lists: Vec<GroupList>,
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
        let hash = Seeded::default().hash_one(&key[..]);
        let group = match self.find(&key, hash) {
            Some(group) => group,
            None => self.insert(&key, hash, of_nothing(aggregates, program)),
        };
        for (id, accumulator) in aggregates.iter().zip(&mut self.accumulators[group * aggregates.len()..]) {
            let before = accumulator.bytes();
            accumulator.take_match(&program.aggregates[id.0], node_id, frame);
            self.bytes += accumulator.bytes() - before;
        }
        Ok(())
    }

    /// The key of a group.
    fn key(&self, group: usize) -> &[Option<Value>] {
        let width = self.keys.len() / self.index.len();
        &self.keys[group * width..][..width]
    }

    /// The places of a group's aggregates.
    fn places(&self, group: usize) -> Range<usize> {
        let width = self.accumulators.len() / self.index.len();
        group * width..(group + 1) * width
    }

    fn find(&self, key: &[Option<Value>], hash: u64) -> Option<usize> {
        self.index.find(hash, |group| self.key(group) == key)
    }

    /// Adds a group that is not there, and returns its number.
    fn insert(
        &mut self,
        key: &[Option<Value>],
        hash: u64,
        accumulators: impl IntoIterator<Item = Accumulator>,
    ) -> usize {
        let before = self.accumulators.len();
        self.keys.extend_from_slice(key);
        self.accumulators.extend(accumulators);
        self.bytes += group_bytes(key, &self.accumulators[before..]);
        self.index.push(hash)
    }

    fn merge_list(&mut self, list: GroupList) {
        let width = list.keys.len() / list.hashes.len().max(1);
        let mut columns: Vec<_> = list.accumulators.into_iter().map(Vec::into_iter).collect();
        for (place, hash) in list.hashes.into_iter().enumerate() {
            let key = &list.keys[place * width..][..width];
            let accumulators = columns.iter_mut().filter_map(Iterator::next);
            let Some(group) = self.find(key, hash) else {
                self.insert(key, hash, accumulators);
                continue;
            };
            let places = self.places(group);
            for (all, more) in self.accumulators[places].iter_mut().zip(accumulators) {
                let before = all.bytes();
                all.merge(&more);
                self.bytes += all.bytes() - before;
            }
        }
    }

    /// Merges the lists that were added.
    fn merge_lists(&mut self) {
        for list in std::mem::take(&mut self.lists) {
            self.merge_list(list);
        }
    }

    pub(super) fn merge(&mut self, mut more: Self) {
        self.merge_lists();
        std::mem::take(&mut more.lists).into_iter().for_each(|list| self.merge_list(list));
        let count = more.index.len();
        if let Some(width) = more.accumulators.len().checked_div(count) {
            let mut columns: Vec<Vec<Accumulator>> = (0..width).map(|_| Vec::with_capacity(count)).collect();
            for (place, accumulator) in more.accumulators.into_iter().enumerate() {
                columns[place % width].push(accumulator);
            }
            self.merge_list(GroupList::new(count, more.keys, columns));
        }
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
    groups.merge_lists();
    if keys.is_empty() && groups.index.len() == 0 {
        groups.insert(
            &[],
            Seeded::default().hash_one::<&[Option<Value>]>(&[]),
            of_nothing(aggregates, program),
        );
    }
    let group = |number: usize| {
        let accumulators = &groups.accumulators[groups.places(number)];
        Group { key: groups.key(number), aggregates, accumulators, program }
    };
    let mut overflow: Option<Overflow> = None;
    let mut order: Vec<Option<Value>> = Vec::with_capacity(groups.index.len() * arrangement.order.len());
    for number in 0..groups.index.len() {
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
            let keys = groups.key(*left).iter().zip(groups.key(*right));
            let of_keys = keys.map(|(left, right)| unknown_last(left.as_ref(), right.as_ref()));
            of_keys.fold(Ordering::Equal, Ordering::then)
        };
        by_keys(arrangement, order_of(*left), order_of(*right)).then_with(of_keys)
    };
    let mut shown: Vec<usize> = (0..groups.index.len()).collect();
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
