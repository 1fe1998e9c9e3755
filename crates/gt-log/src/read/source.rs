//! The source of a log's bytes: a file, or memory.
//!
//! A file is read into reused buffers and not mapped: a log that is being written can be cut off or replaced at any time, which must be an
//! error and not a signal that ends the process; and copying a run from the page cache into a warm buffer takes less time than checking it.

use std::fs::File;
use std::io;

/// Bytes that can be read at any place, from any thread.
pub(crate) trait Source: Send + Sync {
    fn bytes(&self) -> io::Result<u64>;
    /// Fills the buffer with the bytes from `offset` on; an error if there are fewer.
    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<()>;
}

impl Source for Vec<u8> {
    fn bytes(&self) -> io::Result<u64> {
        Ok(self.len() as u64)
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<()> {
        let start = usize::try_from(offset).map_err(|_| io::ErrorKind::UnexpectedEof)?;
        let end = start.checked_add(buffer.len()).ok_or(io::ErrorKind::UnexpectedEof)?;
        buffer.copy_from_slice(self.get(start..end).ok_or(io::ErrorKind::UnexpectedEof)?);
        Ok(())
    }
}

/// A file, read without moving a shared cursor if the system can do that.
pub(crate) struct FileSource {
    file: File,
    #[cfg(not(any(unix, windows)))]
    cursor: std::sync::Mutex<()>,
}

impl FileSource {
    pub(crate) fn new(file: File) -> Self {
        Self {
            file,
            #[cfg(not(any(unix, windows)))]
            cursor: std::sync::Mutex::new(()),
        }
    }
}

impl Source for FileSource {
    fn bytes(&self) -> io::Result<u64> {
        Ok(self.file.metadata()?.len())
    }

    #[cfg(unix)]
    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<()> {
        std::os::unix::fs::FileExt::read_exact_at(&self.file, buffer, offset)
    }

    #[cfg(windows)]
    fn read_at(&self, mut offset: u64, mut buffer: &mut [u8]) -> io::Result<()> {
        while !buffer.is_empty() {
            match std::os::windows::fs::FileExt::seek_read(&self.file, buffer, offset)? {
                0 => return Err(io::ErrorKind::UnexpectedEof.into()),
                count => {
                    buffer = &mut buffer[count..];
                    offset += count as u64;
                }
            }
        }
        Ok(())
    }

    #[cfg(not(any(unix, windows)))]
    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<()> {
        use std::io::{Read, Seek, SeekFrom};
        let _turn = self.cursor.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        let mut file = &self.file;
        file.seek(SeekFrom::Start(offset))?;
        file.read_exact(buffer)
    }
}

/// Reads `count` bytes from `offset` on.
pub(crate) fn read_vec(source: &dyn Source, offset: u64, count: usize) -> io::Result<Vec<u8>> {
    let mut bytes = vec![0; count];
    source.read_at(offset, &mut bytes)?;
    Ok(bytes)
}
