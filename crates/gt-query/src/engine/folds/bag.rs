//! Multisets of codes with insertion and removal, each answering one question.

use std::hint::select_unpredictable;

use super::relations::NOBODY;

/// A multiset of codes that answers one question.
pub(super) trait Bag {
    fn change(&mut self, code: u32, by: i64);
    fn answer(&self) -> u32;
    /// The answer for these codes alone; the bag must be empty.
    fn of(&mut self, codes: &mut [u32]) -> u32;
}

/// The code with the wanted rank; [`NOBODY`] if there is none.
pub(super) struct Quantile<F> {
    pub(super) counts: Fenwick,
    /// Maps the number of codes to a rank from 1 to that number.
    pub(super) rank: F,
}

impl<F: Fn(i64) -> i64> Bag for Quantile<F> {
    fn change(&mut self, code: u32, by: i64) {
        self.counts.change(code as usize, by);
    }

    fn answer(&self) -> u32 {
        match self.counts.total {
            0 => NOBODY,
            total => self.counts.select((self.rank)(total) - 1) as u32,
        }
    }

    fn of(&mut self, codes: &mut [u32]) -> u32 {
        match codes.len() {
            0 => NOBODY,
            count => *codes.select_nth_unstable((self.rank)(count as i64) as usize - 1).1,
        }
    }
}

/// The number of distinct codes.
pub(super) struct Distinct {
    /// The counts by code.
    pub(super) counts: Vec<i64>,
    pub(super) different: u32,
}

impl Bag for Distinct {
    fn change(&mut self, code: u32, by: i64) {
        let count = &mut self.counts[code as usize];
        let was_there = *count != 0;
        *count += by;
        self.different = self.different + u32::from(*count != 0) - u32::from(was_there);
    }

    fn answer(&self) -> u32 {
        self.different
    }

    fn of(&mut self, codes: &mut [u32]) -> u32 {
        codes.iter().for_each(|&code| self.change(code, 1));
        let different = self.different;
        codes.iter().for_each(|&code| self.change(code, -1));
        different
    }
}

/// The number of occurrences of each code.
#[derive(Clone, Debug)]
pub(super) struct Fenwick {
    /// At `i`, the number of codes in the interval of length `i & -i` that ends before `i`.
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

    /// The number of codes below this one.
    pub(super) fn below(&self, code: usize) -> i64 {
        let (mut place, mut sum) = (code, 0);
        while place > 0 {
            sum += self.counts[place];
            place &= place - 1;
        }
        sum
    }

    /// The code with `before` codes before it, which must be fewer than there are.
    pub(super) fn select(&self, mut before: i64) -> usize {
        // All codes are fewer than the total, which is at the last index.
        let (mut place, mut step) = (0, (self.counts.len() - 1) / 2);
        while step > 0 {
            let count = self.counts[place + step];
            let is_beyond = count <= before;
            place += select_unpredictable(is_beyond, step, 0);
            before -= select_unpredictable(is_beyond, count, 0);
            step /= 2;
        }
        place
    }
}
