//! Sizes in their stored form: all of them as numbers, and the first rows of subtrees.

use gt_log::{Decoded, Lanes};

use super::lanes::{each_lane, within};
use crate::engine::bits::{Bitmap, Ranks};

/// The maximum number of distinct sizes that are handled with whole bitmaps.
const SIZES_MAX: usize = 8;

/// Runs `$body` with `$size` bound to a function that gives the size of a row's subtree, for any stored form.
macro_rules! each_size {
    ($sizes:expr, $size:ident => $body:expr) => {
        match $sizes {
            Decoded::Offsets { base, lanes: gt_log::Lanes::U8(lanes) } => {
                let $size = |row: usize| base.wrapping_add(i64::from(lanes[row])) as usize;
                $body
            }
            Decoded::Offsets { base, lanes: gt_log::Lanes::U16(lanes) } => {
                let $size = |row: usize| base.wrapping_add(i64::from(lanes[row])) as usize;
                $body
            }
            Decoded::Dictionary { values, codes: gt_log::Lanes::U8(codes) } => {
                let table = $crate::engine::scan::sizes::table_of(values);
                let $size = |row: usize| table[usize::from(codes[row])] as usize;
                $body
            }
            sizes => {
                let $size = |row: usize| sizes.get(row) as usize;
                $body
            }
        }
    };
}
pub(in crate::engine) use each_size;

/// A question about the rows below a row.
pub(in crate::engine) struct Retain<'a> {
    /// The rows that count, and their ranks.
    pub(in crate::engine) bitmap: &'a Bitmap,
    pub(in crate::engine) ranks: &'a Ranks,
    /// The wanted range of their number.
    pub(in crate::engine) limits: (u32, u32),
    /// Whether rows with such a number are dropped instead of kept.
    pub(in crate::engine) contains_zero: bool,
    /// Whether any row is enough, so that ranks are not needed.
    pub(in crate::engine) is_some: bool,
}

/// Keeps the rows of `out` for which the answer is yes.
pub(in crate::engine) fn retain(sizes: &Decoded, question: &Retain<'_>, out: &mut Bitmap) {
    let mut small = Bitmap::default();
    if question.is_some {
        some_below_small(sizes, question.bitmap, out, &mut small);
    }
    each_size!(sizes, size => ask(question, out, size));
    if question.is_some {
        out.or(&small);
    }
}

#[inline(always)]
fn ask(question: &Retain<'_>, out: &mut Bitmap, size: impl Fn(usize) -> usize) {
    let start = |row: usize| (row + 1).saturating_sub(size(row));
    if question.is_some {
        out.retain_some(question.bitmap, start);
    } else {
        out.retain_counts(question.bitmap, question.ranks, start, question.limits, question.contains_zero);
    }
}

/// Decides whether any row below satisfies a test, for all rows of each frequent small size at once. Removes them
/// from `rows`, and adds those with such a row to `found`.
///
/// ```text
/// test            1 0 0 1 0 0
/// reached by 2    0 1 1 0 1 1    the test moved by one, and by two: one of the two rows before satisfies it
/// ```
fn some_below_small(sizes: &Decoded, test: &Bitmap, rows: &mut Bitmap, found: &mut Bitmap) {
    let mut reached = Bitmap::default();
    reached.copy_from(test);
    reached.shift(1);
    let mut reach = 1;
    found.fill(test.rows(), false);
    let mut with_size = Bitmap::default();
    for size in small_sizes(sizes) {
        let below = size as usize - 1;
        while reach < below {
            let step = reach.min(below - reach);
            reached.or_shifted(step);
            reach += step;
        }
        within(sizes, test.rows(), (size, size), (i64::MIN, i64::MAX), &mut with_size);
        rows.and_not(&with_size);
        with_size.and(&reached);
        found.or(&with_size);
    }
}

/// Frequent sizes from 2 to 64, ascending.
fn small_sizes(sizes: &Decoded) -> Vec<i64> {
    let mut small: Vec<i64> = match sizes {
        // The most frequent come first.
        Decoded::Dictionary { values, .. } => {
            values.iter().copied().filter(|size| (2..=64).contains(size)).take(SIZES_MAX).collect()
        }
        Decoded::Offsets { lanes: Lanes::U8(_) | Lanes::U16(_), base: 0..=1 } => vec![2, 3, 4, 5],
        _ => Vec::new(),
    };
    small.sort_unstable();
    small.dedup();
    small
}

/// The sizes of all rows. An inner node's is at most that of a block; larger ones are clamped.
pub(in crate::engine) fn sizes_into(sizes: &Decoded, rows: usize, out: &mut Vec<u32>) {
    let narrow = |value: i64| u32::try_from(value).unwrap_or(u32::MAX);
    out.clear();
    match sizes {
        Decoded::Offsets { base, lanes: Lanes::U8(lanes) } if (0..1 << 30).contains(base) => {
            out.extend(lanes.iter().map(|&lane| u32::from(lane) + *base as u32));
        }
        Decoded::Offsets { base, lanes: Lanes::U16(lanes) } if (0..1 << 30).contains(base) => {
            out.extend(lanes.iter().map(|&lane| u32::from(lane) + *base as u32));
        }
        Decoded::Offsets { base, lanes } => each_lane!(lanes, lanes => out.extend(
            lanes.iter().map(|&lane| narrow(base.wrapping_add(lane as i64)))
        )),
        Decoded::Dictionary { values, codes: Lanes::U8(codes) } => {
            let table = table_of(values);
            out.extend(codes.iter().map(|&code| table[usize::from(code)]));
        }
        other => out.extend((0..rows).map(|row| narrow(other.get(row)))),
    }
}

/// The values of a dictionary, for every code of one byte.
pub(in crate::engine) fn table_of(values: &[i64]) -> [u32; 256] {
    let mut table = [0; 256];
    for (entry, value) in table.iter_mut().zip(values) {
        *entry = u32::try_from(*value).unwrap_or(u32::MAX);
    }
    table
}
