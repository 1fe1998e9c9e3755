//! The source of a table's bytes, which can be opened as often as needed.

use std::fs::File;
use std::io::{BufReader, Read};
use std::path::PathBuf;

use bytes::Bytes;

use crate::{ErrorKind, Result};

/// The source of a table's bytes.
#[derive(Clone, Debug)]
pub(super) enum Input {
    File(PathBuf),
    Memory(Bytes),
}

impl Input {
    pub(super) fn open(&self) -> Result<Box<dyn Read>> {
        match self {
            Input::File(path) => Ok(Box::new(BufReader::with_capacity(1 << 18, File::open(path)?))),
            Input::Memory(bytes) => Ok(Box::new(std::io::Cursor::new(bytes.clone()))),
        }
    }

    pub(super) fn bytes(&self) -> Result<u64> {
        match self {
            Input::File(path) => {
                let metadata = std::fs::metadata(path)?;
                if !metadata.is_file() {
                    return Err(ErrorKind::NotAFile.into());
                }
                Ok(metadata.len())
            }
            Input::Memory(bytes) => Ok(bytes.len() as u64),
        }
    }
}
