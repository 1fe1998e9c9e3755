//! Twins by columns: aggregates over the nodes with equal keys, for a whole tree at a time.
//!
//! ```text
//! block 0: rows in the order of buckets ─┐
//! block 1: rows in the order of buckets ─┼─▶ bucket 0 of all blocks ──hash──▶ groups of equal keys ──fold──▶ its results
//! …                                     ─┘   bucket 1 …
//! ```
//!
//! A bucket has the rows of some hashes, a few thousand of them; a block's part of each bucket is contiguous. So the
//! work on a block or a bucket stays in the cache.
//!
//! An aggregate is computed this way if it has a [`Form`] that reads a node and its twin separately, and no part of
//! it can overflow; all others are gathered by [`crossing::Twins`](super::crossing::Twins).
//!
//! **Invariant:** the cost is at most about that of sorting the nodes, even if all have the same key; pairwise
//! comparisons of very many nodes are rejected.

mod arranged;
mod buckets;
mod compared;
mod fold;
mod form;
mod groups;
mod lanes;
mod ranks;
mod results;

pub(super) use arranged::Arranged;
pub(super) use buckets::answer;
pub(super) use fold::Question;
pub(super) use form::Form;
pub(super) use lanes::{Lanes, TextNumbers, sort_keys, word_of_value, words};
pub(super) use results::Results;

/// The approximate number of rows in a bucket, unless there would be very many buckets.
const BUCKET_ROWS: u64 = 1 << 15;
const BUCKETS_MAX: u64 = 1 << 12;

/// The number of buckets of a tree with `nodes` nodes.
pub(super) fn bucket_count(nodes: u64) -> usize {
    (nodes / BUCKET_ROWS + 1).next_power_of_two().min(BUCKETS_MAX) as usize
}

/// The approximate number of bytes kept per row for an aggregate: for its key if it gathers that, for the texts in it,
/// for the values it reads, and the result.
pub(super) const fn row_bytes(words: usize, texts: usize, numbers: usize) -> usize {
    let key = match words {
        0 => 0,
        1 => size_of::<u64>() + size_of::<u32>(),
        _ => size_of::<u64>() * (words + 1) + size_of::<u32>(),
    };
    key + TextNumbers::BYTES * texts + 1 + size_of::<u64>() * numbers + size_of::<u64>()
}
