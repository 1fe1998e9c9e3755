//! Small integers and extremes of floats, added up by slot.

use std::ops::Range;

use super::slotted::Slotted;
use crate::accumulator::Many;
use crate::engine::bits::Bitmap;

/// The number of partial sums per slot if there are few slots: neighbours then mostly share one, and adding to one
/// place repeatedly is slow.
const WAYS: usize = 4;
/// The largest number of slots that counts as few.
const FEW_SLOTS: usize = 256;

/// The least or the largest float; NaN for none.
#[derive(Clone, Copy)]
pub(super) struct Extreme(pub(super) f64);

impl Default for Extreme {
    fn default() -> Self {
        Self(f64::NAN)
    }
}

/// The contributions of small integers; their sums fit, unless a log's heads are wrong.
#[derive(Clone, Copy)]
struct Few {
    count: i64,
    sum: i64,
    squares: i64,
    least: i64,
    most: i64,
}

impl Default for Few {
    fn default() -> Self {
        Self { count: 0, sum: 0, squares: 0, least: i64::MAX, most: i64::MIN }
    }
}

impl Few {
    #[inline]
    fn add(&mut self, value: i64, times: i64) {
        self.count += times;
        self.sum = self.sum.wrapping_add(value.wrapping_mul(times));
        self.squares = self.squares.wrapping_add(value.wrapping_mul(value).wrapping_mul(times));
        self.least = self.least.min(value);
        self.most = self.most.max(value);
    }

    fn and(self, more: Self) -> Self {
        Self {
            count: self.count + more.count,
            sum: self.sum.wrapping_add(more.sum),
            squares: self.squares.wrapping_add(more.squares),
            least: self.least.min(more.least),
            most: self.most.max(more.most),
        }
    }

    fn many(self) -> Many {
        Many::of(self.count as u64, self.sum, self.squares, (self.least, self.most))
    }
}

/// The contributions to each slot, for small integers.
pub(super) fn few(slotted: &Slotted<'_>, lanes: &[i64], taken: impl Fn(u32) -> bool) -> Vec<Many> {
    let add = |row: u32, times: u32, few: &mut Few| {
        if taken(row) {
            few.add(lanes[row as usize], times.into());
        }
    };
    by_slot(slotted, add, Few::and).into_iter().map(Few::many).collect()
}

/// The contribution of all these small integers.
pub(super) fn few_of(lanes: &[i64]) -> Many {
    let mut few = Few::default();
    lanes.iter().for_each(|lane| few.add(*lane, 1));
    few.many()
}

/// The contribution of the taken rows of a range.
pub(super) fn few_in(lanes: &[i64], take: &Bitmap, range: Range<usize>) -> Many {
    let mut few = Few::default();
    take.each_in(range, |row| few.add(lanes[row], 1));
    few.many()
}

/// The least or the largest float of each slot.
pub(super) fn extremes(
    slotted: &Slotted<'_>,
    lanes: &[f64],
    taken: impl Fn(u32) -> bool,
    is_least: bool,
) -> Vec<Extreme> {
    let better = |best: f64, more: f64| if is_least { best.min(more) } else { best.max(more) };
    let add = |row: u32, _, best: &mut Extreme| {
        if taken(row) {
            best.0 = better(best.0, lanes[row as usize]);
        }
    };
    by_slot(slotted, add, |best, more| Extreme(better(best.0, more.0)))
}

/// The contributions of all rows to each slot; `add` gets a row and how often it counts.
pub(super) fn by_slot<T: Copy + Default>(
    slotted: &Slotted<'_>,
    mut add: impl FnMut(u32, u32, &mut T),
    and: impl Fn(T, T) -> T,
) -> Vec<T> {
    if slotted.count == 1 {
        // Sums in registers can be added to without waiting for memory.
        let mut found = T::default();
        slotted.each(|row, _, times| add(row as u32, times, &mut found));
        return vec![found];
    }
    if slotted.count > FEW_SLOTS || slotted.times.is_some() {
        let mut found = vec![T::default(); slotted.count];
        slotted.each(|row, slot, times| add(row as u32, times, &mut found[slot as usize]));
        return found;
    }
    let mut found = vec![[T::default(); WAYS]; slotted.count];
    let pairs = slotted.rows.iter().zip(slotted.slots);
    pairs.enumerate().for_each(|(place, (row, slot))| add(*row, 1, &mut found[*slot as usize][place % WAYS]));
    found.into_iter().map(|ways| ways.into_iter().fold(T::default(), &and)).collect()
}
