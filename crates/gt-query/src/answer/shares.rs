//! The groups of a query. If there are many, they are divided by the hashes of their keys:
//!
//! ```text
//! groups of a block    ──▶  a list for each share of the hashes        by the thread that scans the block
//! lists of some blocks ──▶  one share after the other takes its lists  each share by one thread, and small
//!                                                                      enough for a cache
//! ```

use super::keys::{Keys, hash_of};
use crate::accumulator::Accumulator;
use crate::accumulators::Accumulators;
use crate::hashing::ListIndex;

/// The number of shares if groups are divided.
const SHARES: usize = 1 << SHARE_BITS;
const SHARE_BITS: u32 = 8;
/// The numbers of groups of a block, and of a query, from which groups are divided.
const LIST_MIN: usize = 1 << 14;
const GROUPS_MIN: usize = 1 << 15;
/// Groups wait to be merged until they take this many bytes, and this part of the memory of the merged groups.
const WAITING_MIN: usize = 1 << 24;
const WAITING_PART: usize = 4;

/// The groups of a block, which have different keys.
#[derive(Clone, Debug, Default)]
pub(crate) struct GroupList {
    columns: Columns,
    /// The hashes of the keys.
    hashes: Vec<u64>,
}

/// The keys of groups, and their aggregates.
#[derive(Clone, Debug, Default)]
struct Columns {
    keys: Vec<Keys>,
    accumulators: Vec<Accumulators>,
}

impl Columns {
    /// Columns of the same kinds without groups.
    fn empty(&self, capacity: usize) -> Self {
        Self {
            keys: self.keys.iter().map(|keys| keys.empty(capacity)).collect(),
            accumulators: self.accumulators.iter().map(|column| column.empty(capacity)).collect(),
        }
    }

    /// Appends a group of other columns, which keep no meaningful aggregates for it.
    fn push(&mut self, from: &mut Self, group: usize) {
        self.keys.iter_mut().zip(&from.keys).for_each(|(keys, from)| keys.push_from(from, group));
        let columns = self.accumulators.iter_mut().zip(&mut from.accumulators);
        columns.for_each(|(column, from)| column.push(from, group));
    }

    #[inline]
    fn has_same_key(&self, group: usize, keys: &[Keys], of: usize) -> bool {
        self.keys.iter().zip(keys).all(|(mine, others)| mine.is_same(group, others, of))
    }

    /// The approximate memory of a group, in bytes.
    fn bytes(&self, group: usize) -> usize {
        INDEX
            + self.keys.iter().map(|keys| keys.bytes(group)).sum::<usize>()
            + self.accumulators.iter().map(|column| column.bytes(group)).sum::<usize>()
    }

    /// The approximate memory of all groups, in bytes.
    fn bytes_of_all(&self, groups: usize) -> usize {
        INDEX * groups
            + self.keys.iter().map(Keys::bytes_of_all).sum::<usize>()
            + self.accumulators.iter().map(Accumulators::bytes_of_all).sum::<usize>()
    }
}

impl GroupList {
    /// `count` groups with these keys and aggregates, by column.
    pub(crate) fn new(count: usize, keys: Vec<Keys>, accumulators: Vec<Accumulators>) -> Self {
        let hashes = (0..count).map(|group| hash_of(&keys, group)).collect();
        Self { columns: Columns { keys, accumulators }, hashes }
    }

    /// The aggregates of all groups.
    pub(crate) fn into_accumulators(self) -> impl Iterator<Item = Accumulator> {
        self.columns.accumulators.into_iter().flat_map(Accumulators::into_states)
    }

    fn bytes(&self) -> usize {
        self.columns.bytes_of_all(self.hashes.len())
    }

    /// Divides the groups into shares.
    fn divided(mut self) -> Vec<Self> {
        let mut counts = [0; SHARES];
        self.hashes.iter().for_each(|hash| counts[share_of(*hash)] += 1);
        let empty =
            |count: usize| Self { columns: self.columns.empty(count), hashes: Vec::with_capacity(count) };
        let mut shares: Vec<Self> = counts.into_iter().map(empty).collect();
        for (group, hash) in self.hashes.iter().enumerate() {
            let share = &mut shares[share_of(*hash)];
            share.hashes.push(*hash);
            share.columns.push(&mut self.columns, group);
        }
        shares
    }
}

/// All groups of a query.
#[derive(Clone, Debug)]
pub(super) struct Groups {
    /// One share, or [`SHARES`].
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
    /// The approximate memory of the groups in bytes; an upper bound while some wait to be merged.
    pub(super) fn bytes(&self) -> usize {
        self.shares.iter().map(|share| share.bytes).sum::<usize>() + self.waiting
    }

    /// The number of groups, without those that wait.
    pub(super) fn len(&self) -> usize {
        self.shares.iter().map(|share| share.index.len()).sum()
    }

    /// The share of a single group's keys, and their hash.
    pub(super) fn share_of(&mut self, key: &[Keys]) -> (&mut Share, u64) {
        let hash = hash_of(key, 0);
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

    /// Lets groups wait to be merged; all of them are in one share of `shares`.
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

    /// Merges the groups of another collector; some may wait.
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
            for (share, list) in self.shares.iter_mut().zip(all.divided()) {
                share.waiting.push(list);
                share.settle();
            }
        }
    }
}

/// The groups whose hashes are in a share.
#[derive(Clone, Debug, Default)]
pub(super) struct Share {
    index: ListIndex,
    columns: Columns,
    /// Groups that wait to be merged with these.
    waiting: Vec<GroupList>,
    /// The approximate memory of the groups, in bytes.
    bytes: usize,
}

impl Share {
    /// The number of groups, without those that wait.
    pub(super) fn len(&self) -> usize {
        self.index.len()
    }

    /// The keys of its groups, by column.
    pub(super) fn keys(&self) -> &[Keys] {
        &self.columns.keys
    }

    /// The aggregates of its groups, by column.
    pub(super) fn accumulators(&self) -> &[Accumulators] {
        &self.columns.accumulators
    }

    /// Finds the group with the key of group `of` in `keys`.
    #[inline]
    pub(super) fn find(&self, keys: &[Keys], of: usize, hash: u64) -> Option<usize> {
        self.index.find(hash, |group| self.columns.has_same_key(group, keys, of))
    }

    /// Adds a group with a new key, and returns its number.
    pub(super) fn insert(&mut self, key: Vec<Keys>, hash: u64, accumulators: Vec<Accumulator>) -> usize {
        let column = |accumulator: Accumulator| Accumulators::States(vec![accumulator]);
        let accumulators = accumulators.into_iter().map(column).collect();
        let group = self.take(&mut Columns { keys: key, accumulators }, 0, hash);
        self.bytes += self.columns.bytes(group);
        group
    }

    /// Adds a group of a list, and returns its number.
    fn take(&mut self, from: &mut Columns, of: usize, hash: u64) -> usize {
        let group = self.index.push(hash);
        if group == 0 {
            self.columns = from.empty(1);
        }
        self.columns.push(from, of);
        group
    }

    /// Changes the aggregates of a group, one after the other.
    pub(super) fn change(&mut self, group: usize, mut change: impl FnMut(usize, &mut Accumulator)) {
        for (place, column) in self.columns.accumulators.iter_mut().enumerate() {
            let before = column.bytes(group);
            change(place, &mut column.states()[group]);
            self.bytes = self.bytes + column.bytes(group) - before;
        }
    }

    fn merge(&mut self, mut list: GroupList) {
        for (of, hash) in list.hashes.into_iter().enumerate() {
            match self.find(&list.columns.keys, of, hash) {
                None => {
                    self.take(&mut list.columns, of, hash);
                }
                Some(group) => {
                    let columns = self.columns.accumulators.iter_mut().zip(&list.columns.accumulators);
                    columns.for_each(|(column, from)| column.merge(group, from, of));
                }
            }
        }
    }

    fn settle(&mut self) {
        if self.waiting.is_empty() {
            return;
        }
        for list in std::mem::take(&mut self.waiting) {
            self.merge(list);
        }
        self.bytes = self.columns.bytes_of_all(self.index.len());
    }

    /// The groups, without those that wait.
    fn into_list(self) -> GroupList {
        GroupList { columns: self.columns, hashes: self.index.into_hashes() }
    }
}

/// The memory of a group besides its keys and aggregates: its hash, and its places in the index.
const INDEX: usize = 3 * size_of::<u64>();

const fn share_of(hash: u64) -> usize {
    (hash >> (u64::BITS - SHARE_BITS)) as usize
}
