//! Aggregates over rows of a block: for crossing nodes, for the whole tree, for groups.
//!
//! ```text
//! row     3  7  8  12          which rows, and for each the slot that it goes to
//! slot    0  1  0  0           sums[slot] += number[row], one aggregate after the other
//! ```

use std::borrow::Cow;

use super::block::Scanner;
use super::graph::{Gathered, Lane, Number, NumberId, Scalar, Test};
use crate::accumulator::{Accumulator, Contribution, Many};
use crate::engine::Failure;
use crate::engine::crossing::{JointId, Region, Settled};
use crate::engine::folds::FixedPoint;
use crate::engine::vector::Vector;
use crate::ir::{AggregateId, Scope};
use crate::moments::Moments;
use crate::value::{Overflow, Value};
use crate::vocabulary::Function;

/// The number of partial sums per slot: neighbours mostly share a slot, and adding to one place repeatedly is slow.
const WAYS: usize = 4;

/// Some rows, and the slot of each.
pub(super) struct Slotted<'a> {
    pub(super) rows: &'a [u32],
    pub(super) slots: &'a [u32],
    /// The number of slots.
    pub(super) count: usize,
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
        let mut all = crate::engine::bits::Bitmap::default();
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

    /// The minimum or maximum integers of regions. A column is read in its stored form, and only until it reaches the
    /// extreme recorded in the head of the block.
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
            Number::Column(column) => Some(column),
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
        let value = |row: usize| match (column, self.vector(number)) {
            (Some(column), _) => self.shape.columns.integer(column, row),
            (None, Vector::Integer(lanes)) => lanes[row],
            (None, _) => 0,
        };
        for region in regions {
            let mut best: Option<i64> = None;
            let mut keep = |row: usize| {
                let value = value(row);
                best =
                    Some(best.map_or(value, |best| if largest { best.max(value) } else { best.min(value) }));
                Some(value) == of_head
            };
            if gathered.scope == Scope::Subtree {
                let range = region.first_start..region.last_row + 1;
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
        self.accumulate_values(gathered, slotted, &ids, &mut found);
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
        found: &mut [Accumulator],
    ) {
        let function = self.program.aggregates[gathered.id.0].function;
        let all = self.compiled.tests[gathered.take] == Test::Always(true);
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
                let many = many(slotted, |row, many| many.add_count(taken(row)));
                found.iter_mut().zip(many).for_each(|(found, many)| found.add_many(many));
            }
            Some(Vector::Integer(lanes))
                if is_sum && (function != Function::Stddev || self.squares_fit(gathered)) =>
            {
                let squares = function == Function::Stddev;
                let many = if self.is_small(gathered) {
                    few(slotted, lanes, taken)
                } else {
                    many(slotted, |row, many| {
                        if taken(row) {
                            let value = lanes[row as usize];
                            many.add_integer(value);
                            if squares {
                                many.add_square(value);
                            }
                        }
                    })
                };
                found.iter_mut().zip(many).for_each(|(found, many)| found.add_many(many));
            }
            Some(Vector::Float(lanes)) if matches!(function, Function::Sum | Function::Avg) => {
                match FixedPoint::<i128>::of(lanes, take, &[]) {
                    Some(fixed) => {
                        let mut sums = vec![(0_i128, 0_u64); found.len()];
                        for (row, slot) in slotted.rows.iter().zip(slotted.slots) {
                            let sum = &mut sums[*slot as usize];
                            if taken(*row) {
                                sum.0 += fixed.whole(lanes[*row as usize]);
                                sum.1 += 1;
                            }
                        }
                        let sums = sums.into_iter().map(|(sum, count)| (fixed.exact(sum), count));
                        found
                            .iter_mut()
                            .zip(sums)
                            .for_each(|(found, (sum, count))| found.add_floats(&sum, count));
                    }
                    None => self.add_one_by_one(gathered, slotted, ids, found),
                }
            }
            Some(_) if matches!(function, Function::Stddev | Function::Corr) => {
                let x = self.as_floats(gathered.argument.as_ref());
                let y = self.as_floats(gathered.second.as_ref());
                let done = match (&x, &y) {
                    (Some(x), Some(y)) => self.add_moments(gathered, slotted, x, y, found),
                    (Some(x), None) if function == Function::Stddev => {
                        self.add_moments(gathered, slotted, x, x, found)
                    }
                    _ => false,
                };
                if !done {
                    self.add_one_by_one(gathered, slotted, ids, found);
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
                    self.add_sorted(slotted, &taken, argument, found);
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

    /// Adds the values of each slot in order, equal ones at once.
    fn add_sorted(
        &self,
        slotted: &Slotted<'_>,
        taken: &dyn Fn(u32) -> bool,
        argument: &Vector,
        found: &mut [Accumulator],
    ) {
        let pairs = slotted.slots.iter().zip(slotted.rows).filter(|(_, row)| taken(**row));
        let mut keyed: Vec<(u32, u64, u32)> =
            pairs.map(|(slot, row)| (*slot, argument.sort_key(*row as usize), *row)).collect();
        keyed.sort_unstable();
        let is_same = |left: &(u32, u64, u32), right: &(u32, u64, u32)| {
            left.0 == right.0
                && left.1 == right.1
                && argument.order(left.2 as usize, right.2 as usize).is_eq()
        };
        for run in keyed.chunk_by(is_same) {
            if let Some(value) = argument.value_at(run[0].2 as usize) {
                found[run[0].0 as usize].add_times(value, run.len() as u64);
            }
        }
    }

    /// Numbers as floats, if floats hold them exactly.
    fn as_floats(&self, scalar: Option<&Scalar>) -> Option<Cow<'_, [f64]>> {
        let Some(Scalar::Number(quantity)) = scalar else { return None };
        match self.vector(quantity.number) {
            Vector::Float(lanes) => Some(Cow::Borrowed(lanes)),
            Vector::Integer(lanes) => {
                let (low, high) = self.compiled.bounds[quantity.number];
                let is_exact = low.unsigned_abs().max(high.unsigned_abs()) < 1 << 53;
                is_exact.then(|| lanes.iter().map(|lane| *lane as f64).collect())
            }
            Vector::Wide(_) | Vector::Text(_) => None,
        }
    }

    /// Adds the moments of floats for deviations and correlations; `false` if integer sums are too small for them.
    fn add_moments(
        &self,
        gathered: &Gathered,
        slotted: &Slotted<'_>,
        x: &[f64],
        y: &[f64],
        found: &mut [Accumulator],
    ) -> bool {
        let take = self.known_test(gathered.take);
        let (Some(fixed_x), Some(fixed_y)) =
            (FixedPoint::<i128>::of(x, take, &[]), FixedPoint::<i128>::of(y, take, &[]))
        else {
            return false;
        };
        if fixed_x.bits.max(fixed_y.bits) > 62 {
            return false;
        }
        let mut sums = vec![FixedMoments::default(); found.len()];
        for (row, slot) in slotted.rows.iter().zip(slotted.slots) {
            let row = *row as usize;
            if take.get(row) {
                sums[*slot as usize].add(fixed_x.whole(x[row]), fixed_y.whole(y[row]));
            }
        }
        for (found, sums) in found.iter_mut().zip(sums) {
            let [xx, yy, xy] =
                [(&fixed_x, &fixed_x, sums.xx), (&fixed_y, &fixed_y, sums.yy), (&fixed_x, &fixed_y, sums.xy)]
                    .map(|(left, right, sum)| {
                        let mut exact = left.exact_product(right, sum.low);
                        exact.merge(&left.exact_product(right, sum.high).scaled(TWO_TO_64));
                        exact
                    });
            let of_x = Moments::of_floats(sums.count, &fixed_x.exact(sums.x), &xx);
            let of_y = Moments::of_floats(sums.count, &fixed_y.exact(sums.y), &yy);
            found.add_moments(of_x, of_y, &xy);
        }
        true
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

const TWO_TO_64: f64 = 18_446_744_073_709_551_616.0;

/// A sum of products in two halves, each large enough for a block.
#[derive(Clone, Copy, Default)]
struct Halves {
    low: i128,
    high: i128,
}

impl Halves {
    fn add(&mut self, product: i128) {
        self.low += product & i128::from(u64::MAX);
        self.high += product >> 64;
    }
}

/// The moments for deviations and correlations, of floats as integers of 62 bits.
#[derive(Clone, Copy, Default)]
struct FixedMoments {
    count: u64,
    x: i128,
    y: i128,
    xx: Halves,
    yy: Halves,
    xy: Halves,
}

impl FixedMoments {
    fn add(&mut self, x: i128, y: i128) {
        self.count += 1;
        self.x += x;
        self.y += y;
        self.xx.add(x * x);
        self.yy.add(y * y);
        self.xy.add(x * y);
    }
}

/// The contributions to each slot, for small integers.
fn few(slotted: &Slotted<'_>, lanes: &[i64], taken: impl Fn(u32) -> bool) -> Vec<Many> {
    #[derive(Clone, Copy)]
    struct Few {
        count: i64,
        sum: i64,
        squares: i64,
        least: i64,
        most: i64,
    }
    const NONE: Few = Few { count: 0, sum: 0, squares: 0, least: i64::MAX, most: i64::MIN };
    let mut found = vec![[NONE; WAYS]; slotted.count];
    for (place, (row, slot)) in slotted.rows.iter().zip(slotted.slots).enumerate() {
        if taken(*row) {
            let few = &mut found[*slot as usize][place % WAYS];
            let value = lanes[*row as usize];
            // They fit, unless a log's heads are wrong.
            few.count += 1;
            few.sum = few.sum.wrapping_add(value);
            few.squares = few.squares.wrapping_add(value.wrapping_mul(value));
            few.least = few.least.min(value);
            few.most = few.most.max(value);
        }
    }
    let widened = |few: Few| Many::of(few.count as u64, few.sum, few.squares, (few.least, few.most));
    let joined = |ways: [Few; WAYS]| ways.into_iter().map(widened).fold(Many::default(), Many::and);
    found.into_iter().map(joined).collect()
}

/// The contributions to each slot, for integers.
fn many(slotted: &Slotted<'_>, mut add: impl FnMut(u32, &mut Many)) -> Vec<Many> {
    let mut found = vec![[Many::default(); WAYS]; slotted.count];
    for (place, (row, slot)) in slotted.rows.iter().zip(slotted.slots).enumerate() {
        add(*row, &mut found[*slot as usize][place % WAYS]);
    }
    found.into_iter().map(|ways| ways.into_iter().fold(Many::default(), Many::and)).collect()
}

fn push(settled: &mut Settled, region: &Region, id: AggregateId, accumulator: Accumulator) {
    let parent: Option<JointId> = region.parent;
    settled.partials.extend(parent.map(|parent| (parent, id, accumulator)));
}
