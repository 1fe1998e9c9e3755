//! Passes rows on instead of collecting them in an answer, and reports the progress of a run.
//!
//! ```text
//! program, tree ──▶ stream ──begin, rows, rows, …──▶ RowSink     while they are found, or in the end where `order by` sorts them
//!                      └──▶ Findings: how many rows each query gave, and the answers of all others
//! ```
//!
//! **Invariant:** a query's rows come in the order of node_id or of `order by`, after [`RowSink::begin`] for it; rows of
//! several queries may be interleaved.

use gt_log::Tree;

pub use crate::engine::sink::{Progress, RowSink, is_streamed};
use crate::engine::{self, Failure, Findings, Options};
use crate::ir::Program;

/// Answers all queries of a program as [`engine::find`] does, except those that are [streamed](is_streamed): their
/// rows go to the sink, and their answer is the number of rows. If an overflow leaves such a query without an answer,
/// some of its rows may already have been passed on.
///
/// # Errors
/// Returns the errors of [`engine::find`], and an error if the sink breaks off.
///
/// ```
/// use std::ops::ControlFlow;
/// use gt_log::{Artificial, Log, LogWriter, Options, Shape};
/// use gt_query::ir::ResultColumn;
/// use gt_query::stream::{RowSink, stream};
/// use gt_query::{Environment, Value, compile, engine};
///
/// struct Count(usize);
/// impl RowSink for Count {
///     fn begin(&mut self, _: usize, columns: &[ResultColumn]) {
///         assert_eq!(columns[0].heading, "best");
///     }
///     fn rows(&mut self, _: usize, rows: Vec<Vec<Option<Value>>>) -> ControlFlow<()> {
///         self.0 += rows.len();
///         ControlFlow::Continue(())
///     }
/// }
///
/// let writer = LogWriter::to_memory(Artificial::header()?)?;
/// Artificial { shape: Shape::Full, depth: 4, branching: 3, seed: 1 }.write(&writer, Options::default(), |_| {})?;
/// let log = Log::from_bytes(writer.into_memory()?)?;
/// let program = compile("select best", &Environment::new(log.schema())).unwrap();
/// let mut sink = Count(0);
/// stream(&program, log.tree(0)?, &engine::Options::default(), &mut sink)?;
/// assert_eq!(sink.0, 1 + 3 + 9 + 27 + 81);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn stream<'t>(
    program: &Program,
    tree: Tree<'t>,
    options: &Options<'_>,
    sink: &mut dyn RowSink,
) -> Result<Findings<'t>, Failure> {
    engine::find_and_give(program, tree, options, Some(sink))
}
