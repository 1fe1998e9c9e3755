//! GTQL: parses queries, binds them to a log's schema, plans and answers them.
//!
//! ```text
//! text ──syntax──▶ tree ──bind──▶ Program ──▶ reference   the oracle, slow and plain
//!                                          ├─▶ engine      scans of a log's blocks, fast
//!                                          └─▶ live        fed by a running search
//! ```
//!
//! **Invariant:** this crate opens no file; callers pass it a tree.

// The unit tests are a program of their own (see `tests/Cargo.toml`), which uses less of the crate than its users do.
#![cfg_attr(test, allow(dead_code, unreachable_pub))]

pub mod accumulator;
mod accumulators;
mod aliases;
pub mod answer;
mod bind;
mod complete;
pub mod engine;
mod error;
mod evaluate;
mod exact_sum;
pub mod gti;
mod hashing;
mod highlight;
pub mod ir;
mod line;
pub mod live;
pub mod mean;
mod moments;
mod nearest;
mod operation;
pub mod plain_tree;
mod quantile;
pub mod reference;
mod render;
mod sorted;
mod span;
pub mod stream;
mod syntax;
pub mod tools;
mod value;
mod vocabulary;
mod wire;

pub use aliases::alias_text;
pub use answer::Answer;
pub use bind::{Environment, MoveCodec, VALUE_NAMES, holds_values};
pub use error::{Error, ErrorKind, Note};
pub use evaluate::RunError;
pub use ir::Program;
pub use line::Line;
pub use render::{render, render_all, render_note, render_run};
pub use span::{Position, Span};
pub use value::{BoundKind, Type, Value};

/// Parses a query file and binds it.
///
/// # Errors
/// Returns every error of the file, in the order of the text; if there is an error, no query of the file runs.
///
/// ```
/// use gt_log::{Kind, Schema};
/// use gt_query::{Environment, compile, render_all};
///
/// let schema = Schema::new([("type", Kind::U8)])?.with_aliases([("PVNode", 1)])?;
/// let program = compile("node: count(type & PVNode)", &Environment::new(&schema)).unwrap();
/// assert_eq!(program.queries.len(), 1);
///
/// let text = "node: typ & PVNode";
/// let errors = compile(text, &Environment::new(&schema)).unwrap_err();
/// assert!(render_all(&errors, "my.gtql", text).contains("did you mean `type`?"));
/// # Ok::<(), gt_log::SchemaError>(())
/// ```
pub fn compile(text: &str, environment: &Environment<'_>) -> Result<Program, Vec<Error>> {
    let parsed = syntax::parse(text);
    let bound = bind::bind(&parsed.file, environment);
    let mut errors = parsed.errors;
    match bound {
        Ok(program) if errors.is_empty() => return Ok(program),
        Ok(_) => {}
        Err(more) => errors.extend(more),
    }
    errors.sort_by_key(|error| error.span);
    Err(errors)
}
