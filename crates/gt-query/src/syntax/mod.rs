//! The syntax of queries: tokens, the tree, and the tree as text again.
//!
//! ```text
//! text ──lexer──▶ tokens ──parser──▶ tree (ast) ──printer──▶ text
//! ```
//!
//! **Invariant:** for any text, the parser terminates, does not panic, and reports every error that it can
//! distinguish. It does not look up names: the same text can be bound to logs with other attributes.

pub mod ast;
pub(crate) mod lexer;
mod parser;
mod printer;
pub mod token;

pub use parser::{Parsed, parse};

/// The words that show, after `distinct` in `count(distinct …)`, that `distinct` is the name of a value.
const NEVER_AFTER_DISTINCT: [&str; 6] = ["and", "or", "not", "in", "is", "where"];

/// The maximum nesting depth of expressions.
pub const DEPTH_MAX: u32 = 128;
