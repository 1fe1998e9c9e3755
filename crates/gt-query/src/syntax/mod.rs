//! Query text: tokens, tree, and text again.
//!
//! ```text
//! text ──lexer──▶ tokens ──parser──▶ tree (ast) ──printer──▶ text
//! ```
//!
//! **Invariant:** whatever the text, the parser ends, does not panic, and reports every error it can tell apart.
//! Names are not looked up here: the same text can be bound to logs with other attributes.

pub mod ast;
pub(crate) mod lexer;
mod parser;
mod printer;
pub mod token;

pub use parser::{Parsed, parse};

/// Before these words, `distinct` in `count(distinct …)` is the name of a value.
const NEVER_AFTER_DISTINCT: [&str; 6] = ["and", "or", "not", "in", "is", "where"];

/// How deep expressions may be inside one another.
pub const DEPTH_MAX: u32 = 128;
