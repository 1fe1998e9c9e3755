//! The rows of one block in the order of their buckets.
//!
//! ```text
//! row       0 1 2 3 4      rows      1 4 │ 0 │ 2       row 3 has no key
//! bucket    1 0 2 . 0      ends       2    3   4
//! ```

use std::ops::Range;

use super::lanes::{Lanes, Stored};
use crate::hashing::SEED;

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
    pub(super) read: Vec<Stored>,
}

impl Arranged {
    /// Arranges the values that aggregates read from rows; the first has the keys.
    pub(in crate::engine) fn of(mut read: Vec<Lanes>, buckets: usize) -> Self {
        let Some(first) = read.first_mut() else { return Self::default() };
        let words = std::mem::take(&mut first.words);
        let hashes = hashes(&words, first.flags.len());
        let are_wanted = wanted(&read);
        let mut ends = vec![0_u32; buckets];
        for (hash, is_wanted) in hashes.iter().zip(&are_wanted) {
            ends[bucket(*hash, buckets)] += u32::from(*is_wanted);
        }
        let mut all = 0;
        for end in &mut ends {
            all += std::mem::replace(end, all);
        }
        // The ends are the starts until all rows are placed.
        let (mut rows, mut placed) = (vec![0; all as usize], vec![0; all as usize]);
        for (row, (hash, is_wanted)) in hashes.into_iter().zip(are_wanted).enumerate() {
            if is_wanted != 0 {
                let place = &mut ends[bucket(hash, buckets)];
                (rows[*place as usize], placed[*place as usize]) = (row as u32, hash);
                *place += 1;
            }
        }
        let chosen = |lane: &Vec<u64>| rows.iter().map(|row| lane[*row as usize]).collect();
        let words = if words.len() > 1 { words.iter().map(chosen).collect() } else { Vec::new() };
        let read = read.iter().map(|lanes| Stored::of(lanes, &rows)).collect();
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

/// By row, 1 if it has a key, and is a twin or takes twins for one of the aggregates.
fn wanted(read: &[Lanes]) -> Vec<u8> {
    let Some((first, others)) = read.split_first() else { return Vec::new() };
    let mut flags = first.flags.clone();
    for lanes in others {
        flags.iter_mut().zip(&lanes.flags).for_each(|(flags, more)| *flags |= more & !Lanes::KEYED);
    }
    const USED: u8 = Lanes::TWIN | Lanes::NODE;
    flags.iter_mut().for_each(|flags| *flags = *flags & Lanes::KEYED & u8::from(*flags & USED != 0));
    flags
}

/// The hashes of keys, by row; they are one-to-one for single words. No log can be made whose keys collide.
fn hashes(words: &[Vec<u64>], rows: usize) -> Vec<u64> {
    let Some((first, others)) = words.split_first() else { return vec![0; rows] };
    let seed = *SEED;
    let mut hashes: Vec<u64> = first.iter().map(|word| mix(seed ^ word)).collect();
    for words in others {
        hashes.iter_mut().zip(words).for_each(|(hash, word)| *hash = mix(*hash ^ word));
    }
    hashes
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
