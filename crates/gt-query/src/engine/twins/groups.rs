//! The rows of equal keys, side by side.
//!
//! ```text
//! row   0 1 2 3 4 5      hash ──▶ parts, one for each thread ──▶ buckets of a few thousand ──sort──▶ runs
//! key   a b a c b a                                             a: 0 2 5   b: 1 4   (c has nobody)
//! ```
//!
//! **Invariant:** a group has at least two rows, in ascending order; every keyed row with a twin is in one group.

use std::sync::atomic::AtomicBool;

use super::Lanes;
use crate::engine::Failure;
use crate::engine::parallel::{check, check_at};

/// About how many rows are sorted at once.
const BUCKET_ROWS: usize = 1 << 13;

/// The groups of a tree, in parts that threads can take each.
#[derive(Debug, Default)]
pub(in crate::engine) struct Groups {
    pub(super) parts: Vec<Part>,
}

/// Some of the groups.
#[derive(Debug, Default)]
pub(super) struct Part {
    /// The rows of the first group, then of the second, and so on.
    rows: Vec<u32>,
    /// Where each group ends.
    ends: Vec<u32>,
}

impl Part {
    /// The rows of each group.
    pub(super) fn groups(&self) -> impl Iterator<Item = &[u32]> {
        let starts = std::iter::once(0).chain(self.ends.iter().copied());
        starts.zip(&self.ends).map(|(start, end)| &self.rows[start as usize..*end as usize])
    }
}

impl Groups {
    /// The groups of the rows that have keys.
    ///
    /// # Errors
    /// Where the run was cancelled.
    pub(in crate::engine) fn of(
        lanes: &Lanes,
        threads: usize,
        cancel: Option<&AtomicBool>,
    ) -> Result<Self, Failure> {
        let parts = threads.clamp(1, 64) as u64;
        let made: Vec<Result<Part, Failure>> = std::thread::scope(|scope| {
            let spawned: Vec<_> = (0..parts)
                .map(|number| scope.spawn(move || Keys { lanes, number, parts, cancel }.part()))
                .collect();
            spawned
                .into_iter()
                .map(|part| part.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
                .collect()
        });
        Ok(Self { parts: made.into_iter().collect::<Result<_, _>>()? })
    }

    /// How many bytes the making takes for each row, at most.
    pub(in crate::engine) const ROW_BYTES: usize =
        size_of::<(u64, u32)>() + size_of::<u32>() + size_of::<u32>() / 2;
}

/// The keys of one part.
struct Keys<'a> {
    lanes: &'a Lanes,
    number: u64,
    parts: u64,
    cancel: Option<&'a AtomicBool>,
}

impl Keys<'_> {
    fn part(&self) -> Result<Part, Failure> {
        let rows = self.lanes.flags.len();
        let buckets = (rows / self.parts as usize / BUCKET_ROWS + 1).next_power_of_two();
        let mut ends = vec![0_usize; buckets];
        self.each(|hash, _| ends[bucket(hash, self.parts, buckets)] += 1)?;
        let mut all = 0;
        for end in &mut ends {
            all += std::mem::replace(end, all);
        }
        let mut keyed = vec![(0_u64, 0_u32); all];
        // The ends are the starts until all rows are placed.
        self.each(|hash, row| {
            let place = &mut ends[bucket(hash, self.parts, buckets)];
            keyed[*place] = (hash, row);
            *place += 1;
        })?;
        let (mut part, mut start) = (Part::default(), 0);
        for end in ends {
            check(self.cancel)?;
            keyed[start..end].sort_unstable();
            keyed[start..end]
                .chunk_by(|left, right| left.0 == right.0)
                .for_each(|run| self.add(&mut part, run));
            start = end;
        }
        Ok(part)
    }

    /// Calls `visit` with the hash and number of each row that belongs to the part.
    fn each(&self, mut visit: impl FnMut(u64, u32)) -> Result<(), Failure> {
        let flags = &self.lanes.flags;
        let (number, parts) = (u128::from(self.number), u128::from(self.parts));
        let mut one = |row: usize, hash: u64| {
            if flags[row] & Lanes::KEYED != 0 && u128::from(hash) * parts >> 64 == number {
                visit(hash, row as u32);
            }
        };
        if let [words] = &self.lanes.words[..] {
            for (row, word) in words.iter().enumerate() {
                check_at(row, self.cancel)?;
                one(row, mix(*word));
            }
            return Ok(());
        }
        for row in 0..flags.len() {
            check_at(row, self.cancel)?;
            one(row, self.lanes.words.iter().fold(0, |hash, words| mix(hash ^ words[row]).wrapping_add(1)));
        }
        Ok(())
    }

    /// Adds the groups among rows with one hash, which are ascending.
    fn add(&self, part: &mut Part, run: &[(u64, u32)]) {
        if run.len() < 2 {
            return;
        }
        let key = |row: u32| self.lanes.words.iter().map(move |words| words[row as usize]);
        let is_one_key =
            self.lanes.words.len() == 1 || run.iter().all(|(_, row)| key(*row).eq(key(run[0].1)));
        if is_one_key {
            part.rows.extend(run.iter().map(|(_, row)| *row));
            part.ends.push(part.rows.len() as u32);
            return;
        }
        let mut rows: Vec<u32> = run.iter().map(|(_, row)| *row).collect();
        rows.sort_by(|left, right| key(*left).cmp(key(*right)));
        for group in rows.chunk_by(|left, right| key(*left).eq(key(*right))).filter(|group| group.len() > 1) {
            part.rows.extend(group);
            part.ends.push(part.rows.len() as u32);
        }
    }
}

/// The bucket of a hash: by the bits below those that tell the part.
fn bucket(hash: u64, parts: u64, buckets: usize) -> usize {
    let below = hash.wrapping_mul(parts);
    ((u128::from(below) * buckets as u128) >> 64) as usize
}

/// Spreads a word over all bits, no two to the same.
const fn mix(word: u64) -> u64 {
    let mixed = (word ^ (word >> 32)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let mixed = (mixed ^ (mixed >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed ^ (mixed >> 32)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn rows_of_equal_keys_are_together(
            keys in proptest::collection::vec((0..5_u64, 0..3_u64, 0..4_u8), 0..200),
            two in any::<bool>(),
            threads in 1..4_usize,
        ) {
            let column = |of: &dyn Fn(&(u64, u64, u8)) -> u64| keys.iter().map(of).collect::<Vec<_>>();
            let mut words = vec![column(&|key| key.0 << 61)];
            if two {
                words.push(column(&|key| key.1));
            }
            let flags = keys.iter().map(|key| u8::from(key.2 > 0)).collect();
            let groups = Groups::of(&Lanes { words, numbers: Vec::new(), flags }, threads, None).unwrap();
            let mut plain: BTreeMap<(u64, u64), Vec<u32>> = BTreeMap::new();
            for (row, key) in keys.iter().enumerate().filter(|(_, key)| key.2 > 0) {
                plain.entry((key.0, if two { key.1 } else { 0 })).or_default().push(row as u32);
            }
            let mut expected: Vec<Vec<u32>> = plain.into_values().filter(|rows| rows.len() > 1).collect();
            let mut found: Vec<Vec<u32>> = groups.parts.iter().flat_map(Part::groups).map(<[u32]>::to_vec).collect();
            expected.sort();
            found.sort();
            prop_assert_eq!(found, expected);
        }
    }

    /// Keys of many words can share a hash; their rows are told apart all the same.
    #[test]
    fn rows_that_share_a_hash_are_told_apart() {
        let words = vec![vec![1, 2, 1, 2, 3], vec![5, 5, 5, 5, 5]];
        let lanes = Lanes { words, numbers: Vec::new(), flags: vec![1; 5] };
        let mut part = Part::default();
        let run: Vec<(u64, u32)> = (0..5).map(|row| (7, row)).collect();
        Keys { lanes: &lanes, number: 0, parts: 1, cancel: None }.add(&mut part, &run);
        assert_eq!(part.groups().collect::<Vec<_>>(), [&[0, 2], &[1, 3]]);
    }
}
