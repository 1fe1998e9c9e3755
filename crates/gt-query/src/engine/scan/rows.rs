//! Rows of a result: the matches of a block that may be shown, with their cells.

use std::cmp::Ordering;
use std::hint::select_unpredictable;

use gt_log::{Column, Kind};

use super::block::Scanner;
use super::graph::{Number, Scalar};
use crate::answer::Collector;
use crate::engine::Failure;
use crate::engine::bits::Bitmap;
use crate::engine::vector::{Vector, float_order_word};
use crate::value::Value;

/// The cells of matches, and their order.
pub(super) struct RowsWanted<'a> {
    /// The query's index in the program.
    pub(super) query: usize,
    pub(super) cells: &'a [Scalar],
    pub(super) order: &'a [(Scalar, bool)],
    pub(super) limit: usize,
}

/// Drops the matches that cannot be shown: enough rows of earlier blocks have an earlier first key, or an equal one if
/// it is the only key. Often the head of the block alone shows this for all rows.
///
/// # Errors
/// Returns an error if the log is damaged or cannot be read.
pub(super) fn keep_leading(
    scanner: &mut Scanner<'_>,
    wanted: &RowsWanted<'_>,
    matches: &mut Bitmap,
) -> Result<(), Failure> {
    let (Some((key @ Scalar::Number(quantity), descending)), Some(&end)) =
        (wanted.order.first(), scanner.buffers.not_shown.get(&wanted.query))
    else {
        return Ok(());
    };
    // An overflow in a key counts even if its row is not shown.
    if wanted.order.iter().any(|(key, _)| !key.errors().is_empty()) {
        return Ok(());
    }
    let flip = if *descending { u64::MAX } else { 0 };
    if let Number::Column(column) = scanner.compiled.numbers[quantity.number]
        && let Some(first) = first_of_head(scanner, column, *descending)
        && first ^ flip >= end
    {
        matches.fill(scanner.rows(), false);
        return Ok(());
    }
    scanner.scalar(key)?;
    let mut leading = Bitmap::default();
    match scanner.vector(quantity.number) {
        Vector::Integer(lanes) => {
            leading.pack(lanes, |lane| u8::from((lane ^ i64::MIN).cast_unsigned() ^ flip < end));
        }
        Vector::Float(lanes) => leading.pack(lanes, |lane| u8::from(float_order_word(lane) ^ flip < end)),
        Vector::Wide(_) | Vector::Text(_) => return Ok(()),
    }
    matches.and(&leading);
    Ok(())
}

/// The order word of the least or greatest value of a column in the block, if its head has that value.
fn first_of_head(scanner: &Scanner<'_>, column: Column, greatest: bool) -> Option<u64> {
    let head = &scanner.shape.head.columns[column.number()];
    let stored = if greatest { head.max } else { head.min };
    let of_float = |float: f64| (!float.is_nan()).then(|| float_order_word(float + 0.0));
    match scanner.kind_of(column) {
        Kind::F64 => of_float(f64::from_bits(stored.cast_unsigned())),
        Kind::F32 => of_float(f32::from_bits(stored as u32).into()),
        Kind::U64 | Kind::Text | Kind::Bool => None,
        Kind::I8 | Kind::I16 | Kind::I32 | Kind::I64 | Kind::U8 | Kind::U16 | Kind::U32 => {
            Some((stored ^ i64::MIN).cast_unsigned())
        }
    }
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
    fail_on_errors(scanner, rows, wanted.order, collector)?;
    let leading = leading(scanner, rows, wanted);
    let rows = leading.as_deref().unwrap_or(rows);
    if rows.is_empty() {
        return Ok(());
    }
    let mut matches: Vec<(u64, u32)> = scanner.ids_of(rows)?.into_iter().zip(rows.iter().copied()).collect();
    choose(scanner, wanted, &mut matches);
    // The node_ids of matches are already known; computing those of all rows of the block would take far longer.
    let numbers = &scanner.compiled.numbers;
    let is_id =
        |cell: &&Scalar| matches!(cell, Scalar::Number(cell) if numbers[cell.number] == Number::NodeId);
    wanted.cells.iter().filter(|cell| !is_id(cell)).try_for_each(|cell| scanner.scalar(cell))?;
    for (node_id, row) in matches {
        let row = row as usize;
        let keys = wanted.order.iter().map(|(key, _)| scanner.evaluated(key, row).ok().flatten());
        let cells = wanted.cells.iter().map(|cell| match is_id(&cell) {
            true => Ok(Some(Value::Integer(node_id.into()))),
            false => scanner.evaluated(cell, row),
        });
        let cells = cells.map(|cell| cell.map_err(|overflow| overflow.at(node_id)));
        collector.add_row(scanner.program, node_id, keys, cells);
    }
    Ok(())
}

/// Fails the query at an overflow in a key, whether its row is shown or not.
fn fail_on_errors(
    scanner: &mut Scanner<'_>,
    rows: &[u32],
    order: &[(Scalar, bool)],
    collector: &mut Collector,
) -> Result<(), Failure> {
    for (key, _) in order.iter().filter(|(key, _)| !key.errors().is_empty()) {
        let failed = |row: &&u32| scanner.evaluated(key, **row as usize).is_err();
        let failed: Vec<u32> = rows.iter().filter(failed).copied().collect();
        if failed.is_empty() {
            continue;
        }
        for (row, id) in failed.iter().zip(scanner.ids_of(&failed)?) {
            if let Err(overflow) = scanner.evaluated(key, *row as usize) {
                collector.fail(overflow.at(id));
            }
        }
    }
    Ok(())
}

/// The rows that can be among the first by the first key alone, given what earlier blocks have shown; `None` if that
/// excludes no row.
fn leading(scanner: &mut Scanner<'_>, rows: &[u32], wanted: &RowsWanted<'_>) -> Option<Vec<u32>> {
    let (key, descending) = wanted.order.first()?;
    let Scalar::Number(quantity) = key else { return None };
    if wanted.limit == 0 || matches!(scanner.compiled.numbers[quantity.number], Number::Constant(_)) {
        return None;
    }
    let end = scanner.buffers.not_shown.get(&wanted.query).copied();
    if end.is_none() && wanted.limit >= rows.len() {
        return None;
    }
    let (vector, known) =
        (scanner.vector(quantity.number), quantity.known.map(|known| scanner.known_test(known)));
    // Unknown values come last in either direction.
    let is_known = |row: usize| known.is_none_or(|known| known.get(row));
    let flip = if *descending { u64::MAX } else { 0 };
    let word = |row: usize| if is_known(row) { vector.order_word(row) ^ flip } else { u64::MAX };
    let (leading, last) = match vector {
        // The most frequent kind gets a loop without a decision for each row.
        Vector::Integer(lanes) if known.is_none() => {
            first_rows(rows, end, wanted.limit, |row| (lanes[row] ^ i64::MIN).cast_unsigned() ^ flip)
        }
        Vector::Float(lanes) => first_rows(rows, end, wanted.limit, |row| {
            let lane = lanes[row];
            let is_unknown = lane.is_nan() || !is_known(row);
            select_unpredictable(is_unknown, u64::MAX, float_order_word(lane) ^ flip)
        }),
        // The codes of texts differ from block to block.
        Vector::Text(_) => (first_rows(rows, None, wanted.limit, word).0, None),
        Vector::Integer(_) | Vector::Wide(_) => first_rows(rows, end, wanted.limit, word),
    };
    // Among equal rows, those of earlier blocks come first, unless another key decides, or different numbers share a
    // word. The largest word is also that of unknown values.
    let decides = wanted.order.len() == 1 && !matches!(vector, Vector::Wide(_));
    let last = last.filter(|last| *last < u64::MAX);
    let end = last.map(|last| if decides { last } else { last + 1 });
    scanner.buffers.not_shown.extend(end.map(|end| (wanted.query, end)));
    Some(leading)
}

/// The rows whose word is below `end`. If they reach the limit, only those up to the last word that can be shown, and
/// that word.
fn first_rows(
    rows: &[u32],
    end: Option<u64>,
    limit: usize,
    word: impl Fn(usize) -> u64,
) -> (Vec<u32>, Option<u64>) {
    let words = rows.iter().map(|row| (word(*row as usize), *row));
    let mut leading: Vec<(u64, u32)> = words.filter(|(word, _)| end.is_none_or(|end| *word < end)).collect();
    let mut last = None;
    if leading.len() >= limit {
        let word = leading.select_nth_unstable(limit - 1).1.0;
        leading.retain(|leading| leading.0 <= word);
        last = Some(word);
    }
    (leading.into_iter().map(|(_, row)| row).collect(), last)
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
