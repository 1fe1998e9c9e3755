//! A bit for each row of a block, and ranks: the number of set bits before a row.
//!
//! ```text
//! row      0 1 2 3 4 5
//! holds    1 0 0 1 1 0      rank(4) = 2
//! ```
//!
//! A subtree is an interval of rows, so the number of its nodes that satisfy a predicate is a difference of two
//! ranks. **Invariant:** bits beyond the last row are 0.

use std::ops::Range;

use gt_log::mark_rows;

use crate::engine::wide::wide;

/// A bit for each row.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(in crate::engine) struct Bitmap {
    words: Vec<u64>,
    rows: usize,
}

impl Bitmap {
    /// Makes this a bitmap of `rows` rows, all set to `value`.
    pub(in crate::engine) fn fill(&mut self, rows: usize, value: bool) {
        self.rows = rows;
        self.words.clear();
        self.words.resize(rows.div_ceil(64), if value { u64::MAX } else { 0 });
        self.trim();
    }

    /// Sets the bits from a test of bytes, lanes or anything else: `test` gives 0 or 1 for each item.
    #[inline]
    pub(in crate::engine) fn pack<T: Copy + Default>(&mut self, items: &[T], test: impl Fn(T) -> u8) {
        self.rows = items.len();
        self.words.resize(items.len().div_ceil(64), 0);
        mark_rows(items, &mut self.words, test);
    }

    /// Lets `mark` set the words, one for each 64 rows; bits beyond the last row must be 0.
    pub(in crate::engine) fn mark<T>(&mut self, rows: usize, mark: impl FnOnce(&mut Vec<u64>) -> T) -> T {
        self.rows = rows;
        mark(&mut self.words)
    }

    fn trim(&mut self) {
        if let (Some(last), 1..) = (self.words.last_mut(), self.rows % 64) {
            *last &= (1 << (self.rows % 64)) - 1;
        }
    }

    pub(in crate::engine) fn get(&self, row: usize) -> bool {
        self.words[row / 64] >> (row % 64) & 1 == 1
    }

    pub(in crate::engine) fn set(&mut self, row: usize, value: bool) {
        let bit = 1 << (row % 64);
        if value {
            self.words[row / 64] |= bit;
        } else {
            self.words[row / 64] &= !bit;
        }
    }

    pub(in crate::engine) fn and(&mut self, other: &Self) {
        self.words.iter_mut().zip(&other.words).for_each(|(word, other)| *word &= other);
    }

    pub(in crate::engine) fn or(&mut self, other: &Self) {
        self.words.iter_mut().zip(&other.words).for_each(|(word, other)| *word |= other);
    }

    pub(in crate::engine) fn and_not(&mut self, other: &Self) {
        self.and_not_words(&other.words);
    }

    /// Clears the rows whose bits are set in these words, one for each 64 rows.
    pub(in crate::engine) fn and_not_words(&mut self, words: &[u64]) {
        self.words.iter_mut().zip(words).for_each(|(word, other)| *word &= !other);
    }

    pub(in crate::engine) fn rows(&self) -> usize {
        self.rows
    }

    /// The words, one for each 64 rows.
    pub(in crate::engine) fn words(&self) -> &[u64] {
        &self.words
    }

    /// Moves every bit `step` rows further, from 1 to 63.
    pub(in crate::engine) fn shift(&mut self, step: usize) {
        shift_words(&mut self.words, step, 0);
        self.trim();
    }

    /// Also sets the bits `step` rows after the set ones, from 1 to 63.
    pub(in crate::engine) fn or_shifted(&mut self, step: usize) {
        shift_words(&mut self.words, step, u64::MAX);
        self.trim();
    }

    pub(in crate::engine) fn invert(&mut self) {
        self.words.iter_mut().for_each(|word| *word = !*word);
        self.trim();
    }

    pub(in crate::engine) fn copy_from(&mut self, other: &Self) {
        self.rows = other.rows;
        self.words.clear();
        self.words.extend_from_slice(&other.words);
    }

    pub(in crate::engine) fn count(&self) -> u64 {
        count_words(&self.words)
    }

    pub(in crate::engine) fn count_in(&self, range: Range<usize>) -> u64 {
        let mut count = 0;
        each_word(range, |place, mask| count += u64::from((self.words[place] & mask).count_ones()));
        count
    }

    /// Calls `visit` with each row whose bit is set.
    #[inline]
    pub(in crate::engine) fn each(&self, mut visit: impl FnMut(usize)) {
        for (place, &word) in self.words.iter().enumerate() {
            let mut word = word;
            while word != 0 {
                visit(place * 64 + word.trailing_zeros() as usize);
                word &= word - 1;
            }
        }
    }

    /// Lists the rows whose bits are set. Walking over the list is faster than over the bits: the last bit of a word
    /// is unpredictable.
    pub(in crate::engine) fn rows_into(&self, out: &mut Vec<u32>) {
        out.clear();
        // Some extra space, so that eight can always be written.
        out.resize(self.count() as usize + 8, 0);
        list_bits(&self.words, out);
        out.truncate(out.len() - 8);
    }

    /// Calls `visit` with each row of the range whose bit is set.
    #[inline]
    pub(in crate::engine) fn each_in(&self, range: Range<usize>, mut visit: impl FnMut(usize)) {
        each_word(range, |place, mask| {
            let mut word = self.words[place] & mask;
            while word != 0 {
                visit(place * 64 + word.trailing_zeros() as usize);
                word &= word - 1;
            }
        });
    }

    /// Keeps the set bits for which `keep` holds.
    #[inline]
    pub(in crate::engine) fn retain(&mut self, mut keep: impl FnMut(usize) -> bool) {
        retain_words(&mut self.words, &mut keep);
    }

    /// Keeps the set rows that have between `low` and `high` rows below them that satisfy a test; with `outside`, the
    /// others.
    #[inline]
    pub(in crate::engine) fn retain_counts(
        &mut self,
        test: &Self,
        ranks: &Ranks,
        start: impl Fn(usize) -> usize,
        (low, high): (u32, u32),
        outside: bool,
    ) {
        self.retain(|row| {
            let count = ranks.rank(test, row) - ranks.rank(test, start(row));
            (low <= count && count <= high) != outside
        });
    }

    /// Keeps the set rows that have a row below them that satisfies a test.
    #[inline]
    pub(in crate::engine) fn retain_some(&mut self, test: &Self, start: impl Fn(usize) -> usize) {
        retain_some_words(&mut self.words, &test.words, &start);
    }

    /// The last row before `end` whose bit is set.
    #[inline]
    pub(in crate::engine) fn last_before(&self, end: usize) -> Option<usize> {
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

wide! {
    fn shift_words(words: &mut [u64], step: usize, kept: u64) {
        let mut before = 0;
        for word in words {
            let now = *word;
            *word = (now & kept) | now << step | before >> (64 - step);
            before = now;
        }
    }
}

wide! {
    /// Writes the indices of the set bits; the list has space for eight more.
    fn list_bits(words: &[u64], out: &mut [u32]) {
        let mut end = 0;
        for (place, &word) in words.iter().enumerate() {
            let (mut word, mut written) = (word, end);
            end += word.count_ones() as usize;
            // Write eight at a time, even if there are fewer: the excess is overwritten.
            while word != 0 && let Some(eight) = out.get_mut(written..).and_then(<[u32]>::first_chunk_mut::<8>) {
                for row in eight {
                    *row = place as u32 * 64 + word.trailing_zeros();
                    word &= word.wrapping_sub(1);
                }
                written += 8;
            }
        }
    }
}

wide! {
    /// Writes the indices of the set bits, for which `out` has enough space; `first_word` is the number of the first word.
    fn write_bits(first_word: u64, words: &[u64], out: &mut [u64]) {
        let mut end = 0;
        for (place, &word) in words.iter().enumerate() {
            let (mut word, mut written) = (word, end);
            let base = (first_word + place as u64) * 64;
            end += word.count_ones() as usize;
            // Write eight at a time, even if there are fewer: the excess is overwritten.
            while word != 0 && let Some(eight) = out.get_mut(written..).and_then(<[u64]>::first_chunk_mut::<8>) {
                for id in eight {
                    *id = base + u64::from(word.trailing_zeros());
                    word &= word.wrapping_sub(1);
                }
                written += 8;
            }
            for id in out.get_mut(written..end).into_iter().flatten() {
                *id = base + u64::from(word.trailing_zeros());
                word &= word.wrapping_sub(1);
            }
        }
    }
}

wide! {
    fn count_words(words: &[u64]) -> u64 {
        words.iter().map(|word| u64::from(word.count_ones())).sum()
    }
}

wide! {
    fn rank_words(words: &[u64], before: &mut [u32]) {
        let mut sum = 0;
        for (word, before) in words.iter().zip(&mut before[1..]) {
            sum += word.count_ones();
            *before = sum;
        }
    }
}

wide! {
    fn retain_words[F: FnMut(usize) -> bool](words: &mut [u64], keep: &mut F) {
        for (place, word) in words.iter_mut().enumerate() {
            let (mut left, mut kept) = (*word, 0);
            while left != 0 {
                let bit = left.trailing_zeros();
                // Branch-free: which rows are kept is unpredictable.
                kept |= u64::from(keep(place * 64 + bit as usize)) << bit;
                left &= left - 1;
            }
            *word = kept;
        }
    }
}

wide! {
    fn retain_some_words[F: Fn(usize) -> usize](words: &mut [u64], tests: &[u64], start: &F) {
        // One more than the last row before the current word that satisfies the test.
        let mut before = 0;
        for (place, (word, &test)) in words.iter_mut().zip(tests).enumerate() {
            let (mut left, mut kept) = (*word, 0);
            while left != 0 {
                let bit = left.trailing_zeros();
                let inside = test & ((1 << bit) - 1);
                let last = place * 64 + 64 - inside.leading_zeros() as usize;
                let last = if inside == 0 { before } else { last };
                kept |= u64::from(last > start(place * 64 + bit as usize)) << bit;
                left &= left - 1;
            }
            *word = kept;
            if test != 0 {
                before = place * 64 + 64 - test.leading_zeros() as usize;
            }
        }
    }
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
pub(in crate::engine) struct Ranks {
    /// The number of bits set before each word, and the total at the end.
    before: Vec<u32>,
}

impl Ranks {
    pub(in crate::engine) fn of(&mut self, bitmap: &Bitmap) {
        self.before.clear();
        self.before.resize(bitmap.words.len() + 1, 0);
        rank_words(&bitmap.words, &mut self.before);
    }

    /// The number of set bits before this row.
    #[inline(always)]
    pub(in crate::engine) fn rank(&self, bitmap: &Bitmap, row: usize) -> u32 {
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
