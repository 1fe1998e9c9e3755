//! Values as small codes, equal values alike: for groups, and for counting values.
//!
//! ```text
//! value   -20  31000  -20  7          few possible values: the distance from the lowest
//! code      0      1    0  2          others: by a table of those that occurred
//! ```

use std::hash::{BuildHasher, Hasher};

use super::block::Scanner;
use super::graph::{Lane, Scalar};
use crate::engine::bits::Bitmap;
use crate::engine::vector::Vector;
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
        self.count = 0;
        self.entries.clear();
        self.entries.resize(1 << BITS_MIN, (0, 0));
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

impl Scanner<'_> {
    /// Writes a code for the scalar at each of these rows, and returns the number of codes; the last one stands for
    /// unknown. The scalar must have been computed.
    pub(super) fn codes(
        &self,
        scalar: &Scalar,
        rows: &[u32],
        dictionary: &mut Dictionary,
        out: &mut Vec<u32>,
    ) -> u32 {
        let quantity = match scalar {
            Scalar::Number(quantity) => quantity,
            Scalar::Truth(truth) => {
                let (yes, no) = (self.known_test(truth.yes), self.known_test(truth.no));
                let code = |row: &u32| {
                    let row = *row as usize;
                    if yes.get(row) { 1 } else { 2 * u32::from(!no.get(row)) }
                };
                out.clear();
                out.extend(rows.iter().map(code));
                return 3;
            }
        };
        let known = quantity.known.map(|known| self.known_test(known));
        match self.vector(quantity.number) {
            Vector::Integer(lanes) => {
                let (low, high) = self.compiled.bounds[quantity.number];
                let extent = i128::from(high) - i128::from(low) + 1;
                if self.compiled.lanes[quantity.number] == Lane::Integer && (1..=TABLE_MAX).contains(&extent)
                {
                    distances(lanes, rows, known, (low, extent as u32), out);
                    return extent as u32 + 1;
                }
                let word = |row: &u32| is_known(known, *row).then(|| lanes[*row as usize] as u64);
                dictionary.encode(rows.iter().map(word), out)
            }
            Vector::Float(lanes) => {
                let word = |row: &u32| {
                    let lane = lanes[*row as usize];
                    (is_known(known, *row) && !lane.is_nan()).then(|| lane.to_bits())
                };
                dictionary.encode(rows.iter().map(word), out)
            }
            Vector::Wide(lanes) => {
                // They range from the smallest 64-bit integer to the largest unsigned one: few are at both ends.
                let half = |negative: bool| {
                    move |row: &u32| {
                        let lane = lanes[*row as usize];
                        (is_known(known, *row) && (lane < 0) == negative).then_some(lane as u64)
                    }
                };
                let below = dictionary.encode(rows.iter().map(half(true)), out);
                let mut from_zero = Vec::new();
                let codes = dictionary.encode(rows.iter().map(half(false)), &mut from_zero);
                let unknown = codes - 1 + below - 1;
                for (out, code) in out.iter_mut().zip(from_zero) {
                    let of_negative = if *out == below - 1 { unknown } else { codes - 1 + *out };
                    *out = if code < codes - 1 { code } else { of_negative };
                }
                unknown + 1
            }
            Vector::Text(texts) => {
                let unknown = texts.entries() as u32;
                let codes = texts.codes();
                let code = |row: &u32| match is_known(known, *row) {
                    true => codes[*row as usize].min(unknown),
                    false => unknown,
                };
                out.clear();
                out.extend(rows.iter().map(code));
                unknown + 1
            }
        }
    }
}

#[inline]
fn is_known(known: Option<&Bitmap>, row: u32) -> bool {
    known.is_none_or(|known| known.get(row as usize))
}

/// The distances of integers from the lowest. A value beyond the bounds comes from a damaged log; it gets a code of
/// another one.
fn distances(
    lanes: &[i64],
    rows: &[u32],
    known: Option<&Bitmap>,
    (low, extent): (i64, u32),
    out: &mut Vec<u32>,
) {
    let distance = |row: u32| {
        let distance = lanes[row as usize].wrapping_sub(low) as u64;
        distance.min(u64::from(extent) - 1) as u32
    };
    out.clear();
    match known {
        None => out.extend(rows.iter().map(|row| distance(*row))),
        Some(known) => {
            out.extend(rows.iter().map(|row| if known.get(*row as usize) { distance(*row) } else { extent }))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn words_are_numbered_as_they_occur(
            words in proptest::collection::vec(proptest::option::weighted(0.9, 0..4000_u64), 0..5000),
            factor in prop_oneof![Just(1_u64), Just(1 << 32), Just(0x9e37_79b9_7f4a_7c15)],
        ) {
            let words: Vec<_> = words.iter().map(|word| word.map(|word| word.wrapping_mul(factor))).collect();
            let mut seen: Vec<u64> = Vec::new();
            let known: Vec<Option<u32>> = words
                .iter()
                .map(|word| {
                    let word = (*word)?;
                    let place = seen.iter().position(|seen| *seen == word);
                    Some(place.unwrap_or_else(|| (seen.push(word), seen.len() - 1).1) as u32)
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
