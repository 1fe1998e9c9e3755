//! The Rust code of the manual: its chapters, whose examples are compiled and run as this crate's doctests.
//!
//! The commands of the manual are run by gt-cli's test `manual`, its C code by gt-log-c's tests, its queries with their
//! trees by gt-query's `goldens`.

#[doc = include_str!("../../../docs/log-rust.md")]
pub mod log_rust {}

#[doc = include_str!("../../../docs/search.md")]
pub mod search {}
