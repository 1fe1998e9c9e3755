//! Compact, crash-safe logs of game-search trees.
//!
//! **Invariant:** this crate knows no game and no query.

mod schema;

pub use schema::{Alias, Attribute, Kind, RESERVED, Schema, SchemaError};
