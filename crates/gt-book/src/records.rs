//! Fixed-length records in a file, sorted by a 64-bit key, found by binary search.
//!
//! ```text
//! head │ key … │ key … │ key … │          all records of a key lie together
//! ```
//!
//! Opening a file reads through it once, so that an unsorted or truncated one is rejected before it is used.

use crate::error::{Error, Result};
use std::fs::File;
use std::io::{self, BufReader, Read, Seek, SeekFrom};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// More moves than any position has.
const RECORDS_PER_KEY_MAX: u64 = 1 << 14;

/// The records of a file.
#[derive(Debug)]
pub(crate) struct Records<const LENGTH: usize> {
    file: Mutex<File>,
    /// The offset of the first record.
    start: u64,
    count: u64,
    key: fn(&[u8; LENGTH]) -> u64,
}

/// The statistics from reading through the records.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct RecordTotals {
    pub(crate) positions: u64,
    pub(crate) crc32c: u32,
}

impl<const LENGTH: usize> Records<LENGTH> {
    pub(crate) fn new(file: File, start: u64, count: u64, key: fn(&[u8; LENGTH]) -> u64) -> Self {
        Self { file: Mutex::new(file), start, count, key }
    }

    pub(crate) fn count(&self) -> u64 {
        self.count
    }

    /// Reads through all records, and calls `see` with each.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read, or the records are not sorted.
    pub(crate) fn scan(&self, mut see: impl FnMut(&[u8; LENGTH])) -> Result<RecordTotals> {
        let mut file = self.file();
        file.seek(SeekFrom::Start(self.start))?;
        let mut reader = BufReader::with_capacity(1 << 16, &mut *file);
        let mut seen = RecordTotals::default();
        let mut last = None;
        let mut record = [0; LENGTH];
        for number in 0..self.count {
            reader.read_exact(&mut record)?;
            seen.crc32c = crc32c::crc32c_append(seen.crc32c, &record);
            let key = (self.key)(&record);
            if last.is_some_and(|last| last > key) {
                let sentence =
                    format!("this is no book: its positions are not sorted from record {number} on");
                return Err(Error::Damaged(sentence));
            }
            seen.positions += u64::from(last != Some(key));
            last = Some(key);
            see(&record);
        }
        Ok(seen)
    }

    /// The records of a key.
    pub(crate) fn find(&self, key: u64) -> io::Result<Vec<[u8; LENGTH]>> {
        let mut file = self.file();
        let (mut low, mut high) = (0, self.count);
        while low < high {
            let middle = low + (high - low) / 2;
            let record = self.read(&mut file, middle)?;
            if (self.key)(&record) < key { low = middle + 1 } else { high = middle }
        }
        let mut found = Vec::new();
        for place in low..self.count.min(low + RECORDS_PER_KEY_MAX) {
            let record = self.read(&mut file, place)?;
            if (self.key)(&record) != key {
                break;
            }
            found.push(record);
        }
        Ok(found)
    }

    fn read(&self, file: &mut File, place: u64) -> io::Result<[u8; LENGTH]> {
        let mut record = [0; LENGTH];
        file.seek(SeekFrom::Start(self.start + place * LENGTH as u64))?;
        file.read_exact(&mut record)?;
        Ok(record)
    }

    fn file(&self) -> MutexGuard<'_, File> {
        self.file.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// `N` bytes of a record.
pub(crate) fn bytes<const N: usize>(record: &[u8], at: usize) -> [u8; N] {
    std::array::from_fn(|index| record.get(at + index).copied().unwrap_or(0))
}
