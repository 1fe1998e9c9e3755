//! The transposition table: stored results of a position, however it was reached.
//!
//! ```text
//! slot  = check (64 bits) · data (64 bits)          check = hash ^ data
//! data  = value 24 · move index 16 · depth 12 · age 6 · bound 2 · whole 1 · spare 3
//! bucket = 4 slots = 64 bytes = one cache line
//! ```
//!
//! Threads share a table without locks: a slot with halves from two threads fails its check and is not found. The
//! best move is stored as its place in the game's list of moves, which needs no knowledge of the move's type. A deep
//! or fresh entry is replaced last.
//!
//! Non-goal: finding every stored position. Entries get lost; the chance of a wrong one is 2^-64.

mod memory;

pub(crate) use memory::prefetch;

use crate::node::Node;
use crate::value::{from_root, win_distance_plies};
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering::Relaxed};

/// How a stored value relates to the true one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// The true value is at most the stored one: the node failed low.
    Upper = 1,
    /// The true value is at least the stored one: the node failed high.
    Lower = 2,
    /// The stored value is the true one.
    Exact = 3,
}

impl Bound {
    /// The bound that `value` is, if a fail-soft search with this window found it.
    #[inline]
    pub(crate) fn of(value: i32, alpha: i32, beta: i32) -> Self {
        if value >= beta {
            Self::Lower
        } else if value > alpha {
            Self::Exact
        } else {
            Self::Upper
        }
    }

    /// Whether the stored value refutes an estimate of the true value: the estimate lies on the wrong side of a bound, or differs from an
    /// exact value.
    #[inline]
    pub(crate) fn contradicts(self, value: i32, estimate: i32) -> bool {
        match self {
            Self::Exact => true,
            Self::Lower => estimate < value,
            Self::Upper => estimate > value,
        }
    }

    /// Whether the bound alone puts the true value outside the window, or on the stored value.
    #[inline]
    pub(crate) fn settles(self, value: i32, alpha: i32, beta: i32) -> bool {
        match self {
            Self::Exact => true,
            Self::Lower => value >= beta,
            Self::Upper => value <= alpha,
        }
    }
}

/// The stored result of a position. Win distances in `value` count from the position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Entry {
    pub(crate) value: i32,
    pub(crate) move_index: Option<u16>,
    pub(crate) depth: i16,
    pub(crate) bound: Bound,
    /// Whether the search reached the end of the game on every line that it searched below.
    pub(crate) is_whole: bool,
}

impl Entry {
    /// The value of a node, if this entry settles it for the node's depth and window.
    ///
    /// Nodes with an open window are never answered, because the search needs their line and not only their value.
    #[inline]
    pub(crate) fn answer(&self, node: Node, takes_deeper: bool) -> Option<i32> {
        let deep_enough = self.depth == node.depth
            || (self.depth > node.depth && takes_deeper)
            || self.is_proof_at(node.depth);
        let value = from_root(self.value, node.ply);
        let settles = deep_enough && !node.is_open() && self.bound.settles(value, node.alpha, node.beta);
        settles.then_some(value)
    }

    /// Whether no deeper search can change the entry's value at this depth.
    pub(crate) fn is_final_at(&self, depth: i16) -> bool {
        self.is_whole || self.is_proof_at(depth)
    }

    /// A win or loss within `depth` holds at that depth, whatever depth it was found at: no deeper search finds a
    /// nearer one.
    fn is_proof_at(&self, depth: i16) -> bool {
        let unless = if self.value > 0 { Bound::Upper } else { Bound::Lower };
        self.bound != unless && win_distance_plies(self.value).is_some_and(|plies| plies <= i32::from(depth))
    }
}

/// A table of a fixed size in bytes, shared between threads and searches.
#[derive(Debug)]
pub struct Table {
    buckets: Box<[Bucket]>,
    age: AtomicU8,
}

#[derive(Debug, Default)]
#[repr(align(64))]
struct Bucket([Slot; 4]);

#[derive(Debug, Default)]
struct Slot {
    check: AtomicU64,
    data: AtomicU64,
}

const _: () = assert!(size_of::<Bucket>() == 64);

const NO_MOVE: u16 = u16::MAX;
const AGES: u8 = 64;
/// The plies of depth that an entry loses for every search since it was stored, when a slot is reused.
const PLIES_PER_AGE: i32 = 8;

impl Table {
    /// A table of at most `bytes`; with less than 64 it stores nothing.
    #[must_use]
    pub fn new(bytes: usize) -> Self {
        let count = bytes / size_of::<Bucket>();
        let mut buckets = Vec::with_capacity(count);
        memory::prefer_large_pages(&mut buckets);
        buckets.resize_with(count, Bucket::default);
        Self { buckets: buckets.into_boxed_slice(), age: AtomicU8::new(0) }
    }

    /// Its size.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.buckets.len() * size_of::<Bucket>()
    }

    /// Forgets everything.
    pub fn clear(&self) {
        for slot in self.buckets.iter().flat_map(|bucket| &bucket.0) {
            slot.check.store(0, Relaxed);
            slot.data.store(0, Relaxed);
        }
    }

    /// Begins a new search: entries of older searches are replaced first.
    pub(crate) fn new_search(&self) {
        self.age.store((self.age.load(Relaxed) + 1) % AGES, Relaxed);
    }

    /// Prefetches a position's bucket, so that [`Table::probe`] waits less for memory.
    #[inline]
    pub(crate) fn prefetch(&self, hash: u64) {
        if let Some(bucket) = self.bucket(hash) {
            prefetch(bucket);
        }
    }

    #[inline]
    pub(crate) fn probe(&self, hash: u64) -> Option<Entry> {
        let bucket = self.bucket(hash)?;
        bucket.0.iter().find_map(|slot| {
            let data = slot.data.load(Relaxed);
            if slot.check.load(Relaxed) ^ data == hash { unpack(data) } else { None }
        })
    }

    #[inline]
    pub(crate) fn store(&self, hash: u64, entry: Entry) {
        let Some(bucket) = self.bucket(hash) else { return };
        let age = self.age.load(Relaxed);
        let mut victim = &bucket.0[0];
        let mut victim_worth = i32::MAX;
        for slot in &bucket.0 {
            let data = slot.data.load(Relaxed);
            if data == 0 || slot.check.load(Relaxed) ^ data == hash {
                victim = slot;
                break;
            }
            let worth = worth(data, age);
            if worth < victim_worth {
                (victim, victim_worth) = (slot, worth);
            }
        }
        let data = pack(entry, age);
        victim.data.store(data, Relaxed);
        victim.check.store(hash ^ data, Relaxed);
    }

    /// The bucket of a hash. The hash is mixed first, because some games' hashes do not use the high bits.
    #[inline]
    fn bucket(&self, hash: u64) -> Option<&Bucket> {
        let stirred = hash.wrapping_mul(0x9E37_79B9_7F4A_7C15);
        let index = (u128::from(stirred) * self.buckets.len() as u128) >> 64;
        self.buckets.get(index as usize)
    }
}

fn worth(data: u64, age: u8) -> i32 {
    let searches_ago = (age + AGES - age_of(data)) % AGES;
    i32::from(depth_of(data)) - PLIES_PER_AGE * i32::from(searches_ago)
}

fn pack(entry: Entry, age: u8) -> u64 {
    let value = u64::from(entry.value as u32 & 0xFF_FFFF);
    let depth = u64::from(entry.depth.clamp(-2048, 2047) as u16 & 0xFFF);
    value
        | u64::from(entry.move_index.unwrap_or(NO_MOVE)) << 24
        | depth << 40
        | u64::from(age) << 52
        | (entry.bound as u64) << 58
        | u64::from(entry.is_whole) << 60
}

fn unpack(data: u64) -> Option<Entry> {
    let bound = match data >> 58 & 3 {
        1 => Bound::Upper,
        2 => Bound::Lower,
        3 => Bound::Exact,
        _ => return None,
    };
    let index = (data >> 24) as u16;
    Some(Entry {
        value: ((data as u32) << 8) as i32 >> 8,
        move_index: (index != NO_MOVE).then_some(index),
        depth: depth_of(data),
        bound,
        is_whole: data >> 60 & 1 != 0,
    })
}

fn depth_of(data: u64) -> i16 {
    (((data >> 40) as u16) << 4) as i16 >> 4
}

fn age_of(data: u64) -> u8 {
    (data >> 52) as u8 & (AGES - 1)
}

#[cfg(test)]
mod tests;
