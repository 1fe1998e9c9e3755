//! A text of queries, bound to a handle's attributes, and what of the answers is kept.

use std::sync::Arc;

use gt_query::ir::{Arrangement, Expr, Field, Outcome, Query};
use gt_query::live::Live;
use gt_query::{Environment, Position, Program, compile, render_all};

use super::Surroundings;
use crate::boundary::Fault;

/// What stands for a file's name in messages.
pub(super) const SOURCE: &str = "gtl_attachQuery";

pub(super) struct Bound {
    pub(super) program: Arc<Program>,
    pub(super) keeps: Vec<Keep>,
}

/// What is kept of a query's matches beside their number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Keep {
    /// Nothing: it asks for the number.
    Number,
    /// Their node_ids.
    Nodes,
    /// The node_ids that `order by` and `limit` leave, in that order: known at the end.
    Arranged,
}

impl Bound {
    /// Binds a text; `$name` is what the tree's metadata say, or else `fallback`, or else the log's.
    pub(super) fn new(
        text: &str,
        surroundings: Surroundings<'_>,
        fallback: &gt_log::Metadata,
    ) -> Result<Self, Fault> {
        let entries = surroundings.tree.iter().chain(fallback.iter()).chain(surroundings.log.iter());
        let environment = entries.fold(Environment::new(surroundings.schema), |environment, (key, value)| {
            environment.with_metadata(key, value)
        });
        let mut program = compile(text, &environment)
            .map_err(|errors| Fault::query(render_all(&errors, SOURCE, text).trim_end()))?;
        if program.queries.is_empty() {
            return Err(Fault::query("the text that was attached holds no query; `node: best > 0` is one"));
        }
        let keeps = program.queries.iter_mut().map(|query| keep(query, text)).collect::<Result<_, _>>()?;
        let program = Arc::new(program);
        // Refuses at once what no running search can be asked.
        Live::new(Arc::clone(&program)).map_err(|error| Fault::query(format!("{SOURCE}: {error}")))?;
        Ok(Self { program, keeps })
    }

    /// Marks the attributes that are read.
    pub(super) fn mark_read(&self, is_read: &mut [bool]) {
        for expr in self.program.each() {
            expr.leaves(&mut |leaf| {
                if let Expr::Read(operand) = leaf
                    && let Field::Attribute(place) = operand.field
                    && let Some(is_read) = is_read.get_mut(place)
                {
                    *is_read = true;
                }
            });
        }
    }
}

/// Decides what is kept. The evaluator is asked for no more than that: it need not collect what is collected here,
/// nor make cells that nobody is told.
fn keep(query: &mut Query, text: &str) -> Result<Keep, Fault> {
    let arrangement = match &mut query.outcome {
        Outcome::Count => return Ok(Keep::Number),
        Outcome::Nodes(arrangement) | Outcome::Rows { arrangement, .. } => std::mem::take(arrangement),
        Outcome::Aggregate(_) => return Err(refused(query, text, "a value")),
        Outcome::Groups { .. } => return Err(refused(query, text, "a table of groups")),
    };
    let Arrangement { order, limit } = &arrangement;
    if order.is_empty() && limit.is_none() {
        query.outcome = Outcome::Count;
        return Ok(Keep::Nodes);
    }
    query.outcome = Outcome::Nodes(arrangement);
    Ok(Keep::Arranged)
}

fn refused(query: &Query, text: &str, what: &str) -> Fault {
    let Position { line, column } = Position::of(text, query.span.start);
    Fault::query(format!(
        "{SOURCE}:{line}:{column}: the answer to `{}` is {what}, and an engine is told nodes; attach a query for the \
         nodes, or ask the log",
        query.text
    ))
}
