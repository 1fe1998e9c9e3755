//! Aggregates of rows by slot, each by the fastest state that is exact for it.

use super::by_slot::{by_slot, extremes, few};

use super::block::Scanner;
use super::dictionary::Counting;
use super::graph::{Gathered, NumberId, Scalar};
use super::moments::{Numbers, add_sums, exact_sums};
use super::slotted::Slotted;
use crate::accumulator::{Accumulator, Contribution, Many};
use crate::accumulators::Accumulators;
use crate::engine::Failure;
use crate::engine::vector::Vector;
use crate::ir::Scope;
use crate::value::{Overflow, Value};
use crate::vocabulary::Function;

/// The size of the largest table in which values are counted, if there are few rows.
const COUNTS_MAX: usize = 1 << 12;

impl Scanner<'_> {
    /// Gathers an aggregate from rows, by slot; it must have been loaded.
    pub(super) fn accumulate(
        &mut self,
        gathered: &Gathered,
        slotted: &Slotted<'_>,
    ) -> Result<Accumulators, Failure> {
        let aggregate = &self.program.aggregates[gathered.id.0];
        let needs_ids = aggregate.function.tells_nodes_apart();
        let has_errors = gathered.errors.iter().any(|(_, test)| self.known_test(*test).count() > 0);
        if !has_errors && let Some(found) = self.accumulate_compactly(gathered, slotted) {
            return Ok(found);
        }
        let ids = if needs_ids || has_errors { self.ids_of(slotted.rows)? } else { Vec::new() };
        let mut found = vec![Accumulator::new(aggregate); slotted.count];
        let mut room = std::mem::take(&mut self.buffers.counting);
        self.accumulate_values(gathered, slotted, &ids, &mut room, &mut found);
        self.buffers.counting = room;
        if has_errors {
            self.note_errors(gathered, slotted, &ids, &mut found);
        }
        Ok(Accumulators::States(found))
    }

    /// Accumulates counts, and aggregates of integers, in compact form; `None` if they do not have one.
    fn accumulate_compactly(&self, gathered: &Gathered, slotted: &Slotted<'_>) -> Option<Accumulators> {
        let aggregate = &self.program.aggregates[gathered.id.0];
        match (aggregate.function, &gathered.argument) {
            (Function::Count, _) => Some(Accumulators::Counts(self.counts(gathered, slotted))),
            (Function::Sum | Function::Min | Function::Max, _) if !aggregate.value_type.is_integer() => None,
            (
                function @ (Function::Sum | Function::Avg | Function::Min | Function::Max),
                Some(Scalar::Number(quantity)),
            ) => {
                let Vector::Integer(lanes) = self.vector(quantity.number) else { return None };
                self.with_many(gathered, slotted, (quantity.number, lanes), |many| {
                    Accumulators::of_many(function, many)
                })
            }
            _ => None,
        }
    }

    /// The number of taken rows of each slot.
    fn counts(&self, gathered: &Gathered, slotted: &Slotted<'_>) -> Vec<u64> {
        let all = self.holds_always(gathered.take);
        let counted = if all { slotted.counted(|take| self.holds_always(take)) } else { None };
        counted.unwrap_or_else(|| {
            let take = self.known_test(gathered.take);
            let add = |row: u32, times: u32, count: &mut u64| {
                *count += u64::from(all || take.get(row as usize)) * u64::from(times);
            };
            by_slot(slotted, add, |a, b| a + b)
        })
    }

    /// Calls `then` with the contributions of integers to each slot.
    fn with_many<T>(
        &self,
        gathered: &Gathered,
        slotted: &Slotted<'_>,
        (number, lanes): (NumberId, &[i64]),
        then: impl FnOnce(&[Many]) -> T,
    ) -> T {
        let all = self.holds_always(gathered.take);
        let take = self.known_test(gathered.take);
        let taken = |row: u32| all || take.get(row as usize);
        if self.is_small(gathered) {
            let mut small = slotted.small.borrow_mut();
            return then(small.entry((number, gathered.take)).or_insert_with(|| few(slotted, lanes, taken)));
        }
        let squares = self.program.aggregates[gathered.id.0].function == Function::Stddev;
        let add = |row: u32, times: u32, many: &mut Many| {
            if taken(row) {
                let value = lanes[row as usize];
                many.add_integer(value, times);
                if squares {
                    many.add_square(value, times);
                }
            }
        };
        then(&by_slot(slotted, add, Many::and))
    }

    fn note_errors(
        &self,
        gathered: &Gathered,
        slotted: &Slotted<'_>,
        ids: &[u64],
        found: &mut [Accumulator],
    ) {
        for ((row, slot), id) in slotted.rows.iter().zip(slotted.slots).zip(ids) {
            let mut errors = gathered.errors.iter();
            if let Some((span, _)) = errors.find(|(_, test)| self.known_test(*test).get(*row as usize)) {
                // The node is recorded only for matches.
                let overflow = Overflow::new(*span);
                let overflow = if gathered.scope == Scope::Matches { overflow.at(*id) } else { overflow };
                found[*slot as usize].add(Err(overflow));
            }
        }
    }

    fn accumulate_values(
        &self,
        gathered: &Gathered,
        slotted: &Slotted<'_>,
        ids: &[u64],
        room: &mut Counting,
        found: &mut [Accumulator],
    ) {
        let function = self.program.aggregates[gathered.id.0].function;
        let all = self.holds_always(gathered.take);
        let take = self.known_test(gathered.take);
        let taken = |row: u32| all || take.get(row as usize);
        let (argument, number) = match &gathered.argument {
            Some(Scalar::Number(quantity)) => (Some(self.vector(quantity.number)), quantity.number),
            _ => (None, 0),
        };
        let key = (number, gathered.take);
        let is_sum = matches!(
            function,
            Function::Sum | Function::Avg | Function::Min | Function::Max | Function::Stddev
        );
        match argument {
            _ if matches!(function, Function::Count | Function::Any | Function::All) => {
                let counts = self.counts(gathered, slotted);
                found.iter_mut().zip(counts).for_each(|(found, count)| found.add_many(Many::of_count(count)));
            }
            Some(Vector::Integer(lanes))
                if is_sum && (function != Function::Stddev || self.squares_fit(gathered)) =>
            {
                self.with_many(gathered, slotted, (number, lanes), |many| {
                    found.iter_mut().zip(many).for_each(|(found, many)| found.add_many(*many));
                });
            }
            Some(Vector::Float(lanes)) if matches!(function, Function::Sum | Function::Avg) => {
                if let Some(sums) = slotted.exact.borrow().get(&key) {
                    found
                        .iter_mut()
                        .zip(sums)
                        .for_each(|(found, sums)| found.add_floats(&sums.x, sums.count));
                } else if !add_sums(slotted, take, lanes, &mut room.parts, found) {
                    self.add_one_by_one(gathered, slotted, ids, found);
                }
            }
            Some(_) if matches!(function, Function::Stddev | Function::Corr) => {
                let numbers = |scalar: &Option<Scalar>| scalar.as_ref().map(|scalar| self.numbers(scalar));
                let sums = match (numbers(&gathered.argument), numbers(&gathered.second)) {
                    (Some(Some(x)), None) => exact_sums(slotted, take, x, None, &mut room.parts),
                    (Some(Some(x)), Some(Some(y))) => exact_sums(slotted, take, x, Some(y), &mut room.parts),
                    _ => None,
                };
                let Some(sums) = sums else {
                    return self.add_one_by_one(gathered, slotted, ids, found);
                };
                found.iter_mut().zip(&sums).for_each(|(found, sums)| sums.give(found));
                if function == Function::Stddev {
                    slotted.exact.borrow_mut().insert(key, sums);
                }
            }
            Some(Vector::Float(lanes)) if matches!(function, Function::Min | Function::Max) => {
                let best = extremes(slotted, lanes, taken, function == Function::Min);
                for (found, best) in found.iter_mut().zip(best) {
                    Value::float(best.0).into_iter().for_each(|best| found.add_value(best));
                }
            }
            Some(argument) => match function {
                Function::Min
                | Function::Max
                | Function::ArgMin
                | Function::ArgMax
                | Function::First
                | Function::Last => {
                    self.add_best(gathered, slotted, ids, argument, found);
                }
                Function::Quantile | Function::Median | Function::Distinct => {
                    let scalar = gathered.argument.iter();
                    scalar.for_each(|scalar| self.add_counted(scalar, slotted, taken, room, found));
                }
                _ => self.add_one_by_one(gathered, slotted, ids, found),
            },
            None => self.add_one_by_one(gathered, slotted, ids, found),
        }
    }

    /// Adds the deciding row of each slot, for functions that pick one.
    fn add_best(
        &self,
        gathered: &Gathered,
        slotted: &Slotted<'_>,
        ids: &[u64],
        argument: &Vector,
        found: &mut [Accumulator],
    ) {
        let function = self.program.aggregates[gathered.id.0].function;
        let take = self.known_test(gathered.take);
        let id = |place: usize| ids.get(place).copied().unwrap_or(0);
        let mut best: Vec<Option<usize>> = vec![None; found.len()];
        for (place, (row, slot)) in slotted.rows.iter().zip(slotted.slots).enumerate() {
            if !take.get(*row as usize) {
                continue;
            }
            let best = &mut best[*slot as usize];
            let is_better = |before: usize| {
                let by_value = || argument.order(*row as usize, slotted.rows[before] as usize);
                match function {
                    Function::First => id(place) < id(before),
                    Function::Last => id(place) > id(before),
                    Function::Min | Function::ArgMin => by_value().then(id(place).cmp(&id(before))).is_lt(),
                    _ => by_value().reverse().then(id(place).cmp(&id(before))).is_lt(),
                }
            };
            if best.is_none_or(is_better) {
                *best = Some(place);
            }
        }
        let value = |scalar: &Option<Scalar>, row: usize| {
            scalar.as_ref().and_then(|scalar| self.evaluated(scalar, row).ok().flatten())
        };
        for (found, place) in found.iter_mut().zip(best) {
            let Some(place) = place else { continue };
            let row = slotted.rows[place] as usize;
            let (value, second) = (value(&gathered.argument, row), value(&gathered.second, row));
            found.add(Ok(Contribution { value, second, node_id: id(place) }));
        }
    }

    /// Adds the values of each slot, equal values together.
    fn add_counted(
        &self,
        scalar: &Scalar,
        slotted: &Slotted<'_>,
        taken: impl Fn(u32) -> bool,
        room: &mut Counting,
        found: &mut [Accumulator],
    ) {
        let extent = self.codes(scalar, slotted.rows, &mut room.dictionary, &mut room.codes) as usize;
        let mut add = |place: usize, times: u64| {
            let value = self.evaluated(scalar, slotted.rows[place] as usize).ok().flatten();
            value.into_iter().for_each(|value| found[slotted.slots[place] as usize].add_times(value, times));
        };
        let places = slotted.rows.iter().zip(slotted.slots).zip(&room.codes).enumerate();
        let keys = places
            .filter(|(_, ((row, _), _))| taken(**row))
            .map(|(place, ((_, slot), code))| (*slot as usize * extent + *code as usize, place as u32));
        let times_at = |place: u32| slotted.times.map_or(1, |times| times[place as usize]);
        if extent.saturating_mul(slotted.count) <= COUNTS_MAX.max(slotted.rows.len()) {
            room.counts.clear();
            room.counts.resize(extent * slotted.count, (0, 0));
            keys.for_each(|(key, place)| room.counts[key] = (room.counts[key].0 + times_at(place), place));
            let counts = room.counts.iter().filter(|(times, _)| *times > 0);
            counts.for_each(|(times, place)| add(*place as usize, u64::from(*times)));
        } else {
            let mut keyed: Vec<(usize, u32)> = keys.collect();
            keyed.sort_unstable();
            let same = keyed.chunk_by(|left, right| left.0 == right.0);
            same.for_each(|run| {
                add(run[0].1 as usize, run.iter().map(|(_, place)| u64::from(times_at(*place))).sum())
            });
        }
    }

    /// The lanes of a scalar, if it has numbers.
    pub(super) fn numbers(&self, scalar: &Scalar) -> Option<Numbers<'_>> {
        let Scalar::Number(quantity) = scalar else { return None };
        match self.vector(quantity.number) {
            Vector::Float(lanes) => Some(Numbers::Floats(lanes)),
            Vector::Integer(lanes) => {
                let (low, high) = self.compiled.bounds[quantity.number];
                let most = low.unsigned_abs().max(high.unsigned_abs());
                Some(Numbers::Integers(lanes, u64::BITS - most.leading_zeros()))
            }
            Vector::Wide(_) | Vector::Text(_) => None,
        }
    }

    /// Whether the squares of all integers of a block fit in 64 bits.
    pub(super) fn is_small(&self, gathered: &Gathered) -> bool {
        let Some(Scalar::Number(quantity)) = &gathered.argument else { return false };
        let (low, high) = self.compiled.bounds[quantity.number];
        low.unsigned_abs().max(high.unsigned_abs()) < 1 << 20 && self.rows() < 1 << 22
    }

    /// Whether the squares of all integers of a tree fit in 128 bits.
    fn squares_fit(&self, gathered: &Gathered) -> bool {
        let Some(Scalar::Number(quantity)) = &gathered.argument else { return false };
        let (low, high) = self.compiled.bounds[quantity.number];
        low.unsigned_abs().max(high.unsigned_abs()) < 1 << 42
    }

    fn add_one_by_one(
        &self,
        gathered: &Gathered,
        slotted: &Slotted<'_>,
        ids: &[u64],
        found: &mut [Accumulator],
    ) {
        let take = self.known_test(gathered.take);
        let value = |scalar: &Option<Scalar>, row: usize| {
            scalar.as_ref().and_then(|scalar| self.evaluated(scalar, row).ok().flatten())
        };
        let mut ids = ids.iter().copied();
        slotted.each(|row, slot, times| {
            let node_id = ids.next().unwrap_or(0);
            if take.get(row) {
                let (value, second) = (value(&gathered.argument, row), value(&gathered.second, row));
                let contribution = Contribution { value, second, node_id };
                (0..times).for_each(|_| found[slot as usize].add(Ok(contribution.clone())));
            }
        });
    }
}
