//! The parts of the file and their bytes. `docs/format.md` draws them; a test holds the two together.
//!
//! ```text
//! header │ frame │ frame │ … │ frame │ index frame │ trailer
//!
//! frame  = frame header (32 bytes) │ head │ body
//! kinds  = a tree begins · a block of rows · a tree ends · the index · names of moves
//! ```
//!
//! A frame's head is small and describes the frame; the body holds a block's encoded columns. So the heads alone describe the whole file,
//! and the index is a copy of all heads.
//!
//! **Invariant:** nothing written is ever changed; a file is readable up to its last whole frame.

mod block;
mod frame;
mod header;
mod section;

pub use block::{BlockHead, Column, ColumnHead, EntryValues, PathEntry};
pub(crate) use frame::{
    FRAME_HEADER_BYTES, Frame, FrameKind, INDEX_ENTRY_START_BYTES_MAX, IndexEntry, IndexEntryStart,
    TRAILER_BYTES, frame_bytes, put_index_entry, read_index_entry_start, read_trailer, trailer_bytes,
};
pub(crate) use header::{FIXED_HEADER_BYTES, names_bytes, put_metadata, read_metadata, read_names};
pub use header::{Header, Metadata};

/// The version that this code writes; a file with a larger version is refused.
pub const VERSION_MAJOR: u16 = 1;
/// The minor version, raised when something is added.
///
/// A reader of an older minor version reads what it knows: it skips sections and parts that it does not know, and reports an unknown
/// encoding as one of a newer version.
pub const VERSION_MINOR: u16 = 2;

/// The first eight bytes of a log: text tools do not mistake them for text, and they show when a transfer has changed line ends.
pub const MAGIC: [u8; 8] = *b"\x89GTF\r\n\x1a\n";

/// The maximum number of nodes in a tree.
pub const NODES_MAX: u64 = 1 << 40;
/// The maximum number of nodes open at once.
pub const DEPTH_MAX: usize = 1 << 20;
/// The maximum number of rows in a block.
pub const BLOCK_ROWS_MAX: usize = 1 << 20;
/// The maximum number of bytes of one column of a block, decompressed.
pub(crate) const RUN_BYTES_MAX: usize = 1 << 28;

/// Bits of the column `status`.
pub mod status {
    /// The node was open when the log ended: its attributes are unknown.
    pub const UNFINISHED: u8 = 1;
    /// Nodes below it were left out; `left_out` says how many.
    pub const LEFT_OUT: u8 = 2;
}
