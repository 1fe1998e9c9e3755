//! How much memory a reader takes for what a file claims.

/// How much memory a reader takes for one part of a log.
///
/// What a sound writer makes with the default block size stays far below the defaults. A file that claims more is refused with an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// For one column of a block, decompressed, and for the head of a part.
    pub part_bytes_max: u64,
    /// For the values of a whole block, if all of them are needed at once (`compact`, `recover`).
    pub block_bytes_max: u64,
}

impl Default for Limits {
    /// 64 MiB for a part, 2 GiB for a block.
    fn default() -> Self {
        Self { part_bytes_max: 1 << 26, block_bytes_max: 1 << 31 }
    }
}
