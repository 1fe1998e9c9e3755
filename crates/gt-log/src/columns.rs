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
//! Every value is a signed integer here, whatever its kind: unsigned ones and floats by their bits, so that all
//! arithmetic wraps and nothing is lost. A column that is encoded has 16, 32 or 64 bits a value, as its values and
//! what a transform makes of them need, and is packed in 8 to 64, as what is left of them needs. The encoder tries the transforms on samples of the column and
//! takes what is smallest; a reader needs no hint but the bytes.
//!
//! No kind is known here but through its integer; texts are numbers of a dictionary beside.

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
