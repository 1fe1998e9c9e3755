//! A quick hash for maps whose keys come from a log. Its seed is random, so no log can be made whose keys collide.

use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasher, Hasher, RandomState};
use std::sync::LazyLock;

/// A map with the quick hash.
pub(crate) type QuickMap<K, V> = HashMap<K, V, Seeded>;
/// A set with the quick hash.
pub(crate) type QuickSet<K> = HashSet<K, Seeded>;

/// The seed of this process.
pub(crate) static SEED: LazyLock<u64> = LazyLock::new(|| RandomState::new().hash_one(0_u64));

/// Makes hashers that start from the seed of this process.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Seeded(u64);

impl Default for Seeded {
    fn default() -> Self {
        Self(*SEED)
    }
}

impl BuildHasher for Seeded {
    type Hasher = Folding;

    fn build_hasher(&self) -> Folding {
        Folding(self.0)
    }
}

/// A hash that folds the two halves of a product.
#[derive(Clone, Debug)]
pub(crate) struct Folding(u64);

impl Hasher for Folding {
    fn write(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            self.write_u64(u64::from_le_bytes(word));
        }
        self.write_u64(bytes.len() as u64);
    }

    #[inline]
    fn write_u64(&mut self, word: u64) {
        self.0 = folded(self.0 ^ word, 0x9e37_79b9_7f4a_7c15) ^ self.0.rotate_left(23);
    }

    #[inline]
    fn write_u8(&mut self, byte: u8) {
        self.write_u64(byte.into());
    }

    #[inline]
    fn write_usize(&mut self, number: usize) {
        self.write_u64(number as u64);
    }

    #[inline]
    fn write_isize(&mut self, number: isize) {
        self.write_u64(number as u64);
    }

    #[inline]
    fn write_i128(&mut self, number: i128) {
        self.write_u64(number as u64);
        self.write_u64((number >> 64) as u64);
    }

    #[inline]
    fn finish(&self) -> u64 {
        folded(self.0, 0xd6e8_feb8_6659_fd93)
    }
}

/// The two halves of a product, combined by exclusive or.
#[inline]
fn folded(word: u64, factor: u64) -> u64 {
    let product = u128::from(word) * u128::from(factor);
    product as u64 ^ (product >> 64) as u64
}

/// An index of things that are kept in a list elsewhere, in the order of their insertion.
#[derive(Clone, Debug, Default)]
pub(crate) struct ListIndex {
    hashes: Vec<u64>,
    /// Open addressing: the place in the list plus one; 0 if free. At most half are taken.
    places: Vec<u32>,
}

impl ListIndex {
    /// The length of the list.
    pub(crate) fn len(&self) -> usize {
        self.hashes.len()
    }

    /// The hashes, in the order of the list.
    pub(crate) fn into_hashes(self) -> Vec<u64> {
        self.hashes
    }

    /// The place of the thing with this hash that `is_same` accepts.
    #[inline]
    pub(crate) fn find(&self, hash: u64, is_same: impl Fn(usize) -> bool) -> Option<usize> {
        let mask = self.places.len().checked_sub(1)?;
        let mut at = hash as usize & mask;
        loop {
            let place = (self.places[at] as usize).checked_sub(1)?;
            if self.hashes[place] == hash && is_same(place) {
                return Some(place);
            }
            at = (at + 1) & mask;
        }
    }

    /// Adds a thing that the list does not have, and returns its place.
    pub(crate) fn push(&mut self, hash: u64) -> usize {
        self.hashes.push(hash);
        if self.len() * 2 > self.places.len() {
            self.places = vec![0; (self.places.len() * 2).max(16)];
            (0..self.len()).for_each(|place| self.put(place));
        } else {
            self.put(self.len() - 1);
        }
        self.len() - 1
    }

    fn put(&mut self, place: usize) {
        let mask = self.places.len() - 1;
        let mut at = self.hashes[place] as usize & mask;
        while self.places[at] != 0 {
            at = (at + 1) & mask;
        }
        // A list of more than 2^32 things does not fit in memory.
        self.places[at] = place as u32 + 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_thing_is_found_where_it_was_put() {
        let mut index = ListIndex::default();
        assert_eq!(index.find(7, |_| true), None);
        // Three things for each hash, and hashes that share their low bits.
        let hash = |thing: u64| (thing / 3) << 6;
        for thing in 0..3000 {
            let is_same = |place: usize| place as u64 == thing;
            assert_eq!(index.find(hash(thing), is_same), None);
            assert_eq!(index.push(hash(thing)), thing as usize);
            assert_eq!(index.find(hash(thing), is_same), Some(thing as usize));
        }
        assert_eq!(index.find(hash(5), |place| place == 5), Some(5));
        assert_eq!(index.len(), 3000);
    }

    #[test]
    fn near_keys_spread_over_both_ends_of_the_hash() {
        // Maps take the place from the low bits, and the tag of an entry from the high ones.
        let build = Seeded::default();
        for step in [1_u64, 64, 1 << 20, 1 << 32, 1 << 52] {
            let hashes = || (0..4096_u64).map(|key| build.hash_one(key.wrapping_mul(step)));
            let low: HashSet<u64> = hashes().map(|hash| hash & 0xfff).collect();
            let high: HashSet<u64> = hashes().map(|hash| hash >> 52).collect();
            // 4096 random choices meet about 2590 of 4096 places.
            assert!(low.len() > 2200 && high.len() > 2200, "{step}: {} {}", low.len(), high.len());
        }
    }
}
