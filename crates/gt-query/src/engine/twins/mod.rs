//! Twins by columns: aggregates over the nodes with equal keys, a whole tree at a time.
//!
//! ```text
//! block 0: rows in the order of buckets ─┐
//! block 1: rows in the order of buckets ─┼─▶ bucket 0 of all blocks ──sort──▶ groups of equal keys ──fold──▶ its results
//! …                                     ─┘   bucket 1 …
//! ```
//!
//! A bucket has the rows of some hashes, a few thousand of them; a block reads from each bucket the stretch that it gave. So
//! whoever works on a block or a bucket stays in the memory that is near.
//!
//! An aggregate takes this way if it is of a [`Form`] that looks at a node and at its twin apart, and no part of it can
//! overflow; all others are gathered by [`crossing::Twins`](super::crossing::Twins).
//!
//! **Invariant:** the cost is about that of a sort of the nodes by their keys, also where all have the same one; what would
//! compare each with each of very many is refused.

mod arranged;
mod buckets;
mod fold;
mod form;
mod lanes;
mod ranks;
mod results;

pub(super) use arranged::Arranged;
pub(super) use buckets::answer;
pub(super) use fold::Question;
pub(super) use form::Form;
pub(super) use lanes::{Lanes, one, sort_keys, words};
pub(super) use results::Results;

/// About how many rows a bucket has, unless the buckets would be very many.
const BUCKET_ROWS: u64 = 1 << 13;
const BUCKETS_MAX: u64 = 1 << 12;

/// How many buckets a tree with so many nodes has.
pub(super) fn bucket_count(nodes: u64) -> usize {
    (nodes / BUCKET_ROWS + 1).next_power_of_two().min(BUCKETS_MAX) as usize
}

/// About how many bytes are kept of each row for an aggregate: of its key where it gathers that, of what it reads, and the
/// result.
pub(super) const fn row_bytes(words: usize, numbers: usize) -> usize {
    let key = match words {
        0 => 0,
        1 => size_of::<u64>() + size_of::<u32>(),
        _ => size_of::<u64>() * (words + 1) + size_of::<u32>(),
    };
    key + 1 + size_of::<u64>() * numbers + size_of::<u64>()
}
