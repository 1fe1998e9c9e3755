//! Aggregates over rows of a block: for crossing nodes, for the whole tree, for groups.
//!
//! ```text
//! row     3  7  8  12          which rows, and for each the slot that it goes to
//! slot    0  1  0  0           sums[slot] += number[row], one aggregate after the other
//! ```

use super::by_slot::{few_in, few_of};

use super::block::Scanner;
use super::graph::{Gathered, Lane, Number, NumberId, Scalar};
use super::slotted::Slotted;
use crate::accumulator::Accumulator;
use crate::engine::Failure;
use crate::engine::bits::Bitmap;
use crate::engine::crossing::{JointId, Region, Settled};
use crate::engine::vector::Vector;
use crate::ir::{AggregateId, Scope};
use crate::value::Value;
use crate::vocabulary::Function;

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
        self.shape.branches()?;
        let mut all = Bitmap::default();
        all.fill(self.rows(), true);
        all.and_not(self.shape.crossing());
        let found = self.grouped(gathered.column, &all, &[], std::slice::from_ref(gathered))?;
        settled.of_tree.extend(found.into_accumulators().map(|accumulator| (gathered.id, accumulator)));
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
        let found = self.accumulate(gathered, &Slotted::new(&rows, &slots, regions.len()))?;
        for (region, accumulator) in regions.iter().zip(found.into_states()) {
            push(settled, region, gathered.id, accumulator);
        }
        Ok(())
    }

    /// The number of nodes of a region, or of its tops alone, that satisfy a test.
    pub(super) fn count_in(&self, scope: Scope, region: &Region, test: usize) -> u64 {
        let bitmap = self.known_test(test);
        let range = region.first_start..region.last_row + 1;
        if scope == Scope::Subtree || range.len() == region.count {
            return bitmap.count_in(range);
        }
        let tops = region.tops(|row| self.shape.size(row) as i64);
        tops.into_iter().filter(|row| bitmap.get(*row)).count() as u64
    }

    /// The minimum or maximum integers of regions. A column that nothing else needs as numbers is read in its stored
    /// form, and only until it reaches the extreme that the head of the block records.
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
}

pub(super) fn push(settled: &mut Settled, region: &Region, id: AggregateId, accumulator: Accumulator) {
    let parent: Option<JointId> = region.parent;
    settled.partials.extend(parent.map(|parent| (parent, id, accumulator)));
}
