//! Content with sorted keys: a number for each key, found by binary search.
//!
//! ```text
//! key 8 bytes · value 4 bytes, sorted by key │ … │ what follows the records is the table's own
//! ```

use crate::error::{Result, damaged};
use crate::file::Blocks;

pub(crate) const RECORD_BYTES: usize = 12;

/// The records as content; sorted, each key once.
pub(crate) fn content(mut records: Vec<(u64, u32)>) -> Vec<u8> {
    records.sort_unstable();
    let bytes = |(key, value): (u64, u32)| key.to_le_bytes().into_iter().chain(value.to_le_bytes());
    records.into_iter().flat_map(bytes).collect()
}

/// The value of a key among the first `count` records.
///
/// # Errors
/// Returns an error if a block cannot be read, or is damaged.
pub(crate) fn find(blocks: &Blocks, count: u64, key: u64) -> Result<Option<u32>> {
    let (mut low, mut high) = (0, count);
    while low < high {
        let middle = low + (high - low) / 2;
        let (found, value) = record(blocks, middle)?;
        match found.cmp(&key) {
            std::cmp::Ordering::Equal => return Ok(Some(value)),
            std::cmp::Ordering::Less => low = middle + 1,
            std::cmp::Ordering::Greater => high = middle,
        }
    }
    Ok(None)
}

fn record(blocks: &Blocks, at: u64) -> Result<(u64, u32)> {
    let mut bytes = [0; RECORD_BYTES];
    blocks.read(at * RECORD_BYTES as u64, &mut bytes)?;
    let (mut key, mut value) = ([0; 8], [0; 4]);
    key.copy_from_slice(&bytes[..8]);
    value.copy_from_slice(&bytes[8..]);
    Ok((u64::from_le_bytes(key), u32::from_le_bytes(value)))
}

/// Calls `body` with every record, and rejects unsorted ones.
///
/// # Errors
/// Returns an error if a block is damaged, or the records are not sorted.
pub(crate) fn each(blocks: &Blocks, count: u64, mut body: impl FnMut(u64, u32) -> Result<()>) -> Result<()> {
    let mut last = None;
    for at in 0..count {
        let (key, value) = record(blocks, at)?;
        if last.is_some_and(|last| last >= key) {
            return Err(damaged("the positions of this table are not sorted"));
        }
        last = Some(key);
        body(key, value)?;
    }
    Ok(())
}

/// The length of `count` records, if it does not overflow.
pub(crate) fn bytes_of(count: u64) -> Option<u64> {
    count.checked_mul(RECORD_BYTES as u64)
}
