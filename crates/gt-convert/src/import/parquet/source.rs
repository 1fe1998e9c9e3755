//! A Parquet file's bytes, as the library reads them.

use std::fs::File;
use std::io::Read;
use std::sync::Arc;

use bytes::Bytes;
use parquet::errors::{ParquetError, Result};
use parquet::file::reader::{ChunkReader, Length};

use crate::import::input::Input;

/// A Parquet file's bytes.
#[derive(Clone, Debug)]
pub(super) enum Source {
    File(Arc<File>),
    Memory(Bytes),
}

impl Source {
    pub(super) fn open(input: &Input) -> std::io::Result<Self> {
        Ok(match input {
            Input::File(path) => Source::File(Arc::new(File::open(path)?)),
            Input::Memory(bytes) => Source::Memory(bytes.clone()),
        })
    }
}

impl Length for Source {
    fn len(&self) -> u64 {
        match self {
            Source::File(file) => file.len(),
            Source::Memory(bytes) => Length::len(bytes),
        }
    }
}

impl ChunkReader for Source {
    type T = Box<dyn Read>;

    fn get_read(&self, start: u64) -> Result<Self::T> {
        Ok(match self {
            Source::File(file) => Box::new(file.get_read(start)?),
            Source::Memory(bytes) => Box::new(bytes.get_read(start)?),
        })
    }

    fn get_bytes(&self, start: u64, length: usize) -> Result<Bytes> {
        // A claim beyond the file's end must not reserve memory.
        if start.checked_add(length as u64).is_none_or(|end| end > self.len()) {
            return Err(ParquetError::EOF("a part of it lies beyond its end".to_owned()));
        }
        match self {
            Source::File(file) => file.get_bytes(start, length),
            Source::Memory(bytes) => bytes.get_bytes(start, length),
        }
    }
}

pub(super) fn general(what: impl Into<String>) -> ParquetError {
    ParquetError::General(what.into())
}
