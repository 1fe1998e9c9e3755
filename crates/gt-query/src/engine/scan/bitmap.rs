//! A bit for each row of a block, and rank: how many of the rows before one have theirs set.
//!
//! ```text
//! row      0 1 2 3 4 5
//! holds    1 0 0 1 1 0      rank(4) = 2
//! ```
//!
//! A subtree is an interval of rows, so how many of its nodes satisfy a predicate is a difference of two ranks.
//! **Invariant:** bits beyond the last row are 0.

use std::ops::Range;

/// A bit for each row.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Bitmap {
    words: Vec<u64>,
    rows: usize,
}

impl Bitmap {
    /// Makes it a bitmap of so many rows, all alike.
    pub(super) fn fill(&mut self, rows: usize, value: bool) {
        self.rows = rows;
        self.words.clear();
        self.words.resize(rows.div_ceil(64), if value { u64::MAX } else { 0 });
        self.trim();
    }

    /// Makes it that of a test of bytes, lanes or anything else: `test` gives 0 or 1 for each of 64 items.
    pub(super) fn pack<T: Copy + Default>(&mut self, items: &[T], test: impl Fn(T) -> u8) {
        self.rows = items.len();
        self.words.clear();
        self.words.reserve(items.len().div_ceil(64));
        let (chunks, rest) = items.as_chunks::<64>();
        self.words.extend(chunks.iter().map(|chunk| pack_word(chunk, &test)));
        if !rest.is_empty() {
            let mut chunk = [T::default(); 64];
            chunk[..rest.len()].copy_from_slice(rest);
            self.words.push(pack_word(&chunk, &test));
        }
        self.trim();
    }

    fn trim(&mut self) {
        if let (Some(last), 1..) = (self.words.last_mut(), self.rows % 64) {
            *last &= (1 << (self.rows % 64)) - 1;
        }
    }

    pub(super) fn get(&self, row: usize) -> bool {
        self.words[row / 64] >> (row % 64) & 1 == 1
    }

    pub(super) fn set(&mut self, row: usize, value: bool) {
        let bit = 1 << (row % 64);
        if value {
            self.words[row / 64] |= bit;
        } else {
            self.words[row / 64] &= !bit;
        }
    }

    pub(super) fn and(&mut self, other: &Self) {
        self.words.iter_mut().zip(&other.words).for_each(|(word, other)| *word &= other);
    }

    pub(super) fn or(&mut self, other: &Self) {
        self.words.iter_mut().zip(&other.words).for_each(|(word, other)| *word |= other);
    }

    pub(super) fn invert(&mut self) {
        self.words.iter_mut().for_each(|word| *word = !*word);
        self.trim();
    }

    pub(super) fn copy_from(&mut self, other: &Self) {
        self.rows = other.rows;
        self.words.clear();
        self.words.extend_from_slice(&other.words);
    }

    pub(super) fn count(&self) -> u64 {
        self.words.iter().map(|word| u64::from(word.count_ones())).sum()
    }

    pub(super) fn count_in(&self, range: Range<usize>) -> u64 {
        let mut count = 0;
        each_word(range, |place, mask| count += u64::from((self.words[place] & mask).count_ones()));
        count
    }

    /// Calls `visit` with each row whose bit is set.
    #[inline]
    pub(super) fn each(&self, mut visit: impl FnMut(usize)) {
        for (place, &word) in self.words.iter().enumerate() {
            let mut word = word;
            while word != 0 {
                visit(place * 64 + word.trailing_zeros() as usize);
                word &= word - 1;
            }
        }
    }

    /// Calls `visit` with each row of the range whose bit is set.
    #[inline]
    pub(super) fn each_in(&self, range: Range<usize>, mut visit: impl FnMut(usize)) {
        each_word(range, |place, mask| {
            let mut word = self.words[place] & mask;
            while word != 0 {
                visit(place * 64 + word.trailing_zeros() as usize);
                word &= word - 1;
            }
        });
    }

    /// Keeps of the bits that are set those for which `keep` holds.
    #[inline]
    pub(super) fn retain(&mut self, mut keep: impl FnMut(usize) -> bool) {
        for (place, word) in self.words.iter_mut().enumerate() {
            let mut left = *word;
            while left != 0 {
                let bit = left & left.wrapping_neg();
                if !keep(place * 64 + left.trailing_zeros() as usize) {
                    *word &= !bit;
                }
                left &= left - 1;
            }
        }
    }

    /// The last row before `end` whose bit is set.
    #[inline]
    pub(super) fn last_before(&self, end: usize) -> Option<usize> {
        let mut place = end / 64;
        let mut word = match self.words.get(place) {
            Some(word) => word & ((1 << (end % 64)) - 1),
            None => 0,
        };
        while word == 0 {
            place = place.checked_sub(1)?;
            word = self.words[place];
        }
        Some(place * 64 + 63 - word.leading_zeros() as usize)
    }
}

/// Packs 64 results, each 0 or 1, into a word.
#[inline(always)]
fn pack_word<T: Copy>(chunk: &[T; 64], test: &impl Fn(T) -> u8) -> u64 {
    let mut bytes = [0_u8; 64];
    for (byte, &item) in bytes.iter_mut().zip(chunk) {
        *byte = test(item);
    }
    let mut word = 0;
    for (place, eight) in bytes.as_chunks::<8>().0.iter().enumerate() {
        // The product moves the lowest bit of byte k to bit 56 + k.
        let packed = u64::from_le_bytes(*eight).wrapping_mul(0x0102_0408_1020_4080) >> 56;
        word |= packed << (8 * place);
    }
    word
}

#[inline]
fn each_word(range: Range<usize>, mut visit: impl FnMut(usize, u64)) {
    if range.is_empty() {
        return;
    }
    let (first, last) = (range.start / 64, (range.end - 1) / 64);
    let from = u64::MAX << (range.start % 64);
    let to = u64::MAX >> (63 - (range.end - 1) % 64);
    if first == last {
        return visit(first, from & to);
    }
    visit(first, from);
    (first + 1..last).for_each(|place| visit(place, u64::MAX));
    visit(last, to);
}

/// The ranks of a bitmap.
#[derive(Clone, Debug, Default)]
pub(super) struct Ranks {
    /// How many bits are set before each word, and at the end in all.
    before: Vec<u32>,
}

impl Ranks {
    pub(super) fn of(&mut self, bitmap: &Bitmap) {
        self.before.clear();
        self.before.reserve(bitmap.words.len() + 1);
        let mut sum = 0;
        for word in &bitmap.words {
            self.before.push(sum);
            sum += word.count_ones();
        }
        self.before.push(sum);
    }

    /// How many rows before this one have their bits set in the bitmap.
    #[inline]
    pub(super) fn rank(&self, bitmap: &Bitmap, row: usize) -> u32 {
        let inside = match bitmap.words.get(row / 64) {
            Some(word) => (word & ((1 << (row % 64)) - 1)).count_ones(),
            None => 0,
        };
        self.before[row / 64] + inside
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn everything_agrees_with_a_list_of_bools(
            bits in proptest::collection::vec(any::<bool>(), 1..300),
            a in 0..300_usize,
            b in 0..300_usize,
        ) {
            let mut bitmap = Bitmap::default();
            bitmap.pack(&bits, u8::from);
            let (a, b) = (a.min(b).min(bits.len()), a.max(b).min(bits.len()));
            let mut ranks = Ranks::default();
            ranks.of(&bitmap);
            let plain = |range: Range<usize>| bits[range].iter().filter(|bit| **bit).count();
            prop_assert_eq!(bitmap.count() as usize, plain(0..bits.len()));
            prop_assert_eq!(bitmap.count_in(a..b) as usize, plain(a..b));
            prop_assert_eq!(ranks.rank(&bitmap, a) as usize, plain(0..a));
            prop_assert_eq!(bitmap.last_before(a), (0..a).rev().find(|row| bits[*row]));
            let mut inverted = bitmap.clone();
            inverted.invert();
            prop_assert_eq!(inverted.count() as usize, bits.len() - plain(0..bits.len()));
            let mut seen = Vec::new();
            bitmap.each_in(a..b, |row| seen.push(row));
            prop_assert_eq!(seen, (a..b).filter(|row| bits[*row]).collect::<Vec<_>>());
        }
    }
}
