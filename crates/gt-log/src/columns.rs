//! One column of a block: values to bytes and back.
//!
//! ```text
//! values ──transform──▶ small integers ──coder──▶ bytes ( ──zstd──▶ fewer bytes )
//!
//! transform   plain · dictionary · delta · alternating delta · delta with the ply · relative to another column · the ply · constant
//! coder       packed · centred (both bit-packed, 1024 at a time, with exceptions) · raw · planes;
//!             sparse: only the rows that differ from the usual value are coded
//!             grouped: the integers stand in the order of another column's values
//! ```
//!
//! Here every value is a signed integer, whatever its kind: unsigned integers and floats by their bits, so that all arithmetic wraps and
//! nothing is lost. While a column is encoded, its integers have 16, 32 or 64 bits, as its values and the results of a transform need; they
//! are packed in lanes of 8 to 64 bits, as the remaining integers need. The encoder tries the transforms on samples of the column and takes
//! the smallest result; a reader needs only the bytes.
//!
//! This module knows a kind only through its integers; texts are numbers of a separate dictionary.

mod bits;
mod choice;
mod choose;
mod chunks;
mod coding;
mod compact;
mod context;
mod decode;
mod decoded;
mod dictionary;
mod encoding;
mod extremes;
mod grouped;
mod integer;
mod lane;
mod light;
mod marks;
mod memory;
pub(crate) mod missing;
mod narrow;
mod needs;
mod others;
mod packed;
mod plan;
mod run;
mod scratch;
mod select;
mod sparse;
mod values;
mod vectors;
mod workbench;

pub(crate) use choose::{Chooser, Effort};
pub(crate) use context::Context as RunContext;
pub use decoded::Decoded;
pub use encoding::Encoding;
pub(crate) use extremes::{Extremes, extremes, extremes_of_kind};
pub(crate) use integer::Integer;
pub use lane::Lanes;
pub use marks::mark_rows;
pub(crate) use memory::Memory;
pub(crate) use narrow::Narrow;
pub(crate) use needs::{DECODED_FOR_ONE_MAX, Needs};
pub(crate) use run::Run;
pub(crate) use scratch::RunBytes;
pub use scratch::Scratch;
pub(crate) use select::Asked;
pub use select::{Question, Selected};
pub(crate) use values::{Siblings, Values};
pub(crate) use workbench::Workbench;
