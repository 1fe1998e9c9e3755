//! Sets of rows and of nodes: bitmaps with ranks, or lists if they are few.

mod bitmap;
mod node_set;
mod rows;

pub(super) use bitmap::{Bitmap, Ranks, write_bits};
pub use node_set::NodeSet;
pub(super) use node_set::{Collecting, Marks};
pub(super) use rows::BlockRows;
