//! The rows of one block in the order of their buckets.
//!
//! ```text
//! row       0 1 2 3 4      rows      1 4 │ 0 │ 2       row 3 has no key
//! bucket    1 0 2 . 0      ends       2    3   4
//! ```

use std::ops::Range;

use super::Lanes;

/// The rows of a block that have keys, in the order of their buckets, and the values read from them.
#[derive(Debug, Default)]
pub(in crate::engine) struct Arranged {
    /// The rows, ascending in each bucket.
    pub(super) rows: Vec<u32>,
    /// The end of each bucket's rows.
    pub(super) ends: Vec<u32>,
    pub(super) hashes: Vec<u64>,
    /// The words of the keys, if there are several; a single one is determined by its hash.
    pub(super) words: Vec<Vec<u64>>,
    /// The values that aggregates read from them, by the index in their questions.
    pub(super) read: Vec<Lanes>,
}

impl Arranged {
    /// Arranges the values that aggregates read from rows; the first has the keys.
    pub(in crate::engine) fn of(mut read: Vec<Lanes>, buckets: usize) -> Self {
        let Some(first) = read.first_mut() else { return Self::default() };
        let words = std::mem::take(&mut first.words);
        let is_keyed = |row: u32| first.flags[row as usize] & Lanes::KEYED != 0;
        let keyed: Vec<u32> = (0..first.flags.len() as u32).filter(|row| is_keyed(*row)).collect();
        let hash = |row: &u32| hash(words.iter().map(|words| words[*row as usize]));
        let hashes: Vec<u64> = keyed.iter().map(hash).collect();
        let mut ends = vec![0_u32; buckets];
        hashes.iter().for_each(|hash| ends[bucket(*hash, buckets)] += 1);
        let mut all = 0;
        for end in &mut ends {
            all += std::mem::replace(end, all);
        }
        // The ends are the starts until all rows are placed.
        let (mut rows, mut placed) = (vec![0; keyed.len()], vec![0; keyed.len()]);
        for (row, hash) in keyed.into_iter().zip(hashes) {
            let place = &mut ends[bucket(hash, buckets)];
            (rows[*place as usize], placed[*place as usize]) = (row, hash);
            *place += 1;
        }
        let chosen = |lane: &Vec<u64>| rows.iter().map(|row| lane[*row as usize]).collect::<Vec<_>>();
        for lanes in &mut read {
            lanes.numbers.iter_mut().for_each(|lane| *lane = chosen(lane));
            lanes.flags = rows.iter().map(|row| lanes.flags[*row as usize]).collect();
        }
        let words = if words.len() > 1 { words.iter().map(chosen).collect() } else { Vec::new() };
        Self { rows, ends, hashes: placed, words, read }
    }

    pub(in crate::engine) fn bucket_count(&self) -> usize {
        self.ends.len()
    }

    /// The places of a bucket's rows.
    pub(super) fn places(&self, bucket: usize) -> Range<usize> {
        let start = bucket.checked_sub(1).map_or(0, |before| self.ends[before]);
        start as usize..self.ends[bucket] as usize
    }
}

/// The hash of a key; it is one-to-one for single words.
#[inline]
fn hash(mut words: impl Iterator<Item = u64>) -> u64 {
    let first = words.next().map_or(0, mix);
    words.fold(first, |hash, word| mix(hash.wrapping_add(1) ^ word))
}

#[inline]
fn bucket(hash: u64, buckets: usize) -> usize {
    ((u128::from(hash) * buckets as u128) >> 64) as usize
}

/// Spreads a word over all bits, one-to-one.
#[inline]
const fn mix(word: u64) -> u64 {
    let mixed = (word ^ (word >> 32)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let mixed = (mixed ^ (mixed >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed ^ (mixed >> 32)
}
