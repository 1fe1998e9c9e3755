//! Groups of matches: each match gets the number of its group, then each aggregate processes all matches once.
//!
//! ```text
//! match     3  7  8  12          key of the row ──▶ slot of the group, by a table where the keys are few
//! slot      0  1  0  0
//! ```

use std::collections::HashMap;

use super::block::Scanner;
use super::gather::Slotted;
use super::graph::{Gathered, Lane, Scalar};
use crate::answer::Collector;
use crate::engine::Failure;
use crate::engine::vector::Vector;
use crate::value::{Overflow, Value};

/// The largest number of distinct keys for which a table maps keys to groups.
const TABLE_MAX: i128 = 1 << 16;

/// The buffers that a thread reuses from block to block.
#[derive(Default)]
pub(super) struct Tables {
    /// The slot of each key in the table, plus one; 0 if it has none.
    slots: Vec<u32>,
    /// The index in the table of each slot.
    places: Vec<usize>,
    /// The slot of each match.
    of_matches: Vec<u32>,
    /// The index in the table of each match.
    at: Vec<u32>,
}

/// A key with few possible integer values.
struct Coded {
    low: i64,
    /// The number of values, plus one for unknown.
    extent: i128,
}

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
    let slotted = Slotted { rows, slots: &tables.of_matches, count: found.len() };
    let folded =
        folds.iter().map(|fold| scanner.accumulate(fold, &slotted)).collect::<Result<Vec<_>, _>>()?;
    for (slot, key) in found.into_iter().enumerate() {
        let accumulators: Vec<_> = folded.iter().map(|of_fold| of_fold[slot].clone()).collect();
        collector.add_group(key, &accumulators);
    }
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

/// Assigns each match the slot of its group, and returns the keys of the groups by slot.
fn assign(
    scanner: &Scanner<'_>,
    keys: &[Scalar],
    rows: &[u32],
    tables: &mut Tables,
) -> Vec<Vec<Option<Value>>> {
    let Tables { slots, places, of_matches, at } = tables;
    of_matches.clear();
    if keys.is_empty() {
        of_matches.resize(rows.len(), 0);
        return if rows.is_empty() { Vec::new() } else { vec![Vec::new()] };
    }
    let coded: Option<Vec<Coded>> = keys.iter().map(|key| coded(scanner, key, rows)).collect();
    let size = coded.as_ref().and_then(|keys| {
        keys.iter()
            .try_fold(1_i128, |size, key| size.checked_mul(key.extent))
            .filter(|size| *size <= TABLE_MAX)
    });
    let (Some(coded), Some(size)) = (coded, size) else {
        return assign_by_hash(scanner, keys, rows, of_matches);
    };
    slots.resize(slots.len().max(size as usize), 0);
    places.clear();
    at.clear();
    at.resize(rows.len(), 0);
    for (key, Coded { low, extent }) in keys.iter().zip(&coded) {
        let unknown = *extent as u32 - 1;
        // A value beyond the bounds from the heads comes from a damaged log; it stays in the table.
        let mut put = |code: &dyn Fn(u32) -> u32| {
            at.iter_mut()
                .zip(rows)
                .for_each(|(at, row)| *at = *at * *extent as u32 + code(*row).min(unknown));
        };
        match key {
            Scalar::Truth(truth) => {
                let (yes, no) = (scanner.known_test(truth.yes), scanner.known_test(truth.no));
                put(&|row| match (yes.get(row as usize), no.get(row as usize)) {
                    (true, _) => 1,
                    (false, true) => 0,
                    (false, false) => unknown,
                });
            }
            Scalar::Number(quantity) => {
                let known = quantity.known.map(|known| scanner.known_test(known));
                let is_known = |row: u32| known.is_none_or(|known| known.get(row as usize));
                match scanner.vector(quantity.number) {
                    Vector::Integer(lanes) if known.is_none() => {
                        let most = unknown.saturating_sub(1);
                        at.iter_mut().zip(rows).for_each(|(at, row)| {
                            let code = lanes[*row as usize].wrapping_sub(*low) as u64;
                            *at = *at * *extent as u32 + code.min(most.into()) as u32;
                        });
                    }
                    Vector::Integer(lanes) => put(&|row| {
                        let code = lanes[row as usize].wrapping_sub(*low) as u64;
                        if is_known(row) { code.min(u64::from(unknown) - 1) as u32 } else { unknown }
                    }),
                    Vector::Text(texts) => {
                        put(&|row| if is_known(row) { texts.codes()[row as usize] } else { unknown });
                    }
                    Vector::Wide(_) | Vector::Float(_) => {}
                }
            }
        }
    }
    let mut found = Vec::new();
    for (at, row) in at.iter().zip(rows) {
        let slot = &mut slots[*at as usize];
        if *slot == 0 {
            places.push(*at as usize);
            *slot = places.len() as u32;
            found.push(key_at(scanner, keys, *row as usize));
        }
        of_matches.push(*slot - 1);
    }
    places.iter().for_each(|&place| slots[place] = 0);
    found
}

fn key_at(scanner: &Scanner<'_>, keys: &[Scalar], row: usize) -> Vec<Option<Value>> {
    keys.iter().map(|key| scanner.evaluated(key, row).ok().flatten()).collect()
}

/// The number of values that a key can have, if it has few integers or texts.
fn coded(scanner: &Scanner<'_>, key: &Scalar, rows: &[u32]) -> Option<Coded> {
    let of = |low: i64, high: i64| {
        let extent = i128::from(high) - i128::from(low) + 2;
        // An inconsistent log can have a minimum above its maximum.
        (low <= high).then_some(Coded { low, extent })
    };
    match key {
        Scalar::Truth(_) => of(0, 1),
        Scalar::Number(quantity) => match scanner.compiled.lanes[quantity.number] {
            Lane::Integer => {
                let (low, high) = scanner.compiled.bounds[quantity.number];
                let Vector::Integer(lanes) = scanner.vector(quantity.number) else { return None };
                if i128::from(high) - i128::from(low) < TABLE_MAX {
                    return of(low, high);
                }
                // A number without bounds may still have few values in this block.
                let known = quantity.known.map(|known| scanner.known_test(known));
                let known = rows.iter().filter(|row| known.is_none_or(|known| known.get(**row as usize)));
                let values = known.map(|row| lanes[*row as usize]);
                let least = |(low, high): (i64, i64), value: i64| (low.min(value), high.max(value));
                let (low, high) = values.fold((i64::MAX, i64::MIN), least);
                if low > high { of(0, 0) } else { of(low, high) }
            }
            Lane::Text => match scanner.vector(quantity.number) {
                Vector::Text(texts) => of(0, texts.entries().max(1) as i64 - 1),
                _ => None,
            },
            Lane::Wide | Lane::Float => None,
        },
    }
}

fn assign_by_hash(
    scanner: &Scanner<'_>,
    keys: &[Scalar],
    rows: &[u32],
    of_matches: &mut Vec<u32>,
) -> Vec<Vec<Option<Value>>> {
    let mut known: HashMap<Vec<Option<Value>>, u32> = HashMap::new();
    let mut found = Vec::new();
    for row in rows {
        let slot = *known.entry(key_at(scanner, keys, *row as usize)).or_insert_with_key(|key| {
            found.push(key.clone());
            found.len() as u32 - 1
        });
        of_matches.push(slot);
    }
    found
}
