//! The tests of the crate from outside.
//! One program for all of them: it is linked once, and its tests run beside one another.

mod amazons;
mod connect_four;
mod damaged;
mod four_pieces;
// The machines for which the reader of Syzygy files is written.
#[cfg(all(feature = "syzygy", any(target_arch = "x86", target_arch = "x86_64", target_vendor = "apple")))]
mod syzygy;
mod three_pieces;
