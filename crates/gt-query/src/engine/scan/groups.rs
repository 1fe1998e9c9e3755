//! Groups of matches: each match gets the number of its group, then each aggregate goes over all matches once.
//!
//! ```text
//! match     3  7  8  12          key of the row ──▶ slot of the group, by a table where the keys are few
//! slot      0  1  0  0           sums[slot] += number[row], one aggregate after the other
//! ```

use std::collections::HashMap;

use super::block::{Scanner, value_of};
use super::graph::{Fold, Part, Scalar, Test};
use crate::accumulator::{Accumulator, Many};
use crate::answer::Collector;
use crate::engine::Failure;
use crate::value::BoundKind;

/// Up to so many different keys, a table says which group a key is.
const TABLE_MAX: i128 = 1 << 16;

/// In how many parts a group is folded.
const WAYS: usize = 4;

/// What a thread keeps from block to block.
#[derive(Default)]
pub(super) struct Tables {
    /// The slot of each key of the table, and one more; 0 where it has none.
    slots: Vec<u32>,
    /// The place in the table of each slot.
    places: Vec<usize>,
    /// The slot of each match.
    of_matches: Vec<u32>,
    rows: Vec<u32>,
}

/// Adds the matches of a block, whose rows are listed in the buffers, to a collector.
///
/// # Errors
/// Where the log is damaged or cannot be read.
pub(super) fn collect_groups(
    scanner: &mut Scanner<'_, '_>,
    keys: &[Scalar],
    folds: &[Fold],
    collector: &mut Collector,
) -> Result<(), Failure> {
    // What is computed below makes lists of its own.
    let mut tables = std::mem::take(&mut scanner.buffers.tables);
    tables.rows.clear();
    tables.rows.extend_from_slice(scanner.buffers.listed());
    for key in keys {
        scanner.scalar(key)?;
    }
    for fold in folds {
        scanner.test(fold.filter)?;
        scanner.part(fold.argument)?;
    }
    let found = assign(scanner, keys, &mut tables);
    let folded: Vec<Vec<Many>> =
        folds.iter().map(|fold| fold_up(scanner, fold, &tables, found.len())).collect();
    for (slot, key) in found.into_iter().enumerate() {
        let values = keys.iter().zip(&key).map(|(key, code)| code.and_then(|code| value_of(key, code)));
        let accumulators = folds.iter().zip(&folded).enumerate().map(|(place, (_, many))| {
            let aggregate = &scanner.program.aggregates[collector.aggregates()[place].0];
            let mut accumulator = Accumulator::new(aggregate);
            accumulator.add_many(many[slot]);
            accumulator
        });
        let accumulators: Vec<Accumulator> = accumulators.collect();
        collector.add_group(values.collect(), &accumulators);
    }
    scanner.buffers.tables = tables;
    Ok(())
}

/// Gives each match the slot of its group; the keys of the groups, by slot.
fn assign(scanner: &Scanner<'_, '_>, keys: &[Scalar], tables: &mut Tables) -> Vec<Vec<Option<i64>>> {
    let Tables { slots, places, of_matches, rows } = tables;
    of_matches.clear();
    if keys.is_empty() {
        of_matches.resize(rows.len(), 0);
        return if rows.is_empty() { Vec::new() } else { vec![Vec::new()] };
    }
    let bounds: Vec<(i64, i64)> = keys.iter().map(|key| bounds_of(scanner, key)).collect();
    // How many values a key has, and one more where it can be unknown.
    let extent = |(key, (low, high)): (&Scalar, &(i64, i64))| {
        i128::from(*high) - i128::from(*low) + 1 + i128::from(key.known().is_some())
    };
    let extents: Vec<i128> = keys.iter().zip(&bounds).map(extent).collect();
    // A log that lies can have a least value above its greatest.
    let is_sound = bounds.iter().all(|(low, high)| low <= high);
    let places_in_all = extents.iter().try_fold(1_i128, |all, extent| all.checked_mul(*extent));
    let Some(places_in_all) = places_in_all.filter(|places| is_sound && *places <= TABLE_MAX) else {
        return assign_by_hash(scanner, keys, rows, of_matches);
    };
    slots.resize(places_in_all as usize, 0);
    places.clear();
    let mut at = vec![0_usize; rows.len()];
    for ((key, (low, high)), extent) in keys.iter().zip(&bounds).zip(&extents) {
        // What is beyond the bounds that the heads gave is a damaged log's; it stays in the table.
        let most = high.wrapping_sub(*low) as u64;
        // One loop for all keys, so that it is compiled into the place where it is needed.
        each_value(scanner, code_part(key), rows, |place, code| {
            let inside = (code.wrapping_sub(*low) as u64).min(most) as usize;
            at[place] = at[place] * *extent as usize + inside;
        });
        if let Scalar::Bound { upper, .. } = key {
            let upper = scanner.buffers.test(*upper);
            for (at, &row) in at.iter_mut().zip(rows.iter()) {
                *at += 2 * usize::from(upper.get(row as usize));
            }
        }
        if let Some(known) = key.known() {
            let known = scanner.buffers.test(known);
            for (at, &row) in at.iter_mut().zip(rows.iter()) {
                if !known.get(row as usize) {
                    *at += *extent as usize - 1 - *at % *extent as usize;
                }
            }
        }
    }
    for place in at {
        if slots[place] == 0 {
            places.push(place);
            slots[place] = places.len() as u32;
        }
        of_matches.push(slots[place] - 1);
    }
    let key_at = |place: usize| {
        let mut rest = place;
        let mut key: Vec<Option<i64>> = bounds
            .iter()
            .zip(&extents)
            .rev()
            .map(|((low, high), extent)| {
                let inside = (rest % *extent as usize) as i64;
                rest /= *extent as usize;
                (inside <= high.wrapping_sub(*low)).then(|| low.wrapping_add(inside))
            })
            .collect();
        key.reverse();
        key
    };
    let found = places.iter().map(|&place| key_at(place)).collect();
    places.iter().for_each(|&place| slots[place] = 0);
    found
}

fn assign_by_hash(
    scanner: &Scanner<'_, '_>,
    keys: &[Scalar],
    rows: &[u32],
    of_matches: &mut Vec<u32>,
) -> Vec<Vec<Option<i64>>> {
    let mut known: HashMap<Vec<Option<i64>>, u32> = HashMap::new();
    let mut found = Vec::new();
    for row in rows {
        let key: Vec<Option<i64>> = keys.iter().map(|key| scanner.buffers.code(key, *row as usize)).collect();
        let slot = *known.entry(key).or_insert_with_key(|key| {
            found.push(key.clone());
            found.len() as u32 - 1
        });
        of_matches.push(slot);
    }
    found
}

fn bounds_of(scanner: &Scanner<'_, '_>, key: &Scalar) -> (i64, i64) {
    match key {
        Scalar::Number(quantity) => scanner.compiled.bounds[quantity.number],
        Scalar::Truth { .. } => (0, 1),
        Scalar::Bound { .. } => (0, BoundKind::ALL.len() as i64 - 1),
    }
}

/// What the code of a key is, or begins with: that of a bound is one more at lower ones, and two more at upper ones.
fn code_part(key: &Scalar) -> Part {
    match *key {
        Scalar::Number(quantity) => Part::Number(quantity.number),
        Scalar::Truth { yes, .. } => Part::Test(yes),
        Scalar::Bound { lower, .. } => Part::Test(lower),
    }
}

#[inline]
fn each_value(scanner: &Scanner<'_, '_>, part: Part, rows: &[u32], mut visit: impl FnMut(usize, i64)) {
    match part {
        Part::Number(number) => {
            let numbers = scanner.buffers.numbers(number);
            rows.iter().enumerate().for_each(|(place, &row)| visit(place, numbers[row as usize]));
        }
        Part::Test(test) => {
            let bitmap = scanner.buffers.test(test);
            let value = |row: u32| i64::from(bitmap.get(row as usize));
            rows.iter().enumerate().for_each(|(place, &row)| visit(place, value(row)));
        }
    }
}

fn fold_up(scanner: &Scanner<'_, '_>, fold: &Fold, tables: &Tables, groups: usize) -> Vec<Many> {
    let filter = match scanner.compiled.tests[fold.filter] {
        Test::Always(true) => None,
        _ => Some(scanner.buffers.test(fold.filter)),
    };
    let passes = |place: usize| filter.is_none_or(|filter| filter.get(tables.rows[place] as usize));
    // Neighbours are mostly of one group, and adding to one place over and over is slow: so there are several.
    let mut folded = vec![[Many::default(); WAYS]; groups];
    match fold.argument {
        Part::Test(test) if filter.is_none() && scanner.compiled.tests[test] == Test::Always(true) => {
            for (place, &slot) in tables.of_matches.iter().enumerate() {
                folded[slot as usize][place % WAYS].add_truth(true);
            }
        }
        Part::Test(_) => each_value(scanner, fold.argument, &tables.rows, |place, value| {
            if passes(place) {
                folded[tables.of_matches[place] as usize][place % WAYS].add_truth(value != 0);
            }
        }),
        Part::Number(_) => each_value(scanner, fold.argument, &tables.rows, |place, value| {
            if passes(place) {
                folded[tables.of_matches[place] as usize][place % WAYS].add_integer(value);
            }
        }),
    }
    folded.into_iter().map(|ways| ways.into_iter().fold(Many::default(), Many::and)).collect()
}
