//! The blocks of a table in a file, decompressed on demand.
//!
//! ```text
//! block  0 1 2 3 … 512 513      slot = block % SLOTS; a block takes the place of the one before it
//! slot   0 1 2 3 …   0   1
//! ```

use super::head::{Block, Head};
use crate::error::{Error, Result, damaged};
use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError, RwLock};

/// The number of blocks kept: of 16 KiB, 8 MiB in all.
const SLOTS: usize = 512;

#[derive(Debug)]
pub(crate) struct Blocks {
    pub(crate) head: Head,
    file: Mutex<File>,
    path: PathBuf,
    slots: Vec<RwLock<Option<KeptBlock>>>,
}

#[derive(Debug)]
struct KeptBlock {
    block: usize,
    bytes: Vec<u8>,
}

impl Blocks {
    /// Opens a table: its head is read and checked, its blocks are not.
    pub(crate) fn open(path: &Path) -> Result<Self> {
        let mut file = File::open(path)?;
        let metadata = file.metadata()?;
        if metadata.is_dir() {
            return Err(damaged("this is a folder, not a table"));
        }
        let head = Head::read(&mut file, metadata.len())?;
        let slots = (0..SLOTS.min(head.blocks.len())).map(|_| RwLock::new(None)).collect();
        Ok(Self { head, file: Mutex::new(file), path: path.to_owned(), slots })
    }

    /// The error, with the name of the file: who asks for a position has named a folder, or none.
    pub(crate) fn named(&self, error: Error) -> Error {
        damaged(format!("{}: {error}", self.path.display()))
    }

    /// The byte at an offset of the content.
    ///
    /// # Errors
    /// Returns an error if the content is shorter, the file cannot be read, or the block is damaged.
    pub(crate) fn byte(&self, at: u64) -> Result<u8> {
        let mut byte = [0];
        self.read(at, &mut byte)?;
        Ok(byte[0])
    }

    /// Reads the bytes from an offset on.
    ///
    /// # Errors
    /// Returns the errors of [`Blocks::byte`].
    pub(crate) fn read(&self, at: u64, out: &mut [u8]) -> Result<()> {
        let size = u64::from(self.head.block_bytes);
        let mut done = 0;
        while done < out.len() {
            let place = at + done as u64;
            let (block, offset) = ((place / size) as usize, (place % size) as usize);
            done += self.with_block(block, |bytes| {
                let found = bytes.get(offset..).unwrap_or_default();
                let length = found.len().min(out.len() - done);
                out[done..done + length].copy_from_slice(&found[..length]);
                length
            })?;
        }
        Ok(())
    }

    fn with_block<R>(&self, block: usize, body: impl FnOnce(&[u8]) -> R) -> Result<R> {
        let Some(&entry) = self.head.blocks.get(block) else {
            return Err(Error::Unfit("the table has no such place".to_owned()));
        };
        let slot = &self.slots[block % self.slots.len()];
        if let Some(kept) = slot.read().unwrap_or_else(PoisonError::into_inner).as_ref()
            && kept.block == block
        {
            return Ok(body(&kept.bytes));
        }
        let bytes = self.unpack(block, entry)?;
        let answer = body(&bytes);
        *slot.write().unwrap_or_else(PoisonError::into_inner) = Some(KeptBlock { block, bytes });
        Ok(answer)
    }

    /// Reads a block from the file, and checks it.
    pub(crate) fn unpack(&self, number: usize, block: Block) -> Result<Vec<u8>> {
        let mut packed = Vec::new();
        {
            let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
            file.seek(SeekFrom::Start(block.start))?;
            Read::by_ref(&mut *file).take(u64::from(block.bytes)).read_to_end(&mut packed)?;
        }
        let broken = |what: &str| damaged(format!("block {number} of this table is damaged: {what}"));
        if crc32c::crc32c(&packed) != block.crc32c {
            return Err(broken("its checksum differs"));
        }
        let expected = self.head.raw_bytes(number);
        let bytes = zstd::bulk::decompress(&packed, expected).map_err(|_| broken("it cannot be unpacked"))?;
        if bytes.len() != expected {
            return Err(broken("it has another length"));
        }
        Ok(bytes)
    }

    /// Reads the whole content, block by block.
    ///
    /// # Errors
    /// Returns an error if a block cannot be read, or is damaged.
    pub(crate) fn each_block(&self, mut body: impl FnMut(&[u8])) -> Result<()> {
        for (number, &block) in self.head.blocks.iter().enumerate() {
            body(&self.unpack(number, block)?);
        }
        Ok(())
    }
}
