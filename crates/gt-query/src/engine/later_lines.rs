//! `@line`, computed once it is known which rows are shown.
//!
//! ```text
//! select @line … ──▶ select node_id … ──▶ matches, ordered and limited ──▶ node_id becomes the line
//!                                    └──▶ rows that are streamed, some ten thousand at a time ──▶ the same
//! ```
//!
//! A line is as long as the node is deep, and every node of a deep tree may match, so matches carry node_ids
//! instead.

use std::borrow::Cow;
use std::ops::ControlFlow;
use std::time::Instant;

use gt_log::Tree;

use super::crossing::{Skeleton, damaged};
use super::parallel::check_at;
use super::scan::lines_of;
use super::sink::RowSink;
use super::{Failure, Finding, Findings, Options};
use crate::answer::Answer;
use crate::ir::{Expr, Field, Operand, Outcome, Program, Query, ResultColumn};
use crate::value::{Type, Value};
use crate::vocabulary::Structure;

/// The program with node_ids in place of lines.
pub(super) fn with_ids(program: &Program) -> Cow<'_, Program> {
    if !program.queries.iter().any(|query| !line_columns(&query.outcome).is_empty()) {
        return Cow::Borrowed(program);
    }
    let mut program = program.clone();
    for query in &mut program.queries {
        if let Outcome::Rows { columns, .. } = &mut query.outcome {
            for column in columns {
                // A line can only be selected unchanged.
                if let Expr::Read(Operand { field: field @ Field::Structure(Structure::Line), .. }) =
                    &mut column.expr
                {
                    *field = Field::NodeId;
                }
            }
        }
    }
    Cow::Owned(program)
}

/// The columns of a result that are lines.
fn line_columns(outcome: &Outcome) -> Vec<usize> {
    let Outcome::Rows { columns, .. } = outcome else { return Vec::new() };
    let lines = columns.iter().enumerate().filter(|(_, column)| column.value_type == Type::Line);
    lines.map(|(place, _)| place).collect()
}

/// Makes the lines of the rows that were kept.
///
/// # Errors
/// Returns an error if the log is damaged or cannot be read, or the run was cancelled.
pub(super) fn make_lines(
    program: &Program,
    tree: Tree<'_>,
    options: &Options<'_>,
    findings: &mut Findings<'_>,
) -> Result<(), Failure> {
    let started = Instant::now();
    let mut made = false;
    let mut lines = Lines::new(tree, options);
    for (query, found) in program.queries.iter().zip(&mut findings.found) {
        let columns = line_columns(&query.outcome);
        if let Ok(Finding::Answer(Answer::Rows { rows, .. })) = found {
            made |= !columns.is_empty();
            lines.put_into(rows, &columns)?;
        }
    }
    if made {
        findings.stats.seconds.push(("lines".to_owned(), started.elapsed().as_secs_f64()));
    }
    Ok(())
}

/// A sink of rows with node_ids in place of lines. It passes them on with lines, which are made for many rows at once,
/// since the lines of a tree's nodes share their beginnings.
pub(super) struct WithLines<'s, 't, 'o> {
    sink: &'s mut dyn RowSink,
    lines: Lines<'t, 'o>,
    /// The rows of each query.
    waiting: Vec<Waiting>,
    failure: Option<Failure>,
}

/// Rows of a query that wait for their lines.
struct Waiting {
    /// The columns that are lines.
    columns: Vec<usize>,
    rows: Vec<Vec<Option<Value>>>,
}

/// The number of rows that wait for their lines.
const ROWS_TOGETHER: usize = 1 << 16;
/// The maximum number of rows passed on at once.
const BATCH: usize = 4096;

impl<'s, 't, 'o> WithLines<'s, 't, 'o> {
    pub(super) fn new(
        program: &Program,
        tree: Tree<'t>,
        options: &'o Options<'o>,
        sink: &'s mut dyn RowSink,
    ) -> Self {
        let of_query = |query: &Query| Waiting { columns: line_columns(&query.outcome), rows: Vec::new() };
        let waiting = program.queries.iter().map(of_query).collect();
        Self { sink, lines: Lines::new(tree, options), waiting, failure: None }
    }

    /// Passes on the rows that still wait, after a run that did not break off.
    ///
    /// # Errors
    /// Returns an error if the log is damaged or cannot be read, the run was cancelled, or the sink breaks off.
    pub(super) fn finish(&mut self) -> Result<(), Failure> {
        (0..self.waiting.len()).try_for_each(|query| self.pass_on(query))
    }

    /// The failure that made it break off, if one did.
    pub(super) fn failure(&mut self) -> Option<Failure> {
        self.failure.take()
    }

    fn pass_on(&mut self, query: usize) -> Result<(), Failure> {
        let Waiting { columns, rows } = &mut self.waiting[query];
        let mut rows = std::mem::take(rows);
        self.lines.put_into(&mut rows, columns)?;
        let mut rows = rows.into_iter();
        while rows.len() > 0 {
            if self.sink.rows(query, rows.by_ref().take(BATCH).collect()).is_break() {
                return Err(Failure::Cancelled);
            }
        }
        Ok(())
    }
}

impl RowSink for WithLines<'_, '_, '_> {
    fn begin(&mut self, query: usize, columns: &[ResultColumn]) {
        self.sink.begin(query, columns);
    }

    fn rows(&mut self, query: usize, rows: Vec<Vec<Option<Value>>>) -> ControlFlow<()> {
        let Waiting { columns, rows: waiting } = &mut self.waiting[query];
        if columns.is_empty() {
            return self.sink.rows(query, rows);
        }
        waiting.extend(rows);
        if waiting.len() < ROWS_TOGETHER {
            return ControlFlow::Continue(());
        }
        match self.pass_on(query) {
            Ok(()) => ControlFlow::Continue(()),
            Err(failure) => {
                self.failure = Some(failure);
                ControlFlow::Break(())
            }
        }
    }
}

/// Makes lines of a tree's nodes.
struct Lines<'t, 'o> {
    tree: Tree<'t>,
    options: &'o Options<'o>,
    /// The tree's crossing nodes, once lines were asked for.
    skeleton: Option<Skeleton>,
}

impl<'t, 'o> Lines<'t, 'o> {
    fn new(tree: Tree<'t>, options: &'o Options<'o>) -> Self {
        Self { tree, options, skeleton: None }
    }

    /// Puts lines in the place of node_ids, in these columns.
    fn put_into(&mut self, rows: &mut [Vec<Option<Value>>], columns: &[usize]) -> Result<(), Failure> {
        let mut ids = Vec::new();
        self.each_cell(rows, columns, &mut |cell| ids.extend(cell.as_ref().and_then(node_id)))?;
        if ids.is_empty() {
            return Ok(());
        }
        if let Some(id) = ids.iter().find(|id| **id >= self.tree.nodes()) {
            return Err(damaged(self.tree, *id));
        }
        ids.sort_unstable();
        ids.dedup();
        let skeleton = match self.skeleton.take() {
            Some(skeleton) => skeleton,
            None => Skeleton::of(self.tree)?,
        };
        let lines = lines_of(self.tree, self.skeleton.insert(skeleton), &ids, self.options)?;
        self.each_cell(rows, columns, &mut |cell| {
            let place = cell.as_ref().and_then(node_id).and_then(|id| ids.binary_search(&id).ok());
            *cell = place.map(|place| Value::Line(lines[place].clone()));
        })
    }

    fn each_cell(
        &self,
        rows: &mut [Vec<Option<Value>>],
        columns: &[usize],
        visit: &mut dyn FnMut(&mut Option<Value>),
    ) -> Result<(), Failure> {
        for &column in columns {
            for (place, row) in rows.iter_mut().enumerate() {
                check_at(place, self.options.cancel)?;
                row.get_mut(column).into_iter().for_each(&mut *visit);
            }
        }
        Ok(())
    }
}

fn node_id(value: &Value) -> Option<u64> {
    match value {
        Value::Integer(id) => u64::try_from(*id).ok(),
        _ => None,
    }
}
