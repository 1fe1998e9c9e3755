//! Tables of the values that occurred, each with a number, and the buffers around them.

use std::hash::{BuildHasher, Hasher};

use super::moments::Parts;
use crate::hashing::Seeded;

/// The largest number of codes that are distances from the lowest value.
pub(super) const TABLE_MAX: i128 = 1 << 16;
/// The size of a table at first, in bits.
const BITS_MIN: u32 = 10;

/// A table of the values that occurred, as words; its memory is reused from block to block.
#[derive(Default)]
pub(super) struct Dictionary {
    /// Open addressing: each word with its code plus one; 0 if the place is free. At most half of the places are
    /// taken.
    entries: Vec<(u64, u32)>,
    count: u32,
    seed: Seeded,
}

impl Dictionary {
    /// Writes a code for each word: known ones are numbered in the order of their occurrence, unknown ones get the
    /// number after the last. Returns the number of codes.
    pub(super) fn encode(&mut self, words: impl Iterator<Item = Option<u64>>, out: &mut Vec<u32>) -> u32 {
        // The next block will have about as many words as the last one.
        let size = (2 * self.count as usize).next_power_of_two().max(1 << BITS_MIN);
        self.count = 0;
        self.entries.clear();
        self.entries.resize(size, (0, 0));
        out.clear();
        out.extend(words.map(|word| word.map_or(u32::MAX, |word| self.code(word))));
        let unknown = self.count;
        out.iter_mut().for_each(|code| *code = (*code).min(unknown));
        unknown + 1
    }

    #[inline]
    fn code(&mut self, word: u64) -> u32 {
        let place = self.place(word);
        match &mut self.entries[place] {
            (_, 0) => self.insert(place, word),
            (_, code) => *code - 1,
        }
    }

    /// The place of a word, or the free one where it would be.
    #[inline]
    fn place(&self, word: u64) -> usize {
        let mask = self.entries.len() - 1;
        let mut hasher = self.seed.build_hasher();
        hasher.write_u64(word);
        let mut place = hasher.finish() as usize & mask;
        loop {
            match self.entries[place] {
                (same, code) if code == 0 || same == word => return place,
                _ => place = (place + 1) & mask,
            }
        }
    }

    #[cold]
    fn insert(&mut self, place: usize, word: u64) -> u32 {
        let code = self.count;
        self.count += 1;
        self.entries[place] = (word, self.count);
        if self.count as usize * 2 > self.entries.len() {
            let larger = vec![(0, 0); self.entries.len() * 4];
            for entry in std::mem::replace(&mut self.entries, larger).into_iter().filter(|entry| entry.1 != 0)
            {
                let place = self.place(entry.0);
                self.entries[place] = entry;
            }
        }
        code
    }
}

/// The buffers for aggregates, which a thread reuses from block to block.
#[derive(Default)]
pub(super) struct Counting {
    pub(super) dictionary: Dictionary,
    /// The code of the value at each place.
    pub(super) codes: Vec<u32>,
    /// By slot and code: how often it occurred, and a place where it did.
    pub(super) counts: Vec<(u32, u32)>,
    /// For sums of pairs.
    pub(super) parts: [Parts; 2],
}

/// The buffers for groups, which a thread reuses from block to block.
#[derive(Default)]
pub(super) struct Tables {
    /// The slot of each code in the table, plus one; 0 if it has none.
    pub(super) slots: Vec<u32>,
    /// The code of each slot.
    pub(super) places: Vec<u32>,
    /// The number of slots.
    pub(super) count: usize,
    /// The slot of each match.
    pub(super) of_matches: Vec<u32>,
    /// The code of each match: of all keys so far, and of the next one.
    pub(super) at: Vec<u32>,
    pub(super) next: Vec<u32>,
    pub(super) dictionary: Dictionary,
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn words_are_numbered_as_they_occur(
            words in proptest::collection::vec(proptest::option::weighted(0.9, 0..4000_u64), 0..5000),
            factor in prop_oneof![Just(1_u64), Just(1 << 32), Just(0x9e37_79b9_7f4a_7c15)],
        ) {
            let words: Vec<_> = words.iter().map(|word| word.map(|word| word.wrapping_mul(factor))).collect();
            let mut seen: HashMap<u64, u32> = HashMap::new();
            let known: Vec<Option<u32>> = words
                .iter()
                .map(|word| {
                    let new = seen.len() as u32;
                    Some(*seen.entry((*word)?).or_insert(new))
                })
                .collect();
            let expected: Vec<u32> = known.iter().map(|code| code.unwrap_or(seen.len() as u32)).collect();
            let (mut dictionary, mut found) = (Dictionary::default(), vec![7; 3]);
            // What an earlier block left behind does not matter.
            dictionary.encode((0..3000).map(Some), &mut found);
            prop_assert_eq!(dictionary.encode(words.iter().copied(), &mut found), seen.len() as u32 + 1);
            prop_assert_eq!(found, expected);
        }
    }
}
