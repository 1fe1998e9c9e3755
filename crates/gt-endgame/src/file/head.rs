//! The head of a table's file. Numbers are little-endian.

use super::notes::Notes;
use crate::error::{Error, Result, damaged};
use std::io::Read;

const MAGIC: [u8; 8] = *b"\x89GTE\r\n\x1a\n";
const VERSION: (u16, u16) = (1, 0);
/// The length of a block's content; the last one may be shorter.
pub(super) const BLOCK_BYTES: usize = 16 << 10;
/// The maximum length of a head.
pub(super) const HEAD_BYTES_MAX: usize = 16 << 20;
/// The magic number, the version, and all lengths.
const FIXED_BYTES: usize = 40;
/// The index entry of a block: its length in the file, and its checksum.
const INDEX_BYTES: usize = 8;
const CHECKSUM_BYTES: usize = 4;

/// A block from the index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Block {
    /// Its offset in the file.
    pub(crate) start: u64,
    pub(crate) bytes: u32,
    pub(crate) crc32c: u32,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Head {
    pub(crate) version: (u16, u16),
    pub(crate) notes: Notes,
    /// The length of the decompressed content.
    pub(crate) content_bytes: u64,
    /// The length of a block's content.
    pub(crate) block_bytes: u32,
    pub(crate) blocks: Vec<Block>,
}

impl Head {
    pub(super) fn of(notes: Notes, content_bytes: u64, packed: &[Vec<u8>]) -> Result<Self> {
        let mut head = Self {
            version: VERSION,
            notes,
            content_bytes,
            block_bytes: BLOCK_BYTES as u32,
            blocks: Vec::with_capacity(packed.len()),
        };
        let mut start = head.length(packed.len()) as u64;
        if start > HEAD_BYTES_MAX as u64 {
            return Err(Error::Unfit("the table is too large for one file".to_owned()));
        }
        for block in packed {
            let bytes = block.len() as u32;
            head.blocks.push(Block { start, bytes, crc32c: crc32c::crc32c(block) });
            start += u64::from(bytes);
        }
        Ok(head)
    }

    fn length(&self, blocks: usize) -> usize {
        FIXED_BYTES + self.notes.text().len() + blocks * INDEX_BYTES + CHECKSUM_BYTES
    }

    /// The expected length of the file.
    pub(crate) fn file_bytes(&self) -> u64 {
        self.blocks.last().map_or(self.length(0) as u64, |block| block.start + u64::from(block.bytes))
    }

    /// The length of this block's content.
    pub(crate) fn raw_bytes(&self, block: usize) -> usize {
        let before = block as u64 * u64::from(self.block_bytes);
        self.content_bytes.saturating_sub(before).min(u64::from(self.block_bytes)) as usize
    }

    pub(super) fn bytes(&self) -> Vec<u8> {
        let notes = self.notes.text();
        let mut bytes = Vec::with_capacity(self.length(self.blocks.len()));
        bytes.extend(MAGIC);
        bytes.extend(self.version.0.to_le_bytes());
        bytes.extend(self.version.1.to_le_bytes());
        bytes.extend((self.length(self.blocks.len()) as u32).to_le_bytes());
        bytes.extend(self.content_bytes.to_le_bytes());
        bytes.extend(self.block_bytes.to_le_bytes());
        bytes.extend((self.blocks.len() as u32).to_le_bytes());
        bytes.extend((notes.len() as u32).to_le_bytes());
        bytes.extend([0; 4]);
        bytes.extend(notes.as_bytes());
        for block in &self.blocks {
            bytes.extend(block.bytes.to_le_bytes());
            bytes.extend(block.crc32c.to_le_bytes());
        }
        bytes.extend(crc32c::crc32c(&bytes).to_le_bytes());
        bytes
    }

    /// Reads a head, and checks it against the length of its file.
    pub(crate) fn read(file: &mut impl Read, file_bytes: u64) -> Result<Self> {
        let mut fixed = Vec::new();
        file.take(FIXED_BYTES as u64).read_to_end(&mut fixed)?;
        if fixed.get(..8) != Some(&MAGIC[..]) {
            return Err(damaged("this is no table of endgames: it does not begin as one"));
        }
        if fixed.len() < FIXED_BYTES {
            return Err(cut_short());
        }
        let version = (u16_at(&fixed, 8), u16_at(&fixed, 10));
        if version.0 != VERSION.0 {
            let (major, minor) = version;
            return Err(damaged(format!(
                "this table is of version {major}.{minor}; this GT-Tools reads version {}",
                VERSION.0
            )));
        }
        let length = u32_at(&fixed, 12) as usize;
        if !(FIXED_BYTES + CHECKSUM_BYTES..=HEAD_BYTES_MAX).contains(&length) {
            return Err(damaged("the head of this table is damaged: its length cannot be"));
        }
        let mut bytes = fixed;
        file.take((length - FIXED_BYTES) as u64).read_to_end(&mut bytes)?;
        if bytes.len() < length {
            return Err(cut_short());
        }
        let (covered, checksum) = bytes.split_at(length - CHECKSUM_BYTES);
        if crc32c::crc32c(covered) != u32_at(checksum, 0) {
            return Err(damaged("the head of this table is damaged: its checksum differs"));
        }
        let head = Self::parse(version, covered)?;
        match head.file_bytes() {
            expected if expected > file_bytes => Err(cut_short()),
            expected if expected < file_bytes => {
                Err(damaged(format!("{} bytes follow the end of this table", file_bytes - expected)))
            }
            _ => Ok(head),
        }
    }

    fn parse(version: (u16, u16), bytes: &[u8]) -> Result<Self> {
        let content_bytes = u64::from(u32_at(bytes, 16)) | u64::from(u32_at(bytes, 20)) << 32;
        let (block_bytes, count) = (u32_at(bytes, 24), u32_at(bytes, 28) as usize);
        let notes_bytes = u32_at(bytes, 32) as usize;
        let odd = || damaged("the head of this table is damaged: its lengths do not fit");
        let rest = &bytes[FIXED_BYTES..];
        let index =
            rest.get(notes_bytes..).filter(|index| count.checked_mul(INDEX_BYTES) == Some(index.len()));
        let fits =
            block_bytes as usize == BLOCK_BYTES && content_bytes.div_ceil(BLOCK_BYTES as u64) == count as u64;
        let (Some(index), true) = (index, fits) else { return Err(odd()) };
        let index_of = |entry: &[u8]| (u32_at(entry, 0), u32_at(entry, 4));
        if index.chunks_exact(INDEX_BYTES).any(|entry| index_of(entry).0 as usize > 2 * BLOCK_BYTES) {
            return Err(odd());
        }
        let notes = std::str::from_utf8(&rest[..notes_bytes]).map_err(|_| odd())?;
        let mut start = (bytes.len() + CHECKSUM_BYTES) as u64;
        let blocks = index
            .chunks_exact(INDEX_BYTES)
            .map(|entry| {
                let (bytes, crc32c) = index_of(entry);
                let block = Block { start, bytes, crc32c };
                start += u64::from(block.bytes);
                block
            })
            .collect();
        Ok(Self { version, notes: Notes::parse(notes)?, content_bytes, block_bytes, blocks })
    }
}

fn cut_short() -> Error {
    damaged("this table is cut short")
}

/// The number at an offset that is known to exist.
fn u32_at(bytes: &[u8], at: usize) -> u32 {
    let mut number = [0; 4];
    number.copy_from_slice(&bytes[at..at + 4]);
    u32::from_le_bytes(number)
}

fn u16_at(bytes: &[u8], at: usize) -> u16 {
    u16::from_le_bytes([bytes[at], bytes[at + 1]])
}
