//! Imports and exports.
//! One program for all of them: it is linked once, and its tests run beside one another.

mod bad_input;
mod broken_text;
mod common;
mod crafted_parquet;
mod exported;
mod foreign;
mod fruit;
mod large;
mod round_trip;
mod tables;
mod targets;
