//! Order statistics of a changing multiset, and of any interval of a list: a Fenwick tree and a wavelet matrix.
//!
//! ```text
//! codes     2 0 3 1 0        level of bit 1:  1 0 1 0 0   then those with a 0 first, in order: 0 1 0 | 2 3
//!                            level of bit 0:  0 1 0 | 0 1
//! ```
//!
//! The k-th code of an interval is found bit by bit: how many codes of the interval have a 0 here says whether the k-th
//! does, and two ranks say where the interval goes on the next level.

use crate::engine::scan::{Bitmap, Ranks};

/// How often each code is there.
#[derive(Clone, Debug)]
pub(super) struct Fenwick {
    /// At `i` the number of codes in the interval of length `i & -i` that ends before `i`.
    counts: Vec<i64>,
    pub(super) total: i64,
}

impl Fenwick {
    pub(super) fn new(codes: usize) -> Self {
        Self { counts: vec![0; codes.next_power_of_two() + 1], total: 0 }
    }

    pub(super) fn change(&mut self, code: usize, by: i64) {
        self.total += by;
        let mut place = code + 1;
        while let Some(count) = self.counts.get_mut(place) {
            *count += by;
            place += place & place.wrapping_neg();
        }
    }

    /// How many codes there are below this one.
    pub(super) fn below(&self, code: usize) -> i64 {
        let (mut place, mut sum) = (code, 0);
        while place > 0 {
            sum += self.counts[place];
            place &= place - 1;
        }
        sum
    }

    /// The code with so many before it, which are fewer than there are.
    pub(super) fn select(&self, mut before: i64) -> usize {
        let (mut place, mut step) = (0, self.counts.len() - 1);
        while step > 0 {
            if let Some(&count) = self.counts.get(place + step).filter(|&&count| count <= before) {
                place += step;
                before -= count;
            }
            step /= 2;
        }
        place
    }
}

/// A list of codes that can be asked for the k-th of every interval.
#[derive(Clone, Debug, Default)]
pub(super) struct Wavelet {
    /// From the highest bit: the bits, their ranks, and how many are 0.
    levels: Vec<(Bitmap, Ranks, u32)>,
}

impl Wavelet {
    pub(super) fn of(mut codes: Vec<u32>) -> Self {
        let highest = codes.iter().copied().max().unwrap_or(0);
        let mut levels = Vec::new();
        let mut ones = Vec::with_capacity(codes.len());
        for bit in (0..u32::BITS - highest.leading_zeros()).rev() {
            let (mut bits, mut ranks) = (Bitmap::default(), Ranks::default());
            bits.pack(&codes, |code| (code >> bit & 1) as u8);
            ranks.of(&bits);
            ones.clear();
            ones.extend(codes.iter().filter(|&code| code >> bit & 1 == 1));
            codes.retain(|code| code >> bit & 1 == 0);
            levels.push((bits, ranks, codes.len() as u32));
            codes.extend_from_slice(&ones);
        }
        Self { levels }
    }

    /// The code of the interval with so many before it in order, which are fewer than the interval has.
    pub(super) fn select(&self, start: u32, end: u32, mut before: u32) -> u32 {
        let (mut start, mut end, mut code) = (start, end, 0);
        for (bits, ranks, zeros) in &self.levels {
            let ones = [start, end].map(|place| ranks.rank(bits, place as usize));
            let zeros_inside = (end - ones[1]) - (start - ones[0]);
            let is_one = before >= zeros_inside;
            code = code << 1 | u32::from(is_one);
            if is_one {
                before -= zeros_inside;
                (start, end) = (zeros + ones[0], zeros + ones[1]);
            } else {
                (start, end) = (start - ones[0], end - ones[1]);
            }
        }
        code
    }
}
