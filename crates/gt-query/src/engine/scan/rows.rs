//! Rows of a result: the matches of a block that may be shown, with their cells.

use std::cmp::Ordering;

use super::block::Scanner;
use super::graph::Scalar;
use crate::answer::Collector;
use crate::engine::Failure;
use crate::value::Value;

/// The cells of matches, and their order.
pub(super) struct RowsWanted<'a> {
    pub(super) cells: &'a [Scalar],
    pub(super) order: &'a [(Scalar, bool)],
    pub(super) limit: usize,
}

/// Adds the matches of a block to a collector.
///
/// # Errors
/// Returns an error if the log is damaged or cannot be read.
pub(super) fn collect_rows(
    scanner: &mut Scanner<'_>,
    rows: &[u32],
    wanted: &RowsWanted<'_>,
    collector: &mut Collector,
) -> Result<(), Failure> {
    for (key, _) in wanted.order {
        scanner.scalar(key)?;
    }
    let mut matches: Vec<(u64, u32)> = scanner.ids_of(rows)?.into_iter().zip(rows.iter().copied()).collect();
    // An overflow in a key fails the query, whether its row is shown or not.
    for (id, row) in &matches {
        for (key, _) in wanted.order.iter().filter(|(key, _)| !key.errors().is_empty()) {
            if let Err(overflow) = scanner.evaluated(key, *row as usize) {
                collector.fail(overflow.at(*id));
            }
        }
    }
    choose(scanner, wanted, &mut matches);
    wanted.cells.iter().try_for_each(|cell| scanner.scalar(cell))?;
    for (node_id, row) in matches {
        let row = row as usize;
        let order: Vec<Option<Value>> =
            wanted.order.iter().map(|(key, _)| scanner.evaluated(key, row).ok().flatten()).collect();
        let cells = wanted.cells.iter().map(|cell| scanner.evaluated(cell, row));
        let cells = cells.map(|cell| cell.map_err(|overflow| overflow.at(node_id))).collect();
        collector.add_row(scanner.program, node_id, order, cells);
    }
    Ok(())
}

/// Keeps the matches that come first in the order; the block contributes no others.
fn choose(scanner: &Scanner<'_>, wanted: &RowsWanted<'_>, matches: &mut Vec<(u64, u32)>) {
    if wanted.limit >= matches.len() {
        return;
    }
    if wanted.limit == 0 {
        return matches.clear();
    }
    matches.select_nth_unstable_by(wanted.limit - 1, |left, right| {
        let by_keys = wanted.order.iter().map(|(key, descending)| {
            let order = scanner.order(key, left.1 as usize, right.1 as usize);
            match order {
                Ok(order) if *descending => order.reverse(),
                // Unknown values come last in either direction.
                Ok(order) | Err(order) => order,
            }
        });
        by_keys.fold(Ordering::Equal, Ordering::then).then(left.0.cmp(&right.0))
    });
    matches.truncate(wanted.limit);
}

impl Scanner<'_> {
    /// The order of two rows by a key; as an error if one of them has no value.
    fn order(&self, key: &Scalar, left: usize, right: usize) -> Result<Ordering, Ordering> {
        let values = [left, right].map(|row| self.evaluated(key, row).ok().flatten());
        match &values {
            [Some(left), Some(right)] => Ok(left.order(right)),
            [left, right] => Err(left.is_none().cmp(&right.is_none())),
        }
    }
}
