//! The functions of `gt_log.h`, which documents them.
//!
//! Every function takes a handle that is NULL or came from [`gtl_create`] and was not deleted, and that one thread uses at a time; texts
//! that are NULL or end with a zero byte; and lists with as many entries as their counts. "As for all calls" in a Safety section means
//! this.
#![allow(non_snake_case)] // The names are those of the header.

mod log;
mod node;
mod query;
mod read;
mod setting;

pub use log::*;
pub use node::*;
pub use query::*;
pub use read::*;
pub use setting::*;
