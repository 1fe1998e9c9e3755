//! Checks the headers of a Parquet file's pages before the library trusts them.

use std::io::Read;
use std::sync::Arc;

use bytes::Bytes;
use parquet::errors::Result;
use parquet::file::reader::{ChunkReader, Length};

use super::budget::Budget;
use super::shapes;
use super::source::{Source, general};
use super::thrift::{Field, Walk};

/// The maximum length of a header: it can hold the smallest and the largest text of its page.
const HEADER_BYTES_MAX: u64 = 1 << 24;

/// A source whose every read starts at a page's header, which is checked.
#[derive(Clone, Debug)]
pub(super) struct HeaderCheck {
    source: Source,
    page_bytes_max: u64,
    budget: Arc<Budget>,
}

impl HeaderCheck {
    pub(super) fn new(source: Source, page_bytes_max: u64, budget: Arc<Budget>) -> Self {
        Self { source, page_bytes_max, budget }
    }

    /// Checks the header at this offset, and charges its and its page's cost.
    fn check(&self, start: u64) -> Result<()> {
        let (mut bytes, mut compressed_bytes) = (None, None);
        let mut walk = Walk::new(self.source.get_read(start)?, HEADER_BYTES_MAX);
        let walked = walk.walk(&shapes::PAGE_HEADER, &mut |name, field, value| {
            match (name, field) {
                ("PAGE_HEADER", Field::Number(2)) => bytes = value,
                ("PAGE_HEADER", Field::Number(3)) => compressed_bytes = value,
                _ => {}
            }
            Ok(())
        });
        self.budget.charge(HEADER_BYTES_MAX - walk.left())?;
        walked?;
        let claimed =
            [bytes, compressed_bytes].map(|bytes| bytes.and_then(|bytes| i32::try_from(bytes).ok()));
        let [Some(bytes @ 0..), Some(compressed_bytes @ 0..)] = claimed else {
            return Err(general("a page has a strange header"));
        };
        if u64::from(bytes.unsigned_abs()) > self.page_bytes_max {
            return Err(general(format!("a page claims {bytes} bytes; write it with smaller pages")));
        }
        self.budget.charge(u64::from(bytes.unsigned_abs()) + u64::from(compressed_bytes.unsigned_abs()))
    }
}

impl Length for HeaderCheck {
    fn len(&self) -> u64 {
        self.source.len()
    }
}

impl ChunkReader for HeaderCheck {
    type T = Box<dyn Read>;

    fn get_read(&self, start: u64) -> Result<Self::T> {
        self.check(start)?;
        self.source.get_read(start)
    }

    fn get_bytes(&self, start: u64, length: usize) -> Result<Bytes> {
        self.source.get_bytes(start, length)
    }
}
