//! Groups of matches: each match gets the number of its group, then each aggregate processes all matches once.
//!
//! ```text
//! match     3  7  8  12          key of the row ──▶ slot of the group, by a table where the keys are few
//! slot      0  1  0  0
//! ```

use super::block::Scanner;
use super::dictionary::{TABLE_MAX, Tables};
use super::graph::{Gathered, Scalar};
use super::slotted::Slotted;
use crate::accumulators::Accumulators;
use crate::answer::{Collector, GroupList, Keys};
use crate::engine::Failure;
use crate::value::Overflow;
use crate::vocabulary::Function;

/// Adds the matches of a block to a collector.
///
/// # Errors
/// Returns an error if the log is damaged or cannot be read.
pub(super) fn collect_groups(
    scanner: &mut Scanner<'_>,
    rows: &[u32],
    keys: &[Scalar],
    folds: &[Gathered],
    collector: &mut Collector,
) -> Result<(), Failure> {
    for key in keys {
        scanner.scalar(key)?;
        if let Scalar::Number(quantity) = key {
            scanner.number(quantity.number)?;
        }
    }
    folds.iter().try_for_each(|fold| scanner.load_gathered(fold))?;
    let ids = fail_on_errors(scanner, rows, keys, collector)?;
    let rows = ids.as_deref().unwrap_or(rows);
    let mut tables = std::mem::take(&mut scanner.buffers.tables);
    let found = assign(scanner, keys, rows, &mut tables);
    let slotted = Slotted::new(rows, &tables.of_matches, tables.count);
    // What is made for a deviation is all that a sum of the same numbers needs, and a sum counts its rows.
    let turn = |fold: &usize| match scanner.program.aggregates[folds[*fold].id.0].function {
        Function::Stddev => 0,
        Function::Count | Function::Any | Function::All => 2,
        _ => 1,
    };
    let mut by_turn: Vec<usize> = (0..folds.len()).collect();
    by_turn.sort_by_key(turn);
    let mut folded = vec![Accumulators::Counts(Vec::new()); folds.len()];
    for fold in by_turn {
        folded[fold] = scanner.accumulate(&folds[fold], &slotted)?;
    }
    collector.add_groups(GroupList::new(slotted.count, found, folded));
    scanner.buffers.tables = tables;
    Ok(())
}

/// Fails if a key overflows; returns the rows whose keys do not, if there are others.
fn fail_on_errors(
    scanner: &mut Scanner<'_>,
    rows: &[u32],
    keys: &[Scalar],
    collector: &mut Collector,
) -> Result<Option<Vec<u32>>, Failure> {
    let errors: Vec<_> = keys.iter().flat_map(|key| key.errors().clone()).collect();
    if errors.is_empty() {
        return Ok(None);
    }
    let fails = |scanner: &Scanner<'_>, row: u32| {
        errors.iter().find(|(_, test)| scanner.known_test(*test).get(row as usize)).map(|(span, _)| *span)
    };
    let (failed, sound): (Vec<u32>, Vec<u32>) = rows.iter().partition(|row| fails(scanner, **row).is_some());
    if failed.is_empty() {
        return Ok(None);
    }
    for (row, id) in failed.iter().zip(scanner.ids_of(&failed)?) {
        fails(scanner, *row).into_iter().for_each(|span| collector.fail(Overflow::new(span).at(id)));
    }
    Ok(Some(sound))
}

/// Assigns each match the slot of its group, and returns the keys of all groups by column and slot.
fn assign(scanner: &Scanner<'_>, keys: &[Scalar], rows: &[u32], tables: &mut Tables) -> Vec<Keys> {
    let Tables { slots, places, count, of_matches, at, next, dictionary } = tables;
    of_matches.clear();
    let Some((first, others)) = keys.split_first() else {
        of_matches.resize(rows.len(), 0);
        *count = rows.len().min(1);
        return Vec::new();
    };
    let mut extent = scanner.codes(first, rows, dictionary, at);
    for key in others {
        let of_key = scanner.codes(key, rows, dictionary, next);
        let joint = u64::from(extent) * u64::from(of_key);
        let codes = at.iter().zip(&*next);
        if i128::from(joint) <= TABLE_MAX {
            let joined: Vec<u32> = codes.map(|(at, next)| at * of_key + next).collect();
            (*at, extent) = (joined, joint as u32);
        } else {
            let words = codes.map(|(at, next)| Some(u64::from(*at) * u64::from(of_key) + u64::from(*next)));
            let mut joined = Vec::with_capacity(rows.len());
            extent = dictionary.encode(words, &mut joined);
            *at = joined;
        }
    }
    slots.resize(slots.len().max(extent as usize), 0);
    places.clear();
    let mut found = vec![Keys::default(); keys.len()];
    for (&at, row) in at.iter().zip(rows) {
        let slot = &mut slots[at as usize];
        if *slot == 0 {
            places.push(at);
            *slot = places.len() as u32;
            for (found, key) in found.iter_mut().zip(keys) {
                found.push(scanner.evaluated(key, *row as usize).ok().flatten());
            }
        }
        of_matches.push(*slot - 1);
    }
    *count = places.len();
    places.iter().for_each(|&place| slots[place as usize] = 0);
    found
}
