//! Reads rows most of which have one value: which rows have another value, and those values.
//!
//! ```text
//! 7 0 0 0 3 0 0 1    usual 0, others 7 3 1, bits 1 0 0 0 1 0 0 1
//! ```

use super::lane::{Lane, Lanes};
use super::memory::Memory;
use crate::wire::{Malformed, Reader, Wire};

/// What a sparse run says before its other values.
pub(super) struct Sparse {
    /// The value of the rows without a bit.
    pub(super) usual: i64,
    /// A bit for each row with another value.
    words: Vec<u64>,
    rows: usize,
    /// The number of rows with another value.
    pub(super) others: usize,
}

impl Sparse {
    pub(super) fn read(reader: &mut Reader<'_>, rows: usize) -> Wire<Self> {
        let usual = reader.signed()?;
        let bytes = reader.bytes(rows.div_ceil(8))?;
        let words: Vec<u64> = bytes
            .chunks(8)
            .map(|bytes| {
                let mut word = [0; 8];
                word[..bytes.len()].copy_from_slice(bytes);
                u64::from_le_bytes(word)
            })
            .collect();
        if !rows.is_multiple_of(64) && words.last().is_some_and(|word| word >> (rows % 64) != 0) {
            return Err(Malformed("more rows have another value than there are"));
        }
        let others = words.iter().map(|word| word.count_ones() as usize).sum();
        Ok(Self { usual, words, rows, others })
    }

    /// Expands to all rows: `others` are the other rows' values, and `usual` is the usual value, relative to the same base.
    pub(super) fn expand<T: Lane>(&self, mut others: Vec<T>, usual: u64, memory: &mut Memory) -> Wire<Lanes> {
        let narrow = T::narrow(usual);
        if narrow.widen() != usual {
            return Err(Malformed("its usual value does not fit its lane"));
        }
        // Enough more that a vector can be read at any place.
        others.resize(others.len() + WORD_ROWS, narrow);
        let mut rows = memory.lists.list::<T>(self.rows);
        expand_words(&self.words, &others, narrow, &mut rows);
        memory.lists.keep(others);
        Ok(T::store(rows))
    }

    /// Sets the bits of the rows that pass, in words that are all zero: `others` are the bits of the other rows, and the usual rows pass if
    /// `usual_passes`.
    pub(super) fn spread(&self, others: &[u64], usual_passes: bool, words: &mut [u64]) {
        #[cfg(target_arch = "x86_64")]
        if std::arch::is_x86_feature_detected!("bmi2") {
            #[target_feature(enable = "bmi2,popcnt")]
            fn spread_bmi2(rows: &[u64], others: &[u64], words: &mut [u64]) {
                spread_with(rows, others, words, |bits, mask| std::arch::x86_64::_pdep_u64(bits, mask));
            }
            // SAFETY: the check above says that the processor has these instructions; every processor with BMI2 can count bits too.
            unsafe { spread_bmi2(&self.words, others, words) };
            self.add_usual(usual_passes, words);
            return;
        }
        spread_with(&self.words, others, words, deposit);
        self.add_usual(usual_passes, words);
    }

    fn add_usual(&self, usual_passes: bool, words: &mut [u64]) {
        if !usual_passes {
            return;
        }
        words.iter_mut().zip(&self.words).for_each(|(word, others)| *word |= !others);
        if !self.rows.is_multiple_of(64)
            && let Some(last) = words.get_mut(self.rows / 64)
        {
            *last &= (1 << (self.rows % 64)) - 1;
        }
    }
}

/// The number of rows in a word, one bit each.
const WORD_ROWS: usize = 64;

/// Gives each row with a bit the next of `others`, which has [`WORD_ROWS`] more at its end, and all other rows `usual`.
fn expand_words<T: Lane>(words: &[u64], others: &[T], usual: T, rows: &mut [T]) {
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("avx512f")
        && std::arch::is_x86_feature_detected!("avx512bw")
        && std::arch::is_x86_feature_detected!("avx512vbmi2")
    {
        // SAFETY: the check above says that the processor has these instructions.
        return unsafe { vectors::expand(words, others, usual, rows) };
    }
    expand_bits(words, others, usual, rows);
}

fn expand_bits<T: Lane>(words: &[u64], others: &[T], usual: T, rows: &mut [T]) {
    rows.fill(usual);
    let mut others = others.iter();
    for (rows, &word) in rows.chunks_mut(WORD_ROWS).zip(words) {
        // From bit to bit: no processor can predict whether a row has one.
        let mut left = word;
        while left != 0 {
            if let (Some(row), Some(other)) = (rows.get_mut(left.trailing_zeros() as usize), others.next()) {
                *row = *other;
            }
            left &= left - 1;
        }
    }
}

/// Expands words on processors with an instruction that expands a whole vector.
#[cfg(target_arch = "x86_64")]
mod vectors {
    use std::arch::x86_64::*;

    use super::super::lane::Lane;
    use super::{WORD_ROWS, expand_bits};

    #[target_feature(enable = "avx512f,avx512bw,avx512vbmi2")]
    pub(super) fn expand<T: Lane>(words: &[u64], others: &[T], usual: T, rows: &mut [T]) {
        let (whole, rest) = rows.as_chunks_mut::<WORD_ROWS>();
        let count = |words: &[u64]| words.iter().map(|word| word.count_ones() as usize).sum::<usize>();
        // A vector can be read at every place.
        assert!(whole.len() <= words.len() && count(words) + WORD_ROWS <= others.len());
        let usual_word = usual.widen();
        let mut next = 0;
        for (rows, &word) in whole.iter_mut().zip(words) {
            for part in 0..(T::BITS / 8) as usize {
                // A vector has 64 rows of a byte, 32 of two bytes …
                let in_vector = WORD_ROWS / (T::BITS / 8) as usize;
                let mask = (word >> (part * in_vector)) & (u64::MAX >> (WORD_ROWS - in_vector));
                let from = others[next..][..in_vector].as_ptr();
                let to = rows[part * in_vector..][..in_vector].as_mut_ptr();
                // SAFETY: `from` and `to` have the 64 bytes of a vector.
                unsafe {
                    let given = _mm512_loadu_si512(from.cast());
                    let expanded = match T::BITS {
                        8 => _mm512_mask_expand_epi8(_mm512_set1_epi8(usual_word as i8), mask, given),
                        16 => {
                            _mm512_mask_expand_epi16(_mm512_set1_epi16(usual_word as i16), mask as u32, given)
                        }
                        32 => {
                            _mm512_mask_expand_epi32(_mm512_set1_epi32(usual_word as i32), mask as u16, given)
                        }
                        _ => {
                            _mm512_mask_expand_epi64(_mm512_set1_epi64(usual_word as i64), mask as u8, given)
                        }
                    };
                    _mm512_storeu_si512(to.cast(), expanded);
                }
                next += mask.count_ones() as usize;
            }
        }
        expand_bits(&words[whole.len()..], &others[next..], usual, rest);
    }
}

/// Gives each row with a bit the next bit of `others`; `deposit` puts the low bits of a word where a mask has bits.
#[inline(always)]
fn spread_with(rows: &[u64], others: &[u64], words: &mut [u64], deposit: impl Fn(u64, u64) -> u64) {
    let mut next = 0;
    for (word, &mask) in words.iter_mut().zip(rows) {
        let (place, shift) = (next / 64, next % 64);
        let low = others.get(place).copied().unwrap_or(0) >> shift;
        // In two steps, because a shift by 64 is not possible.
        let high = others.get(place + 1).copied().unwrap_or(0) << 1 << (63 - shift);
        *word = deposit(low | high, mask);
        next += mask.count_ones() as usize;
    }
}

/// Puts the low bits of a word where the mask has bits.
fn deposit(bits: u64, mut mask: u64) -> u64 {
    let (mut bits, mut word) = (bits, 0);
    while mask != 0 {
        word |= (mask & mask.wrapping_neg()) * (bits & 1);
        bits >>= 1;
        mask &= mask - 1;
    }
    word
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn is_expanded<T: Lane + std::fmt::Debug>(words: &[u64], values: &[u64], usual: u64, missing: usize) {
        let count: usize = words.iter().map(|word| word.count_ones() as usize).sum();
        let mut others: Vec<T> = values.iter().copied().cycle().take(count).map(T::narrow).collect();
        others.resize(count + WORD_ROWS, T::default());
        let mut rows = vec![T::default(); WORD_ROWS * words.len() - missing];
        let mut slow = rows.clone();
        expand_words(words, &others, T::narrow(usual), &mut rows);
        expand_bits(words, &others, T::narrow(usual), &mut slow);
        let mut next = others.iter();
        let expected = |row: usize| match words[row / WORD_ROWS] >> (row % WORD_ROWS) & 1 {
            1 => *next.next().unwrap(),
            _ => T::narrow(usual),
        };
        let expected: Vec<T> = (0..rows.len()).map(expected).collect();
        assert_eq!(rows, expected);
        assert_eq!(slow, expected);
    }

    proptest! {
        #[test]
        fn rows_with_a_bit_get_the_others_in_order(words in proptest::collection::vec(any::<u64>(), 1..6), values in proptest::collection::vec(any::<u64>(), 1..300), usual in any::<u64>(), missing in 0..64_usize) {
            let mut words = words;
            if let Some(last) = words.last_mut() {
                *last &= u64::MAX >> missing;
            }
            is_expanded::<u8>(&words, &values, usual, missing);
            is_expanded::<u16>(&words, &values, usual, missing);
            is_expanded::<u32>(&words, &values, usual, missing);
            is_expanded::<u64>(&words, &values, usual, missing);
        }

        #[test]
        fn bits_go_where_the_mask_has_bits(rows in proptest::collection::vec(any::<u64>(), 1..5), bits in proptest::collection::vec(any::<u64>(), 5), passes in any::<bool>()) {
            let others = rows.iter().map(|word| word.count_ones() as usize).sum();
            let sparse = Sparse { usual: 0, rows: 64 * rows.len() - 3, words: rows.clone(), others };
            let mut words = vec![0; rows.len()];
            sparse.spread(&bits, passes, &mut words);
            let mut slow = vec![0; rows.len()];
            spread_with(&rows, &bits, &mut slow, deposit);
            sparse.add_usual(passes, &mut slow);
            prop_assert_eq!(&words, &slow);
            let mut next = 0;
            for row in 0..sparse.rows {
                let has_other = rows[row / 64] >> (row % 64) & 1 == 1;
                let expected = if has_other { bits[next / 64] >> (next % 64) & 1 == 1 } else { passes };
                next += usize::from(has_other);
                prop_assert_eq!(words[row / 64] >> (row % 64) & 1 == 1, expected);
            }
        }
    }
}
