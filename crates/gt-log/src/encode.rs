//! Rows to blocks: used by the writer when nodes are left, and by the reader when it completes a tree that was cut off.
//!
//! ```text
//!                                              ┌─────────────── BlockMaker ────────────────┐
//! record ─▶ Staging: RowBuffer, RowBuffer … ─▶ Gathered: a vector for each column ─▶ BlockEncoder ─▶ head and body
//! ```
//!
//! A row is copied as it comes, which costs little; rows are turned into columns a few thousand at a time.

mod block;
mod gather;
mod maker;
mod row_buffer;
mod staging;

pub(crate) use block::{BlockEncoder, Position, Rows};
pub(crate) use maker::BlockMaker;
pub(crate) use row_buffer::{RowBuffer, RowLayout};
pub(crate) use staging::{BlockEnd, Staging};
