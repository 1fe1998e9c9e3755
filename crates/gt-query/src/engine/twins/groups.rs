//! The groups of a bucket: rows with equal keys.
//!
//! ```text
//! row       0  1  2  3  4  5
//! key       7  3  7  9  3  7
//! group     5  4  5  3  4  5      one of its rows stands for the group
//! place     0  3  1  5  4  2      the largest groups first
//! ```
//!
//! No loop has a branch that depends on keys: it would be mispredicted at every other row.

use std::ops::Range;

use super::arranged::Arranged;
use super::lanes::{Lanes, Stored};

/// The largest group that is compared together with others of its size.
pub(super) const SMALL: usize = 64;

/// The groups of the rows of a bucket.
#[derive(Default)]
pub(super) struct Groups {
    /// The hash of each row's key, and the key's words if there are several.
    hashes: Vec<u64>,
    words: Vec<Vec<u64>>,
    /// By some bits of the hash, a row that stands for all rows with its key; other entries are left from earlier
    /// rounds.
    table: Vec<u32>,
    /// The rows whose place in the table belongs to another key.
    left: Vec<u32>,
    of_rows: Vec<u32>,
    order: Order,
}

/// The rows of a bucket in the order of groups.
#[derive(Default)]
pub(super) struct Order {
    /// The place of each row.
    pub(super) places: Vec<u32>,
    /// The group of the row at each place.
    pub(super) groups: Vec<u32>,
    /// The places of groups that are not small; they come first.
    pub(super) large: Vec<Range<usize>>,
    /// By size, the end of the places of groups that are larger.
    pub(super) ends: Vec<usize>,
}

impl Groups {
    /// The group of each row: a row that stands for it.
    pub(super) fn of_rows(&self) -> &[u32] {
        &self.of_rows
    }

    /// Finds the groups of a bucket.
    pub(super) fn load(&mut self, blocks: &[Arranged], bucket: usize) {
        self.words.resize_with(blocks.first().map_or(0, |block| block.words.len()), Vec::new);
        self.words.iter_mut().chain([&mut self.hashes]).for_each(Vec::clear);
        self.order.places.clear();
        for block in blocks {
            let places = block.places(bucket);
            self.hashes.extend_from_slice(&block.hashes[places.clone()]);
            for (words, new) in self.words.iter_mut().zip(&block.words) {
                words.extend_from_slice(&new[places.clone()]);
            }
        }
        let rows = self.hashes.len();
        let bits = (2 * rows.max(1)).next_power_of_two().ilog2();
        self.table.resize(self.table.len().max(1 << bits), 0);
        self.of_rows.resize(rows, 0);
        self.left.resize(rows, 0);
        self.left.iter_mut().zip(0..).for_each(|(left, row)| *left = row);
        // All rows of the bucket share the bits that select it.
        let mut turn = blocks.first().map_or(1, Arranged::bucket_count).ilog2();
        let mut count = rows;
        while count > 0 {
            count = self.round(count, turn, bits);
            turn += 13;
        }
    }

    /// Finds groups among the first rows that are left, at least one of them; returns how many are left then.
    fn round(&mut self, count: usize, turn: u32, bits: u32) -> usize {
        let at = |hash: u64| (hash.rotate_left(turn) >> (u64::BITS - bits)) as usize;
        for row in &self.left[..count] {
            self.table[at(self.hashes[*row as usize])] = *row;
        }
        let mut left = 0;
        for place in 0..count {
            let row = self.left[place] as usize;
            let group = self.table[at(self.hashes[row])];
            // A single word has a unique hash.
            let mut is_same = self.hashes[row] == self.hashes[group as usize];
            for words in &self.words {
                is_same &= words[row] == words[group as usize];
            }
            self.of_rows[row] = group;
            self.left[left] = row as u32;
            left += usize::from(!is_same);
        }
        left
    }

    /// The rows in the order of groups.
    pub(super) fn order(&mut self) -> &Order {
        if !self.order.places.is_empty() {
            return &self.order;
        }
        let rows = self.of_rows.len();
        let mut sizes = vec![0_u32; rows];
        self.of_rows.iter().for_each(|group| sizes[*group as usize] += 1);
        let class = |size: u32| (size as usize).min(SMALL + 1);
        let mut ends = vec![0; SMALL + 2];
        sizes.iter().for_each(|size| ends[class(*size)] += *size as usize);
        let mut all = 0;
        for end in ends.iter_mut().rev() {
            all += std::mem::replace(end, all);
        }
        let Order { places, groups, large, ends: starts } = &mut self.order;
        starts.clone_from(&ends);
        large.clear();
        // The sizes become the next places; a row that stands for no group takes none.
        for size in &mut sizes {
            let end = &mut ends[class(*size)];
            if class(*size) > SMALL {
                large.push(*end..*end + *size as usize);
            }
            *end += *size as usize;
            *size = (*end - *size as usize) as u32;
        }
        groups.resize(rows, 0);
        for group in &self.of_rows {
            let place = &mut sizes[*group as usize];
            groups[*place as usize] = *group;
            places.push(*place);
            *place += 1;
        }
        &self.order
    }
}

impl Order {
    /// Puts the lanes of the bucket's rows in the order of groups.
    pub(super) fn arrange<'l>(
        &self,
        pieces: impl Iterator<Item = (&'l Stored, Range<usize>)>,
        out: &mut Lanes,
    ) {
        let rows = self.places.len();
        out.flags.resize(rows, 0);
        let (mut left, mut flags, mut keys) = (&self.places[..], Vec::new(), Vec::new());
        for (lanes, range) in pieces {
            let places;
            (places, left) = left.split_at(range.len());
            lanes.flags_into(range.clone(), &mut flags);
            places.iter().zip(&flags).for_each(|(place, flags)| out.flags[*place as usize] = *flags);
            out.numbers.resize_with(lanes.width(), Vec::new);
            for (number, out) in out.numbers.iter_mut().enumerate() {
                out.resize(rows, 0);
                lanes.numbers_into(number, range.clone(), &mut keys);
                places.iter().zip(&keys).for_each(|(place, key)| out[*place as usize] = *key);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn groups_of(hashes: &[u64], words: &[Vec<u64>]) -> Groups {
        let rows = hashes.len() as u32;
        let (hashes, words) = (hashes.to_vec(), words.to_vec());
        let block = Arranged { rows: (0..rows).collect(), ends: vec![rows], hashes, words, read: Vec::new() };
        let mut groups = Groups::default();
        groups.load(&[block], 0);
        groups
    }

    /// The hashes of keys with many words can be equal; their rows must still be distinguished.
    #[test]
    fn rows_that_share_a_hash_are_told_apart() {
        let words = [vec![1, 2, 1, 2, 3], vec![5, 5, 5, 5, 5]];
        assert_eq!(groups_of(&[7; 5], &words).of_rows(), [2, 3, 2, 3, 4]);
        // They share the bits that select their place in the table.
        assert_eq!(groups_of(&[9, 8, 9, 8, 7], &[]).of_rows(), [2, 3, 2, 3, 4]);
    }

    #[test]
    fn larger_groups_come_first() {
        let hashes: Vec<u64> = (0..70).map(|_| 6).chain([1, 2, 3, 2, 3, 2]).collect();
        let mut groups = groups_of(&hashes, &[]);
        let order = groups.order();
        assert_eq!(order.places[70..], [75, 70, 73, 71, 74, 72]);
        assert_eq!((order.large.len(), &order.large[0]), (1, &(0..70)));
        assert_eq!(order.ends[..4], [76, 75, 73, 70]);
        assert!((0..76).all(|row| hashes[order.groups[order.places[row] as usize] as usize] == hashes[row]));
    }
}
