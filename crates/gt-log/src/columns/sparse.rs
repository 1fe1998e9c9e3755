//! Rows most of which have one value: which rows have another, and those values.
//!
//! ```text
//! 7 0 0 0 3 0 0 1    usual 0, others 7 3 1, bits 1 0 0 0 1 0 0 1
//! ```

use super::lane::{Lane, Lanes};
use super::scratch::Memory;
use crate::wire::{Malformed, Reader, Wire};

/// What a sparse run says before its other values.
pub(super) struct Sparse {
    /// The value that the rows without a bit have.
    pub(super) usual: i64,
    /// A bit for each row that has another.
    words: Vec<u64>,
    rows: usize,
    /// How many have another.
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

    /// All rows, of which these are the others and `usual` is the usual one, relative to the same base.
    pub(super) fn expand<T: Lane>(&self, mut others: Vec<T>, usual: u64, memory: &mut Memory) -> Wire<Lanes> {
        let narrow = T::narrow(usual);
        if narrow.widen() != usual {
            return Err(Malformed("its usual value does not fit its lane"));
        }
        // One more, so that there is always a next.
        others.push(narrow);
        let mut rows = memory.list::<T>(self.rows);
        let mut next = 0;
        for (rows, &word) in rows.chunks_mut(64).zip(&self.words) {
            if word == 0 {
                rows.fill(narrow);
                continue;
            }
            let others = &others[next..];
            let mut taken = 0;
            for (place, row) in rows.iter_mut().enumerate() {
                let has_other = word >> place & 1 == 1;
                *row = if has_other { others[taken] } else { narrow };
                taken += usize::from(has_other);
            }
            next += taken;
        }
        T::lists(memory).push(others);
        Ok(T::store(rows))
    }

    /// Sets the bits of the rows that pass, of words that are all zero: those of `others` among the other rows, and the usual ones if
    /// they pass.
    pub(super) fn spread(&self, others: &[u64], usual_passes: bool, words: &mut [u64]) {
        #[cfg(target_arch = "x86_64")]
        if std::arch::is_x86_feature_detected!("bmi2") {
            #[target_feature(enable = "bmi2,popcnt")]
            fn spread_bmi2(rows: &[u64], others: &[u64], words: &mut [u64]) {
                spread_with(rows, others, words, |bits, mask| std::arch::x86_64::_pdep_u64(bits, mask));
            }
            // SAFETY: the processor has just been asked; every one with BMI2 counts bits too.
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

/// Gives each row with a bit the next bit of `others`; `deposit` puts the low bits of a word where a mask has bits.
#[inline(always)]
fn spread_with(rows: &[u64], others: &[u64], words: &mut [u64], deposit: impl Fn(u64, u64) -> u64) {
    let mut next = 0;
    for (word, &mask) in words.iter_mut().zip(rows) {
        let (place, shift) = (next / 64, next % 64);
        let low = others.get(place).copied().unwrap_or(0) >> shift;
        // In two steps: shifting by 64 is none.
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

    proptest! {
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
