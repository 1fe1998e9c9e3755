//! The lists that decoding takes, returns and takes again.

use super::lane::LaneLists;
use super::packed::ChunkHead;

/// The unused memory of decoding.
#[derive(Default)]
pub(crate) struct Memory {
    pub(super) heads: Vec<ChunkHead>,
    pub(super) lists: LaneLists,
}
