//! Groups of matches: each match gets the number of its group, then each aggregate processes all matches once.
//!
//! ```text
//! match     3  7  8  12          key of the row ──▶ slot of the group, by a table where the keys are few
//! slot      0  1  0  0
//! ```
//!
//! If a key or an aggregate reads only one column, and the block has few values of it, these values are processed in
//! place of the matches, each with the number of matches that have it.

use gt_log::Column;

use super::block::Scanner;
use super::dictionary::{TABLE_MAX, Tables};
use super::graph::{Gathered, Scalar};
use super::slotted::Slotted;
use crate::accumulators::Accumulators;
use crate::answer::{Collector, GroupList, Keys};
use crate::engine::Failure;
use crate::engine::bits::Bitmap;
use crate::value::Overflow;
use crate::vocabulary::Function;

impl Scanner<'_> {
    /// Groups matches; `column` is the only column that is read, if there is only one.
    pub(super) fn grouped(
        &mut self,
        column: Option<Column>,
        matches: &Bitmap,
        keys: &[Scalar],
        folds: &[Gathered],
    ) -> Result<GroupList, Failure> {
        if let Some(column) = column
            && let Some((values, counts)) = self.count_values(column, matches)?
        {
            let found = (0_u32..).zip(&counts).filter(|(_, count)| **count > 0);
            let (values_found, times): (Vec<u32>, Vec<u32>) =
                found.map(|(value, count)| (value, *count)).unzip();
            let mut parts = Vec::new();
            keys.iter().for_each(|key| key.each(&mut |part| parts.push(part)));
            folds.iter().for_each(|fold| fold.each(&mut |part| parts.push(part)));
            return self.among_values(&values, &parts, |scanner| {
                scanner.grouped_rows(&values_found, Some(&times), keys, folds)
            });
        }
        for key in keys {
            self.scalar(key)?;
            if let Scalar::Number(quantity) = key {
                self.number(quantity.number)?;
            }
        }
        let mut rows = Vec::new();
        matches.rows_into(&mut rows);
        self.grouped_rows(&rows, None, keys, folds)
    }

    /// Groups rows; or values, each with the number of times that it counts.
    fn grouped_rows(
        &mut self,
        rows: &[u32],
        times: Option<&[u32]>,
        keys: &[Scalar],
        folds: &[Gathered],
    ) -> Result<GroupList, Failure> {
        let mut tables = std::mem::take(&mut self.buffers.tables);
        let keys = assign(self, keys, rows, &mut tables);
        let slotted = Slotted { times, ..Slotted::new(rows, &tables.of_matches, tables.count) };
        // A sum can use all that a deviation of the same numbers computes, and a count the rows that a sum counts.
        let turn = |fold: &usize| match self.program.aggregates[folds[*fold].id.0].function {
            Function::Stddev => 0,
            Function::Count | Function::Any | Function::All => 2,
            _ => 1,
        };
        let mut by_turn: Vec<usize> = (0..folds.len()).collect();
        by_turn.sort_by_key(turn);
        let mut folded: Vec<Option<Accumulators>> = vec![None; folds.len()];
        for &fold in &by_turn {
            if folded[fold].is_some() {
                continue;
            }
            if let (None, Some(column)) = (times, folds[fold].column) {
                let alike = by_turn.iter().copied().filter(|other| folds[*other].column == Some(column));
                let alike: Vec<usize> = alike.collect();
                let of_values: Vec<&Gathered> = alike.iter().map(|other| &folds[*other]).collect();
                if let Some(found) = self.accumulate_values_of(column, &of_values, &slotted)? {
                    alike.into_iter().zip(found).for_each(|(other, found)| folded[other] = Some(found));
                    continue;
                }
            }
            if times.is_none() {
                self.load_gathered(&folds[fold])?;
            }
            folded[fold] = Some(self.accumulate(&folds[fold], &slotted)?);
        }
        let list = GroupList::new(slotted.count, keys, folded.into_iter().flatten().collect());
        self.buffers.tables = tables;
        Ok(list)
    }

    /// Gathers aggregates that read only this column from the values of each slot; `None` if the values are many.
    fn accumulate_values_of(
        &mut self,
        column: Column,
        folds: &[&Gathered],
        slotted: &Slotted<'_>,
    ) -> Result<Option<Vec<Accumulators>>, Failure> {
        let Some((values, counts)) = self.count_values_by_slot(column, slotted)? else { return Ok(None) };
        let values_of_slot = counts.len() / slotted.count.max(1);
        let found = counts.iter().enumerate().filter(|(_, count)| **count > 0);
        let (mut rows, mut slots, mut times) = (Vec::new(), Vec::new(), Vec::new());
        for (place, count) in found {
            rows.push((place % values_of_slot) as u32);
            slots.push((place / values_of_slot) as u32);
            times.push(*count);
        }
        let mut parts = Vec::new();
        folds.iter().for_each(|fold| fold.each(&mut |part| parts.push(part)));
        let of_values = Slotted { times: Some(&times), ..Slotted::new(&rows, &slots, slotted.count) };
        self.among_values(&values, &parts, |scanner| {
            folds.iter().map(|fold| scanner.accumulate(fold, &of_values)).collect::<Result<_, _>>().map(Some)
        })
    }
}

/// Fails if a key overflows, and drops the rows where one does.
pub(super) fn fail_on_errors(
    scanner: &mut Scanner<'_>,
    matches: &mut Bitmap,
    keys: &[Scalar],
    collector: &mut Collector,
) -> Result<(), Failure> {
    let errors: Vec<_> = keys.iter().flat_map(Scalar::errors).copied().collect();
    errors.iter().try_for_each(|(_, test)| scanner.test(*test))?;
    // The first error of a row is the one that counts.
    for (span, test) in errors {
        let mut failed = scanner.known_test(test).clone();
        failed.and(matches);
        let mut rows = Vec::new();
        failed.rows_into(&mut rows);
        if !rows.is_empty() {
            scanner.ids_of(&rows)?.into_iter().for_each(|id| collector.fail(Overflow::new(span).at(id)));
            matches.and_not(&failed);
        }
    }
    Ok(())
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
