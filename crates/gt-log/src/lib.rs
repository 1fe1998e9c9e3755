//! Compact, crash-safe logs of game-search trees.
//!
//! **Invariant:** this crate knows no game and no query.

// The unit tests are compiled as a separate program (see `tests/Cargo.toml`), which uses less of the crate than its users do.
#![cfg_attr(test, allow(dead_code, unreachable_pub))]

mod artificial;
mod builder;
mod columns;
mod encode;
mod error;
mod format;
mod new_file;
mod read;
mod record;
mod schema;
mod transcode;
mod wire;
mod write;

pub use artificial::{Artificial, Shape};
pub use builder::TreeBuilder;
pub use columns::{Decoded, Encoding, Lanes, Question, Scratch, Selected, mark_rows};
pub use error::{Error, Place, Result};
pub use format::{
    BLOCK_ROWS_MAX, BlockHead, Column, ColumnHead, DEPTH_MAX, EntryValues, Header, MAGIC, Metadata,
    NODES_MAX, PathEntry, VERSION_MAJOR, VERSION_MINOR, status,
};
pub use new_file::{Existing, NewFile};
pub use read::{
    Batch, Cells, Condition, IndexState, Limits, Located, Log, Texts, Tree, TreeEnding, Verified, Walker,
};
pub use record::{Field, Record, Row, TEXT_BYTES_MAX, Value};
pub use schema::{
    ALIASES_MAX, ATTRIBUTES_MAX, Alias, Attribute, Kind, NAME_BYTES_MAX, OTHER_NAMES_KEY, RESERVED, Schema,
    SchemaError,
};
pub use transcode::{COMPACT_LEVEL, Transcoded, TranscodedTree, compact, recover};
#[doc(hidden)]
pub use write::Lane;
pub use write::{Budget, Dynamic, Flush, LogWriter, Marks, Options, TreeSummary, TreeWriter, Trigger};
