//! Running sums over the rows: what a node gives to all its descendants is added where its subtree starts, and taken
//! away at the node.
//!
//! ```text
//! row     0  1  2  3  4
//! size    1  1  3  1  5
//! steps  +2  .  -1 .  -1      2 gives one to 0 and 1, 4 to all before it
//! sums    2  2  1  1  0
//! ```
//!
//! No sum is greater than the depth, so in a block that is not deep a byte holds it, and steps may wrap on the way.

use gt_log::{Decoded, Lanes};

use super::bitmap::Bitmap;
use super::sizes::{each_size, table_of};
use crate::engine::skeleton::JointId;
use crate::engine::survey::Regions;

/// Steps, and then their sums: one for each row, and one for what is after the last.
#[derive(Clone, Debug, Default)]
pub(super) struct Sums {
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
    /// Begins with what crossing nodes give to the children below them; no sum is greater than `most`.
    pub(super) fn begin(&mut self, rows: usize, most: u32, regions: &Regions, of: impl Fn(JointId) -> i64) {
        self.is_narrow = most <= u32::from(u8::MAX);
        each_width!(self, steps => {
            steps.clear();
            steps.resize(rows + 1, 0);
        });
        self.add_regions(regions, of);
    }

    /// Sums up how many of these rows, all that are inner nodes with children, each row is below; and what crossing
    /// nodes give.
    pub(super) fn plies(
        &mut self,
        most: u32,
        (listed, sizes): (&[u32], &Decoded),
        (rows, regions): (usize, &Regions),
        of: impl Fn(JointId) -> i64,
    ) {
        match sizes {
            // What is taken away at rows with children needs no list of them.
            Decoded::Dictionary { values, codes: Lanes::U8(codes) } if most <= u32::from(u8::MAX) => {
                self.is_narrow = true;
                let leaf = values.iter().position(|size| *size == 1).map_or(u8::MAX, |code| code as u8);
                self.narrow.clear();
                self.narrow.extend(codes.iter().map(|code| u8::from(*code == leaf).wrapping_sub(1)));
                self.narrow.push(0);
                regions.closed.iter().for_each(|&row| self.narrow[row] = 0);
                self.add_regions(regions, of);
                let (table, steps) = (table_of(values), &mut self.narrow[..codes.len()]);
                for &row in listed {
                    let row = row as usize;
                    let start = (row + 1).saturating_sub(table[usize::from(codes[row])] as usize);
                    steps[start] = steps[start].wrapping_add(1);
                }
            }
            sizes => {
                self.begin(rows, most, regions, of);
                self.give(listed, sizes);
            }
        }
        self.sum_up();
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

    /// Each of these rows gives one to all its descendants.
    pub(super) fn give(&mut self, rows: &[u32], sizes: &Decoded) {
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

    /// Makes steps into their sums.
    pub(super) fn sum_up(&mut self) {
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
    pub(super) fn get(&self, row: usize) -> u32 {
        if self.is_narrow { u32::from(self.narrow[row]) } else { self.wide[row] }
    }

    /// The sums of all rows, where bytes hold them.
    pub(super) fn bytes(&self) -> Option<&[u8]> {
        self.is_narrow.then_some(&self.narrow)
    }

    /// The sums of so many rows, as numbers.
    pub(super) fn numbers_into(&self, rows: usize, out: &mut Vec<i64>) {
        out.clear();
        if self.is_narrow {
            out.extend(self.narrow[..rows].iter().map(|sum| i64::from(*sum)));
        } else {
            out.extend(self.wide[..rows].iter().map(|sum| i64::from(*sum)));
        }
    }

    /// The rows with a sum in `low ..= high`.
    pub(super) fn within(&self, rows: usize, (low, high): (i64, i64), out: &mut Bitmap) {
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

/// Makes steps into their sums.
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

/// The same, sixteen at a time: each is added to the one after it, then to the two after, the four, the eight. Gives
/// the sum of all.
#[cfg(target_arch = "x86_64")]
fn sum_up_sixteens(sixteens: &mut [[u8; 16]]) -> u8 {
    use std::arch::x86_64::{
        __m128i, _mm_add_epi8, _mm_extract_epi16, _mm_loadu_si128, _mm_set1_epi8, _mm_slli_si128,
        _mm_storeu_si128,
    };
    let mut before = 0_u8;
    for sixteen in sixteens {
        // SAFETY: every processor of the family has these instructions; sixteen bytes can be read and written there.
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
    use proptest::prelude::*;

    proptest! {
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
