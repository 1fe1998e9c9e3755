//! The groups of a query. Once they are many, they are divided by the hashes of their keys:
//!
//! ```text
//! groups of a block    ──▶  a list for each share of the hashes        by the thread that scans the block
//! lists of some blocks ──▶  one share after the other takes its lists  each share by one thread, and small
//!                                                                      enough for a cache
//! ```

use std::hash::BuildHasher;
use std::ops::Range;

use super::form::bytes_of;
use crate::accumulator::Accumulator;
use crate::hashing::{ListIndex, Seeded};
use crate::value::Value;

/// The number of shares if groups are divided.
const SHARES: usize = 1 << SHARE_BITS;
const SHARE_BITS: u32 = 8;
/// The number of groups of a block, and of a query, from which on they are divided.
const LIST_MIN: usize = 1 << 14;
const GROUPS_MIN: usize = 1 << 15;
/// Groups wait to be merged until they take so many bytes, and this part of all.
const WAITING_MIN: usize = 1 << 24;
const WAITING_PART: usize = 4;

/// Groups with different keys, as a block has them.
#[derive(Clone, Debug, Default)]
pub(crate) struct GroupList {
    /// The keys of all groups, one after the other.
    keys: Vec<Option<Value>>,
    /// By aggregate, those of each group.
    pub(super) accumulators: Vec<Vec<Accumulator>>,
    /// The hashes of the keys.
    hashes: Vec<u64>,
}

impl GroupList {
    /// `count` groups; each has the same number of keys.
    pub(crate) fn new(count: usize, keys: Vec<Option<Value>>, accumulators: Vec<Vec<Accumulator>>) -> Self {
        let width = keys.len() / count.max(1);
        let hashes = (0..count).map(|place| hash_of(&keys[place * width..][..width])).collect();
        Self { keys, accumulators, hashes }
    }

    fn bytes(&self) -> usize {
        let keys: usize = self.keys.iter().map(|key| bytes_of(key.as_ref())).sum();
        let gathered: usize = self.accumulators.iter().flatten().map(bytes_of_gathered).sum();
        LISTS * self.hashes.len() + keys + gathered
    }

    /// The groups of each share.
    fn divided(self) -> Vec<Self> {
        let width = self.keys.len() / self.hashes.len().max(1);
        let mut counts = [0; SHARES];
        self.hashes.iter().for_each(|hash| counts[share_of(*hash)] += 1);
        let empty = |count: usize| Self {
            keys: Vec::with_capacity(count * width),
            accumulators: self.accumulators.iter().map(|_| Vec::with_capacity(count)).collect(),
            hashes: Vec::with_capacity(count),
        };
        let mut shares: Vec<Self> = counts.into_iter().map(empty).collect();
        let mut keys = self.keys.into_iter();
        for hash in &self.hashes {
            let share = &mut shares[share_of(*hash)];
            share.hashes.push(*hash);
            share.keys.extend(keys.by_ref().take(width));
        }
        for (place, column) in self.accumulators.into_iter().enumerate() {
            for (hash, accumulator) in self.hashes.iter().zip(column) {
                shares[share_of(*hash)].accumulators[place].push(accumulator);
            }
        }
        shares
    }
}

/// All groups of a query.
#[derive(Clone, Debug)]
pub(super) struct Groups {
    /// One, or [`SHARES`].
    pub(super) shares: Vec<Share>,
    /// The approximate memory of the groups that wait in the shares, in bytes.
    waiting: usize,
    /// The number of threads that may merge shares.
    pub(super) threads: usize,
}

impl Default for Groups {
    fn default() -> Self {
        Self { shares: vec![Share::default()], waiting: 0, threads: 1 }
    }
}

impl Groups {
    /// The approximate memory of the groups in bytes; at most so much, while some wait to be merged.
    pub(super) fn bytes(&self) -> usize {
        self.shares.iter().map(|share| share.bytes).sum::<usize>() + self.waiting
    }

    /// The number of groups, without those that wait.
    pub(super) fn len(&self) -> usize {
        self.shares.iter().map(|share| share.index.len()).sum()
    }

    /// The share of a key, and its hash.
    pub(super) fn share_of(&mut self, key: &[Option<Value>]) -> (&mut Share, u64) {
        let hash = hash_of(key);
        let place = if self.shares.len() == 1 { 0 } else { share_of(hash) };
        (&mut self.shares[place], hash)
    }

    /// Adds the groups of a block.
    pub(super) fn add_list(&mut self, list: GroupList) {
        if list.hashes.len() >= LIST_MIN && self.shares.len() == 1 && self.len() == 0 {
            self.shares.resize_with(SHARES, Share::default);
        }
        self.wait((0, 1), list);
    }

    /// Lets the groups of one share of some wait to be merged.
    fn wait(&mut self, (share, shares): (usize, usize), list: GroupList) {
        if list.hashes.is_empty() {
            return;
        }
        self.waiting += list.bytes();
        match (self.shares.as_mut_slice(), shares) {
            ([all], _) => all.waiting.push(list),
            (all, SHARES) => all[share].waiting.push(list),
            (all, _) => {
                let lists = all.iter_mut().zip(list.divided());
                lists.for_each(|(share, list)| share.waiting.push(list));
            }
        }
    }

    /// Merges other groups; some may wait.
    pub(super) fn merge(&mut self, more: Self) {
        let shares = more.shares.len();
        for (place, mut share) in more.shares.into_iter().enumerate() {
            let waiting = std::mem::take(&mut share.waiting);
            waiting.into_iter().chain([share.into_list()]).for_each(|list| self.wait((place, shares), list));
        }
        if self.waiting > WAITING_MIN.max((self.bytes() - self.waiting) / WAITING_PART) {
            self.settle();
        }
    }

    /// Merges the groups that wait.
    pub(super) fn settle(&mut self) {
        let threads = if self.waiting < WAITING_MIN { 1 } else { self.threads.clamp(1, self.shares.len()) };
        if threads == 1 {
            self.shares.iter_mut().for_each(Share::settle);
        } else {
            let part = self.shares.len().div_ceil(threads);
            std::thread::scope(|scope| {
                for shares in self.shares.chunks_mut(part) {
                    scope.spawn(|| shares.iter_mut().for_each(Share::settle));
                }
            });
        }
        self.waiting = 0;
        if self.shares.len() == 1 && self.len() >= GROUPS_MIN {
            let all = std::mem::take(&mut self.shares[0]).into_list();
            self.shares.resize_with(SHARES, Share::default);
            self.shares.iter_mut().zip(all.divided()).for_each(|(share, list)| share.merge(list));
        }
    }
}

/// The groups whose hashes are in a share. Keys and aggregates stand one after the other, as many for each group.
#[derive(Clone, Debug, Default)]
pub(super) struct Share {
    index: ListIndex,
    keys: Vec<Option<Value>>,
    accumulators: Vec<Accumulator>,
    /// Groups that are not among these yet.
    waiting: Vec<GroupList>,
    /// The approximate memory of the groups, in bytes.
    bytes: usize,
}

impl Share {
    /// The number of groups, without those that wait.
    pub(super) fn len(&self) -> usize {
        self.index.len()
    }

    /// The key of a group.
    pub(super) fn key(&self, group: usize) -> &[Option<Value>] {
        let width = self.keys.len() / self.index.len();
        &self.keys[group * width..][..width]
    }

    /// The aggregates of a group.
    pub(super) fn accumulators(&self, group: usize) -> &[Accumulator] {
        &self.accumulators[self.places(group)]
    }

    fn places(&self, group: usize) -> Range<usize> {
        let width = self.accumulators.len() / self.index.len();
        group * width..(group + 1) * width
    }

    pub(super) fn find(&self, key: &[Option<Value>], hash: u64) -> Option<usize> {
        self.index.find(hash, |group| self.key(group) == key)
    }

    /// Adds a group that is not there, and returns its number.
    pub(super) fn insert(
        &mut self,
        key: impl IntoIterator<Item = Option<Value>>,
        hash: u64,
        accumulators: impl IntoIterator<Item = Accumulator>,
    ) -> usize {
        let (keys, before) = (self.keys.len(), self.accumulators.len());
        self.keys.extend(key);
        self.accumulators.extend(accumulators);
        self.bytes += LISTS
            + self.keys[keys..].iter().map(|key| bytes_of(key.as_ref())).sum::<usize>()
            + self.accumulators[before..].iter().map(bytes_of_gathered).sum::<usize>();
        self.index.push(hash)
    }

    /// Changes the aggregates of a group, one after the other.
    pub(super) fn change(&mut self, group: usize, mut change: impl FnMut(usize, &mut Accumulator)) {
        let places = self.places(group);
        for (place, accumulator) in self.accumulators[places].iter_mut().enumerate() {
            let before = accumulator.bytes();
            change(place, accumulator);
            self.bytes += accumulator.bytes() - before;
        }
    }

    fn merge(&mut self, list: GroupList) {
        let width = list.keys.len() / list.hashes.len().max(1);
        let mut columns: Vec<_> = list.accumulators.into_iter().map(Vec::into_iter).collect();
        for (place, hash) in list.hashes.into_iter().enumerate() {
            let key = &list.keys[place * width..][..width];
            let mut accumulators = columns.iter_mut().filter_map(Iterator::next);
            match self.find(key, hash) {
                None => {
                    self.insert(key.iter().cloned(), hash, accumulators);
                }
                Some(group) => self.change(group, |_, all| {
                    accumulators.next().iter().for_each(|more| all.merge(more));
                }),
            }
        }
    }

    fn settle(&mut self) {
        for list in std::mem::take(&mut self.waiting) {
            self.merge(list);
        }
    }

    /// The groups, without those that wait.
    fn into_list(self) -> GroupList {
        let count = self.index.len();
        let width = self.accumulators.len() / count.max(1);
        let mut accumulators: Vec<Vec<Accumulator>> = (0..width).map(|_| Vec::with_capacity(count)).collect();
        for (place, accumulator) in self.accumulators.into_iter().enumerate() {
            accumulators[place % width].push(accumulator);
        }
        GroupList { keys: self.keys, accumulators, hashes: self.index.into_hashes() }
    }
}

/// The memory of a group beside its keys and aggregates.
const LISTS: usize = 2 * size_of::<Vec<Value>>();

fn bytes_of_gathered(accumulator: &Accumulator) -> usize {
    size_of::<Accumulator>() + accumulator.bytes()
}

fn hash_of(key: &[Option<Value>]) -> u64 {
    Seeded::default().hash_one(key)
}

const fn share_of(hash: u64) -> usize {
    (hash >> (u64::BITS - SHARE_BITS)) as usize
}
