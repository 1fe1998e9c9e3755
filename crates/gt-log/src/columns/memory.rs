//! The lists that decoding takes, gives back and takes again.

use super::lane::LaneLists;
use super::packed::ChunkHead;

/// What nobody uses while no run is decoded.
#[derive(Default)]
pub(crate) struct Memory {
    pub(super) heads: Vec<ChunkHead>,
    pub(super) lists: LaneLists,
}
