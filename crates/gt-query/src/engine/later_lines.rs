//! `@line`, computed once it is known which rows are shown.
//!
//! ```text
//! select @line … ──▶ select node_id … ──▶ matches, ordered and limited ──▶ node_id becomes the line
//! ```
//!
//! A line is as long as the node is deep, and every node of a deep tree may match, so matches carry node_ids
//! instead.

use std::borrow::Cow;
use std::time::Instant;

use gt_log::Tree;

use super::crossing::damaged;
use super::parallel::check_at;
use super::scan::lines_of;
use super::{Failure, Finding, Findings, NodeSet, Options};
use crate::answer::Answer;
use crate::ir::{Expr, Field, Operand, Outcome, Program};
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

/// Makes the lines of the rows that are shown.
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
    let mut ids = Vec::new();
    each_cell(program, options, findings, &mut |cell| ids.extend(cell.as_ref().and_then(node_id)))?;
    if ids.is_empty() {
        return Ok(());
    }
    if let Some(id) = ids.iter().find(|id| **id >= tree.nodes()) {
        return Err(damaged(tree, *id));
    }
    let ids = NodeSet::of(tree.nodes(), &ids);
    let lines = lines_of(tree, &ids.slice(0..ids.count()), options)?;
    each_cell(program, options, findings, &mut |cell| {
        let id = cell.as_ref().and_then(node_id);
        *cell = id.map(|id| Value::Line(lines.get(ids.rank(id) as usize).cloned().unwrap_or_default()));
    })?;
    findings.stats.seconds.push(("lines".to_owned(), started.elapsed().as_secs_f64()));
    Ok(())
}

fn node_id(value: &Value) -> Option<u64> {
    match value {
        Value::Integer(id) => u64::try_from(*id).ok(),
        _ => None,
    }
}

/// Calls `visit` with each cell that will be a line.
fn each_cell(
    program: &Program,
    options: &Options<'_>,
    findings: &mut Findings<'_>,
    visit: &mut dyn FnMut(&mut Option<Value>),
) -> Result<(), Failure> {
    for (query, found) in program.queries.iter().zip(&mut findings.found) {
        let Ok(Finding::Answer(Answer::Rows { rows, .. })) = found else { continue };
        for column in line_columns(&query.outcome) {
            for (place, row) in rows.iter_mut().enumerate() {
                check_at(place, options.cancel)?;
                row.get_mut(column).into_iter().for_each(&mut *visit);
            }
        }
    }
    Ok(())
}
