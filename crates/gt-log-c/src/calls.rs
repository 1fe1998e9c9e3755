//! The functions of `gt_log.h`, which documents them.
//!
//! All take a handle that is NULL or came from [`gtl_create`] and was not deleted, used by one thread at a
//! time; texts that are NULL or end with a zero byte; lists with as many entries as their counts. That is
//! what "Safety" means throughout.
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
