//! The amount that a file may make the importer read and decode, in proportion to its length.
//!
//! Few bytes can claim many: zeros compress more than a thousandfold, row groups can share their pages, texts their
//! beginnings. So the cost of every page is counted, and a file that exceeds the budget is rejected.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use parquet::errors::Result;

use super::source::general;

/// The bytes that any file may take.
const BYTES_ALWAYS: u64 = 1 << 29;
/// The bytes added for each byte of the file; regular files take some dozen.
const BYTES_PER_BYTE: u64 = 1 << 10;

/// The rest of the budget for one pass over a file.
#[derive(Debug)]
pub(super) struct Budget {
    left: AtomicU64,
}

impl Budget {
    pub(super) fn of_file(file_bytes: u64) -> Arc<Self> {
        let bytes = file_bytes.saturating_mul(BYTES_PER_BYTE).saturating_add(BYTES_ALWAYS);
        Arc::new(Self { left: AtomicU64::new(bytes) })
    }

    /// Charges bytes; an error if there are not enough left.
    pub(super) fn charge(&self, bytes: u64) -> Result<()> {
        let charged =
            self.left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(bytes));
        match charged {
            Ok(_) => Ok(()),
            Err(_) => Err(general(
                "its pages hold far more than a file of its length should; write it anew with less compression",
            )),
        }
    }
}
