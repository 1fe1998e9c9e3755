//! Memory that decoding takes and gets back, so that nothing is allocated for each block.

use super::decoded::Decoded;
use super::lane::each_lane;
use super::memory::Memory;

/// Memory that a thread that reads many columns reuses from one to the next.
///
/// ```
/// use gt_log::{Artificial, Column, Log, LogWriter, Options, Scratch, Shape};
///
/// let writer = LogWriter::to_memory(Artificial::header()?)?;
/// Artificial { shape: Shape::Full, depth: 4, branching: 3, seed: 1 }.write(&writer, Options::default(), |_| {})?;
/// let log = Log::from_bytes(writer.into_memory()?)?;
/// let mut scratch = Scratch::default();
/// for block in 0..log.tree(0)?.block_count() {
///     let sizes = log.tree(0)?.decode_with(block, Column::Size, &mut scratch)?;
///     assert_eq!(sizes.get(0), 1);
///     scratch.recycle(sizes);
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Default)]
pub struct Scratch {
    pub(crate) bytes: RunBytes,
    pub(crate) memory: Memory,
}

/// The bytes of a run.
#[derive(Default)]
pub(crate) struct RunBytes {
    /// As in the file; bytes beyond a run's length mean nothing.
    pub(crate) stored: Vec<u8>,
    /// Decompressed.
    pub(crate) raw: Vec<u8>,
}

impl Scratch {
    /// Takes back the memory of a column that is no longer needed.
    pub fn recycle(&mut self, decoded: Decoded) {
        match decoded {
            Decoded::Offsets { lanes, .. } | Decoded::Dictionary { codes: lanes, .. } => {
                each_lane!(lanes, list => self.memory.lists.keep(list));
            }
            Decoded::Constant(_) | Decoded::Wide(_) => {}
        }
    }
}
