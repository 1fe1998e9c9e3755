//! What crossing nodes gather from a block.

use super::block::Scanner;
use super::graph::{Gathered, GatheredFold, Number, NumberId};
use crate::accumulator::Accumulator;
use crate::engine::Failure;
use crate::engine::skeleton::JointId;
use crate::engine::survey::Region;
use crate::ir::{AggregateId, Scope};
use crate::value::Value;

/// Puts aside what crossing nodes gather of an aggregate.
pub(super) fn gather(
    scanner: &mut Scanner<'_, '_>,
    gathered: &Gathered,
    partials: &mut Vec<(JointId, AggregateId, Accumulator)>,
) -> Result<(), Failure> {
    if gathered.scope == Scope::Path {
        return Ok(());
    }
    match gathered.what {
        GatheredFold::Count(test) | GatheredFold::Truth(test, _) => scanner.test(test)?,
        GatheredFold::Sum(number) => scanner.number(number)?,
        GatheredFold::Extreme { filter, number, .. } => {
            scanner.test(filter)?;
            load(scanner, number)?;
        }
    }
    if gathered.scope == Scope::Child {
        scanner.sizes()?;
    }
    let aggregate = &scanner.program.aggregates[gathered.id.0];
    for region in &scanner.regions.segments {
        let Some(parent) = region.parent else { continue };
        let mut accumulator = Accumulator::new(aggregate);
        match gathered.what {
            GatheredFold::Count(test) => {
                add_times(&mut accumulator, count(scanner, gathered.scope, region, test))
            }
            GatheredFold::Truth(test, value) => {
                if count(scanner, gathered.scope, region, test) > 0 {
                    accumulator.add_value(Value::Boolean(value));
                }
            }
            GatheredFold::Sum(number) => {
                let range = region.first_start..region.last_row + 1;
                let numbers = &scanner.buffers.numbers(number)[range];
                let sum: i128 = numbers.iter().map(|value| i128::from(*value)).sum();
                accumulator.add_value(Value::Integer(sum));
            }
            GatheredFold::Extreme { largest, filter, number } => {
                let extreme = extreme(scanner, gathered.scope, region, largest, filter, number);
                if let Some(extreme) = extreme {
                    accumulator.add_value(Value::Integer(extreme.into()));
                }
            }
        }
        partials.push((parent, gathered.id, accumulator));
    }
    Ok(())
}

/// How many nodes of a region, or of its tops alone, satisfy a test.
fn count(scanner: &Scanner<'_, '_>, scope: Scope, region: &Region, test: usize) -> u64 {
    let bitmap = scanner.buffers.test(test);
    let range = region.first_start..region.last_row + 1;
    if scope == Scope::Subtree || range.len() == region.count {
        return bitmap.count_in(range);
    }
    let mut count = 0;
    each_top(scanner, region, |row| count += u64::from(bitmap.get(row)));
    count
}

fn each_top(scanner: &Scanner<'_, '_>, region: &Region, mut visit: impl FnMut(usize)) {
    let mut end = region.last_row + 1;
    while end > region.first_start {
        visit(end - 1);
        end = end.saturating_sub(scanner.buffers.size(end - 1).max(1));
    }
}

/// Makes a number readable with [`value`].
fn load(scanner: &mut Scanner<'_, '_>, number: NumberId) -> Result<(), Failure> {
    match scanner.compiled.numbers[number] {
        Number::Column(column) => scanner.columns.load(column),
        _ => scanner.number(number),
    }
}

fn value(scanner: &Scanner<'_, '_>, number: NumberId, row: usize) -> i64 {
    match scanner.compiled.numbers[number] {
        Number::Column(column) => scanner.columns.integer(column, row),
        _ => scanner.buffers.numbers(number)[row],
    }
}

fn extreme(
    scanner: &Scanner<'_, '_>,
    scope: Scope,
    region: &Region,
    largest: bool,
    filter: usize,
    number: NumberId,
) -> Option<i64> {
    let mut best: Option<i64> = None;
    let filter = scanner.buffers.test(filter);
    let mut take = |value: i64| {
        best = Some(match best {
            Some(best) if largest => best.max(value),
            Some(best) => best.min(value),
            None => value,
        });
    };
    match scope {
        Scope::Subtree => {
            let range = region.first_start..region.last_row + 1;
            // The head may show the extreme already; then a row that has it is enough.
            let of_head = match scanner.compiled.numbers[number] {
                Number::Column(column) => {
                    let head = &scanner.head.columns[column.number()];
                    Some(if largest { head.max } else { head.min })
                }
                _ => None,
            };
            let mut place = range.start;
            while place < range.end {
                let end = range.end.min(place + 16);
                let mut reached = false;
                filter.each_in(place..end, |row| {
                    let value = value(scanner, number, row);
                    reached |= Some(value) == of_head;
                    take(value);
                });
                place = if reached { range.end } else { end };
            }
        }
        _ => each_top(scanner, region, |row| {
            if filter.get(row) {
                take(value(scanner, number, row));
            }
        }),
    }
    best
}

/// Adds `true` so many times, by doubling.
fn add_times(accumulator: &mut Accumulator, times: u64) {
    if times == 0 {
        return;
    }
    let mut power = accumulator.clone();
    power.add_value(Value::Boolean(true));
    let mut left = times;
    while left > 0 {
        if left & 1 == 1 {
            accumulator.merge(&power);
        }
        let same = power.clone();
        power.merge(&same);
        left >>= 1;
    }
}
