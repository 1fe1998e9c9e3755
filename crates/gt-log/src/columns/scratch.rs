//! Memory that decoding takes and is given back, so that nothing is allocated for each block.

use super::chunks::ChunkHead;
use super::lane::{Lane, Lanes};
use super::run::Decoded;

/// How many lists of one width are kept for later.
const LISTS_MAX: usize = 16;

/// What a thread that reads many columns keeps from one to the next.
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
    /// As they are in the file; what is beyond a run's length is of no meaning.
    pub(crate) stored: Vec<u8>,
    /// Decompressed.
    pub(crate) raw: Vec<u8>,
}

/// Lists of integers of each width that nobody uses.
#[derive(Default)]
pub(crate) struct Memory {
    pub(super) heads: Vec<ChunkHead>,
    pub(super) of_u8: Vec<Vec<u8>>,
    pub(super) of_u16: Vec<Vec<u16>>,
    pub(super) of_u32: Vec<Vec<u32>>,
    pub(super) of_u64: Vec<Vec<u64>>,
}

impl Scratch {
    /// Takes back the memory of a column that is no longer needed.
    pub fn recycle(&mut self, decoded: Decoded) {
        match decoded {
            Decoded::Offsets { lanes, .. } | Decoded::Dictionary { codes: lanes, .. } => match lanes {
                Lanes::U8(list) => keep(&mut self.memory.of_u8, list),
                Lanes::U16(list) => keep(&mut self.memory.of_u16, list),
                Lanes::U32(list) => keep(&mut self.memory.of_u32, list),
                Lanes::U64(list) => keep(&mut self.memory.of_u64, list),
            },
            Decoded::Constant(_) | Decoded::Wide(_) => {}
        }
    }
}

impl Memory {
    /// A list of so many integers, each of which is to be written: they are what someone left there.
    pub(super) fn list<T: Lane>(&mut self, length: usize) -> Vec<T> {
        let mut list = T::lists(self).pop().unwrap_or_default();
        list.resize(length, T::default());
        list
    }
}

fn keep<T>(lists: &mut Vec<Vec<T>>, list: Vec<T>) {
    if lists.len() < LISTS_MAX {
        lists.push(list);
    }
}
