//! Running sums over the rows: a node's contribution to all its descendants is added where its subtree starts, and
//! subtracted at the node.
//!
//! ```text
//! row     0  1  2  3  4
//! size    1  1  3  1  5
//! steps  +2  .  -1 .  -1      2 gives one to 0 and 1, 4 to all before it
//! sums    2  2  1  1  0
//! ```
//!
//! No sum exceeds the depth, so in a block that is not deep a byte holds it, and intermediate steps may wrap.

use gt_log::{Decoded, Lanes};

use super::sizes::each_size;
use crate::engine::bits::Bitmap;
use crate::engine::crossing::{JointId, Regions};
use crate::engine::wide::wide;

/// A size is frequent if at least one in this many rows has it.
const FREQUENT_ONE_IN: usize = 64;

/// Steps, and then their sums: one for each row, and one after the last.
#[derive(Clone, Debug, Default)]
pub(in crate::engine) struct Sums {
    is_narrow: bool,
    narrow: Vec<u8>,
    wide: Vec<u32>,
}

/// Runs `$body` with `$steps` bound to the list in use.
macro_rules! each_width {
    ($sums:expr, $steps:ident => $body:expr) => {
        if $sums.is_narrow {
            let $steps = &mut $sums.narrow;
            $body
        } else {
            let $steps = &mut $sums.wide;
            $body
        }
    };
}

impl Sums {
    /// Begins with the contributions of crossing nodes to the children below them; no sum exceeds `most`.
    pub(in crate::engine) fn begin(
        &mut self,
        rows: usize,
        most: u32,
        regions: &Regions,
        of: impl Fn(JointId) -> i64,
    ) {
        self.is_narrow = most <= u32::from(u8::MAX);
        each_width!(self, steps => {
            steps.clear();
            steps.resize(rows + 1, 0);
        });
        self.add_regions(regions, of);
    }

    /// Like [`Sums::begin`], for plies: every inner node with children contributes one. The contributions of nodes of
    /// frequent sizes are added all at once, and `left` gets the rows of the others, for [`Sums::give_starts`]; rows
    /// without children may be among them. Returns `false` if the stored form of the sizes does not allow this.
    pub(in crate::engine) fn begin_plies(
        &mut self,
        most: u32,
        sizes: &Decoded,
        regions: &Regions,
        of: impl Fn(JointId) -> i64,
        left: &mut Bitmap,
    ) -> bool {
        let (values, codes) = match sizes {
            Decoded::Dictionary { values, codes: Lanes::U8(codes) } if most <= u32::from(u8::MAX) => {
                (values, codes)
            }
            _ => return false,
        };
        self.is_narrow = true;
        let leaf = values.iter().position(|size| *size == 1).map_or(u8::MAX, |code| code as u8);
        self.narrow.clear();
        self.narrow.extend(codes.iter().map(|code| u8::from(*code == leaf).wrapping_sub(1)));
        self.narrow.push(0);
        regions.closed.iter().for_each(|&row| self.narrow[row] = 0);
        self.add_regions(regions, of);
        // The most frequent come first.
        let mut added = 0_u8;
        for (code, &size) in (0_u8..).zip(values) {
            if code != leaf {
                let before = usize::try_from(size).map_or(usize::MAX, |size| size.saturating_sub(1));
                if count_equal(codes, code) * FREQUENT_ONE_IN < codes.len() {
                    break;
                }
                // A subtree that starts before the block is a crossing node's.
                if let Some(ends) = codes.get(before..) {
                    add_where_equal(ends, code, &mut self.narrow);
                }
            }
            added = code.saturating_add(1);
        }
        if usize::from(added) >= values.len() {
            left.fill(codes.len(), false);
        } else {
            let span = u8::MAX - added;
            left.pack(codes, |code| u8::from(code.wrapping_sub(added) <= span));
        }
        true
    }

    /// Each of these rows adds one to all its descendants; the subtraction at the row itself is already done.
    pub(in crate::engine) fn give_starts(&mut self, rows: &[u32], sizes: &Decoded) {
        each_size!(sizes, size => for &row in rows {
            let row = row as usize;
            let start = (row + 1).saturating_sub(size(row));
            self.narrow[start] = self.narrow[start].wrapping_add(1);
        });
    }

    fn add_regions(&mut self, regions: &Regions, of: impl Fn(JointId) -> i64) {
        for region in &regions.segments {
            if let Some(parent) = region.parent {
                // A path has at most 2^20 nodes.
                let given = of(parent) as u32;
                self.add(region.first_start, given);
                self.add(region.last_row + 1, given.wrapping_neg());
            }
        }
    }

    /// Each of these rows adds one to all its descendants.
    pub(in crate::engine) fn give(&mut self, rows: &[u32], sizes: &Decoded) {
        each_width!(self, steps => each_size!(sizes, size => for &row in rows {
            let row = row as usize;
            let start = (row + 1).saturating_sub(size(row));
            steps[start] = steps[start].wrapping_add(1);
            steps[row] = steps[row].wrapping_sub(1);
        }));
    }

    fn add(&mut self, row: usize, step: u32) {
        if self.is_narrow {
            self.narrow[row] = self.narrow[row].wrapping_add(step as u8);
        } else {
            self.wide[row] = self.wide[row].wrapping_add(step);
        }
    }

    /// Turns steps into their sums.
    pub(in crate::engine) fn sum_up(&mut self) {
        if self.is_narrow {
            sum_up_bytes(&mut self.narrow);
        } else {
            let mut sum = 0_u32;
            for step in &mut self.wide {
                sum = sum.wrapping_add(*step);
                *step = sum;
            }
        }
    }

    /// The sum at a row.
    #[inline]
    pub(in crate::engine) fn get(&self, row: usize) -> u32 {
        if self.is_narrow { u32::from(self.narrow[row]) } else { self.wide[row] }
    }

    /// The sums of all rows, if bytes hold them.
    pub(in crate::engine) fn bytes(&self) -> Option<&[u8]> {
        self.is_narrow.then_some(&self.narrow)
    }

    /// The sums of `rows` rows, as numbers.
    pub(in crate::engine) fn numbers_into(&self, rows: usize, out: &mut Vec<i64>) {
        out.clear();
        if self.is_narrow {
            out.extend(self.narrow[..rows].iter().map(|sum| i64::from(*sum)));
        } else {
            out.extend(self.wide[..rows].iter().map(|sum| i64::from(*sum)));
        }
    }

    /// The rows with a sum in `low ..= high`.
    pub(in crate::engine) fn within(&self, rows: usize, (low, high): (i64, i64), out: &mut Bitmap) {
        let most = if self.is_narrow { i64::from(u8::MAX) } else { i64::from(u32::MAX) };
        if low > high || high < 0 || low > most {
            return out.fill(rows, false);
        }
        let (low, high) = (low.max(0) as u32, high.min(most) as u32);
        let span = high - low;
        if self.is_narrow {
            let (low, span) = (low as u8, span as u8);
            out.pack(&self.narrow[..rows], |sum| u8::from(sum.wrapping_sub(low) <= span));
        } else {
            out.pack(&self.wide[..rows], |sum| u8::from(sum.wrapping_sub(low) <= span));
        }
    }
}

wide! {
    /// The number of codes equal to this one.
    fn count_equal(codes: &[u8], code: u8) -> usize {
        // Few enough for a byte to count them.
        let counts = codes.chunks(128).map(|codes| codes.iter().map(|found| u8::from(*found == code)).sum::<u8>());
        counts.map(usize::from).sum()
    }
}

wide! {
    /// Adds one to each step whose code equals this one.
    fn add_where_equal(codes: &[u8], code: u8, steps: &mut [u8]) {
        for (step, found) in steps.iter_mut().zip(codes) {
            *step = step.wrapping_add(u8::from(*found == code));
        }
    }
}

/// Turns steps into their sums.
fn sum_up_bytes(steps: &mut [u8]) {
    let mut sum = 0;
    #[cfg(target_arch = "x86_64")]
    let steps = {
        let (sixteens, rest) = steps.as_chunks_mut::<16>();
        sum = sum_up_sixteens(sixteens).wrapping_add(sum);
        rest
    };
    for step in steps {
        sum = step.wrapping_add(sum);
        *step = sum;
    }
}

/// Like [`sum_up_bytes`], sixteen at a time: each is added to the one after it, then to the two after, the four, the
/// eight. Returns the sum of all.
#[cfg(target_arch = "x86_64")]
fn sum_up_sixteens(sixteens: &mut [[u8; 16]]) -> u8 {
    use std::arch::x86_64::{
        __m128i, _mm_add_epi8, _mm_extract_epi16, _mm_loadu_si128, _mm_set1_epi8, _mm_slli_si128,
        _mm_storeu_si128,
    };
    let mut before = 0_u8;
    for sixteen in sixteens {
        // SAFETY: the intrinsics need SSE2, which every x86-64 has. `place` points to the 16 bytes of `sixteen`,
        // which is borrowed mutably; unaligned loads and stores are allowed.
        unsafe {
            let place: *mut __m128i = sixteen.as_mut_ptr().cast();
            let mut sums = _mm_loadu_si128(place);
            sums = _mm_add_epi8(sums, _mm_slli_si128::<1>(sums));
            sums = _mm_add_epi8(sums, _mm_slli_si128::<2>(sums));
            sums = _mm_add_epi8(sums, _mm_slli_si128::<4>(sums));
            sums = _mm_add_epi8(sums, _mm_slli_si128::<8>(sums));
            _mm_storeu_si128(place, _mm_add_epi8(sums, _mm_set1_epi8(before.cast_signed())));
            before = before.wrapping_add((_mm_extract_epi16::<7>(sums) >> 8) as u8);
        }
    }
    before
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::crossing::Region;
    use proptest::prelude::*;

    /// The sizes of a forest in the order of leaving: each number is how many of the previous trees become children.
    fn sizes(adopted: &[usize]) -> Vec<i64> {
        let (mut sizes, mut tops) = (Vec::new(), Vec::<i64>::new());
        for &children in adopted {
            let first = tops.len() - children.min(tops.len());
            let size = 1 + tops.drain(first..).sum::<i64>();
            tops.push(size);
            sizes.push(size);
        }
        sizes
    }

    proptest! {
        #[test]
        fn plies_of_frequent_sizes_are_those_of_any(
            adopted in proptest::collection::vec(prop_oneof![3 => Just(0_usize), 2 => 1..4_usize, 1 => 4..40_usize], 1..900),
            above in 0..9_i64,
        ) {
            let sizes = sizes(&adopted);
            let rows = sizes.len();
            let mut values = sizes.clone();
            values.sort_unstable();
            values.dedup();
            values.sort_by_key(|value| std::cmp::Reverse(sizes.iter().filter(|size| *size == value).count()));
            prop_assume!(values.len() < 256);
            let code = |size: &i64| values.iter().position(|value| value == size).unwrap_or(0) as u8;
            let codes = Lanes::U8(sizes.iter().map(code).collect());
            let dictionary = Decoded::Dictionary { values: values.clone(), codes };
            let region = Region { parent: Some(0), count: 1, first_row: 0, first_start: 0, last_row: rows - 1};
            let regions = Regions { closed: Vec::new(), segments: vec![region] };
            let list = |bitmap: &Bitmap| {
                let mut listed = Vec::new();
                bitmap.each(|row| if sizes[row] > 1 { listed.push(row as u32) });
                listed
            };
            let (mut fast, mut left) = (Sums::default(), Bitmap::default());
            prop_assert!(fast.begin_plies(200, &dictionary, &regions, |_| above, &mut left));
            fast.give_starts(&list(&left), &dictionary);
            fast.sum_up();
            let (mut plain, mut all) = (Sums::default(), Bitmap::default());
            all.fill(rows, true);
            plain.begin(rows, 1000, &regions, |_| above);
            plain.give(&list(&all), &Decoded::Wide(sizes.clone()));
            plain.sum_up();
            for row in 0..rows {
                prop_assert_eq!(fast.get(row), plain.get(row) & 0xff, "row {}", row);
            }
        }

        #[test]
        fn bytes_are_summed_up(steps in proptest::collection::vec(any::<u8>(), 0..100)) {
            let mut sums = steps.clone();
            sum_up_bytes(&mut sums);
            let mut sum = 0_u8;
            let expected: Vec<u8> = steps.iter().map(|step| { sum = sum.wrapping_add(*step); sum }).collect();
            prop_assert_eq!(sums, expected);
        }
    }
}
