//! Aggregates over rows of a block: for crossing nodes, for the whole tree, for groups.
//!
//! ```text
//! row     3  7  8  12          which rows, and for each the slot that it goes to
//! slot    0  1  0  0           sums[slot] += number[row], one aggregate after the other
//! ```

use std::ops::Range;

use super::block::Scanner;
use super::dictionary::Counting;
use super::graph::{Gathered, Lane, Number, NumberId, Scalar};
use super::moments::{Numbers, add_moments, add_sums};
use super::slotted::Slotted;
use crate::accumulator::{Accumulator, Contribution, Many};
use crate::engine::Failure;
use crate::engine::bits::Bitmap;
use crate::engine::crossing::{JointId, Region, Settled};
use crate::engine::vector::Vector;
use crate::ir::{AggregateId, Scope};
use crate::value::{Overflow, Value};
use crate::vocabulary::Function;

/// The number of partial sums per slot if there are few slots: neighbours then mostly share one, and adding to one
/// place repeatedly is slow.
const WAYS: usize = 4;
/// The largest number of slots that are few.
const FEW_SLOTS: usize = 256;

/// The largest table in which values are counted, if there are few rows.
const COUNTS_MAX: usize = 1 << 12;

/// The least or the largest float; NaN for none.
#[derive(Clone, Copy)]
struct Extreme(f64);

impl Default for Extreme {
    fn default() -> Self {
        Self(f64::NAN)
    }
}

impl Scanner<'_> {
    /// Computes the values that an aggregate takes.
    pub(super) fn load_gathered(&mut self, gathered: &Gathered) -> Result<(), Failure> {
        self.test(gathered.take)?;
        gathered.errors.iter().try_for_each(|(_, test)| self.test(*test))?;
        [&gathered.argument, &gathered.second].into_iter().flatten().try_for_each(|scalar| {
            self.scalar(scalar)?;
            if let Scalar::Number(quantity) = scalar { self.number(quantity.number) } else { Ok(()) }
        })
    }

    /// Gathers an aggregate of a block, for the joints or for the whole tree.
    pub(super) fn gather(&mut self, gathered: &Gathered, settled: &mut Settled) -> Result<(), Failure> {
        match gathered.scope {
            Scope::Child | Scope::Subtree => self.gather_segments(gathered, settled),
            Scope::Tree => self.gather_tree(gathered, settled),
            Scope::Twin(_) => {
                let members = self.twin_members(gathered.id)?;
                let members = members.into_iter().filter_map(|(_, member)| member.ok().flatten()).collect();
                settled.members.push((gathered.id, members));
                Ok(())
            }
            Scope::Before | Scope::After | Scope::Path | Scope::Matches => Ok(()),
        }
    }

    fn gather_tree(&mut self, gathered: &Gathered, settled: &mut Settled) -> Result<(), Failure> {
        self.load_gathered(gathered)?;
        self.shape.branches()?;
        let mut all = Bitmap::default();
        all.fill(self.rows(), true);
        self.shape.list(&all, true);
        let rows = self.shape.take_listed();
        let slots = vec![0; rows.len()];
        let found = self.accumulate(gathered, &Slotted { rows: &rows, slots: &slots, count: 1 })?;
        settled.of_tree.extend(found.into_iter().map(|accumulator| (gathered.id, accumulator)));
        Ok(())
    }

    /// Gathers the aggregates of crossing nodes from the segments of their children.
    fn gather_segments(&mut self, gathered: &Gathered, settled: &mut Settled) -> Result<(), Failure> {
        let aggregate = &self.program.aggregates[gathered.id.0];
        let is_count = matches!(aggregate.function, Function::Count | Function::Any | Function::All);
        let regions: Vec<Region> =
            self.shape.regions.segments.iter().copied().filter(|region| region.parent.is_some()).collect();
        if regions.is_empty() {
            return Ok(());
        }
        let is_extreme =
            matches!(aggregate.function, Function::Min | Function::Max) && gathered.errors.is_empty();
        if is_extreme
            && let Some(Scalar::Number(quantity)) = &gathered.argument
            && self.compiled.lanes[quantity.number] == Lane::Integer
        {
            return self.gather_extremes(gathered, quantity.number, &regions, settled);
        }
        if gathered.scope == Scope::Child {
            self.shape.sizes()?;
        }
        if is_count && gathered.errors.is_empty() {
            self.test(gathered.take)?;
            for region in &regions {
                let count = self.count_in(gathered.scope, region, gathered.take);
                push(settled, region, gathered.id, Accumulator::of_count(aggregate, count));
            }
            return Ok(());
        }
        self.load_gathered(gathered)?;
        if gathered.scope == Scope::Subtree
            && gathered.errors.is_empty()
            && matches!(aggregate.function, Function::Sum | Function::Avg | Function::Stddev)
            && self.is_small(gathered)
            && let Some(Scalar::Number(quantity)) = &gathered.argument
            && let Vector::Integer(lanes) = self.vector(quantity.number)
        {
            let take = self.known_test(gathered.take);
            let all = self.holds_always(gathered.take);
            for region in &regions {
                let range = region.first_start..region.last_row + 1;
                let mut accumulator = Accumulator::new(aggregate);
                accumulator.add_many(if all { few_of(&lanes[range]) } else { few_in(lanes, take, range) });
                push(settled, region, gathered.id, accumulator);
            }
            return Ok(());
        }
        let (mut rows, mut slots) = (Vec::new(), Vec::new());
        for (slot, region) in (0..).zip(&regions) {
            match gathered.scope {
                Scope::Child => {
                    rows.extend(region.tops(|row| self.shape.size(row) as i64).iter().map(|row| *row as u32))
                }
                _ => rows.extend(region.first_start as u32..region.last_row as u32 + 1),
            }
            slots.resize(rows.len(), slot);
        }
        let found =
            self.accumulate(gathered, &Slotted { rows: &rows, slots: &slots, count: regions.len() })?;
        for (region, accumulator) in regions.iter().zip(found) {
            push(settled, region, gathered.id, accumulator);
        }
        Ok(())
    }

    /// The number of nodes of a region, or of its tops alone, that satisfy a test.
    fn count_in(&self, scope: Scope, region: &Region, test: usize) -> u64 {
        let bitmap = self.known_test(test);
        let range = region.first_start..region.last_row + 1;
        if scope == Scope::Subtree || range.len() == region.count {
            return bitmap.count_in(range);
        }
        let tops = region.tops(|row| self.shape.size(row) as i64);
        tops.into_iter().filter(|row| bitmap.get(*row)).count() as u64
    }

    /// The minimum or maximum integers of regions. A column that nobody else needs as numbers is read in its stored
    /// form, and only until it reaches the extreme recorded in the head of the block.
    fn gather_extremes(
        &mut self,
        gathered: &Gathered,
        number: NumberId,
        regions: &[Region],
        settled: &mut Settled,
    ) -> Result<(), Failure> {
        let aggregate = &self.program.aggregates[gathered.id.0];
        let largest = aggregate.function == Function::Max;
        self.test(gathered.take)?;
        if gathered.scope == Scope::Child {
            self.shape.sizes()?;
        }
        let column = match self.compiled.numbers[number] {
            Number::Column(column) if !self.is_computed(number) => Some(column),
            _ => None,
        };
        match column {
            Some(column) => self.shape.columns.load(column)?,
            None => self.number(number)?,
        }
        let of_head = column.map(|column| {
            let head = &self.shape.head.columns[column.number()];
            if largest { head.max } else { head.min }
        });
        let take = self.known_test(gathered.take);
        let lanes: &[i64] = match self.vector(number) {
            Vector::Integer(lanes) if column.is_none() => lanes,
            _ => &[],
        };
        let value = |row: usize| match column {
            Some(column) => self.shape.columns.integer(column, row),
            None => lanes[row],
        };
        let all = self.holds_always(gathered.take);
        for region in regions {
            let mut best: Option<i64> = None;
            let mut keep = |row: usize| {
                let value = value(row);
                best =
                    Some(best.map_or(value, |best| if largest { best.max(value) } else { best.min(value) }));
                Some(value) == of_head
            };
            let range = region.first_start..region.last_row + 1;
            if gathered.scope == Scope::Subtree && all && column.is_none() {
                let lanes = lanes[range].iter().copied();
                best = if largest { lanes.max() } else { lanes.min() };
            } else if gathered.scope == Scope::Subtree {
                let mut place = range.start;
                while place < range.end {
                    let end = range.end.min(place + 16);
                    let mut reached = false;
                    take.each_in(place..end, |row| reached |= keep(row));
                    place = if reached { range.end } else { end };
                }
            } else {
                let tops = region.tops(|row| self.shape.size(row) as i64);
                tops.into_iter().filter(|row| take.get(*row)).for_each(|row| {
                    keep(row);
                });
            }
            let mut accumulator = Accumulator::new(aggregate);
            best.into_iter().for_each(|best| accumulator.add_value(Value::Integer(best.into())));
            push(settled, region, gathered.id, accumulator);
        }
        Ok(())
    }

    /// Gathers an aggregate from rows, by slot; it must have been loaded.
    pub(super) fn accumulate(
        &mut self,
        gathered: &Gathered,
        slotted: &Slotted<'_>,
    ) -> Result<Vec<Accumulator>, Failure> {
        let aggregate = &self.program.aggregates[gathered.id.0];
        let needs_ids = aggregate.function.tells_nodes_apart();
        let has_errors = gathered.errors.iter().any(|(_, test)| self.known_test(*test).count() > 0);
        let ids = if needs_ids || has_errors { self.ids_of(slotted.rows)? } else { Vec::new() };
        let mut found = vec![Accumulator::new(aggregate); slotted.count];
        let mut room = std::mem::take(&mut self.buffers.counting);
        self.accumulate_values(gathered, slotted, &ids, &mut room, &mut found);
        self.buffers.counting = room;
        if has_errors {
            self.note_errors(gathered, slotted, &ids, &mut found);
        }
        Ok(found)
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
        let argument = match &gathered.argument {
            Some(Scalar::Number(quantity)) => Some(self.vector(quantity.number)),
            _ => None,
        };
        let is_sum = matches!(
            function,
            Function::Sum | Function::Avg | Function::Min | Function::Max | Function::Stddev
        );
        match argument {
            _ if matches!(function, Function::Count | Function::Any | Function::All) => {
                let counts =
                    by_slot(slotted, |row, count: &mut u64| *count += u64::from(taken(row)), |a, b| a + b);
                found.iter_mut().zip(counts).for_each(|(found, count)| found.add_many(Many::of_count(count)));
            }
            Some(Vector::Integer(lanes))
                if is_sum && (function != Function::Stddev || self.squares_fit(gathered)) =>
            {
                let squares = function == Function::Stddev;
                let many = if self.is_small(gathered) {
                    few(slotted, lanes, taken)
                } else {
                    let add = |row: u32, many: &mut Many| {
                        if taken(row) {
                            let value = lanes[row as usize];
                            many.add_integer(value);
                            if squares {
                                many.add_square(value);
                            }
                        }
                    };
                    by_slot(slotted, add, Many::and)
                };
                found.iter_mut().zip(many).for_each(|(found, many)| found.add_many(many));
            }
            Some(Vector::Float(lanes)) if matches!(function, Function::Sum | Function::Avg) => {
                if !add_sums(slotted, take, lanes, found) {
                    self.add_one_by_one(gathered, slotted, ids, found);
                }
            }
            Some(_) if matches!(function, Function::Stddev | Function::Corr) => {
                let numbers = |scalar: &Option<Scalar>| scalar.as_ref().map(|scalar| self.numbers(scalar));
                let done = match (numbers(&gathered.argument), numbers(&gathered.second)) {
                    (Some(Some(x)), None) => add_moments(slotted, take, x, None, found),
                    (Some(Some(x)), Some(Some(y))) => add_moments(slotted, take, x, Some(y), found),
                    _ => false,
                };
                if !done {
                    self.add_one_by_one(gathered, slotted, ids, found);
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

    /// Adds the values of each slot, equal ones at once.
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
        if extent.saturating_mul(slotted.count) <= COUNTS_MAX.max(slotted.rows.len()) {
            room.counts.clear();
            room.counts.resize(extent * slotted.count, (0, 0));
            keys.for_each(|(key, place)| room.counts[key] = (room.counts[key].0 + 1, place));
            let counts = room.counts.iter().filter(|(times, _)| *times > 0);
            counts.for_each(|(times, place)| add(*place as usize, u64::from(*times)));
        } else {
            let mut keyed: Vec<(usize, u32)> = keys.collect();
            keyed.sort_unstable();
            let same = keyed.chunk_by(|left, right| left.0 == right.0);
            same.for_each(|run| add(run[0].1 as usize, run.len() as u64));
        }
    }

    /// The lanes of a scalar, if it has numbers.
    fn numbers(&self, scalar: &Scalar) -> Option<Numbers<'_>> {
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
    fn is_small(&self, gathered: &Gathered) -> bool {
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
        for (place, (row, slot)) in slotted.rows.iter().zip(slotted.slots).enumerate() {
            let row = *row as usize;
            if take.get(row) {
                let node_id = ids.get(place).copied().unwrap_or(0);
                let (value, second) = (value(&gathered.argument, row), value(&gathered.second, row));
                found[*slot as usize].add(Ok(Contribution { value, second, node_id }));
            }
        }
    }
}

/// The contributions of small integers; their sums fit, unless a log's heads are wrong.
#[derive(Clone, Copy)]
struct Few {
    count: i64,
    sum: i64,
    squares: i64,
    least: i64,
    most: i64,
}

impl Default for Few {
    fn default() -> Self {
        Self { count: 0, sum: 0, squares: 0, least: i64::MAX, most: i64::MIN }
    }
}

impl Few {
    #[inline]
    fn add(&mut self, value: i64) {
        self.count += 1;
        self.sum = self.sum.wrapping_add(value);
        self.squares = self.squares.wrapping_add(value.wrapping_mul(value));
        self.least = self.least.min(value);
        self.most = self.most.max(value);
    }

    fn and(self, more: Self) -> Self {
        Self {
            count: self.count + more.count,
            sum: self.sum.wrapping_add(more.sum),
            squares: self.squares.wrapping_add(more.squares),
            least: self.least.min(more.least),
            most: self.most.max(more.most),
        }
    }

    fn many(self) -> Many {
        Many::of(self.count as u64, self.sum, self.squares, (self.least, self.most))
    }
}

/// The contributions to each slot, for small integers.
fn few(slotted: &Slotted<'_>, lanes: &[i64], taken: impl Fn(u32) -> bool) -> Vec<Many> {
    let add = |row: u32, few: &mut Few| {
        if taken(row) {
            few.add(lanes[row as usize]);
        }
    };
    by_slot(slotted, add, Few::and).into_iter().map(Few::many).collect()
}

/// The contribution of all these small integers.
fn few_of(lanes: &[i64]) -> Many {
    let mut few = Few::default();
    lanes.iter().for_each(|lane| few.add(*lane));
    few.many()
}

/// The contribution of the taken rows of a range.
fn few_in(lanes: &[i64], take: &Bitmap, range: Range<usize>) -> Many {
    let mut few = Few::default();
    take.each_in(range, |row| few.add(lanes[row]));
    few.many()
}

/// The least or the largest float of each slot.
fn extremes(
    slotted: &Slotted<'_>,
    lanes: &[f64],
    taken: impl Fn(u32) -> bool,
    is_least: bool,
) -> Vec<Extreme> {
    let better = |best: f64, more: f64| if is_least { best.min(more) } else { best.max(more) };
    let add = |row: u32, best: &mut Extreme| {
        if taken(row) {
            best.0 = better(best.0, lanes[row as usize]);
        }
    };
    by_slot(slotted, add, |best, more| Extreme(better(best.0, more.0)))
}

/// The contributions of all rows to each slot.
fn by_slot<T: Copy + Default>(
    slotted: &Slotted<'_>,
    mut add: impl FnMut(u32, &mut T),
    and: impl Fn(T, T) -> T,
) -> Vec<T> {
    let pairs = slotted.rows.iter().zip(slotted.slots);
    if slotted.count > FEW_SLOTS {
        let mut found = vec![T::default(); slotted.count];
        pairs.for_each(|(row, slot)| add(*row, &mut found[*slot as usize]));
        return found;
    }
    let mut found = vec![[T::default(); WAYS]; slotted.count];
    pairs.enumerate().for_each(|(place, (row, slot))| add(*row, &mut found[*slot as usize][place % WAYS]));
    found.into_iter().map(|ways| ways.into_iter().fold(T::default(), &and)).collect()
}

fn push(settled: &mut Settled, region: &Region, id: AggregateId, accumulator: Accumulator) {
    let parent: Option<JointId> = region.parent;
    settled.partials.extend(parent.map(|parent| (parent, id, accumulator)));
}
