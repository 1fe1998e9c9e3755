//! The file of a table, `.gte`: a head that describes it, then its content in compressed blocks, each with a
//! checksum. `docs/endgame.md` describes every byte.
//!
//! ```text
//! magic · version · lengths · notes · index of blocks · checksum of all that │ block 0 │ block 1 │ …
//! ```
//!
//! A reader holds the head in memory, and the most recently used blocks.
//!
//! **Invariant:** every byte of content that is returned is covered by the checksum of its block; reading any file
//! takes no more memory than [`head::HEAD_BYTES_MAX`] and the cache.

mod blocks;
mod head;
mod notes;

pub(crate) use blocks::Blocks;
pub(crate) use head::Head;
pub(crate) use notes::Notes;

use crate::error::Result;
use head::BLOCK_BYTES;
use std::io::{self, Write};

/// Tables are small, and written once for many reads.
const COMPRESSION_LEVEL: i32 = 9;

/// Writes a table.
///
/// # Errors
/// Returns an error if the file cannot be written.
pub(crate) fn write(out: &mut dyn Write, notes: &Notes, content: &[u8]) -> Result<()> {
    let mut blocks: Vec<io::Result<Vec<u8>>> = content.chunks(BLOCK_BYTES).map(|_| Ok(Vec::new())).collect();
    crate::parallel::over_parts(&mut blocks, 16, |(): &mut (), part, blocks| {
        for (offset, block) in blocks.iter_mut().enumerate() {
            let start = (part * 16 + offset) * BLOCK_BYTES;
            let raw = &content[start..content.len().min(start + BLOCK_BYTES)];
            *block = zstd::bulk::compress(raw, COMPRESSION_LEVEL);
        }
    });
    let blocks = blocks.into_iter().collect::<io::Result<Vec<_>>>()?;
    out.write_all(&Head::of(notes.clone(), content.len() as u64, &blocks)?.bytes())?;
    blocks.iter().try_for_each(|block| out.write_all(block))?;
    Ok(())
}
