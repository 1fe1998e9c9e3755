//! The k-th code of any interval of a list: a wavelet matrix.
//!
//! ```text
//! codes     2 0 3 1 0        level of bit 1:  1 0 1 0 0   then those with a 0 first, in order: 0 1 0 | 2 3
//!                            level of bit 0:  0 1 0 | 0 1
//! ```
//!
//! The k-th code of an interval is found bit by bit: the number of codes in the interval with a 0 here decides
//! whether the k-th has one, and two ranks give the interval on the next level.

use std::hint::select_unpredictable;

use crate::engine::bits::{Bitmap, Ranks};
use crate::engine::wide::wide;

/// The bits of a level, their ranks, and the number of zeros.
type Level = (Bitmap, Ranks, u32);

/// A list of codes that answers queries for the k-th of any interval.
#[derive(Clone, Debug, Default)]
pub(super) struct Wavelet {
    /// The levels, from the highest bit.
    levels: Vec<Level>,
}

impl Wavelet {
    pub(super) fn of(mut codes: Vec<u32>) -> Self {
        let highest = codes.iter().copied().max().unwrap_or(0);
        let mut levels = Vec::new();
        let mut ones = vec![0; codes.len()];
        for bit in (0..u32::BITS - highest.leading_zeros()).rev() {
            let (mut bits, mut ranks) = (Bitmap::default(), Ranks::default());
            bits.pack(&codes, |code| (code >> bit & 1) as u8);
            ranks.of(&bits);
            let (mut zeros, mut place) = (0, 0);
            for from in 0..codes.len() {
                // Written to both lists without a branch; the wrong one is overwritten.
                let (code, is_one) = (codes[from], codes[from] >> bit & 1);
                codes[zeros] = code;
                ones[place] = code;
                zeros += 1 - is_one as usize;
                place += is_one as usize;
            }
            codes[zeros..].copy_from_slice(&ones[..place]);
            levels.push((bits, ranks, zeros as u32));
        }
        Self { levels }
    }

    /// The code of the interval with `before` smaller ones before it, which must be fewer than the interval
    /// has.
    pub(super) fn select(&self, start: u32, end: u32, before: u32) -> u32 {
        select_code(&self.levels, start, end, before)
    }
}

wide! {
    fn select_code(levels: &[Level], start: u32, end: u32, before: u32) -> u32 {
        let (mut start, mut end, mut before, mut code) = (start, end, before, 0);
        for (bits, ranks, zeros) in levels {
            let ones = [start, end].map(|place| ranks.rank(bits, place as usize));
            let inside = [start - ones[0], end - ones[1]];
            let zeros_inside = inside[1] - inside[0];
            let is_one = before >= zeros_inside;
            code = code << 1 | u32::from(is_one);
            before -= select_unpredictable(is_one, zeros_inside, 0);
            start = select_unpredictable(is_one, zeros + ones[0], inside[0]);
            end = select_unpredictable(is_one, zeros + ones[1], inside[1]);
        }
        code
    }
}
