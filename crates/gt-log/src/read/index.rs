//! The index, read piece by piece: it takes the memory of one entry, whatever length the file claims for the index.

use super::limits::Limits;
use super::source::Source;
use crate::error::{At, Place, Result};
use crate::format::{INDEX_ENTRY_START_BYTES_MAX, IndexEntryStart, read_index_entry_start};
use crate::wire::{Malformed, Reader, TooLarge};

/// The number of bytes that are read at a time.
const PIECE_BYTES: u64 = 1 << 18;

/// The entries of an index, front to back.
pub(super) struct IndexReader<'a> {
    source: &'a dyn Source,
    limits: Limits,
    /// Where the unread bytes start, and how many there are.
    offset: u64,
    left: u64,
    /// The bytes that were read; the first `used` of them have been decoded.
    buffer: Vec<u8>,
    used: usize,
    checksum: u32,
}

impl<'a> IndexReader<'a> {
    pub(super) fn new(source: &'a dyn Source, offset: u64, length: u64, limits: Limits) -> Self {
        Self { source, limits, offset, left: length, buffer: Vec::new(), used: 0, checksum: 0 }
    }

    /// The next entry with its head; `None` at the end.
    pub(super) fn next(&mut self) -> Result<Option<(IndexEntryStart, &[u8])>> {
        self.need(INDEX_ENTRY_START_BYTES_MAX as u64)?;
        if self.used == self.buffer.len() {
            return Ok(None);
        }
        let mut reader = Reader::new(&self.buffer[self.used..]);
        let start = read_index_entry_start(&mut reader).at(Place::Index)?;
        self.used = self.buffer.len() - reader.rest().len();
        if start.head_bytes > self.limits.part_bytes_max {
            return Err(TooLarge(start.head_bytes)).at(Place::Index);
        }
        self.need(start.head_bytes)?;
        let head = self.buffer.get(self.used..self.used + start.head_bytes as usize);
        let head = head.ok_or(Malformed("it ends too early")).at(Place::Index)?;
        self.used += head.len();
        Ok(Some((start, head)))
    }

    /// The checksum of all bytes read so far.
    pub(super) fn checksum(&self) -> u32 {
        self.checksum
    }

    /// Reads until this many bytes wait to be decoded, or there are no more.
    fn need(&mut self, bytes: u64) -> Result<()> {
        while self.left > 0 && ((self.buffer.len() - self.used) as u64) < bytes {
            self.buffer.drain(..self.used);
            self.used = 0;
            let count = self.left.min(PIECE_BYTES.max(self.buffer.len() as u64)) as usize;
            let before = self.buffer.len();
            self.buffer.resize(before + count, 0);
            self.source.read_at(self.offset, &mut self.buffer[before..])?;
            self.checksum = crc32c::crc32c_append(self.checksum, &self.buffer[before..]);
            self.offset += count as u64;
            self.left -= count as u64;
        }
        Ok(())
    }
}
